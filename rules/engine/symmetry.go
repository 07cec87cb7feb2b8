package engine

import (
	"math/bits"

	"kraal/rules"
)

// fewPieces is up to how many pieces on the board positions are turned so that the table knows all images of one as the
// same. Early on one hit stands for sixteen; later it would cost more than it saves.
const fewPieces = 8

// symmetries are the sixteen ways to turn a board so that its lines stay lines: four rotations, mirrored or not, with the
// outer and inner rings exchanged or not. They are the same with and without diagonals; the first changes nothing.
type symmetries struct {
	to, back [16][rules.PointCount]rules.Point
}

func newSymmetries() *symmetries {
	var at [rules.PointCount]rules.Point // by ring index
	for p := range rules.Point(rules.PointCount) {
		at[ringIndex(p)] = p
	}
	s := new(symmetries)
	for way := range s.to {
		for p := range rules.Point(rules.PointCount) {
			ring, around := ringIndex(p)/8, ringIndex(p)%8
			if way&4 != 0 {
				around = 8 - around
			}
			if way&8 != 0 {
				ring = 2 - ring
			}
			image := at[8*ring+(around+2*(way&3))%8]
			s.to[way][p], s.back[way][image] = image, p
		}
	}
	return s
}

// least is the way that gives the smallest image of the pieces, and that image.
func (s *symmetries) least(pieces [2]rules.Points) (way uint8, image [2]rules.Points) {
	image = pieces
	for i := 1; i < len(s.to); i++ {
		first := turned(&s.to[i], pieces[0])
		if first > image[0] {
			continue
		}
		if second := turned(&s.to[i], pieces[1]); first < image[0] || second < image[1] {
			way, image = uint8(i), [2]rules.Points{first, second}
		}
	}
	return way, image
}

func turned(to *[rules.PointCount]rules.Point, pieces rules.Points) (image rules.Points) {
	for ; pieces != 0; pieces &= pieces - 1 {
		image |= 1 << to[bits.TrailingZeros32(uint32(pieces))]
	}
	return image
}

// locate works out where the table keeps a position, given its placement's key, and which way it is turned for that.
func (w *worker) locate(p *rules.Position, placed uint64) (key uint64, way uint8) {
	if p.Placing() && p.Occupied().Len() <= fewPieces {
		image := *p
		way, image.Pieces = w.symmetries.least(p.Pieces)
		return placementKey(&image) ^ w.salt, way
	}
	return placed ^ w.salt ^ w.limits.key(p.Counts), 0
}

// turn is an action of the placing phase seen on the turned board, or back from there.
func turn(to *[rules.PointCount]rules.Point, a rules.Action) rules.Action {
	a.To = to[a.To]
	return a
}
