package endgame

// known is the table of a subspace.
type known struct {
	space
	codes []byte // by slot: 0 drawn, else the turns to the end plus 1
	shots []byte // by slot: 0 not within the limit, else the turns to the next shot or the end plus 1; nil where not kept
}

// valueOf is the value behind a code of turns to the end.
func valueOf(code byte) Value {
	switch {
	case code == 0:
		return Draw
	case isWin(code):
		return Win
	}
	return Loss
}

// limited is the value of a position that begins a count of turns without a shot.
func (k *known) limited(slot uint32) Value {
	if k.shots != nil && k.shots[slot] == 0 {
		return Draw
	}
	return valueOf(k.codes[slot])
}
