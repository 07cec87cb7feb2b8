package match

import (
	"kraal/storage"
)

// Series is what the two players have reached against each other since the first game of which this one is a rematch,
// in half points, by their sides here. A game in which they have not both made a turn counts for nobody, and one that was
// annulled does not count either.
func Series(t Table) [2]int {
	score := t.Match.Series
	if !t.Match.Annulled.IsZero() {
		return score
	}
	for side, points := range worth(t) {
		score[side] += points
	}
	return score
}

// worth is what a match itself adds to a series.
func worth(t Table) (points [2]int) {
	if t.Match.State != storage.Finished || !t.BothMoved() {
		return points
	}
	winner, won := t.Match.Result.Winner()
	if !won {
		return [2]int{1, 1}
	}
	points[winner] = 2
	return points
}

// Rescore is a later match of a series as it stands without what an annulled one had brought into it; false: it is the same.
// Its board shows the score, so that it is another revision.
func Rescore(annulled Table, later storage.Match) (storage.Match, bool) {
	if Alone(later) {
		return later, false
	}
	before := later.Series
	for side, points := range worth(annulled) {
		for now, seat := range later.Seats {
			if id := annulled.Match.Seats[side].ID; id != "" && seat.ID == id {
				later.Series[now] = max(0, later.Series[now]-points)
			}
		}
	}
	if later.Series == before {
		return later, false
	}
	later.Revision++
	return later, true
}

// InSeries tells whether a match is a rematch between two people, and so has a score to show.
func InSeries(m storage.Match) bool { return m.Last != "" && !Alone(m) }
