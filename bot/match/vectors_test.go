package match_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// vector is a game of the rules' test vectors: the position after each action, and how it ends.
type vector struct {
	Key       string         `json:"variant"`
	Rules     map[string]any `json:"rules"`
	Actions   []string       `json:"actions"`
	Positions []string       `json:"positions"`
	Result    rules.Result   `json:"result"`
	Reason    rules.Reason   `json:"reason"`
}

// vectors reads the games, by their lines.
func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "rules", "testdata", "vectors", "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var games []vector
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g vector
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatalf("line %d: %v", len(games)+1, err)
		}
		games = append(games, g)
	}
	if err := lines.Err(); err != nil || len(games) == 0 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	return games
}

func (g vector) variant(t testing.TB) rules.Variant {
	t.Helper()
	v := variant(t, g.Key)
	for column, value := range g.Rules {
		var err error
		if v, err = v.Set(column, fmt.Sprint(value)); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// afterPasses is how many actions have been made once the bot has passed for whoever can only pass.
func (g vector) afterPasses(made int) int {
	for made < len(g.Actions) && g.Actions[made] == "pass" {
		made++
	}
	return made
}

// toMove is the side that makes an action, by what stood before it.
func (g vector) toMove(v rules.Variant, made int) rules.Side {
	switch {
	case made == 0:
		return v.First
	case strings.Contains(g.Positions[made-1], " w "):
		return rules.White
	}
	return rules.Black
}

// feed makes one action of the game, without the checks of apply: there are many thousands.
func (g vector) feed(t testing.TB, m storage.Match, made int) storage.Match {
	t.Helper()
	by := m.Seats[g.toMove(m.Variant, made)].Person
	out, err := match.Apply(m, match.Act{By: by, Do: place(t, g.Actions[made])}, world())
	if err != nil {
		t.Fatalf("action %d, %s: %v", made+1, g.Actions[made], err)
	}
	return out.Match
}

func TestVectorGamesFromChallengeToResult(t *testing.T) {
	t.Parallel()
	passes := 0
	for i, g := range vectors(t) {
		m := game(t, g.variant(t), "")
		for made := 0; made < len(g.Actions); {
			if m.State != storage.Playing {
				t.Fatalf("line %d: %s after %d of %d actions", i+1, m.State, made, len(g.Actions))
			}
			m = g.feed(t, m, made)
			end := g.afterPasses(made + 1)
			passes += end - made - 1
			made = end
			if got := texts(m.Deeds); !slices.Equal(got, g.Actions[:made]) {
				t.Fatalf("line %d: after action %d\n got %v\nwant %v", i+1, made, got, g.Actions[:made])
			}
		}
		g.checkPositions(t, m)
		if m.State != storage.Finished || m.Result != g.Result || m.Reason != g.Reason {
			t.Errorf("line %d: %s %s %s, want %s %s", i+1, m.State, m.Result, m.Reason, g.Result, g.Reason)
		}
		if !m.Ended.Equal(noon) || !m.NoticeAt.Equal(noon) {
			t.Errorf("line %d: ended %v, told of it at %v, want both %v", i+1, m.Ended, m.NoticeAt, noon)
		}
		if _, err := match.Apply(m, match.Act{By: ann, Do: match.Resign{}}, world()); !errors.Is(err, match.ErrNotPlaying) {
			t.Errorf("line %d: resigning after the end: %v", i+1, err)
		}
	}
	if passes == 0 {
		t.Error("no vector has a pass: nothing was checked of those that the bot makes")
	}
}

// checkPositions replays what was kept and compares the position after each action.
func (g vector) checkPositions(t *testing.T, m storage.Match) {
	t.Helper()
	replay := rules.NewGame(m.Variant)
	for i, d := range m.Deeds {
		if err := replay.Play(action(t, d.Action)); err != nil {
			t.Fatal(err)
		}
		if got := replay.Position().String(); got != g.Positions[i] {
			t.Fatalf("after action %d\n got %s\nwant %s", i+1, got, g.Positions[i])
		}
	}
	if got, want := position(t, m), g.Positions[len(g.Positions)-1]; got != want {
		t.Fatalf("at the end\n got %s\nwant %s", got, want)
	}
}

// TestVectorGamesTakenBack asks, after every action of some games, for each side's last turn back, and compares with the
// position that stood before that turn.
func TestVectorGamesTakenBack(t *testing.T) {
	t.Parallel()
	checked := 0
	for i, g := range vectors(t) {
		if i%60 != 0 && !slices.Contains(g.Actions, "pass") {
			continue
		}
		m := game(t, g.variant(t), "")
		var before [2]string // where each side's last turn began
		for made := 0; made < len(g.Actions); {
			if a := action(t, g.Actions[made]); a.Kind != rules.Shoot {
				before[g.toMove(m.Variant, made)] = position(t, m)
			}
			m = g.feed(t, m, made)
			made = g.afterPasses(made + 1)
			for side, want := range before {
				if m.State == storage.Playing && want != "" {
					checkTakeback(t, m, rules.Side(side), want)
					checked++
				}
			}
		}
	}
	t.Logf("%d takebacks", checked)
}

func checkTakeback(t *testing.T, m storage.Match, side rules.Side, want string) {
	t.Helper()
	back := takeBack(t, m, side)
	if got := position(t, back); got != want {
		t.Fatalf("%s takes back in %s of %v\n got %s\nwant %s", side, position(t, m), m.Deeds, got, want)
	}
	if len(back.Offers) != 0 || !back.NoticeAt.Equal(noon.Add(world().NoticeAfter)) {
		t.Fatalf("%s took back: offers %v, notice at %v", side, back.Offers, back.NoticeAt)
	}
	fresh := rules.NewGameAt(m.Variant, look(t, m).Game.Start())
	for _, d := range m.Deeds[:len(back.Deeds)] {
		if err := fresh.Play(action(t, d.Action)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := look(t, back).Game.Occurrences(), fresh.Occurrences(); got != want {
		t.Fatalf("%s took back: the position has occurred %d times, want %d", side, got, want)
	}
}

// takeBack asks for a side's last turn back and has the other side grant it.
func takeBack(t testing.TB, m storage.Match, side rules.Side) storage.Match {
	t.Helper()
	m = do(t, m, m.Seats[side].Person, match.Takeback{})
	return do(t, m, m.Seats[side.Opponent()].Person, match.Takeback{})
}
