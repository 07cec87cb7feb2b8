package main

import (
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// TestPlayer: as many levels as the bot offers, each with an action that is legal, within the time; and it knows when it
// loses.
func TestPlayer(t *testing.T) {
	if got := len(engine.Levels()); got != match.Levels {
		t.Fatalf("the engine has %d levels, the bot offers %d", got, match.Levels)
	}
	c := defaultConfig()
	made := c.engine(nil, newMeters())
	if made.Workers < 1 || made.Time != 2*time.Second {
		t.Errorf("%d workers, %v an action", made.Workers, made.Time)
	}
	nine, _ := rules.Lookup("nine")
	p := made.Player()
	for level := 1; level <= match.Levels; level++ {
		g := rules.NewGame(nine)
		choice, err := p.Choose(t.Context(), g, level, 100*time.Millisecond)
		if err == nil {
			err = g.Play(choice.Action)
		}
		if err != nil || choice.Lost {
			t.Errorf("level %d: %+v, %v", level, choice, err)
		}
	}
	// Black can close a mill in two ways, and white has three pieces.
	lost, err := nine.ParsePosition("bb./.../w../...wbb/.w./bb./... w 0,0 0 0,0 -,-")
	if err != nil {
		t.Fatal(err)
	}
	choice, err := p.Choose(t.Context(), rules.NewGameAt(nine, lost), match.Levels, time.Second)
	if err != nil || !choice.Lost || choice.Score >= 0 {
		t.Errorf("a lost position: %+v, %v", choice, err)
	}
	c.Engine.Workers = 3
	if got := c.engine(nil, newMeters()).Workers; got != 3 {
		t.Errorf("%d workers, want 3", got)
	}
}

// TestPlayerAnswers: at every level there is a legal action within the time, wherever a game of whatever variant has come
// to, with a shot due and where nothing is left but to pass too.
func TestPlayerAnswers(t *testing.T) {
	const positions, most = 200, 20 * time.Millisecond
	p := player{engine.New(engine.Options{Hash: 1}), newMeters()}
	chance := rand.New(rand.NewPCG(1, 2))
	for level := 1; level <= match.Levels; level++ {
		shots, slow := 0, 0
		for i := range positions {
			g := wander(chance, rules.Variants()[i%len(rules.Variants())])
			if g.Position().Pending > 0 {
				shots++
			}
			begun := time.Now()
			choice, err := p.Choose(t.Context(), g, level, most)
			if time.Since(begun) > 100*most { // one may be held up by whatever else the machine does
				slow++
			}
			if err != nil || !slices.Contains(g.Legal(), choice.Action) {
				t.Fatalf("level %d at %s: %v, %v", level, g.Position(), choice.Action, err)
			}
		}
		if shots == 0 || slow > positions/20 {
			t.Errorf("level %d: %d positions with a shot due, %d answers were late", level, shots, slow)
		}
	}
	koti, _ := rules.Lookup("koti")
	blocked, err := koti.ParsePosition("wbw/bwb/wbw/bwbb.b/wbw/bwb/wb. w 0,0 0 48,0 -,-")
	if err != nil {
		t.Fatal(err)
	}
	choice, err := p.Choose(t.Context(), rules.NewGameAt(koti, blocked), match.Levels, most)
	if err != nil || choice.Action.Kind != rules.Pass {
		t.Errorf("with nothing but a pass: %v, %v", choice.Action, err)
	}
}

// wander is a game that has gone on by chance and is not over.
func wander(chance *rand.Rand, v rules.Variant) *rules.Game {
	for {
		g := rules.NewGame(v)
		for range chance.IntN(120) {
			if g.Status().Over {
				break
			}
			legal := g.Legal()
			if err := g.Play(legal[chance.IntN(len(legal))]); err != nil {
				break
			}
		}
		if !g.Status().Over {
			return g
		}
	}
}

// TestPlayerKnowsTables: with tables the highest level knows of a win that is too far off to be seen in its time, and the
// metrics tell that it thought; who asks for a hint is told that it is certain. A table that is damaged is left out, with a word in the log.
func TestPlayerKnowsTables(t *testing.T) {
	c, m := defaultConfig(), newMeters()
	c.Engine.Tables = t.TempDir()
	nine, _ := rules.Lookup("nine")
	buildTables(t, c.Engine.Tables, nine)
	var said strings.Builder
	tables := c.openTables(slog.New(slog.NewTextHandler(&said, nil)))
	defer tables.Close()
	far := farWin(t, tables, nine)
	choice, err := c.engine(tables, m).Player().Choose(t.Context(), rules.NewGameAt(nine, far), match.Levels, 20*time.Millisecond)
	if err != nil || choice.Score < 100*2*int(nine.Pieces) {
		t.Errorf("%s is won, it gives %+v, %v", far, choice, err)
	}
	advice, err := c.Study.bounds(tables).Adviser().Hint(t.Context(), rules.NewGameAt(nine, far), 20*time.Millisecond)
	if err != nil || !advice.Certain.Won() {
		t.Errorf("%s is won, the advice is %+v, %v", far, advice, err)
	}
	var told strings.Builder
	m.set.WritePrometheus(&told)
	if want := `kraal_engine_seconds_count{level="7"} 1`; !strings.Contains(told.String(), want) {
		t.Errorf("the metrics do not say %s", want)
	}
	for _, f := range files(t, c.Engine.Tables) {
		if err := os.WriteFile(f, []byte("no table"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if left := c.openTables(slog.New(slog.NewTextHandler(&said, nil))); !left.Empty() || !strings.Contains(said.String(), ".table") {
		t.Errorf("damaged tables are used, or nobody hears of them: %s", said.String())
	}
}

func buildTables(t *testing.T, dir string, v rules.Variant) {
	t.Helper()
	tables, err := endgame.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	steps, err := tables.Plan(v, 6)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if err := tables.Build(t.Context(), v, s, endgame.BuildOptions{Dir: dir, Threads: 1}); err != nil {
			t.Fatal(err)
		}
	}
}

// farWin is a position of three against three that takes more than twenty turns to win.
func farWin(t *testing.T, tables *endgame.Tables, v rules.Variant) rules.Position {
	t.Helper()
	chance := rand.New(rand.NewPCG(3, 3))
	for range 1_000_000 {
		var p rules.Position
		for i, at := range chance.Perm(rules.PointCount)[:6] {
			p.Pieces[i%2] = p.Pieces[i%2].With(rules.Point(at))
		}
		if value, turns, ok := tables.Probe(v, p); ok && value == endgame.Win && turns > 20 {
			return p
		}
	}
	t.Fatal("there is none")
	return rules.Position{}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.table"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%d tables, %v", len(found), err)
	}
	return found
}
