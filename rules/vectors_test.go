package rules_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"kraal/rules"
)

// vectorRow is a row of the test vectors: the fields that all files share, and those of each.
type vectorRow struct {
	Variant string         `json:"variant"`
	Rules   map[string]any `json:"rules"`

	Position string `json:"position"`

	Depth int    `json:"depth"`
	Nodes uint64 `json:"nodes"`

	Legal  []string `json:"legal"`
	Status struct {
		Over   bool    `json:"over"`
		Winner *string `json:"winner"`
		Reason *string `json:"reason"`
	} `json:"status"`

	Actions   json.RawMessage `json:"actions"`
	Positions []string        `json:"positions"`
	Result    string          `json:"result"`
	Reason    string          `json:"reason"`

	Action string `json:"action"`
	Why    string `json:"why"`

	Kind string   `json:"kind"`
	Best []string `json:"best"`

	line int
}

// variant is what the row plays: a row of the table with the columns in "rules" changed.
func (r vectorRow) variant(t testing.TB) rules.Variant {
	t.Helper()
	v, known := rules.Lookup(r.Variant)
	if !known {
		t.Fatalf("line %d: no variant %q", r.line, r.Variant)
	}
	for column, value := range r.Rules {
		var err error
		if v, err = v.Set(column, fmt.Sprint(value)); err != nil {
			t.Fatalf("line %d: %v", r.line, err)
		}
	}
	return v
}

// position is the row's position, which must print as it was written.
func (r vectorRow) position(t testing.TB, v rules.Variant) rules.Position {
	t.Helper()
	p, err := v.ParsePosition(r.Position)
	if err != nil {
		t.Fatalf("line %d: %s: %v", r.line, r.Position, err)
	}
	if p.String() != r.Position {
		t.Fatalf("line %d: printed %s, read %s", r.line, p, r.Position)
	}
	return p
}

// readVectors reads a file of the carried vectors.
func readVectors(t testing.TB, name string) []vectorRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []vectorRow
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		row := vectorRow{line: len(rows) + 1}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, row.line, err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

func TestVectorsAreThoseOfTheProject(t *testing.T) {
	shared := filepath.Join(repositoryRoot(t), "..", "shared", "vectors")
	if _, err := os.Stat(shared); err != nil {
		t.Logf("NOT CHECKED: the carried vectors against their source: %v", err)
		t.Skip("the vectors' source is not beside this repository")
	}
	for _, name := range []string{"README.md", "games.jsonl", "illegal.jsonl", "perft.jsonl", "positions.jsonl", "tactics.jsonl"} {
		carried, err := os.ReadFile(filepath.Join("testdata", "vectors", name))
		if err != nil {
			t.Error(err)
		}
		source, err := os.ReadFile(filepath.Join(shared, name))
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(carried, source) {
			t.Errorf("%s: the carried copy differs from its source", name)
		}
	}
}

// repositoryRoot is the folder of go.mod.
func repositoryRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

func TestVectorPositions(t *testing.T) {
	for _, row := range readVectors(t, "positions.jsonl") {
		v := row.variant(t)
		p := row.position(t, v)
		if got := texts(v.Legal(p)); !slices.Equal(got, row.Legal) {
			t.Errorf("line %d: %s %s: legal\n got %v\nwant %v", row.line, row.Variant, p, got, row.Legal)
		}
		if unsorted := v.AppendLegal(nil, p); len(unsorted) != v.Compile().CountLegal(&p) {
			t.Errorf("line %d: %s: %d legal, counted %d", row.line, p, len(unsorted), v.Compile().CountLegal(&p))
		}
		want := rules.Status{Over: row.Status.Over, Result: rules.Undecided}
		if row.Status.Over {
			want.Result = rules.Drawn
		}
		if row.Status.Winner != nil {
			want.Result = map[string]rules.Result{"w": rules.WhiteWins, "b": rules.BlackWins}[*row.Status.Winner]
		}
		if row.Status.Reason != nil {
			want.Reason = rules.Reason(*row.Status.Reason)
		}
		if got := v.Status(p); got != want {
			t.Errorf("line %d: %s %s: status %+v, want %+v", row.line, row.Variant, p, got, want)
		}
		checkDestinations(t, v, p)
	}
}

// checkDestinations holds Targets, Mobile and Destinations against the legal actions, which they regroup.
func checkDestinations(t *testing.T, v rules.Variant, p rules.Position) {
	t.Helper()
	var targets, mobile rules.Points
	to := map[rules.Point]rules.Points{}
	for _, a := range v.Legal(p) {
		switch a.Kind {
		case rules.Shoot:
			targets = targets.With(a.To)
		case rules.Move:
			mobile = mobile.With(a.From)
			to[a.From] = to[a.From].With(a.To)
		}
	}
	if got := v.Targets(p); got != targets {
		t.Errorf("%s %s: targets %s, want %s", v.Key, p, got, targets)
	}
	if got := v.Mobile(p); got != mobile {
		t.Errorf("%s %s: mobile %s, want %s", v.Key, p, got, mobile)
	}
	for from := range rules.Point(rules.PointCount) {
		if got := v.Destinations(p, from); got != to[from] {
			t.Errorf("%s %s: destinations of %s: %s, want %s", v.Key, p, from, got, to[from])
		}
	}
}

func texts(actions []rules.Action) []string {
	names := []string{}
	for _, a := range actions {
		names = append(names, a.String())
	}
	return names
}

// actions is the row's list of actions.
func (r vectorRow) actions(t *testing.T) (actions []rules.Action) {
	t.Helper()
	var names []string
	if err := json.Unmarshal(r.Actions, &names); err != nil {
		t.Fatalf("line %d: %v", r.line, err)
	}
	for _, name := range names {
		a, err := rules.ParseAction(name)
		if err != nil || a.String() != name {
			t.Fatalf("line %d: %q read as %s, %v", r.line, name, a, err)
		}
		actions = append(actions, a)
	}
	return actions
}

func TestVectorGames(t *testing.T) {
	for _, row := range readVectors(t, "games.jsonl") {
		g := rules.NewGame(row.variant(t))
		for i, a := range row.actions(t) {
			if status := g.Status(); status.Over {
				t.Fatalf("line %d: over before action %d: %+v", row.line, i+1, status)
			}
			if err := g.Play(a); err != nil {
				t.Fatalf("line %d: action %d: %v", row.line, i+1, err)
			}
			if got := g.Position().String(); got != row.Positions[i] {
				t.Fatalf("line %d: after action %d %s\n got %s\nwant %s", row.line, i+1, a, got, row.Positions[i])
			}
		}
		want := rules.Status{Over: true, Result: rules.Result(row.Result), Reason: rules.Reason(row.Reason)}
		if got := g.Status(); got != want {
			t.Errorf("line %d: %+v, want %+v", row.line, got, want)
		}
		if len(g.Legal()) != 0 {
			t.Errorf("line %d: legal actions after the end: %v", row.line, g.Legal())
		}
		checkRecord(t, row.line, g)
	}
}

// checkRecord writes a game as a record, reads that, and plays it through again.
func checkRecord(t *testing.T, line int, g *rules.Game) {
	t.Helper()
	written := g.Record().String()
	record, err := rules.ParseRecord(written)
	if err != nil {
		t.Fatalf("line %d: %v\n%s", line, err, written)
	}
	if again := record.String(); again != written {
		t.Errorf("line %d: written again\n got %s\nwant %s", line, again, written)
	}
	replayed, err := record.Game()
	if err != nil {
		t.Fatalf("line %d: %v\n%s", line, err, written)
	}
	if replayed.Position() != g.Position() || replayed.Status() != g.Status() ||
		!slices.Equal(replayed.Actions(), g.Actions()) {
		t.Errorf("line %d: replayed to %s %+v, want %s %+v", line,
			replayed.Position(), replayed.Status(), g.Position(), g.Status())
	}
}

// sentinels are the reasons of illegal.jsonl.
var sentinels = map[string]error{
	"game-over":        rules.ErrGameOver,
	"not-a-point":      rules.ErrNotAPoint,
	"shot-required":    rules.ErrShotRequired,
	"no-shot-pending":  rules.ErrNoShotPending,
	"own-piece":        rules.ErrOwnPiece,
	"empty-target":     rules.ErrEmptyTarget,
	"protected-mill":   rules.ErrProtected,
	"wrong-phase":      rules.ErrWrongPhase,
	"nothing-in-hand":  rules.ErrNothingInHand,
	"occupied":         rules.ErrOccupied,
	"empty-origin":     rules.ErrEmptyOrigin,
	"not-your-piece":   rules.ErrNotYourPiece,
	"not-adjacent":     rules.ErrNotAdjacent,
	"no-return":        rules.ErrNoReturn,
	"pass-not-allowed": rules.ErrPassNotAllowed,
}

func TestVectorIllegal(t *testing.T) {
	for _, row := range readVectors(t, "illegal.jsonl") {
		v := row.variant(t)
		p := row.position(t, v)
		want := sentinels[row.Why]
		if want == nil {
			t.Fatalf("line %d: no sentinel for %q", row.line, row.Why)
		}
		a, err := rules.ParseAction(row.Action)
		if want == rules.ErrNotAPoint {
			if !errors.Is(err, want) {
				t.Errorf("line %d: reading %s: %v, want %v", row.line, row.Action, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatalf("line %d: %v", row.line, err)
		}
		after, err := v.Play(p, a)
		var illegal *rules.IllegalError
		if !errors.As(err, &illegal) || !errors.Is(err, want) {
			t.Errorf("line %d: %s %s in %s: %v, want %v", row.line, row.Variant, a, p, err, want)
			continue
		}
		if after != p || illegal.Action != a || !slices.Equal(illegal.Legal, v.Legal(p)) {
			t.Errorf("line %d: %s: position %s, action %s, legal %v", row.line, a, after, illegal.Action, illegal.Legal)
		}
	}
}

// perftLimit is how many nodes a perft row may have to be counted here; the environment variable KRAAL_PERFT_NODES raises
// it.
func perftLimit(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("KRAAL_PERFT_NODES")
	if text == "" {
		return 10_000_000
	}
	limit, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("KRAAL_PERFT_NODES: %v", err)
	}
	return limit
}

func TestVectorPerft(t *testing.T) {
	limit := perftLimit(t)
	left := 0
	for _, row := range readVectors(t, "perft.jsonl") {
		if row.Nodes > limit {
			left++
			continue
		}
		v := row.variant(t)
		p := row.position(t, v)
		if got := v.Perft(p, row.Depth); got != row.Nodes {
			t.Errorf("line %d: %s %v %s depth %d: %d nodes, want %d", row.line, row.Variant, row.Rules, p, row.Depth, got, row.Nodes)
		}
		if row.Nodes > limit/10 {
			continue
		}
		if got := v.PerftLeaves(p, row.Depth); got != row.Nodes {
			t.Errorf("line %d: %s %v %s depth %d: %d leaves, want %d", row.line, row.Variant, row.Rules, p, row.Depth, got, row.Nodes)
		}
	}
	t.Logf("rows left out for having more than %d nodes: %d (KRAAL_PERFT_NODES raises that)", limit, left)
}

// TestVectorTactics checks that the engine's positions are ours: what the search makes of them is the engine's test.
func TestVectorTactics(t *testing.T) {
	for _, row := range readVectors(t, "tactics.jsonl") {
		v := row.variant(t)
		legal := texts(v.Legal(row.position(t, v)))
		for _, best := range row.Best {
			if !slices.Contains(legal, best) {
				t.Errorf("line %d: %s is not legal in %s: %v", row.line, best, row.Position, legal)
			}
		}
	}
}
