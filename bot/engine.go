package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// Player chooses actions for the seats that the bot holds itself. It thinks about one game at a time.
type Player interface {
	// Choose gives an action for the side to move, as a player of that level (1 to match.Levels) would, after thinking for
	// about so long at most. It ends early with ctx, with the best that it has; g is its own to change.
	Choose(ctx context.Context, g *rules.Game, level int, most time.Duration) (Choice, error)
}

// Choice is an action, and what a player thinks of it.
type Choice struct {
	Action rules.Action
	Score  int  // for the side to move, in hundredths of a piece; a forced end is more than all pieces
	Lost   bool // the side to move loses by force
}

// Engine is how the bot itself plays.
type Engine struct {
	Player  func() Player // makes one for each worker; nil: the bot does not play
	Workers int           // how many games are thought about at the same time; at least 1
	Time    time.Duration // the longest that an action is thought about
	Pause   time.Duration // so long after what the person did its turn comes at the soonest: they want to see theirs first
	Weigh   time.Duration // so much longer where a mill can be closed: whoever plays like a person stops to think there
}

// ErrNoPlayer: the bot does not play here.
var ErrNoPlayer = errors.New("the bot does not play")

// Plays tells whether the bot can be played against.
func (a *App) Plays() bool { return a.Engine.Player != nil }

// checkPlayer refuses a game with the engine with ErrNoPlayer or *match.LevelError.
func (a *App) checkPlayer(level int) error {
	switch {
	case level == 0:
		return nil
	case level < 0 || level > match.Levels:
		return &match.LevelError{Level: level}
	case a.Engine.Player == nil:
		return ErrNoPlayer
	}
	return nil
}

// hasPlayer refuses a game that would wait for an engine which is not there.
func (a *App) hasPlayer(m storage.Match) error {
	side, _ := match.EngineSide(m)
	return a.checkPlayer(m.Seats[side].Level)
}

// await sees to it that the engine does what a game awaits of it, and no longer thinks about what the game was.
func (a *App) await(out match.Outcome) {
	if a.Engine.Player == nil {
		return
	}
	a.mind.note(out.Match)
	if out.New != nil {
		a.mind.note(*out.New)
	}
}

// awaitKept is await where the store could not say whether an outcome was kept: the engine goes by what is there. Taken for
// kept, what was not would have it stop thinking, or think again at once, and so without end while a disk is full.
func (a *App) awaitKept(ctx context.Context, id string) {
	if a.Engine.Player == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	if stored, err := a.load(ctx, id); err == nil { // else the next look finds it
		a.mind.note(stored.Record.(storage.Match))
	}
}

// startThinking lets the workers begin, with what a former process left. They end with ctx.
func (a *App) startThinking(ctx context.Context) {
	if a.Engine.Player == nil {
		return
	}
	if err := a.queueKept(ctx); err != nil && ctx.Err() == nil {
		a.Log.Error("the engine's games cannot be read", "error", err) // the next look finds them
	}
	for range max(1, a.Engine.Workers) {
		a.mind.running.Go(func() { a.work(ctx) })
	}
}

// thinkingPage is how many games are read in one View, so that none stays open for long.
const thinkingPage = 200

// queueKept queues the games in which the engine is awaited, as many as there is room for.
func (a *App) queueKept(ctx context.Context) error {
	if a.Engine.Player == nil {
		return nil
	}
	for from, noted := storage.Cursor(""), 0; noted < maxThinking; noted += thinkingPage {
		var awaited []storage.Match
		more := false
		err := a.Store.View(ctx, func(r storage.Reader) error {
			hits, err := r.Range(storage.Thinking(), from, thinkingPage)
			if err != nil || len(hits) == 0 {
				return err
			}
			from, more = hits[len(hits)-1].Cursor, len(hits) == thinkingPage
			awaited, err = readHits[storage.Match](a, r, hits)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range awaited {
			a.mind.note(m)
		}
		if !more {
			break
		}
	}
	return nil
}

// work thinks about one game after another.
func (a *App) work(ctx context.Context) {
	player := a.Engine.Player()
	for {
		id, thought, ok := a.mind.next(ctx)
		if !ok {
			return
		}
		act, wait, err := a.consider(thought, player, id)
		// The turn may have to wait a moment; the next game does not.
		a.mind.running.Go(func() {
			a.makeMove(ctx, thought, id, act, wait, err)
			a.thoughtOver(ctx, id, thought)
		})
	}
}

// thoughtOver ends a thought. There may be room then for games that found none in the queue.
func (a *App) thoughtOver(ctx context.Context, id string, of *thought) {
	if !a.mind.done(id, of) {
		return
	}
	if err := a.queueKept(ctx); err != nil && ctx.Err() == nil {
		a.Log.Error("the engine's games cannot be read", "error", err)
	}
}

// errNothingToDo: the game went on meanwhile, without the engine.
var errNothingToDo = errors.New("the engine is not awaited")

// consider reads a game and makes up its mind about it. wait is how long to wait before that is carried out.
func (a *App) consider(of *thought, p Player, id string) (act match.Act, wait time.Duration, err error) {
	stored, err := a.load(of.ctx, id)
	if err != nil {
		return act, 0, err
	}
	m := stored.Record.(storage.Match)
	a.mind.reads(of, m.Revision)
	if !m.Thinking() {
		return act, 0, errNothingToDo
	}
	t, err := match.Look(m)
	if err != nil {
		return act, 0, err
	}
	side, _ := match.EngineSide(m)
	act = match.Act{By: m.Seats[side].Person, Revision: m.Revision}
	err = guard(func() error {
		act.Do, err = a.deed(of, p, t)
		return err
	})
	return act, a.pauseOf(t), unplayable(err)
}

const (
	timeShare  = 20 // what part of the time on the clock an action may take
	pauseShare = 50 // and what part of it the pause before a turn
)

// timeFor is how long an action may be thought about: less where a clock runs, and where others wait.
func (a *App) timeFor(t match.Table) time.Duration {
	most := a.Engine.Time / time.Duration(1+a.mind.waiting()/max(1, a.Engine.Workers))
	if r := t.Reading(); !r.Until.IsZero() {
		most = min(most, r.Until.Sub(a.Clock.Now())/timeShare)
	}
	return max(time.Millisecond, most)
}

// makeMove carries out what the engine has decided. Where the game has changed meanwhile it thinks again; what failed is
// tried again a while later.
func (a *App) makeMove(ctx context.Context, of *thought, id string, act match.Act, wait time.Duration, err error) {
	if err == nil && wait > 0 {
		select {
		case <-of.ctx.Done():
		case <-a.Clock.After(wait):
		}
	}
	if of.ctx.Err() != nil {
		return // the game has changed, or the process ends
	}
	var done Done
	if err == nil {
		done, err = a.Do(ctx, id, act, nil)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case isOvertaken(err) && done.Match.Revision == act.Revision: // nobody was faster: the record contradicts itself
		a.thinkLater(of, id, unplayable(err))
	case isOvertaken(err):
		a.mind.again(of)
	case errors.Is(err, errNothingToDo) || errors.Is(err, ErrUnknownGame):
	default:
		a.thinkLater(of, id, err)
	}
}

// isOvertaken tells whether somebody else acted first.
func isOvertaken(err error) bool {
	for _, faster := range []error{
		match.ErrStale, match.ErrNotPlaying, match.ErrNotYourTurn, match.ErrTimeUp, match.ErrOffered, match.ErrNoOffer,
	} {
		if errors.Is(err, faster) {
			return true
		}
	}
	return false
}

// choose asks the player.
func (a *App) choose(of *thought, p Player, t match.Table, g *rules.Game) (Choice, error) {
	side, _ := match.EngineSide(t.Match)
	choice, err := p.Choose(of.ctx, g.Clone(), t.Match.Seats[side].Level, a.timeFor(t))
	if err == nil {
		err = of.ctx.Err() // what it had when it was interrupted is not what it would have played
	}
	if err != nil {
		return choice, fmt.Errorf("choose in match %s: %w", t.Match.ID, err)
	}
	return choice, nil
}
