package storage

// The indexes below lead to what concerns one member, so that all of it is found without reading everything.

// FinishedUnder is FinishedOf for the games under one variant, by its key.
func FinishedUnder(member, variant string) Index { return newest(finishedUnder, member, variant) }

// FinishedAgainst is FinishedOf for the games of two members with each other.
func FinishedAgainst(member, opponent string) Index {
	return newest(finishedAgainst, min(member, opponent), max(member, opponent))
}

// FinishedHere is FinishedOf within one server; "" is direct messages.
func FinishedHere(server, member string) Index { return newest(finishedHere, server, member) }

// WithdrawnOf lists the matches that concern a member and came to nothing: newest first, by when they were created, then
// by id.
func WithdrawnOf(member string) Index { return newest(withdrawnOf, member) }

// CameToNothing lists what WithdrawnOf does for each member, one member after the other: a match comes once for everybody
// whom it concerns, and one that concerns nobody any more does not come.
func CameToNothing() Index {
	return Index{prefix: start(withdrawnOf), kind: KindMatch, texts: 1, sorted: momentSize}
}

// RatingsOf lists a member's ratings in every pool, by id.
func RatingsOf(member string) Index {
	return Index{prefix: start(ratingsOf, member), kind: KindRating}
}

// TalliesOf lists a member's tallies in every pool, by id.
func TalliesOf(member string) Index {
	return Index{prefix: start(talliesOf, member), kind: KindTally}
}

// PredictionsBy is where a member's predictions begin among All(KindPrediction): they stand together, by game.
func PredictionsBy(member string) Cursor { return Cursor(PredictionKey(member, "").ID) }
