package rules_test

import (
	"errors"
	"testing"

	"kraal/rules"
)

func TestParseTurn(t *testing.T) {
	tests := []struct {
		in, want string // want "" where it is refused
	}{
		{"d7", "d7"}, {" A7-D7XB4 ", "a7-d7xb4"}, {"a7-d7xb4xf6", "a7-d7xb4xf6"}, {"xb4", "xb4"}, {"xb4xf6", "xb4xf6"},
		{"pass", "pass"}, {"PASS", "pass"},
		{"", ""}, {"x", ""}, {"a7-", ""}, {"-d7", ""}, {"a7-d7-g7", ""}, {"d7x", ""}, {"d7xx", ""}, {"passxb4", ""},
		{"d7 b4", ""}, {"a7d7", ""}, {"d7xpass", ""}, {"b7", ""},
	}
	for _, test := range tests {
		turn, err := rules.ParseTurn(test.in)
		var syntax *rules.SyntaxError
		switch {
		case test.want == "" && !errors.As(err, &syntax):
			t.Errorf("%q: %s, %v, want refused", test.in, turn, err)
		case test.want != "" && (err != nil || turn.String() != test.want):
			t.Errorf("%q: %s, %v, want %s", test.in, turn, err, test.want)
		}
	}
}

func TestActionsCompareEqual(t *testing.T) {
	a, err := rules.ParseAction("xD6")
	if want := (rules.Action{Kind: rules.Shoot, To: 4}); err != nil || a != want {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	if got := (rules.Action{Kind: 99}).String(); got != "?" {
		t.Errorf("an action that is none is written %q", got)
	}
}
