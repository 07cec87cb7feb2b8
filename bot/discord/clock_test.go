package discord_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

// await waits for a message of the channel that says something, and gives it.
func (s *stage) await(want string) (found sandbox.Message) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	err := s.sb.Wait(ctx, func() bool {
		for _, m := range s.white.Messages(s.channel) {
			if !m.Ephemeral && strings.Contains(m.Content, want) {
				found = m
				return true
			}
		}
		return false
	})
	if err != nil {
		var said []string
		for _, m := range s.white.Messages(s.channel) {
			said = append(said, m.Content)
		}
		s.t.Fatalf("nothing says %q; there is %q: %v", want, said, err)
	}
	return found
}

// mentions holds a message to whom it calls.
func (s *stage) mentions(m sandbox.Message, people ...string) {
	s.t.Helper()
	if !slices.Equal(slices.Sorted(slices.Values(m.Mentions)), slices.Sorted(slices.Values(people))) {
		s.t.Errorf("%q mentions %v, want %v", m.Content, m.Mentions, people)
	}
	for _, id := range people {
		if !strings.Contains(m.Content, "<@"+id+">") {
			s.t.Errorf("%q does not name %s", m.Content, id)
		}
	}
}

// TestFlagFallsOnTheBoard: the deadline stands on the board, and when it is over the board says who has won.
func TestFlagFallsOnTheBoard(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", map[string]any{"clock": "5+3"})
	id := s.game(board)
	s.expect(board, fmt.Sprintf("first turn; time for it ends <t:%d:R>", s.kept(id).FlagAt.Unix()))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	board = s.board(id)
	s.expect(board, fmt.Sprintf("time ends <t:%d:R>. %s has 5:00 left.", s.kept(id).FlagAt.Unix(), s.nameOf(s.server.Members[1])))
	for _, want := range []string{"White had 5:00 left when this turn began.", "Black had 5:00 left when this turn began."} {
		if alt := board.Attachments[0].Description; !strings.Contains(alt, want) {
			t.Errorf("the picture's words are %q, want %q in them", alt, want)
		}
	}
	s.clock.Advance(4*time.Minute + 45*time.Second)
	s.mentions(s.await("your time ends"), s.server.Members[0])
	s.clock.Advance(20 * time.Second)
	end := s.await("out of time. ")
	s.mentions(end, s.server.Members[0], s.server.Members[1])
	s.expect(s.board(id), "(black) wins")
	if alt := s.board(id).Attachments[0].Description; strings.Contains(alt, " left when") {
		t.Errorf("a game that is over tells of its clocks: %q", alt)
	}
	if m := s.kept(id); m.Reason != rules.Timeout || len(m.Changes) == 0 {
		t.Errorf("%s %s, %d changes of ratings", m.State, m.Reason, len(m.Changes))
	}
	s.expectPrivate(s.act(id, rules.White, "g7"), "is over")
}

// TestGameNotBegun: nobody wins a game in which a first turn is missing.
func TestGameNotBegun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", map[string]any{"clock": "30+20"})
	id := s.game(board)
	s.clock.Advance(5*time.Minute + time.Second)
	notice := s.await("the game is aborted, for")
	s.mentions(notice, s.server.Members[1])
	s.expect(s.await("is aborted: "+s.nameOf(s.server.Members[0])), "It counts for nobody.")
	if m := s.kept(id); m.Ending != storage.Aborted || len(m.Changes) != 0 {
		t.Errorf("%s %s, changes %v", m.State, m.Ending, m.Changes)
	}
	s.expectPrivate(s.slash(s.white, "place", map[string]any{"game": id, "point": "a7"}), "not being played")
}

// TestWarningOfDays mentions the player to move alone, and nobody who wants no warnings.
func TestWarningOfDays(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", map[string]any{"clock": "1d"}))
	s.act(id, rules.White, "a7")
	s.clock.Advance(time.Minute)
	s.prefer(s.black, "warnings", "off")
	s.clock.Advance(20 * time.Hour)
	s.settle(func() bool { return s.kept(id).WarnAt.IsZero() })
	for _, m := range s.white.Messages(s.channel) {
		if strings.Contains(m.Content, "your time ends") {
			t.Errorf("somebody who wants no warnings is warned: %s", m.Content)
		}
	}
	s.act(id, rules.Black, "d7")
	s.clock.Advance(20 * time.Hour)
	s.mentions(s.await("your time ends"), s.server.Members[0])
}

// settle waits until what is kept is as wanted.
func (s *stage) settle(wanted func() bool) {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	for {
		rung := s.commits.rung()
		if wanted() {
			return
		}
		select {
		case <-rung:
		case <-ctx.Done():
			s.t.Fatal("what is kept does not become what it should")
		}
	}
}

// TestThreeHoursAway (O39): an hour before a deadline the bot goes away for three. The button made before still works,
// the board has the new deadline, and both are told, once.
func TestThreeHoursAway(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", map[string]any{"clock": "1d"})
	id := s.game(board)
	s.clock.Advance(23 * time.Hour)
	s.settle(func() bool { return s.alive().After(s.kept(id).Started.Add(22 * time.Hour)) })
	before := s.kept(id).FlagAt
	s.stop()
	s.clock.Advance(3 * time.Hour)
	s.start()
	s.mentions(s.await("I was away from"), s.server.Members[0], s.server.Members[1])
	m := s.kept(id)
	if moved := m.FlagAt.Sub(before); moved < 3*time.Hour || moved > 3*time.Hour+2*time.Minute {
		t.Errorf("the deadline was moved by %v", moved)
	}
	s.await(fmt.Sprintf("time for this turn ends <t:%d:R>", m.FlagAt.Unix()))
	s.settle(func() bool { _, untold := s.kept(id).UntoldPause(); return !untold })
	s.restart()
	if _, untold := s.kept(id).UntoldPause(); untold {
		t.Error("both are told again")
	}
	s.choose(s.white, s.board(id).ID, "a7")
	if got := s.kept(id); len(got.Deeds) != 1 {
		t.Errorf("%d actions are kept: %s", len(got.Deeds), got.State)
	}
}

// alive is when it was last noted that the bot was there.
func (s *stage) alive() (at time.Time) {
	s.t.Helper()
	s.must(s.store.View(s.t.Context(), func(r storage.Reader) error {
		hits, err := r.Range(storage.All(storage.KindAlive), "", 1)
		if err != nil || len(hits) == 0 {
			return err
		}
		stored, err := r.Get(hits[0].Key)
		if err == nil {
			at = stored.Record.(storage.Alive).At
		}
		return err
	}))
	return at
}

// TestProtestByButton is met by one player, and then not by the other.
func TestProtestByButton(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("tournament", nil)
	id := s.game(board)
	white, black := s.server.Members[0], s.server.Members[1]
	s.expectPrivate(s.press(s.white, board.ID, "Protest"), "your own turn")
	s.press(s.black, board.ID, "Protest")
	s.expect(s.board(id), "The arbiter counts: "+s.nameOf(white))
	s.mentions(s.await("the arbiter counts. The two minutes"), white)
	s.expectPrivate(s.slash(s.black, "protest", nil), "counted already")
	s.clock.Advance(61 * time.Second)
	s.choose(s.white, s.board(id).ID, "a7")
	s.clock.Advance(2 * time.Minute)
	if m := s.kept(id); m.State != storage.Playing {
		t.Fatalf("%s %s although the protest was met", m.State, m.Reason)
	}
	s.expectPrivate(s.slash(s.white, "protest", nil), "You called the two-minute rule. "+s.nameOf(black))
	s.clock.Advance(91 * time.Second)
	s.mentions(s.await("<@"+black+">: the arbiter counts."), black)
	s.clock.Advance(30 * time.Second)
	s.await("no turn within the two minutes")
	if m := s.kept(id); m.Result != rules.WhiteWins || m.Reason != rules.Timeout {
		t.Errorf("%s %s %s", m.State, m.Result, m.Reason)
	}
	s.expectPrivate(s.slash(s.black, "protest", map[string]any{"game": id}), "not being played")
}

// TestProtestIsRefused where the rule does not belong, or nobody is there to hear of it.
func TestProtestIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("tournament", nil))
	s.clock.Advance(11 * time.Minute)
	s.expectPrivate(s.slash(s.black, "protest", map[string]any{"game": id}), s.nameOf(s.server.Members[0])+" is not at the board")
	for clock, told := range map[string]bool{"none": true, "10+5": false} {
		offered := s.slash(s.white, "challenge", map[string]any{"opponent": s.server.Members[1], "variant": "tournament", "clock": clock})
		if strings.Contains(offered.Content, "The two-minute rule holds") != told {
			t.Errorf("with the clock %s the challenge says %q", clock, offered.Content)
		}
		s.press(s.white, offered.ID, "Cancel")
	}
	id = s.game(s.begin("tournament", map[string]any{"clock": "10+5"}))
	s.expectPrivate(s.slash(s.black, "protest", map[string]any{"game": id}), "has a clock")
	id = s.game(s.begin("morabaraba", nil))
	s.expectPrivate(s.slash(s.black, "protest", map[string]any{"game": id}), "no two-minute rule")
	said := s.slash(s.black, "rules", map[string]any{"variant": "tournament"})
	s.expectPrivate(said, "**Two minutes.**")
	if strings.Contains(said.Content, "…") || !strings.Contains(said.Content, "**The picture.**") {
		t.Errorf("the rules do not fit a message: %s", said.Content)
	}
}

// TestAdjournByButton: the clock stands until somebody goes on.
func TestAdjournByButton(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	board := s.begin("morabaraba", map[string]any{"clock": "3d"})
	id := s.game(board)
	s.press(s.white, board.ID, "Adjourn")
	s.expect(s.board(id), "would like to adjourn")
	s.expectPrivate(s.slash(s.black, "adjourn", map[string]any{"game": id}), "the clock stands")
	s.expect(s.board(id), "Adjourned: the clock stands, with 71 hours left")
	s.clock.Advance(400 * time.Hour)
	s.expectPrivate(s.slash(s.black, "adjourn", map[string]any{"game": id}), "adjourned already")
	s.press(s.black, s.board(id).ID, "Resume")
	s.expect(s.board(id), fmt.Sprintf("time for this turn ends <t:%d:R>", s.kept(id).FlagAt.Unix()))
	if left := s.kept(id).FlagAt.Sub(s.clock.Now()); left < 71*time.Hour {
		t.Errorf("%v left", left)
	}
	live := s.game(s.begin("morabaraba", map[string]any{"clock": "5+3"}))
	s.expectPrivate(s.slash(s.white, "adjourn", map[string]any{"game": live}), "days a turn")
}

// TestClaimByButton: a game without a clock is not there for ever.
func TestClaimByButton(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.game(s.begin("morabaraba", nil))
	s.act(id, rules.White, "a7")
	s.act(id, rules.Black, "d7")
	when := s.kept(id).WarnAt
	s.expectPrivate(s.slash(s.black, "claim", map[string]any{"game": id}), fmt.Sprintf("<t:%d:R>", when.Unix()))
	s.expectPrivate(s.slash(s.white, "claim", map[string]any{"game": id}), "your own turn")
	s.clock.Advance(72*time.Hour + time.Minute)
	notice := s.await("You may end the game as won")
	s.mentions(notice, s.server.Members[1])
	s.press(s.black, notice.ID, "Claim")
	s.expect(s.board(id), "(black) wins")
	if m := s.kept(id); m.Reason != rules.Abandoned || len(m.Changes) == 0 {
		t.Errorf("%s %s, changes %v", m.State, m.Reason, m.Changes)
	}
}
