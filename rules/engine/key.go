package engine

import (
	"hash/fnv"
	"strings"

	"kraal/rules"
)

// scatter spreads bits over a word: the odd number nearest to 2^64 divided by the golden ratio.
const scatter = 0x9e3779b97f4a7c15

// placementKey packs what repetition compares. Without forbidden moves it fits 59 bits exactly, so that equal keys are
// equal placements; with them it is a hash.
func placementKey(p *rules.Position) uint64 {
	key := uint64(p.Pieces[rules.White]) | uint64(p.Pieces[rules.Black])<<24 |
		uint64(p.Hand[rules.White])<<48 | uint64(p.Hand[rules.Black])<<52 |
		uint64(p.Turn&1)<<56 | uint64(p.Pending&3)<<57
	white, black := p.Forbidden[rules.White], p.Forbidden[rules.Black]
	if white.Set || black.Set {
		key ^= scatter * (stepKey(white)<<11 | stepKey(black))
	}
	return key
}

func stepKey(s rules.Step) uint64 {
	if !s.Set {
		return 0
	}
	return 1<<10 | uint64(s.From&31)<<5 | uint64(s.To&31)
}

// nearLimit is how many turns before a draw by counting the count becomes part of a position for the table. Farther off
// than that a search does not reach the limit.
const nearLimit = 24

// limits are the counts of turns at which a variant draws; 0 is never.
type limits struct {
	noShot, three uint16
	near          uint16 // turns before a limit from which on a count tells; at most 254
}

// key is what the counts add to a placement's key.
func (l limits) key(c rules.Counts) uint64 {
	return (l.close(c.NoShot, l.noShot)<<8 | l.close(c.ThreeAgainstThree, l.three)) * 0xd1342543de82ef95
}

// close is how close a count is to its limit, 0 for not close.
func (l limits) close(count, limit uint16) uint64 {
	if limit == 0 || count+l.near < limit {
		return 0
	}
	return uint64(l.near + 1 - min(l.near, limit-min(count, limit)))
}

// saltOf tells the positions of variants apart in a table they share.
func saltOf(v rules.Variant) uint64 {
	var columns strings.Builder
	for _, name := range rules.Columns() {
		value, _ := v.Column(name)
		columns.WriteString(value + " ")
	}
	h := fnv.New64a()
	h.Write([]byte(columns.String()))
	return h.Sum64()
}
