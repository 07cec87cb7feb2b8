package bot_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"kraal/storage"
)

// TestSetGreeted: a greeting is remembered, also when somebody else is faster, and forgotten again.
func TestSetGreeted(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		ctx := s.t.Context()
		if got, err := s.app.Server(ctx, "s"); err != nil || got != (storage.Server{ID: "s"}) {
			t.Errorf("before: got %+v and error %v", got, err)
		}
		refusals := 1
		s.stop()
		store.commit = func(_ context.Context, c storage.Changes) error {
			if refusals > 0 {
				refusals--
				return &storage.ConflictError{Key: c.Expect[0].Key}
			}
			return nil
		}
		s.start()
		for _, at := range []time.Time{opening, opening.Add(time.Hour), {}} {
			s.must(s.app.SetGreeted(ctx, "s", at))
			if got, err := s.app.Server(ctx, "s"); err != nil || !got.Greeted.Equal(at) {
				t.Errorf("got %+v and error %v, want it greeted at %v", got, err, at)
			}
		}
		if got, err := s.app.Server(ctx, "another"); err != nil || !got.Greeted.IsZero() {
			t.Errorf("another server: got %+v and error %v", got, err)
		}
		refusals = 1000
		if err := s.app.SetGreeted(ctx, "s", opening); !errors.Is(err, storage.ErrConflict) || refusals < 900 {
			t.Errorf("got error %v after %d attempts", err, 1000-refusals)
		}
	})
}
