package discord

import (
	"strconv"

	"kraal/bot/match"
	"kraal/rules"
)

// seriesLine is the score between the players of a rematch; "" for other games.
func seriesLine(t match.Table, say phrases) string {
	m := t.Match
	if !match.InSeries(m) {
		return ""
	}
	score := match.Series(t)
	return say.Say("BoardSeries", args{
		"White": nameOf(m.Seats[rules.White].Person, say), "WhiteScore": halves(score[rules.White]),
		"Black": nameOf(m.Seats[rules.Black].Person, say), "BlackScore": halves(score[rules.Black]),
	})
}

// halves writes half points as points: 5 is 2½.
func halves(n int) string {
	switch {
	case n%2 == 0:
		return strconv.Itoa(n / 2)
	case n == 1:
		return "½"
	}
	return strconv.Itoa(n/2) + "½"
}
