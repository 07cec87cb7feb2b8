package discord_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/rules/study"
	"kraal/storage"
)

// embedded is the set that the bot has.
func embedded(t testing.TB) study.Set {
	t.Helper()
	set, err := study.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// onDay has the stage begin at noon of the next day whose puzzle is as wanted, and gives that puzzle.
func (s *stage) onDay(wanted func(study.Puzzle) bool) study.Puzzle {
	s.t.Helper()
	set, noon := embedded(s.t), study.NextDay(s.clock.Now()).Add(12*time.Hour)
	for range set.Len() {
		if z := set.Daily(noon); wanted(z) {
			s.clock.Advance(noon.Sub(s.clock.Now()))
			return z
		}
		noon = noon.Add(24 * time.Hour)
	}
	s.t.Fatal("no puzzle of the set is as wanted")
	return study.Puzzle{}
}

// moves is a puzzle of two turns or more in the moving phase.
func moves(z study.Puzzle) bool { return z.Depth > 1 && z.Goal == study.Win && !z.Position.Placing() }

// tapped takes an action in a puzzle by its menus, and gives what is shown then.
func (s *stage) tapped(who *sandbox.Actor, m sandbox.Message, a rules.Action) sandbox.Message {
	s.t.Helper()
	if a.Kind == rules.Move {
		m = s.selects(who, m, "|puzzle|", a.From.String())
		s.expectPrivate(m, "Where does the piece on "+a.From.String()+" go?")
		return s.selects(who, m, "|puzzleto|", a.To.String())
	}
	return s.selects(who, m, "|puzzle|", a.To.String())
}

// selects chooses from the one menu of a message whose id holds a text.
func (s *stage) selects(who *sandbox.Actor, m sandbox.Message, menu, value string) sandbox.Message {
	s.t.Helper()
	for _, c := range m.Selects() {
		if len(c.CustomID) > 100 {
			s.t.Errorf("%s is too long", c.CustomID)
		}
		if strings.Contains(c.CustomID, menu) {
			ctx, done := s.patience()
			defer done()
			reply, err := who.Select(ctx, m.ID, c.CustomID, value)
			return s.answered(reply, err, menu+" "+value)
		}
	}
	s.t.Fatalf("no menu %s in %q", menu, m.Content)
	return m
}

// solves taps a whole solution.
func (s *stage) solves(who *sandbox.Actor, m sandbox.Message, z study.Puzzle) sandbox.Message {
	s.t.Helper()
	solution, err := z.Solution(context.Background())
	s.must(err)
	for _, turn := range solution.Turns {
		if turn.Side != z.Position.Turn {
			continue
		}
		for _, a := range turn.Turn {
			m = s.tapped(who, m, a)
		}
	}
	s.expectPrivate(m, "solved!")
	return m
}

// misses taps the first turn that is not accepted.
func (s *stage) misses(who *sandbox.Actor, m sandbox.Message, z study.Puzzle) sandbox.Message {
	s.t.Helper()
	for _, a := range z.Variant.Legal(z.Position) {
		next, err := z.Variant.Play(z.Position, a)
		s.must(err)
		if next.Pending == 0 && !z.Accepts(rules.Turn{a}) {
			m = s.tapped(who, m, a)
			s.expectPrivate(m, "is not it")
			return m
		}
	}
	s.t.Fatal("every turn is right")
	return m
}

// shown asks for a solution and confirms that it shall be counted as missed.
func (s *stage) shown(who *sandbox.Actor, m sandbox.Message) sandbox.Message {
	s.t.Helper()
	asked := s.press(who, m.ID, "Show the solution")
	s.expectPrivate(asked, "has missed the puzzle")
	return s.press(who, asked.ID, "Confirm")
}

// fares is what is kept of how somebody fares.
func (s *stage) fares(member string) (p storage.Puzzles) {
	s.t.Helper()
	m, err := s.app.Member(s.t.Context(), member)
	s.must(err)
	return m.Puzzles
}

// TestPuzzleOfTheDay: it is the same for everyone, solved by taps, and makes a streak of days; who misses it may try
// again, but has no streak.
func TestPuzzleOfTheDay(t *testing.T) {
	t.Parallel()
	var z study.Puzzle
	s := newStage(t, func(s *stage) { z = s.onDay(moves) })
	white, black := s.server.Members[0], s.server.Members[1]
	m := s.slash(s.white, "puzzle", nil)
	s.expectPrivate(m, "Puzzle of the day")
	s.checkBoard(m, z.Position)
	if other := s.slash(s.black, "puzzle", map[string]any{"kind": "daily"}); other.Content != m.Content {
		t.Errorf("one is shown %q, another %q", m.Content, other.Content)
	}
	m = s.solves(s.white, m, z)
	s.expect(m, "1 day in a row")
	s.expect(m, "at midnight UTC")

	m = s.misses(s.black, s.slash(s.black, "puzzle", nil), z)
	s.expect(m, "answers")
	if strings.Contains(m.Content, "in a row") {
		t.Errorf("who never had a streak is told of one: %q", m.Content)
	}
	s.solves(s.black, s.press(s.black, m.ID, "Try again"), z)
	day := study.DayNumber(s.clock.Now())
	if got, want := s.fares(black), (storage.Puzzles{Day: day, Missed: 1}); got != want {
		t.Errorf("who missed it fares %+v, want %+v", got, want)
	}

	s.clock.Advance(24 * time.Hour)
	s.restart()
	z = embedded(t).Daily(s.clock.Now())
	m = s.solves(s.white, s.slash(s.white, "puzzle", nil), z)
	s.expect(m, "2 days in a row")
	want := storage.Puzzles{Day: day + 1, SolvedDay: day + 1, Streak: 2, Best: 2, Solved: 2}
	if got := s.fares(white); got != want {
		t.Errorf("who solved two fares %+v, want %+v", got, want)
	}
	s.solves(s.white, s.slash(s.white, "puzzle", nil), z)
	if got := s.fares(white); got != want {
		t.Errorf("solved twice: %+v, want %+v", got, want)
	}
}

// TestPuzzlesWithoutEnd: one after the other, and a solution that is shown counts as missed.
func TestPuzzlesWithoutEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	set, white := embedded(t), s.server.Members[0]
	m := s.slash(s.white, "puzzle", map[string]any{"kind": "more"})
	s.expectPrivate(m, "**Puzzle 1**")
	m = s.solves(s.white, m, set.Further(0))
	m = s.press(s.white, m.ID, "Another puzzle")
	s.expectPrivate(m, "**Puzzle 2**")
	s.checkBoard(m, set.Further(1).Position)
	m = s.shown(s.white, m)
	s.expectPrivate(m, "The solution: "+set.Further(1).Accepted[0].String())
	s.expectPrivate(s.press(s.white, m.ID, "Another puzzle"), "**Puzzle 3**")
	if got, want := s.fares(white), (storage.Puzzles{Next: 2, Solved: 1, Missed: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestPuzzleFromOnesOwnGames: the turn that a finished game missed, for whoever missed it and nobody else.
func TestPuzzleFromOnesOwnGames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mine := map[string]any{"kind": "mine"}
	s.expectPrivate(s.slash(s.white, "puzzle", mine), "no turn that would make a puzzle")
	id := s.game(s.begin("nine", nil))
	for i, at := range []string{"a7", "d2", "g7", "b4", "d7", "xb4"} { // white does not stop the mill on d7
		s.act(id, []rules.Side{rules.Black, rules.White, rules.Black, rules.White, rules.Black, rules.Black}[i], at)
	}
	s.expectPrivate(s.slash(s.white, "puzzle", mine), "no turn that would make a puzzle")
	s.press(s.white, s.slash(s.white, "resign", map[string]any{"game": id}).ID, "Confirm")
	m := s.slash(s.white, "puzzle", mine)
	s.expectPrivate(m, "From your game** `"+id+"`, turn 4")
	s.checkBoard(m, positionOf(t, "nine", "b.b/.../.../....../.../.w./... w 8,7 0 0,0 -,-"))
	missed := s.tapped(s.white, m, action(t, "b4"))
	s.expectPrivate(missed, "b4 is not it: black answers d7x")
	m = s.tapped(s.white, s.press(s.white, missed.ID, "Try again"), action(t, "d7"))
	s.expectPrivate(m, "d7: solved!")
	s.expectPrivate(s.press(s.white, m.ID, "Another puzzle"), "no turn that would make a puzzle")
	if got := s.fares(s.server.Members[0]); got != (storage.Puzzles{}) {
		t.Errorf("one's own games are counted: %+v", got)
	}
	s.expectPrivate(s.slash(s.black, "puzzle", mine), "no turn that would make a puzzle")
}

// TestPuzzleInWords: for those who cannot see, the position stands in the message.
func TestPuzzleInWords(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.slash(s.white, "puzzle", map[string]any{"words": true})
	s.expectPrivate(m, m.Attachments[0].Description)
	shown := s.shown(s.white, m)
	s.expectPrivate(shown, shown.Attachments[0].Description)
	next := s.press(s.white, shown.ID, "Another puzzle")
	s.expectPrivate(next, next.Attachments[0].Description)
	if m := s.slash(s.white, "puzzle", nil); strings.Contains(m.Content, m.Attachments[0].Description) {
		t.Error("the words come without being asked for")
	}
	s.slash(s.white, "preferences words", map[string]any{"switch": "on"})
	m = s.slash(s.white, "puzzle", nil)
	s.expectPrivate(m, m.Attachments[0].Description)
}

// TestPuzzlePosts: a server that wants it has each day's puzzle posted once, whatever restarts, and whoever taps solves
// it alone.
func TestPuzzlePosts(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(s *stage) { s.onDay(moves) })
	market := s.server.Channels[1].ID
	s.expectPrivate(s.slash(s.white, "settings puzzles", map[string]any{"channel": market}), "posted in <#"+market+">")
	post := s.countIn(market, 1)[0]
	s.expect(post, "Puzzle of the day")
	s.checkBoard(post, embedded(t).Daily(s.clock.Now()).Position)
	m := s.press(s.black, post.ID, "Solve it")
	s.solves(s.black, m, embedded(t).Daily(s.clock.Now()))
	s.restart()
	s.clock.Advance(24 * time.Hour)
	s.countIn(market, 2)
	s.restart()
	s.expectPrivate(s.slash(s.white, "settings puzzles", nil), "posted nowhere")
	s.clock.Advance(24 * time.Hour)
	s.slash(s.white, "settings show", nil)
	s.countIn(market, 2)
}

// TestPuzzlePostsEndWithTheirChannel: after a refusal that will not change, no more are tried.
func TestPuzzlePostsEndWithTheirChannel(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	market := s.server.Channels[1].ID
	s.slash(s.white, "settings puzzles", map[string]any{"channel": market})
	s.countIn(market, 1)
	s.must(s.sb.SetPermissions(market, 1<<10))
	s.clock.Advance(24 * time.Hour)
	ctx, done := s.patience()
	defer done()
	for {
		rung := s.commits.rung()
		settings, err := s.app.Settings(ctx, s.server.ID)
		s.must(err)
		if settings.Puzzles == "" {
			return
		}
		select {
		case <-rung:
		case <-ctx.Done():
			t.Fatal("puzzles are not switched off")
		}
	}
}

// TestPuzzleControlsThatCannotBe: what no puzzle of ours wrote is refused in words, and keeps nothing.
func TestPuzzleControlsThatCannotBe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := embedded(t).Further(0).ID
	game := s.game(s.begin("nine", nil))
	m := s.slash(s.white, "puzzle", map[string]any{"kind": "more"})
	for _, arg := range []string{
		"", "...", "more", "more..", "more...d9", "more...pass", "weekly...", "more..zz.a1", "more...a1,a1", "more...xa1",
		"mine...", "mine...a1", "mine.w.a1.a1", "more...." + strings.Repeat("a1,", 15), "more..." + strings.Repeat("a1,", 20) + "a1",
		"daily.." + strings.Repeat("x", 50) + ".",
	} {
		for _, of := range []string{id, "nothing", "", game} {
			for _, verb := range []string{"puzzle", "puzzleto", "again", "answer"} {
				custom := "k1|" + of + "|99|" + verb + "|" + arg
				if len(custom) > 100 {
					continue
				}
				ctx, done := s.patience()
				reply, err := s.white.SelectStale(ctx, m.ID, custom, "??")
				if s.answered(reply, err, custom).Content == "" {
					t.Errorf("%s is answered by nothing", custom)
				}
				done()
			}
		}
	}
	if got := s.fares(s.server.Members[0]); got.Solved != 0 || got.Next != 0 {
		t.Errorf("something was counted: %+v", got)
	}
	if strings.Contains(s.log.String(), "request failed") {
		t.Error("something was taken for a fault of the bot's")
	}
}

func action(t testing.TB, text string) rules.Action {
	t.Helper()
	a, err := rules.ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func positionOf(t testing.TB, key, line string) rules.Position {
	t.Helper()
	v, _ := rules.Lookup(key)
	p, err := v.ParsePosition(line)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
