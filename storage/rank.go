package storage

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// Board lists the ratings of a pool under a variant that are ranked: the highest first, equal ones by member. A Store
// counts it (Reader.Counts).
func Board(pool, variant string) Index { return ranking(ranked, pool, variant) }

// Below lists the ratings of a pool under a variant that are too uncertain to be ranked: the highest first, equal ones by
// member. A Store counts it (Reader.Counts).
func Below(pool, variant string) Index { return ranking(below, pool, variant) }

func ranking(name, pool, variant string) Index {
	return Index{prefix: start(name, pool, variant), kind: KindRating, sorted: numberSize, ranked: true}
}

// Lapsing lists the ratings that are ranked by when they cease to be (Rating.Lapses): the earliest first, then by id.
// Hit.At tells when.
func Lapsing() Index {
	return Index{prefix: start(lapsing), kind: KindRating, sorted: momentSize, dated: true}
}

// Unweighed lists the ratings of which it has yet to be worked out when they lapse, by id.
func Unweighed() Index { return Index{prefix: start(unweighed), kind: KindRating} }

// SeasonsDue lists the servers with a season under way by when it ends: the earliest first, then by id. Hit.At tells when.
func SeasonsDue() Index {
	return Index{prefix: start(seasonDue), kind: KindServer, sorted: momentSize, dated: true}
}

// SeasonsOf lists the seasons of a server that are over, the last first.
func SeasonsOf(server string) Index {
	return Index{prefix: start(seasonsOf, server), kind: KindSeason, sorted: numberSize}
}

// Uncrowned lists the seasons whose champions have yet to be given their role, by id.
func Uncrowned() Index { return Index{prefix: start(uncrowned), kind: KindSeason} }

func ratingEntries(r Rating) (made []*ordered) {
	if !r.Weighed {
		made = append(made, begin(unweighed))
	}
	name := below
	if r.Ranked() {
		name = ranked
		o := begin(lapsing)
		o.rising(r.Lapses)
		made = append(made, o)
	}
	o := begin(name, r.Pool, r.Variant)
	o.fallingNumber(r.Points) // the id that follows sorts equals by member, for before that it is the same
	return append(made, o, begin(ratingsOf, r.Member))
}

func serverEntries(s Server) []*ordered {
	if s.Season.To.IsZero() {
		return nil
	}
	o := begin(seasonDue)
	o.rising(s.Season.To)
	return []*ordered{o}
}

func seasonEntries(s Season) []*ordered {
	o := begin(seasonsOf, s.Server)
	o.fallingNumber(float64(s.Number))
	made := []*ordered{o}
	if s.Uncrowned {
		made = append(made, begin(uncrowned))
	}
	return made
}

// Whole is a number of points as people are shown it, and by which they share a place: halves go away from zero.
func Whole(points float64) int {
	const most = 1e9 // far beyond any rating; what is counted has four bytes
	return int(math.Round(min(max(points, -most), most)))
}

// Count is how many entries of a ranked index stand for one whole number of points.
type Count struct {
	Points  int
	Entries int // above 0
}

// Counts is how the entries of a ranked index spread over whole points: the highest first.
type Counts []Count

// All is how many entries there are.
func (c Counts) All() (n int) {
	for _, one := range c {
		n += one.Entries
	}
	return n
}

// Above is how many entries stand for more points than that: the place of whoever has them is one more.
func (c Counts) Above(points int) (n int) {
	for _, one := range c {
		if one.Points <= points {
			break
		}
		n += one.Entries
	}
	return n
}

// RangeFrom is Reader.Range of a ranked index beginning behind the first n entries, wherever that is. Its work is that of
// the counts, and of those who share a number of points.
func RangeFrom(r Reader, index Index, counts Counts, n, limit int) ([]Hit, error) {
	if limit < 1 || !index.ranked {
		return nil, fmt.Errorf("%w: %d hits of index %+q from place %d", ErrInvalid, limit, index.prefix, n)
	}
	n = max(n, 0)
	for _, one := range counts {
		if n >= one.Entries {
			n -= one.Entries
			continue
		}
		hits, err := r.Range(index, index.before(one.Points), n+limit)
		return hits[min(n, len(hits)):], err
	}
	return nil, nil
}

// before is the place in front of all entries of so many whole points, and behind those of more.
func (i Index) before(points int) Cursor {
	most := float64(points) + 0.5
	if points >= 0 {
		most = math.Nextafter(most, math.Inf(-1)) // the half itself belongs to the next number
	}
	var o ordered
	o.fallingNumber(most)
	return Cursor(o.bytes) // shorter than any entry with that number, so in front of it
}

// CountKey names, for those who write a Store, a count that they keep. Those of an index begin with its Prefix, and sort
// by falling points.
type CountKey string

// Counted tells in which count an entry belongs; ok is false where it belongs in none.
func (e Entry) Counted() (key CountKey, ok bool) {
	name, rest, ok := takeText(string(e))
	texts, counted := map[string]int{ranked: 2, below: 2, busiest: 1}[name] // the pool, and of ratings the variant
	if !ok || !counted {
		return "", false
	}
	for range texts {
		if _, rest, ok = takeText(rest); !ok {
			return "", false
		}
	}
	if len(rest) < numberSize {
		return "", false
	}
	prefix := e[:len(e)-len(rest)]
	points := uint32(int32(Whole(takeFallingNumber(rest)))) ^ 1<<31
	return CountKey(binary.BigEndian.AppendUint32([]byte(prefix), ^points)), true
}

// Counts tells whether the index is one that a Store counts.
func (i Index) Counts() bool { return i.ranked }

// Points reads from a count's key for which number of whole points it stands. Errors: ErrDamaged for what Counted cannot
// have made.
func (i Index) Points(key CountKey) (int, error) {
	rest, ok := strings.CutPrefix(string(key), i.prefix)
	if !ok || len(rest) != 4 {
		return 0, fmt.Errorf("count %q: %w", key, ErrDamaged)
	}
	return int(int32(^binary.BigEndian.Uint32([]byte(rest)) ^ 1<<31)), nil
}
