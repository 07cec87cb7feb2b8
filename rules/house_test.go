package rules_test

import (
	"errors"
	"testing"

	"kraal/rules"
)

// TestWith: a text changes columns however it is written, and one that cannot be changes nothing.
func TestWith(t *testing.T) {
	nine, _ := rules.Lookup("nine")
	for _, c := range []struct{ text, want, wrong string }{
		{"flies=false pieces=11", "pieces=11 flies=false", ""},
		{" Flies=FALSE,pieces=11;\tno_shot=0 ", "pieces=11 flies=false no_shot=0", ""},
		{"", "", ""},
		{"pieces=13", "", "pieces"},
		{"flies=false pieces=2", "", "pieces"},
		{"repetition=1", "", "repetition"},
		{"flys=true", "", "flys"},
		{"flies", "", "flies"},
		{"flies = false", "", "flies"},
		{"shots=two", "", "shots"},
		{"key=koti", "", "key"},
	} {
		v, err := nine.With(c.text)
		var column *rules.ColumnError
		if errors.As(err, &column) != (c.wrong != "") || column != nil && column.Column != c.wrong || v.Changes() != c.want {
			t.Errorf("%q: got %q and error %v, want %q, wrong %q", c.text, v.Changes(), err, c.want, c.wrong)
		}
	}
}
