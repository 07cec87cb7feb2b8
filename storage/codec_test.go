package storage_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
)

var update = flag.Bool("update", false, "write what testdata lacks of the newest format")

// kept is one record of each kind, as testdata has them in every format.
func kept() map[string]storage.Record {
	at := func(minute int) time.Time { return time.Date(2026, time.March, 1, 12, minute, 0, 0, time.UTC) }
	variant, _ := rules.Lookup("koti")
	variant, _ = variant.Set("no_shot", "30")
	variant.Key, variant.Name = "short", "Short koti"
	m := storage.Match{
		ID: "0a1b2c3d", State: storage.Finished, Server: "11", Channel: "12", Variant: variant, Clock: "5+3", Rated: true,
		Challenger: storage.Person{ID: "13", Name: "Anna <3"}, Opponent: storage.Person{ID: "14", Name: "Ben"}, Colour: "random",
		Created: at(0), Expires: at(10), Started: at(1), Ended: at(9),
		Deeds:  []storage.Deed{{Action: "d7", At: at(2)}, {Action: "g7", At: at(3)}},
		Offers: []storage.Offer{{Kind: storage.OfferRematch, By: rules.Black, Deed: 2, At: at(9)}},
		Result: rules.WhiteWins, Reason: rules.Resignation,
		Changes:  []storage.Change{{Pool: storage.ServerPool("11"), Member: "13", Before: 1500, After: 1587.25}},
		Revision: 5, Handled: []string{"15"}, NoticeAt: at(10),
		Shown: storage.Shown{Channel: "12", Message: "16", Revision: 4, Posted: at(0), Notice: "17"},
	}
	m.Seats[rules.White] = storage.Seat{Person: m.Opponent, Points: 1500, Deviation: 500}
	m.Seats[rules.Black] = storage.Seat{Person: m.Challenger}
	return map[string]storage.Record{
		"match": m,
		"rating": storage.Rating{
			Pool: storage.GlobalPool, Variant: "koti", Member: "13", Name: "Anna <3", Points: 1587.25, Deviation: 301.5,
			Volatility: 0.09, Wins: 2, Draws: 1, At: at(9),
		},
		"member":   storage.Member{ID: "13", Quiet: true},
		"server":   storage.Server{ID: "11", Greeted: at(0)},
		"farewell": storage.Farewell{Member: "13", Alias: storage.Alias("0a1b2c3f"), Asked: at(9)},
		"alive":    storage.Alive{ID: "bot", At: at(9)},
		"watch":    storage.Watch{Server: "11", Channel: "18", Game: "0a1b2c3d", Message: "19", Posted: at(2), Shows: "0a1b2c3d 4"},
		"prediction": storage.Prediction{
			Game: "0a1b2c3d", Server: "11", Member: "20", Name: "Carl", Said: rules.WhiteWins, At: at(3), Came: rules.Drawn,
		},
		"season": storage.Season{
			Server: "11", Number: 3, From: at(0), To: at(9), Role: "21", Former: []string{"14"}, Uncrowned: true,
			Podiums: []storage.Podium{{Variant: "koti", Name: "Koti", Places: []storage.Place{
				{Person: storage.Person{ID: "13", Name: "Anna <3"}, Place: 1, Points: 1612.5, Games: 6},
			}}},
		},
		"tally": storage.Tally{Pool: storage.GlobalPool, Member: "13", Name: "Anna <3", Wins: 3, Draws: 1, Losses: 2, At: at(9)},
		"log": storage.Log{Server: "11", Acts: []storage.Act{
			{Kind: storage.ActEnd, At: at(9), By: storage.Person{ID: "15", Name: "Carl"}, Match: "0a1b2c3d", Said: "1-0"},
			{Kind: storage.ActBan, At: at(9), By: storage.Person{ID: "15", Name: "Carl"}, Member: storage.Person{ID: "14", Name: "Ben"}},
		}},
	}
}

// TestFormats reads a record of each kind in every format there has been.
func TestFormats(t *testing.T) {
	for name, want := range kept() {
		path := filepath.Join("testdata", "format1", name+".json")
		if *update {
			row, err := storage.Encode(want)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, row.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := storage.Decode(want.Key(), data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v and error %v, want %+v", path, got, err, want)
		}
	}
}

// TestFormatIsStable: what is written is what format 1 has always been; a change of it needs a new format.
func TestFormatIsStable(t *testing.T) {
	for name, record := range kept() {
		row, err := storage.Encode(record)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", "format1", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if string(row.Data) != string(want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, row.Data, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	match := func(change func(string) string) string {
		row, err := storage.Encode(kept()["match"])
		if err != nil {
			t.Fatal(err)
		}
		return change(string(row.Data))
	}
	replace := func(old, new string) string {
		return match(func(s string) string { return strings.Replace(s, old, new, 1) })
	}
	for _, test := range []struct {
		name, data string
		want       error
	}{
		{"newer", replace(`"format":1`, `"format":2`), storage.ErrNewer},
		{"newer, with other fields", `{"kind":"match","format":9,"data":{"what":[1]},"more":true}`, storage.ErrNewer},
		{"older than the first", replace(`"format":1`, `"format":0`), storage.ErrDamaged},
		{"of another kind", replace(`"kind":"match"`, `"kind":"rating"`), storage.ErrDamaged},
		{"of another id", replace(`"id":"0a1b2c3d"`, `"id":"0a1b2c3e"`), storage.ErrDamaged},
		{"unknown field", replace(`"state"`, `"mood":"good","state"`), storage.ErrDamaged},
		{"rules that cannot be", replace(`"no_shot":30`, `"no_shot":-30`), storage.ErrDamaged},
		{"cut short", match(func(s string) string { return s[:len(s)/2] }), storage.ErrDamaged},
		{"more behind", match(func(s string) string { return s + "{}" }), storage.ErrDamaged},
		{"no JSON", "\x00\x01", storage.ErrDamaged},
		{"nothing", "", storage.ErrDamaged},
	} {
		key := storage.MatchKey("0a1b2c3d")
		var where *storage.RecordError
		if _, err := storage.Decode(key, []byte(test.data)); !errors.Is(err, test.want) || !errors.As(err, &where) || where.Key != key {
			t.Errorf("%s: got error %v, want %v of %v", test.name, err, test.want, key)
		}
	}
	if _, err := storage.Decode(storage.Key{Kind: "meta", ID: "x"}, []byte("{}")); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("unknown kind: got error %v, want ErrDamaged", err)
	}
}
