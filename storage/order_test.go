package storage

import (
	"cmp"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// made is what add writes.
func made(add func(*ordered)) string {
	var o ordered
	add(&o)
	return string(o.bytes)
}

// oddText draws texts that hold the bytes with which texts end and are escaped.
func oddText() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune{0, 1, 2, 3, 'a', 'b', 'é', 0x10ffff}), 0, 6, -1)
}

func TestTextOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(oddText(), 3, 3).Draw(t, "a"), rapid.SliceOfN(oddText(), 3, 3).Draw(t, "b")
		write := func(texts []string) string {
			return made(func(o *ordered) {
				for _, text := range texts {
					o.text(text)
				}
			})
		}
		want := cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
		if got := cmp.Compare(write(a), write(b)); got != want {
			t.Fatalf("%q and %q: got order %d, want %d", a, b, got, want)
		}
		rest := write(a)
		for _, want := range a {
			var got string
			var ok bool
			if got, rest, ok = takeText(rest); !ok || got != want {
				t.Fatalf("read back %q as %q, %v", want, got, ok)
			}
		}
	})
}

func TestTakeTextRefuses(t *testing.T) {
	for _, s := range []string{"", "a", "a\x01", "a\x01\x00", "a\x01a\x00", "\x01\x01\x00"} {
		if text, _, ok := takeText(s); ok {
			t.Errorf("%q: got %q, want nothing", s, text)
		}
	}
}

func TestTimeOrder(t *testing.T) {
	moments := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := moments.Draw(t, "a"), moments.Draw(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = a.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "by")))
		}
		rising := func(at time.Time) string { return made(func(o *ordered) { o.rising(at) }) }
		falling := func(at time.Time) string { return made(func(o *ordered) { o.falling(at) }) }
		if got, want := cmp.Compare(rising(a), rising(b)), a.Compare(b); got != want {
			t.Fatalf("rising %v and %v: got order %d, want %d", a, b, got, want)
		}
		if got, want := cmp.Compare(falling(a), falling(b)), b.Compare(a); got != want {
			t.Fatalf("falling %v and %v: got order %d, want %d", a, b, got, want)
		}
		if got := moment(rising(a)); !got.Equal(a) || len(rising(a)) != momentSize {
			t.Fatalf("read back %v as %v", a, got)
		}
	})
}

func TestNumberOrder(t *testing.T) {
	edges := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
		math.MaxFloat64, -math.MaxFloat64, 1500, math.Nextafter(1500, 2000)})
	numbers := rapid.OneOf(rapid.Float64(), edges)
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		write := func(f float64) string { return made(func(o *ordered) { o.fallingNumber(f) }) }
		if got, want := cmp.Compare(write(a), write(b)), cmp.Compare(b, a); got != want {
			t.Fatalf("%v and %v: got order %d, want %d", a, b, got, want)
		}
		if len(write(a)) != numberSize {
			t.Fatalf("%v: got %d bytes", a, len(write(a)))
		}
	})
}

// TestEntriesLead: every entry of a record begins as one index alone does, and leads back to the record.
func TestEntriesLead(t *testing.T) {
	at := time.Date(2026, time.March, 1, 12, 0, 0, 5, time.UTC)
	m := Match{ID: "a\x00\x01", State: Playing, Server: "s", Channel: "c", Revision: 1, NoticeAt: at, Challenger: Person{ID: "m"}}
	over, off := m, m
	over.State, over.Variant.Key = Finished, "v"
	over.Seats[0].ID, over.Seats[1].ID = "m", "o"
	off.State = Withdrawn
	r := Rating{Pool: "p", Variant: "v", Member: "m"}
	placed := r
	placed.Weighed, placed.Lapses = true, at
	server, season := Server{ID: "s", Season: Seasons{To: at}}, Season{Server: "s", Number: 2, Uncrowned: true}
	indexes := []Index{
		OfMember("m"), OfMemberIn("s", "m"), FinishedOf("m"), OfServer("s"), FinishedIn("s"), OfChannel("c"), Due(), Untold(),
		Live(), Board("p", "v"), Below("p", "v"), Lapsing(), Unweighed(), SeasonsDue(), SeasonsOf("s"), Uncrowned(),
		FinishedOf("o"), FinishedUnder("m", "v"), FinishedUnder("o", "v"), FinishedAgainst("o", "m"),
		FinishedHere("s", "m"), FinishedHere("s", "o"), WithdrawnOf("m"), RatingsOf("m"), Busiest("p"), TalliesOf("m"),
	}
	found := map[Index]bool{}
	tally := Tally{Pool: "p", Member: "m", Wins: 2}
	for _, record := range []Record{m, over, off, r, placed, server, season, tally} {
		entries, err := Entries(record)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			owners := 0
			for _, index := range indexes {
				if !strings.HasPrefix(string(e), index.Prefix()) {
					continue
				}
				owners++
				found[index] = true
				hit, err := index.Hit(e)
				if err != nil || hit.Key != record.Key() || index.After(hit.Cursor) != e {
					t.Errorf("%q: got %+v and error %v, want %v", e, hit, err, record.Key())
				}
			}
			if owners != 1 {
				t.Errorf("%q is of %d indexes", e, owners)
			}
		}
	}
	if len(found) != len(indexes) {
		t.Errorf("entries in %d indexes, want in all %d", len(found), len(indexes))
	}
}

func TestHitRefuses(t *testing.T) {
	for _, e := range []Entry{"", "x", "l\x00", "l\x00a", "d\x00a\x00", Entry(Due().Prefix()) + "short", "l\x00a\x00more"} {
		for _, index := range []Index{Live(), Due()} {
			if hit, err := index.Hit(e); err == nil {
				t.Errorf("%q: got %+v, want an error", e, hit)
			}
		}
	}
}

// TestOnlyRanksAreCounted: no entry of another index is taken for one that is counted, whatever stands in it.
func TestOnlyRanksAreCounted(t *testing.T) {
	at := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	m := Match{ID: "0a1b2c3d", State: Playing, Server: "11", Channel: "12", Created: at, Started: at, EngineDue: true, Revision: 1}
	m.Seats[0].ID, m.Seats[1].ID, m.Shown.Channel, m.FlagAt = "13", "14", "15", at
	over := m
	over.State, over.Ended = Finished, at
	for _, r := range []Record{
		m, over, Watch{Server: "11", Channel: "12", Game: m.ID}, Prediction{Game: m.ID, Server: "11", Member: "13", Came: "1-0"},
		Season{Server: "11", Number: 3, Uncrowned: true}, Server{ID: "11", Season: Seasons{To: at}},
	} {
		entries, err := Entries(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if key, ok := e.Counted(); ok {
				t.Errorf("%v: the entry %q is counted under %q", r.Key(), e, key)
			}
		}
	}
}
