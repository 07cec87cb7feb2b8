package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"kraal/rules"
)

// shuffler closes no mill where it can help it, and so plays games that only a rule ends.
type shuffler struct{ chance *rand.Rand }

func (s shuffler) choose(_ context.Context, g *rules.Game) (rules.Action, error) {
	legal := g.Legal()
	for _, i := range s.chance.Perm(len(legal)) {
		next, err := g.Variant().Play(g.Position(), legal[i])
		if err == nil && next.Pending == 0 && !g.Variant().Status(next).Over {
			return legal[i], nil
		}
	}
	return legal[0], nil
}

// fouler plays what is not legal.
type fouler struct{}

func (fouler) choose(context.Context, *rules.Game) (rules.Action, error) {
	return rules.ParseAction("pass")
}

func TestSoak(t *testing.T) {
	v, _ := rules.Lookup("nine")
	s := soak{ends: map[rules.Reason]int{}}
	if err := s.play(t.Context(), rules.NewGame(v), fouler{}); !errors.As(err, new(*rules.IllegalError)) {
		t.Errorf("an illegal action: %v", err)
	}
	if len(s.ends) != 0 || s.actions != 0 {
		t.Errorf("a broken game was counted: %+v", s)
	}
	for seed := range uint64(20) {
		if err := s.play(t.Context(), rules.NewGame(v), shuffler{rand.New(rand.NewPCG(seed, 0))}); err != nil {
			t.Fatal(err)
		}
	}
	if ends := s.ends[rules.RepetitionDraw] + s.ends[rules.NoShotDraw]; ends == 0 || s.longest < 20 || s.actions < s.longest {
		t.Errorf("%+v", s)
	}

	v.Repetition, v.NoShot = 0, 0 // nothing draws: what is endless must be found out
	g := rules.NewGame(v)
	if err := s.play(t.Context(), g, shuffler{rand.New(rand.NewPCG(1, 0))}); !errors.Is(err, errEndless) {
		t.Errorf("a game without an end: %v after %d actions", err, g.Len())
	}
}

func TestSoakReasons(t *testing.T) {
	s := soak{ends: map[rules.Reason]int{rules.NoShotDraw: 2, rules.BlockedPlayer: 2, rules.FewerThanThree: 7}}
	if got, want := s.reasons(), "fewer-than-three 7, blocked 2, no-shot 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
