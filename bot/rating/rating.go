// Package rating is Glicko-2: what a result says about the strength of the two who played.
//
// Source: Mark E. Glickman, "Example of the Glicko-2 system" (2013). Ratings are in Glicko's points throughout (1500 is
// average, deviations in the same points); the paper's internal scale stays inside this package.
package rating

import (
	"math"
	"time"
)

// scale turns Glicko's points into the internal scale of the paper (step 2).
const scale = 173.7178

// convergence is how closely the volatility is solved (step 5 of the paper).
const convergence = 1e-6

// Rating is a strength, how sure we are of it, and how much it is expected to change.
type Rating struct {
	Points     float64
	Deviation  float64 // in points; about two in three true strengths lie within one deviation
	Volatility float64
}

// Result is one game against an opponent, seen from the player who is rated.
type Result struct {
	Opponent Rating
	Score    float64 // 1 for a win, 0.5 for a draw, 0 for a loss
}

// System holds the constants of a rating system. Its zero value is of no use: take Standard.
type System struct {
	Start        Rating // of somebody who has not played
	MinDeviation float64
	MaxDeviation float64
	MaxVolatility,
	Tau float64 // how freely the volatility moves
	PeriodsPerDay float64 // rating periods that pass in a day
	Provisional   float64 // from this deviation on a rating is not yet trusted
}

// Standard is the system of this project, with lichess's published constants.
func Standard() System {
	return System{
		Start:         Rating{Points: 1500, Deviation: 500, Volatility: 0.09},
		MinDeviation:  45,
		MaxDeviation:  500,
		MaxVolatility: 0.1,
		Tau:           0.75,
		PeriodsPerDay: 0.21436,
		Provisional:   110,
	}
}

// Grown returns r as it stands after a time without games: only the deviation has grown.
func (s System) Grown(r Rating, idle time.Duration) Rating {
	r.Deviation = s.bounded(scale * grow(r.Deviation/scale, r.Volatility, s.periods(idle)))
	return r
}

// IsProvisional tells whether r is too uncertain to be ranked.
func (s System) IsProvisional(r Rating) bool { return r.Deviation >= s.Provisional }

// Lapse is when a rating of that moment will have become too uncertain to be ranked if no game follows: the deviation that
// Grown gives has then just passed Provisional. The zero time means that it is so already. More than a century is a
// century.
func (s System) Lapse(r Rating, at time.Time) time.Time {
	if s.IsProvisional(r) {
		return time.Time{}
	}
	const century = 36525 // days
	most, phi := s.Provisional/scale, r.Deviation/scale
	periods := (most*most - phi*phi) / (r.Volatility * r.Volatility)
	days := min(periods/s.PeriodsPerDay, century)
	// A second more, so that no rounding leaves a deviation which is a hair too small.
	return at.Add(time.Duration(days * 24 * float64(time.Hour))).Truncate(time.Second).Add(2 * time.Second)
}

// GamesLacking is about how many games a provisional rating needs to be ranked, one after the other without a pause: as if
// each were drawn with somebody of the same points whose rating has just become sure enough. 0: it is ranked.
func (s System) GamesLacking(r Rating) int {
	const most = 99 // no rating of this system needs so many
	peer := Rating{Points: r.Points, Deviation: s.Provisional, Volatility: s.Start.Volatility}
	for n := range most {
		if !s.IsProvisional(r) {
			return n
		}
		r = s.Update(r, []Result{{peer, 0.5}}, 0)
		peer.Points = r.Points
	}
	return most
}

// Reset is what somebody begins a season with who has a rating: half way back to the start, and less sure than before, but
// no surer than leastReset.
func (s System) Reset(r Rating) Rating {
	const leastReset = 150
	r.Points = (r.Points + s.Start.Points) / 2
	r.Deviation = s.bounded(max(r.Deviation, leastReset))
	return r
}

// Game returns the ratings of two players after a game between them, an event of its own. score is white's: 1, 0.5 or 0.
// idle tells how long each had not played; both deviations are grown for it first, so that the order in which the two
// are worked out does not matter.
func (s System) Game(white, black Rating, score float64, idle [2]time.Duration) (Rating, Rating) {
	newWhite := s.Update(white, []Result{{s.Grown(black, idle[1]), score}}, s.periods(idle[0]))
	newBlack := s.Update(black, []Result{{s.Grown(white, idle[0]), 1 - score}}, s.periods(idle[1]))
	return newWhite, newBlack
}

// Update returns r after results that fell into so many rating periods (a fraction is allowed). Without results only the
// deviation grows. Source: steps 2 to 8 of the paper, with step 6 for a fraction of a period.
func (s System) Update(r Rating, results []Result, periods float64) Rating {
	mu, phi := (r.Points-s.Start.Points)/scale, r.Deviation/scale
	if len(results) == 0 {
		r.Deviation = s.bounded(scale * grow(phi, r.Volatility, periods))
		return r
	}
	var information, surprise float64 // 1/v of step 3, and the sum of step 4
	for _, res := range results {
		g := weight(res.Opponent.Deviation / scale)
		expected := 1 / (1 + math.Exp(-g*(mu-(res.Opponent.Points-s.Start.Points)/scale)))
		information += g * g * expected * (1 - expected)
		surprise += g * (res.Score - expected)
	}
	v := 1 / information
	sigma := min(s.volatility(r.Volatility, phi, v, v*surprise), s.MaxVolatility)
	phi = grow(phi, sigma, periods)
	phi = 1 / math.Sqrt(1/(phi*phi)+1/v)
	return Rating{
		Points:     s.Start.Points + scale*(mu+phi*phi*surprise),
		Deviation:  s.bounded(scale * phi),
		Volatility: sigma,
	}
}

// volatility solves step 5 of the paper by the Illinois method.
func (s System) volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-d)/(2*d*d) - (x-a)/(s.Tau*s.Tau)
	}
	low, high := a, 0.0
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		high = a - s.Tau
		for f(high) < 0 {
			high -= s.Tau
		}
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > convergence {
		mid := low + (low-high)*fLow/(fHigh-fLow)
		fMid := f(mid)
		if fMid*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = mid, fMid
	}
	return math.Exp(low / 2)
}

func (s System) periods(idle time.Duration) float64 {
	return max(0, idle.Hours()/24*s.PeriodsPerDay)
}

func (s System) bounded(deviation float64) float64 {
	return min(max(deviation, s.MinDeviation), s.MaxDeviation)
}

// weight is g of step 3: how much an opponent of that deviation tells.
func weight(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// grow is step 6 for so many periods.
func grow(phi, sigma, periods float64) float64 { return math.Sqrt(phi*phi + periods*sigma*sigma) }
