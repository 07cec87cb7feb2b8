package bot_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// kraal is the bot where it plays itself.
var kraal = storage.Person{ID: "9", Name: "Kraal"}

// fake is a player that does what a test says. It plays the first legal action, at once, where the test says nothing.
type fake struct {
	mu    sync.Mutex
	asked []asked
	gate  chan struct{} // while there is one, Choose waits for it to close, or for its context
	think func(g *rules.Game) (bot.Choice, error)
}

// asked is what a player was asked.
type asked struct {
	actions, level int
	most           time.Duration
}

func (f *fake) Choose(ctx context.Context, g *rules.Game, level int, most time.Duration) (bot.Choice, error) {
	f.mu.Lock()
	f.asked = append(f.asked, asked{g.Len(), level, most})
	gate := f.gate
	f.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
		}
	}
	f.mu.Lock()
	think := f.think // what a test said while the player thought counts
	f.mu.Unlock()
	if think == nil || ctx.Err() != nil { // interrupted it has something too, but not what the test wants played
		return bot.Choice{Action: g.Legal()[0]}, nil
	}
	return think(g)
}

func (f *fake) questions() []asked {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}

// blocked makes the player think until release is called.
func (f *fake) blocked() (release func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	gate := make(chan struct{})
	f.gate = gate
	return func() {
		f.mu.Lock()
		f.gate = nil
		f.mu.Unlock()
		close(gate)
	}
}

func (f *fake) thinks(think func(g *rules.Game) (bot.Choice, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.think = think
}

// scripted plays these actions, one after the other.
func scripted(t *testing.T, actions ...string) func(*rules.Game) (bot.Choice, error) {
	return func(*rules.Game) (bot.Choice, error) {
		if len(actions) == 0 {
			return bot.Choice{}, errors.New("the script is over")
		}
		next := place(t, actions[0]).Action
		actions = actions[1:]
		return bot.Choice{Action: next}, nil
	}
}

// pause is how long the engine of these tests waits before its turn.
const pause = time.Second

// withEngine runs a test with an App that plays.
func withEngine(t *testing.T, test func(*stage, *fake)) {
	t.Helper()
	onStage(t, func(s *stage) {
		f := &fake{}
		s.stop()
		s.engine = bot.Engine{Player: func() bot.Player { return f }, Workers: 1, Time: 2 * time.Second, Pause: pause}
		s.start()
		test(s, f)
	})
}

// duel is a game of somebody against the engine; in nine black begins.
func (s *stage) duel(by storage.Person, colour string, alter ...func(*match.Terms)) string {
	s.t.Helper()
	terms := s.terms(by, kraal)
	terms.Colour, terms.Level = colour, 3
	for _, a := range alter {
		a(&terms)
	}
	done, err := s.app.Challenge(s.t.Context(), terms, nil)
	s.must(err)
	synctest.Wait()
	return done.Match.ID
}

func atLevel(level int) func(*match.Terms) {
	return func(t *match.Terms) { t.Level = level }
}

func (s *stage) actions(id string) (texts []string) {
	s.t.Helper()
	for _, d := range s.kept(id).Deeds {
		texts = append(texts, d.Action)
	}
	return texts
}

func (s *stage) expectActions(id string, want ...string) {
	s.t.Helper()
	if got := s.actions(id); !slices.Equal(got, want) {
		s.t.Errorf("actions %v, want %v", got, want)
	}
}

// TestEngineTurn: the engine begins where it is to, a moment later, makes a mill and its shot in one act, and is told of
// nothing.
func TestEngineTurn(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		f.thinks(scripted(t, "a7", "d7", "g7", "xa1"))
		id := s.duel(ann, "white")
		s.expectActions(id)
		s.pass(pause)
		s.expectActions(id, "a7")
		for _, text := range []string{"a1", "d1"} {
			s.do(id, ann, place(t, text))
			s.pass(pause)
		}
		s.expectActions(id, "a7", "a1", "d7", "d1", "g7", "xa1")
		if got := s.kept(id).Revision; got != 6 { // begun, and five acts
			t.Errorf("revision %d, want 6", got)
		}
		if last := f.questions(); last[len(last)-1] != (asked{5, 3, 2 * time.Second}) {
			t.Errorf("asked %v", last)
		}
		s.pass(time.Minute)
		for _, n := range s.screen.told() {
			if n.to != "Ann" {
				t.Errorf("notice %+v", n)
			}
		}
		if revisions := s.screen.revisions(id); revisions[len(revisions)-1] != 6 {
			t.Errorf("shown are %v", revisions)
		}
	})
}

// TestRestartWhileThinking: what was thought about is thought about again, and played once.
func TestRestartWhileThinking(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		f.blocked()
		id := s.duel(ann, "white")
		s.stop()
		s.expectActions(id)
		f.thinks(scripted(t, "d7"))
		f.mu.Lock()
		f.gate = nil
		f.mu.Unlock()
		s.start()
		s.pass(pause)
		s.expectActions(id, "d7")
	})
}

// TestActsWhileThinking (O15): whatever a person does while the engine thinks, it makes one turn at most, and never into a
// game that is over or was changed.
func TestActsWhileThinking(t *testing.T) {
	for _, c := range []struct {
		name string
		do   match.Deed
		want []string // at the end
	}{
		{"presses again", nil, []string{"a7", "d7"}},
		{"resigns", match.Resign{}, []string{"a7"}},
		{"takes back", match.Takeback{}, nil},
		{"offers a draw", match.Draw{}, []string{"a7", "d7"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withEngine(t, func(s *stage, f *fake) {
				release := f.blocked()
				f.thinks(func(g *rules.Game) (bot.Choice, error) {
					return bot.Choice{Action: place(t, []string{"a4", "d7"}[g.Len()]).Action}, nil
				})
				id := s.duel(ann, "black")
				s.do(id, ann, place(t, "a7"))
				synctest.Wait()
				for range 5 {
					_, err := s.app.Do(t.Context(), id, match.Act{By: ann, Do: place(t, "g7")}, nil)
					if !errors.Is(err, match.ErrNotYourTurn) {
						t.Errorf("a second action: %v", err)
					}
				}
				if c.do != nil {
					s.do(id, ann, c.do)
				}
				release()
				s.pass(2 * pause)
				s.expectActions(id, c.want...)
			})
		})
	}
}

// TestPlayOnAfterTakeback: a turn that is made anew is answered anew.
func TestPlayOnAfterTakeback(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		release := f.blocked()
		id := s.duel(ann, "black")
		s.do(id, ann, place(t, "a7"))
		synctest.Wait()
		s.do(id, ann, match.Takeback{})
		s.do(id, ann, place(t, "d7"))
		f.thinks(scripted(t, "g1"))
		release()
		s.pass(2 * pause)
		s.expectActions(id, "d7", "g1")
	})
}

// TestFairness: a server with one game does not wait for all the games of another.
func TestFairness(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		f.thinks(func(*rules.Game) (bot.Choice, error) {
			time.Sleep(10 * time.Second)
			return bot.Choice{Action: place(t, "a7").Action}, nil
		})
		release := f.blocked()
		var busy []string
		for _, who := range []string{"11", "12", "13", "14"} {
			busy = append(busy, s.duel(storage.Person{ID: who, Name: who}, "white"))
		}
		other := s.duel(ann, "white", func(t *match.Terms) { t.Server, t.Channel = "quiet", "d" })
		release()
		s.pass(35 * time.Second) // one was thought about already, one came before the other server's
		if len(s.actions(busy[0])) != 1 || len(s.actions(other)) != 1 || len(s.actions(busy[2])) != 0 {
			t.Errorf("of the busy server %v and %v, of the quiet one %v", s.actions(busy[0]), s.actions(busy[2]), s.actions(other))
		}
		if q := f.questions(); q[0].most != 2*time.Second || q[1].most >= time.Second || q[len(q)-1].most < q[1].most {
			t.Errorf("while others wait an action gets less time: %v", q)
		}
		s.pass(time.Minute)
		for _, id := range busy {
			s.expectActions(id, "a7")
		}
	})
}

// TestPlayerFails: an error, a panic or an action that is none leaves the game as it is, and is tried again.
func TestPlayerFails(t *testing.T) {
	for name, fail := range map[string]func(*rules.Game) (bot.Choice, error){
		"error":   func(*rules.Game) (bot.Choice, error) { return bot.Choice{}, errors.New("no idea") },
		"panic":   func(*rules.Game) (bot.Choice, error) { panic("no idea") },
		"illegal": func(*rules.Game) (bot.Choice, error) { return bot.Choice{Action: rules.Action{Kind: rules.Pass}}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			withEngine(t, func(s *stage, f *fake) {
				f.thinks(fail)
				id := s.duel(ann, "white")
				s.pass(pause)
				s.expectActions(id)
				f.thinks(scripted(t, "a7"))
				s.pass(10*time.Second + pause)
				s.expectActions(id, "a7")
			})
		})
	}
}

// TestTimeOnTheClock: of a live clock the engine takes a small part, pause included.
func TestTimeOnTheClock(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		id := s.duel(ann, "black", func(t *match.Terms) { t.Clock = "5+3" })
		s.do(id, ann, place(t, "a7"))
		s.pass(pause)
		s.do(id, ann, place(t, "d7"))
		s.pass(pause)
		for _, q := range f.questions() {
			if q.most > 2*time.Second || q.most <= 0 {
				t.Errorf("may think for %v", q.most)
			}
		}
		if got := len(s.actions(id)); got != 4 {
			t.Errorf("%d actions, want 4", got)
		}
		s.pass(6 * time.Minute)
		if m := s.kept(id); m.Reason != rules.Timeout || m.Seats[rules.White].Level == 0 || m.Result != rules.WhiteWins {
			t.Errorf("the person ran out of time: %s by %s", m.Result, m.Reason)
		}
	})
}

// TestLittleTimeLeft: when its clock has come down, the engine thinks for a small part of what is left, and waits for less.
func TestLittleTimeLeft(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		id := s.duel(ann, "black", func(t *match.Terms) { t.Clock = "5+3" })
		s.play(id, "a7")
		s.pass(pause)
		f.thinks(func(g *rules.Game) (bot.Choice, error) {
			time.Sleep(4*time.Minute + 50*time.Second)
			return bot.Choice{Action: g.Legal()[0]}, nil
		})
		s.play(id, "d7")
		s.pass(5 * time.Minute)
		f.thinks(nil)
		s.play(id, "g1")
		s.pass(pause / 2)
		if got := len(s.actions(id)); got != 6 {
			t.Fatalf("%d actions, want 6", got)
		}
		q := f.questions()
		if last := q[len(q)-1].most; last <= 0 || last > 13*time.Second/20 {
			t.Errorf("with 13 seconds left it may think for %v", last)
		}
		if m := s.kept(id); m.State != storage.Playing {
			t.Errorf("%s by %s", m.Result, m.Reason)
		}
	})
}

// TestNoPlayer: without a player there are no games with the engine, nor rematches; nor at levels that there are not.
func TestNoPlayer(t *testing.T) {
	withEngine(t, func(s *stage, f *fake) {
		for _, level := range []int{-1, 8} {
			terms := s.terms(ann, kraal)
			terms.Level = level
			var wrong *match.LevelError
			if _, err := s.app.Challenge(t.Context(), terms, nil); !errors.As(err, &wrong) {
				t.Errorf("level %d: %v", level, err)
			}
		}
		id := s.duel(ann, "black")
		s.do(id, ann, place(t, "a7"))
		s.pass(pause)
		s.do(id, ann, match.Resign{})
		s.stop()
		s.engine = bot.Engine{}
		s.start()
		if _, err := s.app.Do(t.Context(), id, match.Act{By: ann, Do: match.Rematch{}}, nil); !errors.Is(err, bot.ErrNoPlayer) {
			t.Errorf("a rematch: %v", err)
		}
		terms := s.terms(ann, kraal)
		terms.Level = 3
		if _, err := s.app.Challenge(t.Context(), terms, nil); !errors.Is(err, bot.ErrNoPlayer) {
			t.Errorf("a challenge: %v", err)
		}
	})
}
