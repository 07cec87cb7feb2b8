package rules_test

import (
	"errors"
	"slices"
	"testing"

	"kraal/rules"
)

func TestParsePoint(t *testing.T) {
	tests := []struct {
		in   string
		want string // "" where it is refused
	}{
		{"d7", "d7"}, {"D7", "d7"}, {" g1\t", "g1"}, {"a4", "a4"},
		{"", ""}, {"d", ""}, {"7d", ""}, {"d4", ""}, {"a2", ""}, {"h1", ""}, {"a8", ""}, {"d77", ""}, {"d7g7", ""}, {"7g", ""}, {"é", ""},
	}
	for _, test := range tests {
		p, err := rules.ParsePoint(test.in)
		switch {
		case test.want == "" && !errors.Is(err, rules.ErrNotAPoint):
			t.Errorf("%q: %s, %v, want refused", test.in, p, err)
		case test.want != "" && (err != nil || p.String() != test.want):
			t.Errorf("%q: %s, %v, want %s", test.in, p, err, test.want)
		}
	}
	if got := rules.Point(24).String(); got != "?" {
		t.Errorf("point 24 is called %q", got)
	}
}

func TestPoints(t *testing.T) {
	var s rules.Points
	s = s.With(1).With(0).With(23).With(24).With(200).Without(23).Without(77)
	if s.String() != "a7 d7" || s.Len() != 2 || !s.Has(1) || s.Has(23) || s.Has(99) {
		t.Errorf("got %s, %d points", s, s.Len())
	}
	if got := slices.Collect(rules.Points(1<<31 | 5).All()); !slices.Equal(got, []rules.Point{0, 2}) {
		t.Errorf("went through %v, want the points of the board alone", got)
	}
	for p := range s.All() {
		if p != 0 {
			t.Errorf("went on to %s after the loop was left", p)
		}
		break
	}
}

func TestNeighbours(t *testing.T) {
	nine, _ := rules.Lookup("nine")
	mhele, _ := rules.Lookup("mhele")
	tests := []struct {
		v           rules.Variant
		point, want string
	}{
		{nine, "a7", "d7 a4"}, {mhele, "a7", "d7 b6 a4"},
		{nine, "b6", "d6 b4"}, {mhele, "b6", "a7 d6 c5 b4"},
		{nine, "d6", "d7 b6 f6 d5"}, {mhele, "d6", "d7 b6 f6 d5"},
		{nine, "c4", "c5 b4 c3"}, {nine, "d3", "c3 e3 d2"}, {mhele, "e3", "e4 d3 f2"},
	}
	for _, test := range tests {
		p, err := rules.ParsePoint(test.point)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.v.Neighbours(p).String(); got != test.want {
			t.Errorf("%s: %s has %s, want %s", test.v.Key, p, got, test.want)
		}
	}
	if got := nine.Neighbours(24); got != 0 {
		t.Errorf("a point off the board has the neighbours %s", got)
	}
	lines := nine.Lines()
	lines[0] = rules.Line{}
	if nine.Lines()[0] == lines[0] {
		t.Error("a caller can change the lines")
	}
}
