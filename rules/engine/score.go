package engine

import "strconv"

// Score is how good a position is for the side to move: hundredths of a piece, or a forced end of the game and how many
// actions of both sides away it is. A larger score is always the better one.
type Score int32

const (
	// won is the score of a game just won. Each action that it is away takes one off, so that quicker wins are
	// preferred and losses are put off.
	won Score = 30_000

	// decisive is the least score that is a forced win. No evaluation reaches it. A table adds up to 254 turns to what
	// was searched.
	decisive = won - 4*maxPly

	// beyond is above every score, and its negative below.
	beyond = won + 1

	drawn Score = 0
)

// Win tells whether the score is a forced win, and in how many actions.
func (s Score) Win() (actions int, forced bool) {
	if s < decisive {
		return 0, false
	}
	return int(won - s), true
}

// Loss tells whether the score is a forced loss, and in how many actions.
func (s Score) Loss() (actions int, forced bool) { return (-s).Win() }

// String writes the score as UGI does: "cp 25", "win 5" or "loss 4".
func (s Score) String() string {
	if n, forced := s.Win(); forced {
		return "win " + strconv.Itoa(n)
	}
	if n, forced := s.Loss(); forced {
		return "loss " + strconv.Itoa(n)
	}
	return "cp " + strconv.Itoa(int(s))
}

// stored is the score as the table keeps it: forced ends are counted from the position that is stored, since it may be
// met again at another distance from the root.
func (s Score) stored(ply int) Score {
	switch {
	case s >= decisive:
		return s + Score(ply)
	case s <= -decisive:
		return s - Score(ply)
	}
	return s
}

// loaded undoes stored.
func (s Score) loaded(ply int) Score {
	switch {
	case s >= decisive:
		return s - Score(ply)
	case s <= -decisive:
		return s + Score(ply)
	}
	return s
}
