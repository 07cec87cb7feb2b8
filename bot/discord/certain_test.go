package discord

import (
	"strings"
	"testing"

	"kraal/bot/discord/words"
	"kraal/rules"
	"kraal/rules/study"
	"kraal/storage"
)

// talker is a request that only has words.
func talker(t *testing.T) *request {
	t.Helper()
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &request{phrases: catalogue.In()}
}

// TestChancesInExactWords: what tables are certain of is not said in percent, unless they do not know the number of turns.
func TestChancesInExactWords(t *testing.T) {
	r := talker(t)
	tests := []struct {
		certain study.Certain
		want    string
	}{
		{study.Certain{}, "I put your chances at 50 %."},
		{study.Certain{Known: true, Value: 1, Turns: 1}, "That wins for certain, with this turn."},
		{study.Certain{Known: true, Value: 1, Turns: 12}, "That wins for certain, in 12 turns at most."},
		{study.Certain{Known: true, Value: 1}, "I am certain: your chances are 100 %."},
		{study.Certain{Known: true, Value: -1, Turns: 3}, "it can take 3 more turns."},
		{study.Certain{Known: true}, "it is a draw, for certain."},
	}
	for _, test := range tests {
		if got := r.chances(study.Advice{Certain: test.certain}); !strings.Contains(got, test.want) {
			t.Errorf("%+v: got %q, want %q", test.certain, got, test.want)
		}
	}
}

// TestSlipsInExactWords: each slip has its own words, and a swing without one says nothing of certainty.
func TestSlipsInExactWords(t *testing.T) {
	r := talker(t)
	better := study.Advice{Turn: rules.Turn{{Kind: rules.Pass}}}
	for slip, want := range map[study.Slip]string{
		study.SlipWinDrawn: "thrown away for a draw", study.SlipWinLost: "and the game with it", study.SlipDrawLost: "the draw was thrown away",
	} {
		if got := r.swingLine(storage.Match{}, 1, study.Swing{Slip: slip, Better: better}); !strings.HasSuffix(got, want+".") {
			t.Errorf("%s: got %q, want %q at its end", slip, got, want)
		}
	}
	if got := r.swingLine(storage.Match{}, 1, study.Swing{Better: better}); strings.Contains(got, "certain") {
		t.Errorf("without a slip: %q", got)
	}
}
