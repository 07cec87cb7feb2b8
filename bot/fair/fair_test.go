package fair_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"kraal/bot/fair"
)

// TestOnePartyCannotKeepOthersOut: it takes its part, and more of it wait; another party comes in at once.
func TestOnePartyCannotKeepOthersOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.New(4, 2)
		ctx, cancel := context.WithCancel(t.Context())
		entered := make(chan func(), 10)
		var busy sync.WaitGroup
		for range 6 {
			busy.Go(func() {
				if leave, err := p.Enter(ctx, "busy"); err == nil {
					entered <- leave
				}
			})
		}
		synctest.Wait()
		if len(entered) != 2 {
			t.Fatalf("%d of one party are in, want 2", len(entered))
		}
		for _, party := range []string{"calm", "quiet"} {
			leave, err := p.Enter(t.Context(), party)
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
		}
		(<-entered)()
		synctest.Wait()
		if len(entered) != 2 {
			t.Errorf("%d of the party are in after one has left, want 2", len(entered))
		}
		cancel()
		busy.Wait()
	})
}

// TestAllPlaces: no more are in than there are places, whoever they are, and those who wait follow.
func TestAllPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.New(3, 3)
		entered := make(chan func(), 10)
		for n := range 7 {
			go func() {
				leave, err := p.Enter(t.Context(), fmt.Sprint(n))
				if err == nil {
					entered <- leave
				}
			}()
		}
		for left := 7; left > 0; left-- {
			synctest.Wait()
			if want := min(left, 3); len(entered) != want {
				t.Errorf("%d are in, want %d", len(entered), want)
			}
			(<-entered)()
		}
	})
}

// TestGivingUp leaves no place taken.
func TestGivingUp(t *testing.T) {
	p := fair.New(1, 1)
	leave, err := p.Enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Enter(ctx, "b"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the wait was ended", err)
	}
	leave()
	if leave, err = p.Enter(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	leave()
}
