package endgame

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"kraal/rules"
)

// randomStand puts so many pieces of each side anywhere.
func randomStand(r *rand.Rand, s subspace) (at stand) {
	for _, p := range r.Perm(rules.PointCount) {
		switch {
		case at.own.Len() < s.own:
			at.own = at.own.With(rules.Point(p))
		case at.other.Len() < s.other:
			at.other = at.other.With(rules.Point(p))
		}
	}
	return at
}

// position is the stand with one side to move.
func (at stand) position(turn rules.Side) (p rules.Position) {
	p.Turn = turn
	p.Pieces[turn], p.Pieces[turn.Opponent()] = at.own, at.other
	return p
}

// TestSlots wants a position and its sixteen images in one slot, the slot to give one of them back, and the number of
// symmetries that keep it to be what counting says.
func TestSlots(t *testing.T) {
	ix := newIndex()
	rapid.Check(t, func(t *rapid.T) {
		sub := subspace{rapid.IntRange(3, 9).Draw(t, "own"), rapid.IntRange(3, 9).Draw(t, "other")}
		at := randomStand(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), sub)
		s := newSpace(ix, sub)
		slot, kept := s.slot(at)
		if int(slot) >= s.slots() {
			t.Fatalf("%v: slot %d of %d", at, slot, s.slots())
		}
		back := s.stand(slot)
		found, same := false, 0
		for way := range uint32(16) {
			image := stand{ix.turned(way, at.own), ix.turned(way, at.other)}
			if other, _ := s.slot(image); other != slot {
				t.Fatalf("%v and its image %v: slots %d and %d", at, image, slot, other)
			}
			found = found || image == back
			if image == at {
				same++
			}
		}
		if !found || same != kept {
			t.Fatalf("%v: slot %d gives %v; kept by %d symmetries, want %d", at, slot, back, kept, same)
		}
		if k := s.kept(back, &s.sets.orbits[slot/s.width]); k != kept {
			t.Fatalf("%v: its slot is kept by %d, want %d", back, k, kept)
		}
	})
}

// TestPositions counts the positions of subspaces, which Burnside's lemma gives too.
func TestPositions(t *testing.T) {
	ix := newIndex()
	for sub, want := range map[subspace]int{{3, 3}: 169_626, {4, 3}: 760_398, {3, 4}: 760_398, {4, 4}: 3_225_597} {
		s := newSpace(ix, sub)
		n := 0
		for slot := range uint32(s.slots()) {
			at := s.stand(slot)
			if s.kept(at, &s.sets.orbits[slot/s.width]) == 0 {
				continue
			}
			n++
			if back, _ := s.slot(at); back != slot {
				t.Fatalf("%v: position %v has slot %d, not %d", sub, at, back, slot)
			}
		}
		if n != want {
			t.Errorf("%v: %d positions, want %d", sub, n, want)
		}
	}
}

// TestSymmetries wants sixteen different ways, each of which keeps the lines of both boards.
func TestSymmetries(t *testing.T) {
	ix := newIndex()
	for _, diagonals := range []bool{false, true} {
		b := newBoard(diagonals)
		lines := map[rules.Points]bool{}
		for _, line := range b.lines {
			lines[line] = true
		}
		seen := map[[rules.PointCount]rules.Points]bool{}
		for way := range uint32(16) {
			var images [rules.PointCount]rules.Points
			for p := range images {
				images[p] = ix.turned(way, 1<<p)
			}
			seen[images] = true
			for _, line := range b.lines {
				if image := ix.turned(way, line); !lines[image] {
					t.Errorf("way %d turns %v into %v", way, line, image)
				}
			}
		}
		if len(seen) != 16 {
			t.Errorf("%d different ways, want 16", len(seen))
		}
	}
}
