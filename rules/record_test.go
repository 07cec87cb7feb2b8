package rules_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kraal/rules"
)

func TestRecordText(t *testing.T) {
	v, _ := rules.Lookup("thinhama")
	v, err := v.Set("flies", "false")
	if err == nil {
		v, err = v.Set("no_shot", "30")
	}
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(v)
	for _, name := range strings.Fields("d6 f4 d7 b6 d5 xb6") {
		a, err := rules.ParseAction(name)
		if err == nil {
			err = g.Play(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r := g.Record()
	r.White, r.Black, r.Reason, r.Result = `A "the" B`, "C\\\nD", rules.Resignation, rules.BlackWins
	r.Date = time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)
	r.Tags = []rules.Tag{{Key: "Event", Value: "Kgotla"}, {Key: "no key", Value: "x"}, {Key: "White", Value: "x"}}
	const want = `[Variant "thinhama"]
[Rules "flies=false no_shot=30"]
[White "A \"the\" B"]
[Black "C\\ D"]
[Date "2026-11-30"]
[Result "0-1"]
[Reason "resignation"]
[Event "Kgotla"]

1. d6 f4 2. d7 b6 3. d5xb6 0-1
`
	if r.String() != want {
		t.Errorf("got\n%s\nwant\n%s", r, want)
	}
	var b strings.Builder
	if n, err := r.WriteTo(&b); err != nil || int(n) != len(want) || b.String() != want {
		t.Errorf("wrote %d, %v", n, err)
	}
	read, err := rules.ParseRecord(strings.ReplaceAll(want, "\n", "\r\n"))
	if err != nil || read.White != r.White || !read.Date.Equal(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)) || len(read.Tags) != 1 {
		t.Errorf("%+v, %v", read, err)
	}
}

func TestRecordFromAPendingShot(t *testing.T) {
	text := "[Variant \"koti\"]\n[Result \"*\"]\n[Position \"www/.b./.../....../.../.../..b w 9,10 2 0,0 -,-\"]\n\n1. xd6 *\n"
	r, err := rules.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := r.Game()
	if err != nil {
		t.Fatal(err)
	}
	if turns := g.Turns(); len(turns) != 1 || turns[0].Complete || turns[0].Side != rules.White || r.String() != text {
		t.Errorf("%+v\n%s", g.Turns(), r)
	}
}

func TestParseRecordRefuses(t *testing.T) {
	const head = "[Variant \"nine\"]\n"
	tests := []struct{ name, text, field string }{
		{"nothing", "", "Variant"},
		{"no variant", "1. d7 *", "Variant"},
		{"unknown variant", "[Variant \"chess\"]\n\n*", "Variant"},
		{"header twice", head + head + "\n*", "header"},
		{"header without end", "[Variant \"nine\n\n*", "header"},
		{"quote in a value", head + "[White \"a\"b\"]\n\n*", "header"},
		{"dangling backslash", head + "[White \"a\\\"]\n\n*", "header"},
		{"no result", head + "\n1. d7 f4", "result"},
		{"two results", head + "[Result \"1-0\"]\n\n1. d7 0-1", "result"},
		{"result that is none", head + "[Result \"2-0\"]\n\n2-0", "Result"},
		{"reason that is none", head + "[Reason \"boredom\"]\n\n*", "Reason"},
		{"day that is none", head + "[Date \"2026-02-30\"]\n\n*", "Date"},
		{"position misspelt", head + "[Position \"w\"]\n\n*", "position"},
		{"wrong number", head + "\n1. d7 f4 3. a7 *", "number"},
		{"number in the middle", head + "\n1. d7 2. f4 *", "number"},
		{"shot apart", head + "\n1. d7 f4 xd7 *", "turn"},
		{"comment", head + "\n1. d7 {good} *", "point"},
	}
	for _, test := range tests {
		var syntax *rules.SyntaxError
		if _, err := rules.ParseRecord(test.text); !errors.As(err, &syntax) || syntax.Field != test.field {
			t.Errorf("%s: %v, want a complaint about %s", test.name, err, test.field)
		}
	}
	var column *rules.ColumnError
	if _, err := rules.ParseRecord(head + "[Rules \"flies\"]\n\n*"); !errors.As(err, &column) {
		t.Errorf("rules without a value: %v", err)
	}
}

func TestRecordGameChecksTheResult(t *testing.T) {
	const live = "[Variant \"nine\"]\n[Reason \"REASON\"]\n\n1. d7 f4 RESULT\n"
	const over = "[Variant \"nine\"]\n[Reason \"REASON\"]\n[Position \"ww./.w./.../b...../b../.../b.. w 0,0 0 0,0 -,-\"]\n\n" +
		"1. d6-g7xa4 RESULT\n"
	tests := []struct {
		text, result, reason string
		ok                   bool
	}{
		{live, "1-0", "resignation", true}, {live, "*", "", true}, {live, "1/2-1/2", "agreement", true},
		{live, "1-0", "blocked", false}, {live, "1/2-1/2", "repetition", false},
		{over, "1-0", "fewer-than-three", true}, {over, "1-0", "", true},
		{over, "0-1", "fewer-than-three", false}, {over, "*", "", false}, {over, "1-0", "timeout", false},
	}
	for _, test := range tests {
		r, err := rules.ParseRecord(strings.NewReplacer("RESULT", test.result, "REASON", test.reason).Replace(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Game(); errors.Is(err, rules.ErrWrongResult) == test.ok {
			t.Errorf("%s %s: %v", test.result, test.reason, err)
		}
	}
}
