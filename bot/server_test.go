package bot_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"kraal/storage"
)

// TestSetGreeted: a greeting is remembered, also when somebody else is faster, and forgotten again.
func TestSetGreeted(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		ctx := s.t.Context()
		if got, err := s.app.Settings(ctx, "s"); err != nil || !reflect.DeepEqual(got, storage.Server{ID: "s"}) {
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
			if got, err := s.app.Settings(ctx, "s"); err != nil || !got.Greeted.Equal(at) {
				t.Errorf("got %+v and error %v, want it greeted at %v", got, err, at)
			}
		}
		if got, err := s.app.Settings(ctx, "another"); err != nil || !got.Greeted.IsZero() {
			t.Errorf("another server: got %+v and error %v", got, err)
		}
		refusals = 1000
		if err := s.app.SetGreeted(ctx, "s", opening); !errors.Is(err, storage.ErrConflict) || refusals < 900 {
			t.Errorf("got error %v after %d attempts", err, 1000-refusals)
		}
	})
}

// TestSetSettings: what a server chooses is kept, a refusal changes nothing, and two who choose at once both count.
func TestSetSettings(t *testing.T) {
	onTrouble(t, func(s *stage, store *trouble) {
		ctx := s.t.Context()
		refused := errors.New("not here")
		s.must(s.app.SetSettings(ctx, "s", func(v *storage.Server) error { v.Channels = []string{"a"}; return nil }))
		err := s.app.SetSettings(ctx, "s", func(v *storage.Server) error { v.Channels[0], v.Clock = "b", "1d"; return refused })
		if !errors.Is(err, refused) {
			t.Errorf("a refused change: got error %v", err)
		}
		var both sync.WaitGroup
		for _, role := range []string{"r1", "r2", "r3"} {
			both.Go(func() {
				err := s.app.SetSettings(ctx, "s", func(v *storage.Server) error {
					v.Referees = append(v.Referees, role)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		got, err := s.app.Settings(ctx, "s")
		slices.Sort(got.Referees)
		want := storage.Server{ID: "s", Channels: []string{"a"}, Referees: []string{"r1", "r2", "r3"}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v and error %v, want %+v", got, err, want)
		}
	})
}
