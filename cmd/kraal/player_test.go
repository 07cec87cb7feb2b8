package main

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/rules/engine"
)

// TestPlayer: as many levels as the bot offers, each with an action that is legal, within the time; and it knows when it
// loses.
func TestPlayer(t *testing.T) {
	if got := len(engine.Levels()); got != match.Levels {
		t.Fatalf("the engine has %d levels, the bot offers %d", got, match.Levels)
	}
	c := defaultConfig()
	made := c.engine()
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
	if got := c.engine().Workers; got != 3 {
		t.Errorf("%d workers, want 3", got)
	}
}

// TestPlayerAnswers: at every level there is a legal action within the time, wherever a game of whatever variant has come
// to, with a shot due and where nothing is left but to pass too.
func TestPlayerAnswers(t *testing.T) {
	const positions, most = 200, 20 * time.Millisecond
	p := player{engine.New(engine.Options{Hash: 1})}
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
