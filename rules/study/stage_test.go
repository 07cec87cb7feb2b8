package study

import (
	"context"
	"testing"

	"kraal/rules"
)

// set is the embedded set.
func set(t *testing.T) Set {
	t.Helper()
	s, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// position reads a position of a game of the table.
func position(t *testing.T, key, line string) (rules.Variant, rules.Position) {
	t.Helper()
	v, ok := rules.Lookup(key)
	if !ok {
		t.Fatalf("no variant %q", key)
	}
	p, err := v.ParsePosition(line)
	if err != nil {
		t.Fatal(err)
	}
	return v, p
}

// prove is Prove, which must come to an end.
func prove(t *testing.T, v rules.Variant, p rules.Position) (Puzzle, bool) {
	t.Helper()
	z, ok, err := Prove(context.Background(), v, p)
	if err != nil {
		t.Fatal(err)
	}
	return z, ok
}
