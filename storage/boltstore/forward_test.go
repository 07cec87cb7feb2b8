package boltstore

import (
	"testing"

	"kraal/rules"
	"kraal/storage"
)

// TestForwardLetsGamesEnd: what was going on when a file of an older schema was brought forward comes to its end, and the
// file is whole before that and after.
func TestForwardLetsGamesEnd(t *testing.T) {
	for schema := 1; schema < Schema; schema++ {
		path := unpacked(t, schema)
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := sample("0a1b2c3d")
		m.State, m.Ended, m.Result = storage.Finished, m.Created, rules.WhiteWins
		if err := commitOne(t, s, m); err != nil {
			t.Errorf("schema %d: a match that was live does not end: %v", schema, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if report, err := Check(t.Context(), path, nil); err != nil {
			t.Errorf("schema %d: %v, %q", schema, err, report.Faults)
		}
	}
}
