package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// crowd is many people who play at once, and what came of it.
type crowd struct {
	sandbox *sandbox.Sandbox
	pace    *rate.Limiter // of actions; nil: as fast as they are answered

	mu      sync.Mutex
	counts  bool            // what happens now is counted
	first   []time.Duration // from an interaction to its first answer
	boards  []time.Duration // from an interaction to the board that shows it
	taps    int
	unlike  []string // answers that were not what they should have been
	ended   int      // games
	missing int      // interactions without an answer
	watched map[*table]awaited
	records map[string][]rules.Action // what was confirmed, by game
	made    map[string]int            // how many actions of it at this moment
	tables  []*table
}

// awaited is a board that has to show a revision yet.
type awaited struct {
	revision int
	since    time.Time
}

// table is a game after the other between two people.
type table struct {
	*crowd
	seats
	random *rand.Rand
	people [2]*sandbox.Actor
	game   *rules.Game
	id     string
	ids    []string // of all its games, the newest first; the crowd's lock guards it
	board  string   // the message; the crowd's lock guards it
	from   int      // the revision that the game began with
}

var gameNamed = regexp.MustCompile("game `([0-9a-z]{8})`")

// sit gives everybody a place.
func (c *crowd) sit(w tableWorld) {
	c.watched, c.records = map[*table]awaited{}, map[string][]rules.Action{}
	c.made = map[string]int{}
	for i, place := range w.tables {
		t := &table{crowd: c, seats: place, random: rand.New(rand.NewPCG(uint64(i), 1))}
		t.people = [2]*sandbox.Actor{c.sandbox.As(place.people[0]), c.sandbox.As(place.people[1])}
		c.tables = append(c.tables, t)
	}
}

// atOnce is how many people do at once what is not measured.
const atOnce = 8

// beginAll begins a game at each table, a few at a time.
func (c *crowd) beginAll(ctx context.Context) error {
	var all sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	failed := make(chan error, len(c.tables))
	for _, t := range c.tables {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			if err := t.beginAtLast(ctx); err != nil {
				failed <- err
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// playAll plays at each table until the context ends.
func (c *crowd) playAll(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { c.watch(ctx) })
	for _, t := range c.tables {
		all.Go(func() { t.play(ctx) })
	}
	all.Wait()
}

// begin has one challenge the other, who accepts.
func (t *table) begin(ctx context.Context) error {
	challenge, err := t.people[rules.White].Slash(ctx, t.channel, "challenge", map[string]any{
		"opponent": t.seats.people[rules.Black], "variant": "nine", "colour": "white",
	})
	if err != nil {
		return err
	}
	accepted, err := t.people[rules.Black].Press(ctx, challenge.Message.ID, "Accept")
	if err != nil {
		return fmt.Errorf("%q: %w", challenge.Message.Content, err)
	}
	board, err := accepted.Wait(ctx)
	if err != nil {
		return err
	}
	named := gameNamed.FindStringSubmatch(board.Content)
	if named == nil {
		return fmt.Errorf("no game was begun: %q", board.Content)
	}
	v, _ := rules.Lookup("nine")
	t.game, t.id, t.from = rules.NewGame(v), named[1], revisionOf(board, named[1])
	t.mu.Lock()
	defer t.mu.Unlock()
	t.board, t.ids, t.made[t.id] = board.ID, append([]string{t.id}, t.ids...), 0
	return nil
}

// beginAtLast tries a few times: on a machine that has other work an answer may come too late.
func (t *table) beginAtLast(ctx context.Context) (err error) {
	const tries = 5
	for range tries {
		if err = t.begin(ctx); err == nil || !rest(ctx, patience) {
			break
		}
	}
	return err
}

// play makes an action after the other.
func (t *table) play(ctx context.Context) {
	defer t.keep()
	for ctx.Err() == nil {
		if t.pace != nil && t.pace.Wait(ctx) != nil {
			return
		}
		legal := t.game.Legal()
		ok := t.act(ctx, legal[t.random.IntN(len(legal))])
		if ctx.Err() != nil || ok && !t.game.Status().Over {
			continue
		}
		t.finish()
		for t.begin(ctx) != nil && rest(ctx, patience) {
			t.note("a game could not be begun")
		}
	}
}

// patience is how long people wait before they try again what did not work.
const patience = 2 * time.Second

// rest waits; it tells whether the context still lasts.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// finish leaves a game.
func (t *table) finish() {
	t.keep()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended++
	delete(t.watched, t)
}

// keep keeps what the bot has confirmed of a game.
func (t *table) keep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records[t.id] = t.game.Actions()
}

// act makes an action as people do: by a tap where the board in sight shows the game as it is and one tap does it, else by
// command. It tells whether the bot confirmed it.
func (t *table) act(ctx context.Context, a rules.Action) bool {
	who := t.people[t.game.Position().Turn]
	board, menu := t.inSight(who)
	tapped := menu != "" && a.Kind != rules.Move
	began := time.Now()
	var reply *sandbox.Reply
	var err error
	if tapped {
		reply, err = who.Select(ctx, board.ID, menu, a.To.String())
	} else {
		command, options := commandFor(a, t.id)
		reply, err = who.Slash(ctx, t.channel, command, options)
	}
	took := time.Since(began)
	switch {
	case ctx.Err() != nil: // the time is over
		return false
	case err != nil:
		t.note(err.Error())
		return false
	case reply.Failed:
		t.note(noAnswer)
		return false
	}
	if !t.confirmed(ctx, reply, who, tapped) {
		return false
	}
	_ = t.game.Play(a) // legal by construction
	t.count(tapped, began, took)
	return true
}

// confirmed tells whether an answer says that the action was made: in words, or by a board that shows it.
func (t *table) confirmed(ctx context.Context, reply *sandbox.Reply, who *sandbox.Actor, tapped bool) bool {
	if !tapped {
		said, err := reply.Wait(ctx)
		if err != nil || !strings.Contains(said.Content, "You played") {
			t.note(said.Content)
			return false
		}
		return true
	}
	shown := reply.Message
	for waits := 0; waits < mostWaits; waits++ {
		if revisionOf(shown, t.id) > t.from+t.game.Len() {
			return true
		}
		if !rest(ctx, glance) {
			return false
		}
		shown, _ = t.inSight(who)
	}
	t.note("no board")
	return false
}

// noAnswer is how it is noted that three seconds went by.
const noAnswer = "no answer"

// People look at the board for half a minute, again and again, until it shows what they tapped.
const (
	glance    = 100 * time.Millisecond
	mostWaits = int(30 * time.Second / glance)
)

// count notes an action that was answered.
func (t *table) count(tapped bool, began time.Time, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made[t.id] = t.game.Len()
	if !t.counts {
		return
	}
	t.first = append(t.first, took)
	if tapped {
		t.taps++
	}
	want := awaited{t.from + t.game.Len(), began}
	if old, ok := t.watched[t]; ok {
		want.since = old.since // the oldest of what is not shown yet
	}
	t.watched[t] = want
}

func (t *table) note(unlike string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if unlike == noAnswer {
		t.missing++
	}
	if len(t.unlike) < 100 {
		t.unlike = append(t.unlike, unlike)
	}
}

// inSight is the board, and the menu of points on it if it shows the newest revision.
func (t *table) inSight(who *sandbox.Actor) (sandbox.Message, string) {
	t.mu.Lock()
	id := t.board
	t.mu.Unlock()
	board, ok := who.Message(id)
	if !ok {
		for _, m := range who.Messages(t.channel) { // another has taken its place
			if revisionOf(m, t.id) >= 0 && !m.Ephemeral {
				board = m
			}
		}
		t.mu.Lock()
		t.board = board.ID
		t.mu.Unlock()
	}
	if revisionOf(board, t.id) != t.from+t.game.Len() {
		return board, ""
	}
	for _, c := range board.Selects() {
		if strings.HasSuffix(c.CustomID, "|point|") {
			return board, c.CustomID
		}
	}
	return board, ""
}

// revisionOf is the revision of a game that a board's controls are for; -1 where it has none.
func revisionOf(m sandbox.Message, game string) int {
	for _, c := range append(m.Selects(), m.Buttons()...) {
		rest, ours := strings.CutPrefix(c.CustomID, "k1|"+game+"|")
		if !ours {
			continue
		}
		number, _, _ := strings.Cut(rest, "|")
		if n, err := strconv.Atoi(number); err == nil {
			return n
		}
	}
	return -1
}

// lookEvery is how exactly the time until a board shows an action is known.
const lookEvery = 20 * time.Millisecond

// watch notes when boards show what was played.
func (c *crowd) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		c.mu.Lock()
		for t, want := range c.watched {
			board, ok := t.people[0].Message(t.board)
			if ok && revisionOf(board, t.id) < want.revision {
				continue
			}
			if ok {
				c.boards = append(c.boards, time.Since(want.since))
			}
			delete(c.watched, t)
		}
		c.mu.Unlock()
	}
}

// commandFor is the command for an action, with its options.
func commandFor(a rules.Action, game string) (string, map[string]any) {
	switch a.Kind {
	case rules.Move:
		return "move", map[string]any{"from": a.From.String(), "to": a.To.String(), "game": game}
	case rules.Shoot:
		return "shoot", map[string]any{"point": a.To.String(), "game": game}
	}
	return "place", map[string]any{"point": a.To.String(), "game": game}
}
