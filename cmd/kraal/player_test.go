package main

import (
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
