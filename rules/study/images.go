package study

import (
	"encoding/base32"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"kraal/rules"
)

// images are the sixteen ways to turn a board so that its lines stay lines: four rotations, mirrored or not, with the
// outer and inner rings exchanged or not. They are found from where points stand on a grid of seven by seven, the centre
// at 0,0.
func images() (ways [16][rules.PointCount]rules.Point) {
	at := map[[2]int]rules.Point{}
	for p := range rules.Point(rules.PointCount) {
		at[grid(p)] = p
	}
	for way := range ways {
		for p := range rules.Point(rules.PointCount) {
			xy := grid(p)
			for range way & 3 {
				xy = [2]int{xy[1], -xy[0]}
			}
			if way&4 != 0 {
				xy[0] = -xy[0]
			}
			if way&8 != 0 {
				ring := max(abs(xy[0]), abs(xy[1]))
				xy = [2]int{xy[0] / ring * (4 - ring), xy[1] / ring * (4 - ring)}
			}
			ways[way][p] = at[xy]
		}
	}
	return ways
}

// grid is where a point stands, from its name.
func grid(p rules.Point) [2]int {
	name := p.String()
	return [2]int{int(name[0]-'a') - 3, int(name[1]-'1') - 3}
}

func abs(n int) int { return max(n, -n) }

// identify names a position by what it has in common with its images, the side to move first, whatever its colour. One
// that can be turned into another, colours exchanged or not, is the same puzzle.
func identify(p rules.Position, g Goal) string {
	var least []byte
	for _, way := range images() {
		if image := imageOf(p, &way); least == nil || slices.Compare(image, least) < 0 {
			least = image
		}
	}
	sum := fnv.New64a()
	sum.Write(least)
	sum.Write([]byte(g))
	name := base32.StdEncoding.EncodeToString(sum.Sum(nil))
	return strings.ToLower(name[:7])
}

// imageOf is a turned position as bytes: pieces, hands and forbidden moves, those of the side to move first.
func imageOf(p rules.Position, way *[rules.PointCount]rules.Point) (image []byte) {
	for _, side := range []rules.Side{p.Turn, p.Turn.Opponent()} {
		var pieces rules.Points
		for at := range p.Pieces[side].All() {
			pieces = pieces.With(way[at])
		}
		image = binary.BigEndian.AppendUint32(image, uint32(pieces))
		step := p.Forbidden[side]
		image = append(image, p.Hand[side], 0, 0)
		if step.Set {
			image[len(image)-2], image[len(image)-1] = 1+byte(way[step.From]), 1+byte(way[step.To])
		}
	}
	return image
}
