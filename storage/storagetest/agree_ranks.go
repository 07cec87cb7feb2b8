package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"kraal/storage"
)

// boardOf is the ranked index that a rating belongs in.
func boardOf(r storage.Rating) storage.Index {
	if r.Lapses.IsZero() {
		return storage.Below(r.Pool, r.Variant)
	}
	return storage.Board(r.Pool, r.Variant)
}

func calledBoards(ratings []storage.Record) map[storage.Index][]storage.Key {
	want := map[storage.Index][]storage.Key{
		storage.Board("nowhere", "nothing"): nil, storage.Below("nowhere", "nothing"): nil,
		storage.Lapsing(): nil, storage.Unweighed(): nil,
	}
	rows := make([]storage.Rating, len(ratings))
	for i, r := range ratings {
		rows[i] = r.(storage.Rating)
	}
	add := func(i storage.Index, k storage.Key) { want[i] = append(want[i], k) }
	for _, r := range rows { // which come by id
		if !r.Weighed {
			add(storage.Unweighed(), r.Key())
		}
	}
	slices.SortFunc(rows, func(a, b storage.Rating) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Member, b.Member))
	})
	for _, r := range rows {
		add(boardOf(r), r.Key())
	}
	slices.SortFunc(rows, func(a, b storage.Rating) int {
		return cmp.Or(a.Lapses.Compare(b.Lapses), cmp.Compare(a.Key().ID, b.Key().ID))
	})
	for _, r := range rows {
		if !r.Lapses.IsZero() {
			add(storage.Lapsing(), r.Key())
		}
	}
	return want
}

func calledTallies(tallies []storage.Record) map[storage.Index][]storage.Key {
	want := map[storage.Index][]storage.Key{storage.Busiest("nowhere"): nil}
	slices.SortStableFunc(tallies, func(a, b storage.Record) int {
		return cmp.Or(cmp.Compare(b.(storage.Tally).Games(), a.(storage.Tally).Games()), cmp.Compare(a.(storage.Tally).Member, b.(storage.Tally).Member))
	})
	for _, r := range tallies {
		index := storage.Busiest(r.(storage.Tally).Pool)
		want[index] = append(want[index], r.Key())
	}
	return want
}

// agreeOnCounts compares the counts of every board with its ratings, and of every list of tallies with those, counted one
// by one.
func agreeOnCounts(r storage.Reader, ratings, tallies []storage.Record) error {
	want := map[storage.Index]map[int]int{storage.Board("nowhere", "nothing"): {}, storage.Below("nowhere", "nothing"): {}}
	for _, one := range ratings {
		rating := one.(storage.Rating)
		for _, index := range []storage.Index{storage.Board(rating.Pool, rating.Variant), storage.Below(rating.Pool, rating.Variant)} {
			if want[index] == nil {
				want[index] = map[int]int{}
			}
		}
		want[boardOf(rating)][int(math.Round(rating.Points))]++
	}
	for _, one := range tallies {
		index := storage.Busiest(one.(storage.Tally).Pool)
		if want[index] == nil {
			want[index] = map[int]int{}
		}
		want[index][one.(storage.Tally).Games()]++
	}
	var errs []error
	for index, spread := range want {
		got, err := r.Counts(index)
		if errs = append(errs, err); !slices.Equal(got, sorted(spread)) {
			errs = append(errs, fmt.Errorf("counts of %+q: got %v, want %v", index.Prefix(), got, sorted(spread)))
		}
	}
	return errors.Join(errs...)
}

func sorted(spread map[int]int) (counts storage.Counts) {
	for points, n := range spread {
		counts = append(counts, storage.Count{Points: points, Entries: n})
	}
	slices.SortFunc(counts, func(a, b storage.Count) int { return cmp.Compare(b.Points, a.Points) })
	return counts
}

func calledSeasons(servers, seasons []storage.Record) map[storage.Index][]storage.Key {
	want := map[storage.Index][]storage.Key{
		storage.SeasonsDue(): nil, storage.Uncrowned(): nil, storage.SeasonsOf("nowhere"): nil,
	}
	add := func(i storage.Index, k storage.Key) { want[i] = append(want[i], k) }
	slices.SortStableFunc(servers, func(a, b storage.Record) int {
		return a.(storage.Server).Season.To.Compare(b.(storage.Server).Season.To)
	})
	for _, r := range servers {
		if s := r.(storage.Server); !s.Season.To.IsZero() {
			add(storage.SeasonsDue(), s.Key())
		}
	}
	for _, r := range seasons { // which come by id
		if s := r.(storage.Season); s.Uncrowned {
			add(storage.Uncrowned(), s.Key())
		}
	}
	slices.SortStableFunc(seasons, func(a, b storage.Record) int {
		return cmp.Compare(b.(storage.Season).Number, a.(storage.Season).Number)
	})
	for _, r := range seasons {
		add(storage.SeasonsOf(r.(storage.Season).Server), r.Key())
	}
	return want
}
