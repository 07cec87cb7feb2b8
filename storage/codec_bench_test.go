package storage_test

import (
	"fmt"
	"testing"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// played is a match of so many actions.
func played(actions int) storage.Match {
	variant, _ := rules.Lookup("morabaraba")
	at := time.Date(2026, time.March, 1, 12, 0, 0, 123456789, time.UTC)
	m := storage.Match{
		ID: "0a1b2c3d", State: storage.Playing, Server: "1100000000000000001", Channel: "1100000000000000002", Variant: variant,
		Clock: "5+3", Rated: true, Created: at, Started: at, Revision: actions,
		Challenger: storage.Person{ID: "1100000000000000003", Name: "Anna"}, Opponent: storage.Person{ID: "1100000000000000004", Name: "Ben"},
		Handled: []string{"1100000000000000005", "1100000000000000006"},
	}
	m.Seats[0].Person, m.Seats[1].Person = m.Challenger, m.Opponent
	for i := range actions {
		m.Deeds = append(m.Deeds, storage.Deed{Action: "a7-d7", At: at.Add(time.Duration(i) * time.Second)})
	}
	return m
}

func BenchmarkCodec(b *testing.B) {
	for _, actions := range []int{0, 20, 60} {
		row, err := storage.Encode(played(actions))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("encode/%d", actions), func(b *testing.B) {
			for b.Loop() {
				if _, err := storage.Encode(played(actions)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(row.Data)), "bytes")
		})
		b.Run(fmt.Sprintf("decode/%d", actions), func(b *testing.B) {
			for b.Loop() {
				if _, err := storage.Decode(row.Key, row.Data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
