package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kraal/rules"
)

func FuzzParsePosition(f *testing.F) {
	for _, v := range rules.Variants() {
		f.Add(v.Key, v.Opening().String())
	}
	f.Add("mhele", "wb./.../b../.b..w./..w/.w./..b w 0,0 0 7,1 d6d7,-")
	f.Add("koti", "www/.b./.../....../.../.../... w 9,11 3 0,0 -,-")
	f.Add("nine", "www/.b./.../....../.../... w 99,-1 4 70000,0 a7,h9")
	f.Fuzz(func(t *testing.T, key, line string) {
		v, known := rules.Lookup(key)
		if !known {
			return
		}
		p, err := v.ParsePosition(line)
		if err != nil {
			var syntax *rules.SyntaxError
			var setup *rules.SetupError
			if !errors.As(err, &syntax) && !errors.As(err, &setup) {
				t.Errorf("%q: an error of another kind: %v", line, err)
			}
			return
		}
		if p.String() != line {
			t.Errorf("%q printed as %q", line, p)
		}
		if v.Status(p).Over && len(v.Legal(p)) > 0 {
			t.Errorf("%q: over, yet legal are %v", line, v.Legal(p))
		}
	})
}

// FuzzPlay plays whatever the text says, turn by turn, and goes on after what is refused.
func FuzzPlay(f *testing.F) {
	f.Add("nine", "c5 f4 a7 c4 b4 d6 a1 a4 g1 f6 d1 xf6 f6 g7 f2 xb4 d7 xa4 a4 g4 xa4 b6 xc5 d1-d2")
	f.Add("morabaraba", "f2 g7 e5 c4 e3 g1 e4 xg1 g1 g4 f4 b2 a7 d2 xg1 a4 a1 c3")
	f.Add("koti", "pass x a7-a7 xx d7xb4 A7-D7XB4 a7-")
	f.Fuzz(func(t *testing.T, key, text string) {
		v, known := rules.Lookup(key)
		if !known {
			return
		}
		g := rules.NewGame(v)
		for _, word := range strings.Fields(text) {
			turn, err := rules.ParseTurn(word)
			if err != nil {
				continue
			}
			for _, a := range turn {
				before, legal := g.Position(), g.Legal()
				switch err := g.Play(a); {
				case (err == nil) != slices.Contains(legal, a):
					t.Fatalf("%s: %s: %v, legal %v", before, a, err, legal)
				case err != nil && g.Position() != before:
					t.Fatalf("%s: %s refused, yet now %s", before, a, g.Position())
				}
			}
		}
		if again, err := g.Record().Game(); err != nil || again.Status() != g.Status() {
			t.Errorf("%s\n%v", g.Record(), err)
		}
	})
}

func FuzzParseRecord(f *testing.F) {
	f.Add("[Variant \"nine\"]\n[White \"A \\\"B\\\" C\"]\n[Date \"2026-11-30\"]\n[Event \"\"]\n\n1. d6 f4 2. d7 b6 *\n")
	f.Add("[Variant \"thinhama\"]\n[Rules \"flies=false no_shot=30\"]\n[Result \"1-0\"]\n[Reason \"resignation\"]\n\n1. a7 1-0")
	f.Add("[Variant \"morabaraba\"]\n[Position \"www/.b./.../....../.../.../... w 9,11 1 0,0 -,-\"]\n\n1. xd6 a1 1/2-1/2")
	f.Add(strings.Replace(protectedShot, "VARIANT", "koti", 1))
	f.Fuzz(func(t *testing.T, text string) {
		record, err := rules.ParseRecord(text)
		if err != nil {
			return
		}
		written := record.String()
		again, err := rules.ParseRecord(written)
		if err != nil {
			t.Fatalf("%v in what was written\n%s", err, written)
		}
		if again.String() != written || !slices.Equal(again.Actions, record.Actions) || again.Start != record.Start {
			t.Errorf("written\n%s\nand again\n%s", written, again)
		}
		if g, err := record.Game(); err == nil && g.Len() != len(record.Actions) {
			t.Errorf("%d actions played of %d", g.Len(), len(record.Actions))
		}
	})
}
