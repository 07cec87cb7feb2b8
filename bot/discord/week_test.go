package discord_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kraal/bot/match"
	"kraal/bot/sandbox"
	"kraal/rules"
	"kraal/storage"
)

var (
	weekSeed = flag.Uint64("week.seed", 1, "what the simulated week is drawn from")
	weekDays = flag.Float64("week.days", 0.25, "how long the simulated week is, in days")
)

// TestWeek is a server's life in a hurry: many members play under every clock and press whatever they see, faults come at
// random, the bot is killed and started again, and time goes by. Whatever was answered stays; at the end, when every clock
// and challenge has run out, no game is stuck, every result follows from its record, ratings are what the games made of
// them, and no request broke the platform's rules.
//
//	go test ./bot/discord -run Week -week.days 7 -week.seed 42 -v -timeout 60m
func TestWeek(t *testing.T) {
	w := newWeek(t, *weekSeed)
	w.live(time.Duration(*weekDays * 24 * float64(time.Hour)))
	w.settle()
	w.check()
	t.Logf("seed %d, %.2f days: %s", *weekSeed, *weekDays, w.counts)
}

// weekCrowd is how many people live in the village beside those who always do.
const weekCrowd = 24

// week is a stage on which people do as they like.
type week struct {
	*stage
	random   *rand.Rand
	channels []string
	members  []string
	before   map[string]storage.Match // every match as it was last seen
	troubled int                      // steps until answers can be relied on again
	undo     []func()                 // of faults that last, to be taken back
	counts   counts
	dead     *atomic.Bool // the process of the bot: nothing it does reaches the disk any more
}

// counts is how often what happened.
type counts map[string]int

func (c counts) String() string {
	var said []string
	for _, what := range slices.Sorted(mapsKeys(c)) {
		said = append(said, fmt.Sprintf("%s %d", what, c[what]))
	}
	return strings.Join(said, ", ")
}

func newWeek(t *testing.T, seed uint64) *week {
	t.Helper()
	w := &week{random: rand.New(rand.NewPCG(seed, seed)), before: map[string]storage.Match{}, counts: counts{}, dead: &atomic.Bool{}}
	world := village()
	for i := range weekCrowd {
		id := fmt.Sprintf("1000000000000001%02d", i)
		world.People = append(world.People, sandbox.Person{ID: id, Username: "guest" + id[16:], Name: "Guest " + id[16:]})
		world.Servers[0].Members = append(world.Servers[0].Members, id)
	}
	w.stage = newStageIn(t, world, func(s *stage) {
		s.greet = true
		s.mortal, s.hasty = w.dead, 50*time.Millisecond
	})
	for _, ch := range w.server.Channels {
		if ch.Parent == "" {
			w.channels = append(w.channels, ch.ID)
		}
	}
	for _, id := range w.server.Members {
		if !w.isBot(id) {
			w.members = append(w.members, id)
		}
	}
	return w
}

func (w *week) isBot(id string) bool {
	return slices.ContainsFunc(w.people, func(p sandbox.Person) bool { return p.ID == id && p.Bot })
}

func mapsKeys(c counts) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range c {
			if !yield(k) {
				return
			}
		}
	}
}

func pick[T any](w *week, from []T) T { return from[w.random.IntN(len(from))] }

// live lets that much time go by.
func (w *week) live(d time.Duration) {
	w.t.Helper()
	until := w.clock.Now().Add(d)
	for w.clock.Now().Before(until) {
		for range 1 + w.random.IntN(12) {
			w.step()
			w.look()
		}
		w.clock.Advance(time.Duration(w.random.Int64N(int64(25 * time.Minute))))
		w.counts["pauses"]++
	}
}

// step is one thing that somebody does, or that happens.
func (w *week) step() {
	w.t.Helper()
	if w.troubled > 0 {
		if w.troubled--; w.troubled == 0 {
			w.mend()
		}
	}
	switch n := w.random.IntN(1000); {
	case n < 60:
		w.challenge()
	case n < 700:
		w.play()
	case n < 880:
		w.pressAnything()
	case n < 940:
		w.commandAnything()
	case n < 960:
		w.keepHouse()
	case n < 990:
		w.fault()
	default:
		w.kill()
	}
}

// attempt waits for an answer that must come unless there is trouble.
func (w *week) attempt(what string, do func(ctx context.Context) (*sandbox.Reply, error)) *sandbox.Reply {
	w.t.Helper()
	ctx, done := w.patience()
	defer done()
	reply, err := do(ctx)
	var cannot *sandbox.ActionError
	switch {
	case errors.As(err, &cannot):
		w.counts["not possible"]++
		return nil
	case err != nil:
		w.t.Fatalf("%s: %v", what, err)
	case reply.Failed && w.troubled == 0:
		w.t.Fatalf("%s: nobody answered", what)
	case reply.Failed:
		w.counts["unanswered in trouble"]++
		return nil
	}
	w.counts["answers"]++
	if m := reply.Message; strings.Contains(m.Content, "went wrong") && w.troubled == 0 {
		w.t.Errorf("%s: %q", what, m.Content)
	}
	return reply
}

func (w *week) challenge() {
	who := pick(w, w.members)
	options := map[string]any{
		"variant": pick(w, rules.Variants()).Key,
		"clock":   pick(w, match.Controls()).Word,
		"colour":  pick(w, []string{"white", "black", "random"}),
	}
	if w.random.IntN(5) > 0 {
		options["opponent"] = pick(w, w.members)
	}
	w.attempt("/challenge", func(ctx context.Context) (*sandbox.Reply, error) {
		return w.sb.As(who).Slash(ctx, pick(w, w.channels), "challenge", options)
	})
	w.counts["challenges"]++
}

// play goes on with some match: a challenge is answered, in a game a legal action is made by a tap or a command, now and
// then by the wrong person, or twice at once.
func (w *week) play() {
	live := w.matches(storage.Live())
	if len(live) == 0 {
		w.challenge()
		return
	}
	m := pick(w, live)
	if m.State == storage.Challenged {
		who := m.Opponent.ID
		if who == "" {
			who = pick(w, w.members)
		}
		w.pressOn(who, m.Shown.Message, pick(w, []string{"Accept", "Accept", "Accept", "Accept", "Decline"}))
		return
	}
	t, err := match.Look(m)
	w.must(err)
	legal := t.Game.Legal()
	if len(legal) == 0 {
		w.t.Fatalf("%s is in play and nothing can be played", m.ID)
	}
	action := legal[w.random.IntN(len(legal))]
	who := m.Seats[t.ToMove()].ID
	if w.random.IntN(20) == 0 {
		who = pick(w, w.members)
	}
	command, options := commandFor(action, m.ID)
	issue := func(ctx context.Context) (*sandbox.Reply, error) {
		return w.sb.As(who).Slash(ctx, m.Channel, command, options)
	}
	if w.random.IntN(25) > 0 {
		w.attempt("/"+command, issue)
		w.counts["actions"]++
		return
	}
	w.twice(m, "/"+command, issue)
}

// twice makes one action at the same moment two times: it is made once at most.
func (w *week) twice(m storage.Match, what string, issue func(ctx context.Context) (*sandbox.Reply, error)) {
	ctx, done := w.patience()
	defer done()
	other := make(chan error)
	go func() {
		_, err := issue(ctx)
		other <- err
	}()
	w.attempt(what, issue)
	var cannot *sandbox.ActionError
	if err := <-other; err != nil && !errors.As(err, &cannot) {
		w.t.Fatalf("%s: %v", what, err)
	}
	w.counts["actions made twice"]++
	if now, ok := w.find(m.ID); ok && now.State == storage.Playing {
		if extra := len(now.Deeds) - len(m.Deeds); extra > 2 { // a pass may follow
			w.t.Errorf("%s: an action made twice gave %d more", m.ID, extra)
		}
	}
}

func (w *week) pressOn(who, message, control string) {
	if message == "" {
		return
	}
	w.attempt("press "+control, func(ctx context.Context) (*sandbox.Reply, error) {
		return w.sb.As(who).Press(ctx, message, control)
	})
}

// pressAnything has somebody use some control that they see.
func (w *week) pressAnything() {
	who := w.sb.As(pick(w, w.members))
	seen := who.Messages(pick(w, w.channels))
	seen = seen[max(0, len(seen)-30):]
	seen = slices.DeleteFunc(seen, func(m sandbox.Message) bool { return len(m.Buttons())+len(m.Selects()) == 0 })
	if len(seen) == 0 {
		return
	}
	m := pick(w, seen)
	controls := slices.DeleteFunc(append(m.Buttons(), m.Selects()...), func(c sandbox.Control) bool { return c.Disabled || c.URL != "" })
	if len(controls) == 0 {
		return
	}
	c := pick(w, controls)
	w.counts["presses of anything"]++
	w.attempt("control "+c.Label+c.Placeholder, func(ctx context.Context) (*sandbox.Reply, error) {
		switch {
		case c.Type == 2:
			return who.Press(ctx, m.ID, c.CustomID)
		case len(c.Options) > 0:
			return who.Select(ctx, m.ID, c.CustomID, pick(w, c.Options).Value)
		}
		return who.Select(ctx, m.ID, c.CustomID, pick(w, w.members))
	})
}

// commandAnything has somebody issue a command that needs no more than a game.
func (w *week) commandAnything() {
	who := w.sb.As(pick(w, w.members))
	command := pick(w, []string{
		"board", "draw", "takeback", "resign", "protest", "adjourn", "claim", "games", "leaderboard", "profile", "rules", "help", "replay",
	})
	options := map[string]any{}
	switch w.random.IntN(12) {
	case 0:
		command, options["switch"] = "preferences "+pick(w, []string{"notices", "warnings", "words", "confirm"}), pick(w, []string{"on", "off"})
	case 1:
		command, options["user"], options["remove"] = "block", pick(w, w.members), w.random.IntN(3) > 0
	case 2:
		command = "watch"
		if live := w.matches(storage.Live()); len(live) > 0 {
			options["game"] = pick(w, live).ID
		}
	}
	if all := w.matches(storage.OfMember(who.ID())); len(all) > 0 && slices.Contains([]string{"board", "draw", "takeback", "protest", "adjourn", "claim"}, command) {
		options["game"] = pick(w, all).ID
	}
	w.counts["commands"]++
	w.attempt("/"+command, func(ctx context.Context) (*sandbox.Reply, error) {
		return who.Slash(ctx, pick(w, w.channels), command, options)
	})
}

// keepHouse has the owner decide about games and change what the server wants.
func (w *week) keepHouse() {
	owner := w.sb.As(w.server.Owner)
	command, options := "", map[string]any{}
	all := w.matches(storage.All(storage.KindMatch))
	if len(all) == 0 {
		return
	}
	options["game"] = pick(w, all).ID
	switch w.random.IntN(8) {
	case 0:
		command, options["result"] = "referee end", pick(w, []string{"white", "black", "draw", "none"})
	case 1, 2:
		command = "referee annul"
	case 3:
		command, options["channel"] = "referee move", pick(w, w.channels)
	case 4:
		command, options["remove"] = "referee standing", w.random.IntN(2) == 0
	case 5:
		command, options = "settings threads", map[string]any{"on": w.random.IntN(2) == 0}
	case 6:
		command, options = "settings tv", map[string]any{"channel": pick(w, w.channels)}
	case 7:
		command, options = "settings announce", map[string]any{"channel": pick(w, w.channels)}
	}
	w.counts["/"+command]++
	w.attempt("/"+command, func(ctx context.Context) (*sandbox.Reply, error) {
		return owner.Slash(ctx, pick(w, w.channels), command, options)
	})
}
