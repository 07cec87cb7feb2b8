package match_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
)

// finished is a rated game in which each side has made a turn and one has resigned.
func finished(t testing.TB, v rules.Variant) storage.Match {
	t.Helper()
	m := challenge(v)
	m = do(t, m, ben, match.Accept{})
	return do(t, play(t, m, "a7", "d7"), ann, match.Resign{})
}

func TestWhatCounts(t *testing.T) {
	v := variant(t, "nine") // black, Ben, begins
	unrated := challenge(v)
	unrated.Rated = false
	unrated = do(t, unrated, ben, match.Accept{})
	tests := []struct {
		name string
		m    storage.Match
		want bool
	}{
		{"each side has made a turn", finished(t, v), true},
		{"agreed after a turn each", agreed(t, play(t, game(t, v, ""), "a7", "d7")), false},
		{"agreed after nine turns", agreed(t, play(t, game(t, v, ""), nineTurns()...)), false},
		{"agreed after ten turns", agreed(t, play(t, game(t, v, ""), append(nineTurns(), "b6")...)), true},
		{"still in play", play(t, game(t, v, ""), "a7", "d7"), false},
		{"nobody has moved", do(t, game(t, v, ""), ann, match.Resign{}), false},
		{"only one side has moved", do(t, play(t, game(t, v, ""), "a7"), ann, match.Resign{}), false},
		{"only one side has moved, agreed", do(t, do(t, play(t, game(t, v, ""), "a7"), ann, match.Draw{}), ben, match.Draw{}), false},
		{"the turns were taken back", do(t, takeBack(t, play(t, game(t, v, ""), "a7", "d7"), rules.White), ben, match.Resign{}), false},
		{"not rated", do(t, play(t, unrated, "a7", "d7"), ann, match.Resign{}), false},
		{"declined", do(t, challenge(v), ben, match.Decline{}), false},
		{"cancelled", do(t, challenge(v), ann, match.Cancel{}), false},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := match.Counts(look(t, c.m)); got != c.want {
				t.Errorf("counts: %v, want %v", got, c.want)
			}
		})
	}
}

// nineTurns make no mill.
func nineTurns() []string {
	return []string{"a7", "d7", "g7", "a4", "g4", "a1", "d1", "g1", "f4"}
}

// agreed is the match after both have agreed on a draw.
func agreed(t testing.TB, m storage.Match) storage.Match {
	return do(t, do(t, m, ann, match.Draw{}), ben, match.Draw{})
}

// TestAgreedEarly tells that reason from others for which a game does not count.
func TestAgreedEarly(t *testing.T) {
	v := variant(t, "nine")
	friendly := agreed(t, play(t, game(t, v, ""), "a7", "d7"))
	if !match.AgreedEarly(look(t, friendly)) {
		t.Error("a draw agreed on after two turns is not told apart")
	}
	if !match.AgreedEarly(look(t, agreed(t, game(t, v, "")))) {
		t.Error("a draw agreed on before anybody moved is not told apart")
	}
	friendly.Rated = false
	for name, m := range map[string]storage.Match{
		"was never to be rated": friendly, "ended otherwise": finished(t, v),
		"lasted": agreed(t, play(t, game(t, v, ""), append(nineTurns(), "b6")...)),
	} {
		if match.AgreedEarly(look(t, m)) {
			t.Errorf("a game that %s is taken for one agreed on early", name)
		}
	}
}

// TestTheShotsOwedAreNoTurn: white's first turn closes a mill, and black resigns before the shot. It was not completed.
func TestTheShotsOwedAreNoTurn(t *testing.T) {
	m := play(t, game(t, variant(t, "nine"), "w.w/.../.../....../.../.../b.. b 7,8 0 0,0 -,-"), "g1", "d7")
	if resigned := do(t, m, ben, match.Resign{}); match.Counts(look(t, resigned)) {
		t.Error("a turn whose shot is due counts as made")
	}
	if resigned := do(t, play(t, m, "xg1"), ben, match.Resign{}); !match.Counts(look(t, resigned)) {
		t.Error("a turn of each side is made, and it does not count")
	}
}

// TestRatedOnlyWithALadder: rules that were changed are another game, unless the guide leaves the choice or they have a
// key of their own.
func TestRatedOnlyWithALadder(t *testing.T) {
	change := func(key, column, value string) rules.Variant {
		v, err := variant(t, key).Set(column, value)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	house := change("nine", "no_shot", "30")
	house.Key, house.Name, house.Base = "village", "Village rules", "nine"
	tests := []struct {
		name  string
		v     rules.Variant
		rated bool
		pools []string
	}{
		{"as it stands", variant(t, "nine"), true, []string{"server:s", "global"}},
		{"flying changed", change("nine", "flies", "false"), false, nil},
		{"flying changed in thinhama", change("thinhama", "flies", "false"), true, []string{"server:s", "global"}},
		{"the first mover changed in thinhama", change("thinhama", "first", "black"), true, []string{"server:s", "global"}},
		{"a limit changed in thinhama", change("thinhama", "no_shot", "0"), false, nil},
		{"house rules", house, true, []string{"server:s"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			m := challenge(c.v)
			if m.Rated != c.rated {
				t.Errorf("rated %v, want %v", m.Rated, c.rated)
			}
			if got := poolNames(m); c.rated && !slices.Equal(got, c.pools) {
				t.Errorf("pools %v, want %v", got, c.pools)
			}
			m.Server = ""
			if got := poolNames(m); c.rated && len(got) != len(c.pools)-1 {
				t.Errorf("pools in direct messages: %v", got)
			}
		})
	}
}

func poolNames(m storage.Match) (names []string) {
	for _, p := range match.Pools(m, "") {
		names = append(names, p.Name)
	}
	return names
}

// TestSettle rates a game between somebody who is known in the server and a newcomer, in both pools.
func TestSettle(t *testing.T) {
	m := finished(t, variant(t, "nine")) // Ben, black, has won
	s := rating.Standard()
	known := storage.Rating{
		Pool: "server:s", Variant: "nine", Member: ann.ID, Name: "Ann of old", Points: 1700, Deviation: 80, Volatility: 0.06,
		Wins: 3, Draws: 2, Losses: 1, At: noon.Add(-240 * time.Hour),
	}
	had := map[storage.Key]storage.Rating{known.Key(): known}
	before := printed(t, m)
	settled, ratings := match.Settle(m, match.Pools(m, ""), had, s)
	if printed(t, m) != before {
		t.Error("the match given was changed")
	}
	if len(ratings) != 4 || len(settled.Changes) != 4 {
		t.Fatalf("%d ratings, %d changes, want 4 of each", len(ratings), len(settled.Changes))
	}
	byKey := map[storage.Key]storage.Rating{}
	for i, r := range ratings {
		byKey[r.Key()] = r
		c := settled.Changes[i]
		if c.Pool != r.Pool || c.Member != r.Member || c.After != r.Points || !r.At.Equal(m.Ended) {
			t.Errorf("change %+v beside rating %+v", c, r)
		}
	}
	newcomer := s.Start
	white, black := s.Game(rating.Rating{Points: 1700, Deviation: 80, Volatility: 0.06}, newcomer, 0, [2]time.Duration{240 * time.Hour, 0})
	checkRating(t, byKey[known.Key()], white, [3]int{3, 2, 2})
	checkRating(t, byKey[storage.RatingKey("server:s", "nine", ben.ID)], black, [3]int{1, 0, 0})
	white, black = s.Game(newcomer, newcomer, 0, [2]time.Duration{})
	checkRating(t, byKey[storage.RatingKey("global", "nine", ann.ID)], white, [3]int{0, 0, 1})
	checkRating(t, byKey[storage.RatingKey("global", "nine", ben.ID)], black, [3]int{1, 0, 0})
	if got := byKey[known.Key()].Name; got != "Ann" {
		t.Errorf("name %q, want the one she has now", got)
	}
}

func checkRating(t *testing.T, got storage.Rating, want rating.Rating, games [3]int) {
	t.Helper()
	const close = 1e-9
	if math.Abs(got.Points-want.Points) > close || math.Abs(got.Deviation-want.Deviation) > close ||
		math.Abs(got.Volatility-want.Volatility) > close || [3]int{got.Wins, got.Draws, got.Losses} != games {
		t.Errorf("%s in %s: %+v, want %+v and games %v", got.Member, got.Pool, got, want, games)
	}
}

// TestSettleDraw: a draw moves two of unequal strength towards each other (and is counted as a draw).
func TestSettleDraw(t *testing.T) {
	v := variant(t, "nine")
	m := do(t, do(t, play(t, game(t, v, ""), "a7", "d7"), ann, match.Draw{}), ben, match.Draw{})
	had := map[storage.Key]storage.Rating{}
	for _, r := range []storage.Rating{
		{Pool: "global", Variant: "nine", Member: ann.ID, Points: 1900, Deviation: 60, Volatility: 0.06, At: noon},
		{Pool: "global", Variant: "nine", Member: ben.ID, Points: 1300, Deviation: 60, Volatility: 0.06, At: noon},
	} {
		had[r.Key()] = r
	}
	m.Server = ""
	_, ratings := match.Settle(m, match.Pools(m, ""), had, rating.Standard())
	if len(ratings) != 2 || ratings[0].Points >= 1900 || ratings[1].Points <= 1300 || ratings[0].Draws != 1 || ratings[1].Draws != 1 {
		t.Errorf("ratings %+v", ratings)
	}
}

func TestSeatsAndColours(t *testing.T) {
	strength := func(member string) (float64, float64) {
		return map[string]float64{ann.ID: 1600, ben.ID: 1400}[member], 90
	}
	for _, c := range []struct {
		colour string
		coin   rules.Side
		white  storage.Person
	}{
		{"white", rules.Black, ann}, {"black", rules.White, ben}, {"random", rules.White, ann}, {"random", rules.Black, ben},
	} {
		m := challenge(variant(t, "nine"))
		m.Colour = c.colour
		w := world()
		w.Coin, w.Strength = c.coin, strength
		renamed := storage.Person{ID: ben.ID, Name: "Benjamin"}
		out, err := match.Apply(m, match.Act{By: renamed, Do: match.Accept{}}, w)
		if err != nil {
			t.Fatal(err)
		}
		white := out.Match.Seats[rules.White]
		points, _ := strength(white.ID)
		if white.ID != c.white.ID || white.Points != points || white.Deviation != 90 {
			t.Errorf("%s, coin %s: white is %+v", c.colour, c.coin, white)
		}
		if out.Match.Opponent != renamed || !out.Match.Started.Equal(noon) || !out.Match.NoticeAt.Equal(noon.Add(w.NoticeAfter)) {
			t.Errorf("%s: %s", c.colour, printed(t, out.Match))
		}
	}
}

// TestNamesFollowTheirOwners: a seat shows the name that its holder had when last heard of.
func TestNamesFollowTheirOwners(t *testing.T) {
	m := game(t, variant(t, "nine"), "")
	m = do(t, m, storage.Person{ID: ben.ID, Name: "Ben II"}, place(t, "a7"))
	m = do(t, m, storage.Person{ID: ann.ID}, place(t, "d7"))
	if m.Seats[rules.Black].Name != "Ben II" || m.Seats[rules.White].Name != "Ann" {
		t.Errorf("seats %v", m.Seats)
	}
}

// TestNotices: the next player is told after a while, nobody while the same one goes on, and of the end at once.
func TestNotices(t *testing.T) {
	m := game(t, variant(t, "nine"), "")
	later := noon.Add(world().NoticeAfter)
	for _, step := range []struct {
		action string
		want   time.Time
	}{{"a7", later}, {"a1", later}, {"d7", later}, {"d1", later}, {"g7", time.Time{}}, {"xa1", later}} {
		if m = play(t, m, step.action); !m.NoticeAt.Equal(step.want) {
			t.Errorf("after %s a notice is due at %v, want %v", step.action, m.NoticeAt, step.want)
		}
	}
	m.Shown.Trouble = "forbidden"
	if m = do(t, m, ann, match.Draw{}); m.Shown.Trouble != "" {
		t.Error("an act does not clear what stopped the telling")
	}
	if m = do(t, m, ann, match.Resign{}); !m.NoticeAt.Equal(noon) {
		t.Errorf("of the end people are told at %v, want at once", m.NoticeAt)
	}
}

// TestWhatAGuideLeavesOpen: with such a column changed it is still the same game, and rated as that.
func TestWhatAGuideLeavesOpen(t *testing.T) {
	open := 0
	for _, v := range rules.Variants() {
		for _, column := range rules.Columns() {
			if allowed, _ := rules.ColumnValues(column); v.LeavesOpen(column) && len(allowed.Words) > 0 {
				for _, word := range allowed.Words {
					changed, err := v.Set(column, word)
					if err != nil || !challenge(changed).Rated {
						t.Errorf("%s leaves %s open, and with %s it is not rated (%v)", v.Key, column, word, err)
					}
					open++
				}
			}
		}
	}
	if open == 0 {
		t.Error("no guide leaves anything open: nothing was checked")
	}
}
