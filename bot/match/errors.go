package match

import "errors"

// Why an act is refused. What people are told is chosen where people are, by errors.Is.
var (
	ErrRepeated      = errors.New("this request was carried out before")
	ErrStale         = errors.New("made for an older state of the match")
	ErrStranger      = errors.New("not a player of this match")
	ErrNotYourTurn   = errors.New("the other player is to act")
	ErrNotWaiting    = errors.New("the challenge no longer waits")
	ErrOwnChallenge  = errors.New("the challenger cannot take up their own challenge")
	ErrNotChallenged = errors.New("somebody else was challenged")
	ErrNotChallenger = errors.New("only the challenger can cancel")
	ErrNotExpired    = errors.New("the challenge has time left")
	ErrNotPlaying    = errors.New("the game is not being played")
	ErrOffered       = errors.New("the offer was made and waits for an answer")
	ErrNoTurn        = errors.New("there is no turn to take back")
	ErrNotFinished   = errors.New("the game is not over")
	ErrRematched     = errors.New("the rematch has begun")
	ErrTimeUp        = errors.New("the time for that is over")
	ErrNotDue        = errors.New("there is time left")
	ErrNothingRuns   = errors.New("no clock runs")
	ErrNoAdjourning  = errors.New("only games with days a turn can be adjourned")
	ErrAdjourned     = errors.New("the game is adjourned")
	ErrNotAdjourned  = errors.New("the game is not adjourned")
	ErrHasClock      = errors.New("the game has a clock")
	ErrYourTurn      = errors.New("whoever asks is to act themselves")
	ErrNoCount       = errors.New("the game has no two-minute rule")
	ErrCounted       = errors.New("the turn is being counted")
	ErrNotCounted    = errors.New("no standing count was ordered")
	ErrAbsent        = errors.New("the player to act is not at the board")
	ErrDamaged       = errors.New("the record cannot be replayed")
)
