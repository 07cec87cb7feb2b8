package storagetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kraal/rules"
	"kraal/storage"
)

// testSame makes the same changes, by chance, to a store and to one in memory. Answers, records and all indexes have to
// be the same.
func testSame(t *testing.T, open func(t *testing.T) storage.Store) {
	rapid.Check(t, func(rt *rapid.T) {
		s, model := open(t), Memory()
		defer s.Close()
		for range rapid.IntRange(1, 12).Draw(rt, "commits") {
			c := drawChanges(rt, model)
			got, gotErr := s.Commit(t.Context(), c)
			want, wantErr := model.Commit(t.Context(), c)
			if !reflect.DeepEqual(got, want) || !sameRefusal(gotErr, wantErr) {
				rt.Fatalf("%+v:\ngot versions %v, error %v\nwant versions %v, error %v", c, got, gotErr, want, wantErr)
			}
		}
		gotAll, err := everything(t.Context(), s)
		if err != nil {
			rt.Fatal(err)
		}
		wantAll, err := everything(t.Context(), model)
		if err != nil {
			rt.Fatal(err)
		}
		if !reflect.DeepEqual(gotAll, wantAll) {
			rt.Fatalf("got %v\nwant %v", gotAll, wantAll)
		}
		if err := errors.Join(Agree(t.Context(), s), Agree(t.Context(), model)); err != nil {
			rt.Fatal(err)
		}
	})
}

func sameRefusal(a, b error) bool {
	for _, e := range []error{storage.ErrConflict, storage.ErrInvalid, storage.ErrTooLarge} {
		if errors.Is(a, e) != errors.Is(b, e) {
			return false
		}
	}
	return (a == nil) == (b == nil)
}

// drawChanges draws changes to few records, with expectations that mostly hold.
func drawChanges(rt *rapid.T, s storage.Store) (c storage.Changes) {
	touched := map[storage.Key]bool{}
	for range rapid.IntRange(0, 4).Draw(rt, "records") {
		r := drawRecord(rt)
		if touched[r.Key()] && rapid.IntRange(0, 9).Draw(rt, "twice") > 0 {
			continue
		}
		touched[r.Key()] = true
		if rapid.IntRange(0, 3).Draw(rt, "delete") == 0 {
			c.Delete = append(c.Delete, r.Key())
		} else {
			c.Put = append(c.Put, r)
		}
		switch rapid.IntRange(0, 9).Draw(rt, "expect") {
		case 0:
			c.Expect = append(c.Expect, storage.Expect{Key: r.Key(), Version: storage.Version(rapid.IntRange(0, 2).Draw(rt, "version"))})
		case 1, 2, 3, 4, 5:
			c.Expect = append(c.Expect, storage.Expect{Key: r.Key(), Version: versionOf(rt, s, r.Key())})
		}
	}
	return c
}

func versionOf(rt *rapid.T, s storage.Store, k storage.Key) (v storage.Version) {
	err := s.View(context.Background(), func(r storage.Reader) error {
		stored, err := r.Get(k)
		v = stored.Version
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		rt.Fatal(err)
	}
	return v
}

func drawRecord(rt *rapid.T) storage.Record {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(rt, label) }
	switch pick("kind", "match", "match", "match", "rating", "member", "server", "watch", "prediction", "log", "season", "tally", "farewell") {
	case "rating":
		return drawRating(rt, pick)
	case "member":
		return storage.Member{ID: pick("member", "anna", "ben"), Quiet: rapid.Bool().Draw(rt, "quiet")}
	case "farewell":
		return storage.Farewell{Member: pick("member", "anna", "ben"), Alias: storage.Alias("a"), Asked: minute(1)}
	case "log":
		return noted(pick("server", "anna", "kgotla"), rapid.IntRange(0, 2).Draw(rt, "acts"))
	case "server":
		s := storage.Server{ID: pick("server", "anna", "kgotla"), Greeted: minute(rapid.IntRange(0, 3).Draw(rt, "greeted"))}
		if rapid.Bool().Draw(rt, "season") {
			s.Season.To = minute(rapid.IntRange(0, 1).Draw(rt, "to"))
		}
		return s
	case "tally":
		one := played(pick("member", "anna", "ben", "b\x00n"), rapid.IntRange(0, 2).Draw(rt, "wins"))
		one.Pool = pick("pool", storage.GlobalPool, storage.ServerPool("kgotla"))
		return one
	case "season":
		one := season(rapid.IntRange(1, 3).Draw(rt, "number"))
		one.Server, one.Uncrowned = pick("server", "anna", "kgotla"), rapid.Bool().Draw(rt, "uncrowned")
		return one
	case "watch":
		w := mirror(pick("game", "", "a", "a\x00"), pick("channel", "games", "more"))
		w.TV = rapid.Bool().Draw(rt, "tv")
		return w
	case "prediction":
		p := said(pick("member", "anna", "ben"), pick("game", "a", "a\x00"), rules.BlackWins, "")
		p.Server = pick("server", "kgotla", "k")
		p.Came = rapid.SampledFrom([]rules.Result{"", rules.BlackWins, rules.Drawn}).Draw(rt, "came")
		return p
	}
	return drawMatch(rt, pick)
}

func drawRating(rt *rapid.T, pick func(label string, of ...string) string) storage.Rating {
	points := rapid.SampledFrom([]float64{-1.5, 0, 1, 1499.5, 1500, 1500.000001, 2000}).Draw(rt, "points")
	r := rated(pick("member", "anna", "ben", "b\x00n"), points)
	r.Pool = pick("pool", storage.GlobalPool, storage.ServerPool("kgotla"))
	r.Weighed = rapid.Bool().Draw(rt, "weighed")
	if rapid.Bool().Draw(rt, "ranked") {
		r.Lapses = minute(rapid.IntRange(0, 2).Draw(rt, "lapses"))
	} else {
		r.Lapses = time.Time{}
	}
	return r
}

func drawMatch(rt *rapid.T, pick func(label string, of ...string) string) storage.Match {
	at := func(label string) time.Time { return minute(rapid.IntRange(0, 3).Draw(rt, label)) }
	m := challenge(pick("id", "a", "a\x00", "ab", "b"), rapid.IntRange(0, 3).Draw(rt, "created"))
	m.Challenger.ID, m.Opponent.ID = pick("challenger", "anna", "ben", "b\x00n"), pick("opponent", "", "anna", "carl")
	m.Server, m.Channel = pick("server", "", "kgotla", "k"), pick("channel", "games", "more")
	m.State = storage.State(pick("state", "challenged", "playing", "finished", "withdrawn"))
	m.Seats[0].ID, m.Seats[1].ID = pick("white", "", "anna", "dina"), pick("black", "", "ben")
	m.Variant.Key = pick("variant", "morabaraba", "ours")
	m.Started, m.Ended = at("started"), at("ended")
	if rapid.Bool().Draw(rt, "notice") {
		m.NoticeAt = at("when")
	}
	if rapid.Bool().Draw(rt, "clock") {
		m.WarnAt, m.FlagAt = at("warn"), at("flag")
	}
	m.EngineDue = rapid.Bool().Draw(rt, "engine")
	m.Shown.Channel = pick("shown", "", "games", "thread")
	m.Shown.Revision = rapid.IntRange(0, 1).Draw(rt, "shown revision")
	m.Shown.Trouble = pick("trouble", "", "", "it was forbidden")
	return m
}

// everything lists all records with their versions.
func everything(ctx context.Context, s storage.Store) (all []string, err error) {
	err = s.View(ctx, func(r storage.Reader) error {
		for _, kind := range storage.Kinds() {
			hits, err := r.Range(storage.All(kind), "", 1_000_000)
			if err != nil {
				return err
			}
			for _, h := range hits {
				stored, err := r.Get(h.Key)
				if err != nil {
					return err
				}
				all = append(all, fmt.Sprintf("%+v %d", stored.Record, stored.Version))
			}
		}
		return nil
	})
	return all, err
}
