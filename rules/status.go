package rules

// Result is how a game ended, in the words of a game record.
type Result string

// The results.
const (
	Undecided Result = "*"
	WhiteWins Result = "1-0"
	BlackWins Result = "0-1"
	Drawn     Result = "1/2-1/2"
)

// Win is the result in which s has won.
func Win(s Side) Result {
	if s&1 == Black {
		return BlackWins
	}
	return WhiteWins
}

// Winner is the side that has won; false if none has.
func (r Result) Winner() (Side, bool) {
	switch r {
	case WhiteWins:
		return White, true
	case BlackWins:
		return Black, true
	}
	return White, false
}

// Reason is why a game ended, in the words of a game record.
type Reason string

// The reasons. Those from Resignation on are a match's, never found by the rules.
const (
	NoReason              Reason = ""
	FewerThanThree        Reason = "fewer-than-three"
	BlockedPlayer         Reason = "blocked"
	Deadlock              Reason = "deadlock"
	FullBoardDraw         Reason = "full-board"
	RepetitionDraw        Reason = "repetition"
	NoShotDraw            Reason = "no-shot"
	ThreeAgainstThreeDraw Reason = "three-against-three"
	Resignation           Reason = "resignation"
	Agreement             Reason = "agreement"
	Timeout               Reason = "timeout"
	Abandoned             Reason = "abandoned"
	Adjudication          Reason = "adjudication" // a referee decided
)

// onBoard tells whether the rules themselves end a game for this reason.
func (r Reason) onBoard() bool {
	switch r {
	case FewerThanThree, BlockedPlayer, Deadlock, FullBoardDraw, RepetitionDraw, NoShotDraw, ThreeAgainstThreeDraw:
		return true
	}
	return false
}

// known tells whether r is one of the reasons, or none.
func (r Reason) known() bool {
	switch r {
	case NoReason, Resignation, Agreement, Timeout, Abandoned, Adjudication:
		return true
	}
	return r.onBoard()
}

// Status tells whether a game is over and how it ended. While it is not, Result is Undecided and Reason NoReason.
type Status struct {
	Over   bool
	Result Result
	Reason Reason
}

func ended(result Result, reason Reason) Status {
	return Status{Over: true, Result: result, Reason: reason}
}

// Status judges a position from itself alone, so it never finds a repetition.
func (v Variant) Status(p Position) Status {
	r := v.ruleset()
	return r.Status(&p)
}

// Status is Variant.Status. When one turn makes several endings true, the order here decides.
func (r *Ruleset) Status(p *Position) Status {
	live := Status{Result: Undecided}
	if p.Placing() {
		return live
	}
	if loser, found := thinSide(p); found {
		return ended(Win(loser.Opponent()), FewerThanThree)
	}
	if p.Pending > 0 {
		return live
	}
	switch {
	case r.fullDraws && p.Empty() == 0:
		return ended(Drawn, FullBoardDraw)
	case !r.canMove(p, p.Turn) && !r.passes:
		return ended(Win(p.Turn.Opponent()), BlockedPlayer)
	case !r.canMove(p, p.Turn) && !r.canMove(p, p.Turn.Opponent()):
		return ended(Drawn, Deadlock)
	case r.noShot > 0 && p.Counts.NoShot >= r.noShot:
		return ended(Drawn, NoShotDraw)
	case r.three > 0 && p.Counts.ThreeAgainstThree >= r.three:
		return ended(Drawn, ThreeAgainstThreeDraw)
	}
	return live
}

// thinSide is the side that has lost for having fewer than three pieces in the moving phase: the side to move if both
// have.
func thinSide(p *Position) (Side, bool) {
	for _, side := range [...]Side{p.Turn & 1, p.Turn.Opponent()} {
		if p.Pieces[side].Len() < 3 {
			return side, true
		}
	}
	return White, false
}
