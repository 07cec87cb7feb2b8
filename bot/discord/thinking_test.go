package discord

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"testing/synctest"

	"kraal/rules/study"
)

// TestPlacesToThink: one place a member, few in all, and a queue that is not endless.
func TestPlacesToThink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		th := newThinking(Study{Workers: 1})
		leave, err := th.enter(ctx, "anna")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := th.enter(ctx, "anna"); !errors.Is(err, errThinking) {
			t.Errorf("a second place: got %v, want %v", err, errThinking)
		}
		ended := make(chan error, maxWaiting)
		for i := range maxWaiting - 1 {
			go func() {
				_, err := th.enter(ctx, strconv.Itoa(i))
				ended <- err
			}()
		}
		synctest.Wait()
		if _, err := th.enter(ctx, "ben"); !errors.Is(err, errCrowded) {
			t.Errorf("one too many: got %v, want %v", err, errCrowded)
		}
		leave()
		if err := <-ended; err != nil {
			t.Errorf("the next: got %v", err)
		}
		cancel()
		for range maxWaiting - 2 {
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("who waits at the end: got %v, want %v", err, context.Canceled)
			}
		}
		if n := len(th.members); n != 1 {
			t.Errorf("%d are thought for, want the one who was let in", n)
		}
	})
}

// TestAnalysesRememberTheLastAskedFor forgets what nobody has asked for the longest.
func TestAnalysesRememberTheLastAskedFor(t *testing.T) {
	var a analyses
	for i := range maxAnalyses {
		a.put(strconv.Itoa(i), study.Analysis{Chances: []float64{float64(i)}})
	}
	if _, ok := a.get("0"); !ok {
		t.Fatal("the first is forgotten too soon")
	}
	a.put("new", study.Analysis{})
	if _, ok := a.get("1"); ok {
		t.Error("the one that nobody asked for is still there")
	}
	if got, ok := a.get("0"); !ok || got.Chances[0] != 0 {
		t.Errorf("the one asked for again: %+v, %t", got, ok)
	}
}
