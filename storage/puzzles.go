package storage

// Puzzles is how a member fares with puzzles. Days are counted from 1970-01-01, UTC. The zero value: none was tried yet.
type Puzzles struct {
	Day       int  `json:"day,omitempty"`        // the last whose puzzle was answered, right or wrong
	SolvedDay int  `json:"solved_day,omitempty"` // the last whose puzzle was solved at the first attempt
	Streak    int  `json:"streak,omitempty"`     // days in a row, up to SolvedDay
	Best      int  `json:"best,omitempty"`       // the longest streak
	Solved    int  `json:"solved,omitempty"`     // puzzles, of all sorts
	Missed    int  `json:"missed,omitempty"`     // puzzles that were not solved at the first attempt
	Next      int  `json:"next,omitempty"`       // of those without end, which comes next
	Erred     bool `json:"erred,omitempty"`      // that one was missed already
}

// StreakOn is the streak as it stands on a day: it ends when a whole day has passed without a solution.
func (p Puzzles) StreakOn(day int) int {
	if p.SolvedDay < day-1 {
		return 0
	}
	return p.Streak
}
