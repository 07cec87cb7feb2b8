package engine

import (
	"math/bits"
	"sync/atomic"

	"kraal/rules"
)

// bound says what a stored score is.
type bound uint8

const (
	exact   bound = iota + 1
	atLeast       // the search was cut short: the truth may be more
	atMost        // no action reached the window: the truth may be less
)

// entry is what the table knows of a position.
type entry struct {
	score  Score
	action rules.Action
	depth  int8
	bound  bound // 0: nothing is known
}

// slot keeps an entry for searches of several threads without a lock: the key is stored mixed with the rest, so that
// halves of two different writes do not fit together and are taken for nothing.
type slot struct{ mixed, packed atomic.Uint64 }

// bucket is the slots that one index may choose from, a cache line of them.
type bucket [4]slot

// table remembers positions. Its size is fixed.
type table struct {
	buckets []bucket
	shift   int
	age     uint8 // of the present search; older entries give way first
}

// newTable makes a table of the largest power of two that fits into so many MiB.
func newTable(mebibytes int) *table {
	n := mebibytes << 20 / 64
	power := bits.Len(uint(n)) - 1
	buckets := make([]bucket, 1<<power)
	widen(buckets)
	return &table{buckets: buckets, shift: 64 - power}
}

func (t *table) bucket(key uint64) *bucket { return &t.buckets[key*scatter>>t.shift] }

// load finds a position; bound is 0 where it is not known.
func (t *table) load(key uint64) entry {
	b := t.bucket(key)
	for i := range b {
		if packed := b[i].packed.Load(); b[i].mixed.Load()^packed == key && packed != 0 {
			return unpack(packed)
		}
	}
	return entry{}
}

// store remembers a position, in the place of itself or else of the shallowest and oldest.
func (t *table) store(key uint64, e entry) {
	b := t.bucket(key)
	chosen, least := 0, 1<<30
	for i := range b {
		packed := b[i].packed.Load()
		if packed == 0 || b[i].mixed.Load()^packed == key {
			chosen = i
			break
		}
		if worth := int(int8(packed>>32)) - 4*int(t.age-uint8(packed>>42)); worth < least {
			chosen, least = i, worth
		}
	}
	packed := e.pack(t.age)
	b[chosen].packed.Store(packed)
	b[chosen].mixed.Store(key ^ packed)
}

// pack lays an entry out: score 16 bits, action 12 from bit 16, depth 8 from 32, bound 2 from 40, age 8 from 42.
func (e entry) pack(age uint8) uint64 {
	action := uint64(e.action.Kind&3)<<10 | uint64(e.action.From&31)<<5 | uint64(e.action.To&31)
	return uint64(uint16(e.score)) | action<<16 | uint64(uint8(e.depth))<<32 | uint64(e.bound)<<40 | uint64(age)<<42
}

func unpack(packed uint64) entry {
	return entry{
		score: Score(int16(packed)),
		action: rules.Action{
			Kind: rules.ActionKind(packed >> 26 & 3), From: rules.Point(packed >> 21 & 31), To: rules.Point(packed >> 16 & 31),
		},
		depth: int8(packed >> 32),
		bound: bound(packed >> 40 & 3),
	}
}
