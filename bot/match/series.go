package match

import (
	"kraal/rules"
	"kraal/storage"
)

// Series is what the two players have reached against each other since the first game of which this one is a rematch,
// in half points, by their sides here. A game in which they have not both made a turn counts for nobody.
func Series(t Table) [2]int {
	score := t.Match.Series
	if t.Match.State != storage.Finished || !t.BothMoved() {
		return score
	}
	winner, won := t.Match.Result.Winner()
	if !won {
		score[rules.White]++
		score[rules.Black]++
		return score
	}
	score[winner] += 2
	return score
}

// InSeries tells whether a match is a rematch between two people, and so has a score to show.
func InSeries(m storage.Match) bool { return m.Last != "" && !Alone(m) }
