package ugi

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraal/rules"
	"kraal/rules/endgame"
)

// TestTablePath wants the tables of a directory used, also where its name has a space; kept when another is refused; and
// put away again.
func TestTablePath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "end game")
	v, _ := rules.Lookup("thinhama")
	tables, err := endgame.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := tables.Plan(v, 6)
	if err == nil {
		err = tables.Build(context.Background(), v, steps[0], endgame.BuildOptions{Dir: dir})
	}
	if err != nil {
		t.Fatal(err)
	}
	const long = "setoption name Variant value thinhama\n" +
		"position fen .../.b./.w./..b.../b.w/w../... w 0,0 0 0,0 -,-\ngo depth 2\n"
	path := "setoption name TablePath value "
	tests := []struct {
		name, in string
		win      bool // in 20 actions is seen by a search of depth 2
	}{
		{"without", "", false},
		{"with", path + dir + "\n", true},
		{"another is refused", path + dir + "\n" + path + dir + "x\n", true},
		{"put away", path + dir + "\n" + path + noTables + "\n", false},
	}
	for _, test := range tests {
		got := converse(t, test.in+long)
		win := slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, " score win 20 ") })
		if win != test.win {
			t.Errorf("%s: got\n%s\nwant a win seen: %t", test.name, strings.Join(got, "\n"), test.win)
		}
	}
}
