package study

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/rules"
)

func TestEmbeddedSetHoldsAYearOfPuzzles(t *testing.T) {
	all := set(t).All()
	if len(all) < 365 {
		t.Errorf("%d puzzles, want 365 or more", len(all))
	}
	if len(embedded) >= 200<<10 {
		t.Errorf("%d bytes, want fewer than 200 KiB", len(embedded))
	}
	games, goals := map[string]int{}, map[Goal]int{}
	for _, z := range all {
		games[z.Variant.Key]++
		goals[z.Goal]++
		if id := identify(z.Position, z.Goal); id != z.ID {
			t.Errorf("%s is called %s, want %s", z.Position, z.ID, id)
		}
	}
	for _, v := range rules.Variants() {
		if games[v.Key] < 50 {
			t.Errorf("%s has %d puzzles, want 50 or more", v.Key, games[v.Key])
		}
	}
	for _, g := range []Goal{Win, Piece, Save, Block, Keep, Hold} {
		if goals[g] == 0 {
			t.Errorf("no puzzle's goal is %s", g)
		}
	}
}

// TestEmbeddedPuzzlesAreProven proves every puzzle afresh, with -short every tenth.
func TestEmbeddedPuzzlesAreProven(t *testing.T) {
	for i, z := range set(t).All() {
		if i%10 != 0 && testing.Short() {
			continue
		}
		if err := z.Verify(context.Background()); err != nil && (!z.Goal.byTable() || !errors.Is(err, ErrNeedsTables)) {
			t.Error(err)
		}
	}
}

func TestVerifyRefusesWhatIsNotSo(t *testing.T) {
	all := set(t).All()
	z := all[slices.IndexFunc(all, func(z Puzzle) bool { return !z.Goal.byTable() })]
	wrong := map[string]func(*Puzzle){
		"depth":    func(z *Puzzle) { z.Depth++ },
		"grade":    func(z *Puzzle) { z.Grade = z.Grade%MaxGrade + 1 },
		"accepted": func(z *Puzzle) { z.Accepted = nil },
		"id":       func(z *Puzzle) { z.ID = "other" },
		"position": func(z *Puzzle) { z.Position = z.Variant.Opening() },
	}
	for name, spoil := range wrong {
		spoiled := z
		spoil(&spoiled)
		if err := spoiled.Verify(context.Background()); !errors.Is(err, errPuzzle) {
			t.Errorf("%s: got %v, want %v", name, err, errPuzzle)
		}
	}
}

func TestDailyComesRoundAndChangesAtMidnight(t *testing.T) {
	s := set(t)
	first := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	for n := range s.Len() {
		seen[s.Daily(first.AddDate(0, 0, n)).ID] = true
	}
	if len(seen) != s.Len() {
		t.Errorf("%d different in %d days", len(seen), s.Len())
	}
	end := first.Add(day - time.Nanosecond)
	if s.Daily(first).ID != s.Daily(end).ID || s.Daily(first).ID == s.Daily(first.Add(day)).ID {
		t.Error("the day's puzzle does not change at midnight, UTC")
	}
	east := first.In(time.FixedZone("east", 14*3600))
	if s.Daily(east).ID != s.Daily(first).ID {
		t.Error("the day's puzzle depends on where one is")
	}
	if got := NextDay(end); !got.Equal(first.Add(day)) {
		t.Errorf("next day begins %s, want %s", got, first.Add(day))
	}
}

func TestFurtherHasNoEnd(t *testing.T) {
	s := set(t)
	seen := map[string]bool{}
	for n := range s.Len() {
		seen[s.Further(n).ID] = true
	}
	if len(seen) != s.Len() {
		t.Errorf("%d different of %d", len(seen), s.Len())
	}
	if s.Further(s.Len()).ID != s.Further(0).ID {
		t.Error("it does not begin anew")
	}
}

func TestFindKnowsEveryPuzzleByItsID(t *testing.T) {
	s := set(t)
	for _, z := range s.All() {
		if found, ok := s.Find(z.ID); !ok || found.Position != z.Position {
			t.Errorf("%s: got %s, %t", z.ID, found.Position, ok)
		}
	}
	if _, ok := s.Find("nothing"); ok {
		t.Error("found what is not there")
	}
}

func TestPuzzlesReadAsWritten(t *testing.T) {
	all := set(t).All()
	var written bytes.Buffer
	if err := WritePuzzles(&written, all); err != nil {
		t.Fatal(err)
	}
	first := written.String()
	read, err := ReadPuzzles(strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	written.Reset()
	if err := WritePuzzles(&written, read); err != nil {
		t.Fatal(err)
	}
	if written.String() != first {
		t.Error("puzzles change when they are written and read")
	}
}

func TestReadSetRefuses(t *testing.T) {
	const good = `{"id":"a","variant":"nine","position":".../.../.../....../.../.../... b 9,9 0 0,0 -,-","goal":"win",` +
		`"accepted":["d7"],"depth":1,"grade":1}`
	if _, err := ReadSet(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{
		"nothing":  "",
		"twice":    good + "\n" + good,
		"no JSON":  good + "\nx",
		"variant":  strings.Replace(good, "nine", "chess", 1),
		"position": strings.Replace(good, "9,9", "99,9", 1),
		"goal":     strings.Replace(good, `"win"`, `"lose"`, 1),
		"no turn":  strings.Replace(good, `"d7"`, "", 1),
		"turn":     strings.Replace(good, "d7", "d9", 1),
		"depth":    strings.Replace(good, `"depth":1`, `"depth":9`, 1),
		"grade":    strings.Replace(good, `"grade":1`, `"grade":0`, 1),
		"id":       strings.Replace(good, `"id":"a"`, `"id":""`, 1),
	}
	for name, text := range bad {
		if _, err := ReadSet(strings.NewReader(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
