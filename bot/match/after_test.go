package match_test

import (
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// TestAfter: a match as it stood after each of its turns is that of a game which went no further, with no result, no
// offer and no clock; the match itself stays as it is.
func TestAfter(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), ""), "a7", "b6", "d7", "f6", "g7", "xb6", "d6")
	whole := look(t, do(t, m, ann, match.Resign{}))
	plain := rules.NewGame(m.Variant)
	turns := whole.Game.Turns()
	for n := range turns {
		then, err := whole.After(n)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := then.Game.Position(), plain.Position(); got != want {
			t.Errorf("after %d turns: got %v, want %v", n, got, want)
		}
		if then.Match.State != storage.Playing || then.Status().Over || then.Match.Offers != nil {
			t.Errorf("after %d turns: %+v", n, then.Match)
		}
		for _, a := range turns[n].Turn {
			if err := plain.Play(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, n := range []int{len(turns), len(turns) + 1} {
		if now, err := whole.After(n); err != nil || now.Status() != whole.Status() || now.Game.Position() != plain.Position() {
			t.Errorf("after %d turns: %v, %v", n, now.Game.Position(), err)
		}
	}
	if first, err := whole.After(-1); err != nil || first.Game.Len() != 0 {
		t.Errorf("after less than none: %v", err)
	}
}
