package bot

import (
	"testing"

	"kraal/storage"
)

func TestStreakOfDailyPuzzles(t *testing.T) {
	type said struct {
		day, number int
		outcome     PuzzleOutcome
	}
	tests := []struct {
		name string
		said []said
		want storage.Puzzles
	}{
		{"one", []said{{10, 10, PuzzleSolved}}, storage.Puzzles{Day: 10, SolvedDay: 10, Streak: 1, Best: 1, Solved: 1}},
		{"twice the same", []said{{10, 10, PuzzleSolved}, {10, 10, PuzzleSolved}, {10, 10, PuzzleMissed}},
			storage.Puzzles{Day: 10, SolvedDay: 10, Streak: 1, Best: 1, Solved: 1}},
		{"three in a row", []said{{10, 10, PuzzleSolved}, {11, 11, PuzzleSolved}, {12, 12, PuzzleSolved}},
			storage.Puzzles{Day: 12, SolvedDay: 12, Streak: 3, Best: 3, Solved: 3}},
		{"a day left out", []said{{10, 10, PuzzleSolved}, {12, 12, PuzzleSolved}},
			storage.Puzzles{Day: 12, SolvedDay: 12, Streak: 1, Best: 1, Solved: 2}},
		{"missed, then solved", []said{{10, 10, PuzzleSolved}, {11, 11, PuzzleMissed}, {11, 11, PuzzleSolved}},
			storage.Puzzles{Day: 11, SolvedDay: 10, Best: 1, Solved: 1, Missed: 1}},
		{"yesterday's", []said{{11, 10, PuzzleSolved}}, storage.Puzzles{}},
		{"tomorrow's", []said{{11, 12, PuzzleSolved}}, storage.Puzzles{}},
		{"shown", []said{{10, 10, PuzzleShown}}, storage.Puzzles{Day: 10, Missed: 1}},
	}
	for _, test := range tests {
		var got storage.Puzzles
		for _, s := range test.said {
			got = daily(got, PuzzleAttempt{Daily: true, Number: s.number, Outcome: s.outcome}, s.day)
		}
		if got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
	p := storage.Puzzles{SolvedDay: 10, Streak: 4}
	for day, want := range map[int]int{10: 4, 11: 4, 12: 0} {
		if got := p.StreakOn(day); got != want {
			t.Errorf("on day %d the streak is %d, want %d", day, got, want)
		}
	}
}

func TestPuzzlesWithoutEnd(t *testing.T) {
	type said struct {
		number  int
		outcome PuzzleOutcome
	}
	tests := []struct {
		name string
		said []said
		want storage.Puzzles
	}{
		{"solved", []said{{0, PuzzleSolved}, {1, PuzzleSolved}}, storage.Puzzles{Next: 2, Solved: 2}},
		{"said twice", []said{{0, PuzzleSolved}, {0, PuzzleSolved}}, storage.Puzzles{Next: 1, Solved: 1}},
		{"missed twice", []said{{0, PuzzleMissed}, {0, PuzzleMissed}}, storage.Puzzles{Missed: 1, Erred: true}},
		{"missed, then solved", []said{{0, PuzzleMissed}, {0, PuzzleSolved}}, storage.Puzzles{Next: 1, Missed: 1}},
		{"shown", []said{{0, PuzzleShown}}, storage.Puzzles{Next: 1, Missed: 1}},
		{"one that is not next", []said{{7, PuzzleSolved}}, storage.Puzzles{}},
	}
	for _, test := range tests {
		var got storage.Puzzles
		for _, s := range test.said {
			got = further(got, PuzzleAttempt{Number: s.number, Outcome: s.outcome})
		}
		if got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}
