package rules_test

import (
	"errors"
	"testing"

	"kraal/rules"
)

func TestParseSetupRefuses(t *testing.T) {
	const board = ".../.../.../....../.../.../..."
	tests := []struct{ line, field string }{
		{"", "position"},
		{board + " w 12,12 0 0,0", "position"},
		{board + "  w 12,12 0 0,0 -,-", "position"},
		{board + " w 12,12 0 0,0 -,- ", "position"},
		{".../.../.../....../.../... w 12,12 0 0,0 -,-", "pieces"},
		{"..../.../.../...../.../.../... w 12,12 0 0,0 -,-", "pieces"},
		{"W../.../.../....../.../.../... w 12,12 0 0,0 -,-", "pieces"},
		{board + " white 12,12 0 0,0 -,-", "turn"},
		{board + " w 12 0 0,0 -,-", "hand"},
		{board + " w 12,-1 0 0,0 -,-", "hand"},
		{board + " w 012,12 0 0,0 -,-", "hand"},
		{board + " w 12,12 +1 0,0 -,-", "shots"},
		{board + " w 12,12 0 70000,0 -,-", "counts"},
		{board + " w 12,12 0 0,99999999999999999999 -,-", "counts"},
		{board + " w 12,12 0 0,0 -", "forbidden"},
		{board + " w 12,12 0 0,0 d6-d7,-", "forbidden"},
		{board + " w 12,12 0 0,0 d6d4,-", "forbidden"},
		{board + " w 12,12 0 0,0 D6d7,-", "forbidden"},
	}
	for _, test := range tests {
		var syntax *rules.SyntaxError
		if _, err := rules.ParseSetup(test.line); !errors.As(err, &syntax) || syntax.Field != test.field {
			t.Errorf("%q: %v, want a complaint about %s", test.line, err, test.field)
		}
	}
}

func TestPositionTellsEveryReason(t *testing.T) {
	tests := []struct {
		name, variant, line string
		reasons             []error
	}{
		{"too many in hand", "nine", "w../.../.../....../.../.../... w 9,9 0 0,0 -,-", []error{rules.ErrTooManyPieces}},
		{"too many on board", "nine", "www/www/www/w...../.../.../... w 0,9 0 0,0 -,-", []error{rules.ErrTooManyPieces}},
		{"more shots than three", "koti", "w../.../.../....../.../.../..b w 9,9 4 0,0 -,-", []error{rules.ErrTooManyShots}},
		{"nothing to shoot", "koti", "www/.../.../....../.../.../... w 9,9 1 0,0 -,-", []error{rules.ErrNothingToShoot}},
		{"counts while placing", "koti", "w../.../.../....../.../.../... w 9,0 0 1,0 -,-", []error{rules.ErrCountInPlacing}},
		{"forbidden without the rule", "koti", "w../.../.../....../.../.../... w 9,9 0 0,0 -,d6d7", []error{rules.ErrNoReturnUnused}},
		{"all at once", "nine", "www/.../.../....../.../.../... w 9,10 7 0,1 d6d7,-", []error{
			rules.ErrTooManyPieces, rules.ErrTooManyShots, rules.ErrNothingToShoot, rules.ErrCountInPlacing, rules.ErrNoReturnUnused,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, _ := rules.Lookup(test.variant)
			_, err := v.ParsePosition(test.line)
			for _, reason := range test.reasons {
				if !errors.Is(err, reason) {
					t.Errorf("%v, want also %v", err, reason)
				}
			}
			joined, ok := err.(interface{ Unwrap() []error })
			if sides := len(test.reasons); !ok || len(joined.Unwrap()) < sides || len(joined.Unwrap()) > sides+1 {
				t.Errorf("%v, want %d reasons", err, sides)
			}
		})
	}
}

func TestPositionRefusesWhatNoLineCanSay(t *testing.T) {
	mhele, _ := rules.Lookup("mhele")
	tests := []struct {
		name   string
		setup  rules.Setup
		reason error
	}{
		{"two pieces on a point", rules.Setup{Pieces: [2]rules.Points{1, 1}}, rules.ErrNotOnBoard},
		{"off the board", rules.Setup{Pieces: [2]rules.Points{1 << 24, 1}}, rules.ErrNotOnBoard},
		{"negative hand", rules.Setup{Hand: [2]int{-1, 0}}, rules.ErrTooManyPieces},
		{"forbidden off the board", rules.Setup{Forbidden: [2]rules.Step{{From: 24, Set: true}}}, rules.ErrNotAPoint},
	}
	for _, test := range tests {
		if _, err := mhele.Position(test.setup); !errors.Is(err, test.reason) {
			t.Errorf("%s: %v, want %v", test.name, err, test.reason)
		}
	}
}
