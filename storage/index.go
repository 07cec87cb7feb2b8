package storage

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Index is an order in which some of the records can be read. It is made by the functions below; the zero Index holds
// nothing.
type Index struct {
	prefix string // of its entries; "" for All, which has none
	kind   Kind   // of the records it leads to
	texts  int    // that stand between the prefix and what follows
	sorted int    // bytes between those and the record's id
	dated  bool   // those bytes are a rising time
	ranked bool   // those bytes are a falling number of points, which a Store counts
}

// The names with which entries begin. They are short, for every entry carries one.
const (
	ofMember   = "m"
	ofMemberIn = "n"
	finishedOf = "f"
	ofServer   = "s"
	finishedIn = "g"
	ofChannel  = "c"
	due        = "d"
	untold     = "u"
	live       = "l"
	ticking    = "k"
	thinking   = "j"
	watching   = "w"
	saidOf     = "p"
	saidRight  = "y"
	saidWrong  = "x"
	ranked     = "r" // "b" was the board before ratings were counted
	below      = "q"
	lapsing    = "t"
	unweighed  = "v"
	seasonDue  = "e"
	seasonsOf  = "h"
	uncrowned  = "i"
	busiest    = "a"

	withdrawnOf     = "o"
	ratingsOf       = "rm"
	talliesOf       = "nm"
	finishedUnder   = "fv"
	finishedAgainst = "fa"
	finishedHere    = "fh"
)

// OfMember lists the matches that concern a member and are not over, challenges too: newest first, by when they were
// created, then by id.
func OfMember(member string) Index { return newest(ofMember, member) }

// OfMemberIn is OfMember within one server; "" is direct messages.
func OfMemberIn(server, member string) Index { return newest(ofMemberIn, server, member) }

// FinishedOf lists a member's matches that have a result: the last to end first, then by id.
func FinishedOf(member string) Index { return newest(finishedOf, member) }

// OfServer lists the matches being played in a server: the last to start first, then by id. Those in direct messages
// are of no server.
func OfServer(server string) Index { return newest(ofServer, server) }

// FinishedIn lists a server's matches that have a result: the last to end first, then by id.
func FinishedIn(server string) Index { return newest(finishedIn, server) }

// OfChannel lists the matches not over, challenges too, that belong to a channel or are shown in it: newest first, then
// by id.
func OfChannel(channel string) Index { return newest(ofChannel, channel) }

// Due lists the matches to which something is to happen without anyone acting (Match.Due): the earliest first, then by
// id. Hit.At tells when.
func Due() Index {
	return Index{prefix: start(due), kind: KindMatch, sorted: momentSize, dated: true}
}

// Untold lists the matches of which people have yet to be shown the newest revision (Match.Untold), by id.
func Untold() Index { return Index{prefix: start(untold), kind: KindMatch} }

// Live lists every match that is not over, challenges too, by id.
func Live() Index { return Index{prefix: start(live), kind: KindMatch} }

// Ticking lists the matches in which a clock runs (Match.Ticking), by id.
func Ticking() Index { return Index{prefix: start(ticking), kind: KindMatch} }

// Thinking lists the matches in which the engine has something to do (Match.Thinking), by id.
func Thinking() Index { return Index{prefix: start(thinking), kind: KindMatch} }

// WatchesOf lists the watches that show a match, by id.
func WatchesOf(game string) Index { return Index{prefix: start(watching, game), kind: KindWatch} }

// PredictionsOf lists what was said of a match, by member.
func PredictionsOf(game string) Index {
	return Index{prefix: start(saidOf, game), kind: KindPrediction}
}

// Came lists, by member, what was said of a server's matches that are over: what came so, or what did not.
func Came(server string, right bool) Index {
	return Index{prefix: start(cameName(right), server), kind: KindPrediction}
}

func cameName(right bool) string {
	if right {
		return saidRight
	}
	return saidWrong
}

// All lists every record of a kind by id.
func All(kind Kind) Index { return Index{kind: kind} }

func newest(name string, parts ...string) Index {
	return Index{prefix: start(name, parts...), kind: KindMatch, sorted: momentSize}
}

func start(name string, parts ...string) string {
	return string(begin(name, parts...).bytes)
}

func begin(name string, parts ...string) *ordered {
	var o ordered
	o.text(name)
	for _, part := range parts {
		o.text(part)
	}
	return &o
}

// Entry is one entry of an index, for those who write a Store: a key whose bytes sort as the index does. It ends with
// the id of the record that it leads to. Entries of all indexes differ, so that they can be kept side by side.
type Entry string

// Entries derives every entry that leads to a record, sorted, without repeats. Errors: ErrTooLarge, ErrInvalid.
func Entries(r Record) ([]Entry, error) {
	var made []*ordered
	switch r := r.(type) {
	case Match:
		made = matchEntries(r)
	case Rating:
		made = ratingEntries(r)
	case Watch:
		made = watchEntries(r)
	case Prediction:
		made = predictionEntries(r)
	case Server:
		made = serverEntries(r)
	case Season:
		made = seasonEntries(r)
	case Tally:
		made = tallyEntries(r)
	}
	entries := make([]Entry, 0, len(made))
	for _, o := range made {
		o.text(r.Key().ID)
		if o.foreign {
			return nil, fmt.Errorf("%w: a name in record %v is not UTF-8", ErrInvalid, r.Key())
		}
		if len(o.bytes) > MaxEntry {
			return nil, fmt.Errorf("%w: names in record %v make an index entry of %d bytes, allowed are %d", ErrTooLarge, r.Key(), len(o.bytes), MaxEntry)
		}
		entries = append(entries, Entry(o.bytes))
	}
	slices.Sort(entries)
	return slices.Compact(entries), nil
}

func matchEntries(m Match) []*ordered {
	switch {
	case m.State == Finished:
		return append(dueEntries(m), finishedEntries(m)...)
	case m.Live():
		return append(dueEntries(m), liveEntries(m)...)
	}
	made := dueEntries(m)
	for _, member := range m.Members() {
		made = append(made, dated(m.Created, withdrawnOf, member))
	}
	return made
}

// dated is an entry of an index that lists the newest first.
func dated(newest time.Time, name string, parts ...string) *ordered {
	o := begin(name, parts...)
	o.falling(newest)
	return o
}

// dueEntries are those of a match with which something is to be done, whatever its state.
func dueEntries(m Match) (made []*ordered) {
	if at := m.Due(); !at.IsZero() {
		o := begin(due)
		o.rising(at)
		made = append(made, o)
	}
	if m.Untold() {
		made = append(made, begin(untold))
	}
	if m.Ticking() {
		made = append(made, begin(ticking))
	}
	if m.Thinking() {
		made = append(made, begin(thinking))
	}
	return made
}

// liveEntries are those of a match that is not over.
func liveEntries(m Match) []*ordered {
	made := []*ordered{begin(live), dated(m.Created, ofChannel, m.Channel)}
	if m.Shown.Channel != "" {
		made = append(made, dated(m.Created, ofChannel, m.Shown.Channel))
	}
	for _, member := range m.Members() {
		made = append(made, dated(m.Created, ofMember, member), dated(m.Created, ofMemberIn, m.Server, member))
	}
	if m.Server != "" && m.State == Playing {
		made = append(made, dated(m.Started, ofServer, m.Server))
	}
	return made
}

// finishedEntries are those of a match that has a result.
func finishedEntries(m Match) (made []*ordered) {
	members := m.Members()
	for _, member := range members {
		made = append(made, dated(m.Ended, finishedOf, member), dated(m.Ended, finishedUnder, member, m.Variant.Key),
			dated(m.Ended, finishedHere, m.Server, member))
		for _, other := range members {
			if member < other { // one entry for both
				made = append(made, dated(m.Ended, finishedAgainst, member, other))
			}
		}
	}
	if m.Server != "" {
		made = append(made, dated(m.Ended, finishedIn, m.Server))
	}
	return made
}

func watchEntries(w Watch) []*ordered {
	if w.Game == "" {
		return nil
	}
	return []*ordered{begin(watching, w.Game)}
}

func predictionEntries(p Prediction) []*ordered {
	made := []*ordered{begin(saidOf, p.Game)}
	if p.Came != "" {
		made = append(made, begin(cameName(p.Right()), p.Server))
	}
	return made
}

// Difference tells which entries a change takes away and which it adds. Both are sorted, as old and new have to be.
func Difference(old, new []Entry) (gone, come []Entry) {
	for _, e := range old {
		if _, stays := slices.BinarySearch(new, e); !stays {
			gone = append(gone, e)
		}
	}
	for _, e := range new {
		if _, was := slices.BinarySearch(old, e); !was {
			come = append(come, e)
		}
	}
	return gone, come
}

// Records tells, for those who write a Store, that the index is All and lists the records of a kind themselves: it has
// no entries, and its cursors are ids. There are no records of an unknown kind.
func (i Index) Records() (Kind, bool) { return i.kind, i.prefix == "" }

// Prefix is what all entries of the index begin with, and no others.
func (i Index) Prefix() string { return i.prefix }

// After is where to go on reading the entries, from a cursor: at the first one that is greater.
func (i Index) After(from Cursor) Entry { return Entry(i.prefix + string(from)) }

// Hit is what an entry of the index leads to. Errors: ErrDamaged for what Entries cannot have made.
func (i Index) Hit(e Entry) (Hit, error) {
	rest, ok := strings.CutPrefix(string(e), i.prefix)
	if !ok || len(rest) < i.sorted {
		return Hit{}, fmt.Errorf("index entry %q: %w", e, ErrDamaged)
	}
	hit := Hit{Cursor: Cursor(rest)}
	if i.dated {
		hit.At = moment(rest)
	}
	for range i.texts {
		if _, rest, ok = takeText(rest); !ok {
			return Hit{}, fmt.Errorf("index entry %q: %w", e, ErrDamaged)
		}
	}
	if len(rest) < i.sorted {
		return Hit{}, fmt.Errorf("index entry %q: %w", e, ErrDamaged)
	}
	id, rest, ok := takeText(rest[i.sorted:])
	if !ok || rest != "" {
		return Hit{}, fmt.Errorf("index entry %q: %w", e, ErrDamaged)
	}
	hit.Key = Key{Kind: i.kind, ID: id}
	return hit, nil
}
