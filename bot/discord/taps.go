package discord

import (
	"context"
	"errors"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// tapHandler carries out a tap on a control.
type tapHandler func(*request, context.Context, control) error

// The verbs of the controls.
const (
	verbAccept   = "accept"
	verbDecline  = "decline"
	verbCancel   = "cancel"
	verbHowTo    = "howto"
	verbPoint    = "point" // a point of the board: to place on, to move from, to shoot at
	verbTo       = "to"    // where the piece named by the argument goes
	verbWhere    = "where" // the board with the points where the piece named by the argument can go
	verbDraw     = "draw"
	verbTakeback = "takeback"
	verbResign   = "resign"
	verbConfirm  = "confirm" // a resignation
	verbPlayOn   = "playon"  // instead
	verbMake     = "make"    // the action that was asked about
	verbDrop     = "drop"    // the question
	verbRematch  = "rematch"
	verbAdjourn  = "adjourn"
	verbResume   = "resume"
	verbProtest  = "protest"
	verbClaim    = "claim"
	verbQuiet    = "quiet"    // turn notices on or off
	verbWarnings = "warnings" // on or off
	verbPage     = "page"     // of a leaderboard
	verbFriend   = "friend"
	verbWhom     = "whom"   // the friend that was chosen
	verbAnyone   = "anyone" // instead of a friend
	verbEngine   = "engine"
	verbLevel    = "level" // at which the bot shall play
	verbBoth     = "both"  // sides of a game with oneself
	verbRules    = "rules"
	verbView     = "view"
	verbStep     = "step" // to another moment of a view
	verbPredict  = "predict"
	verbSay      = "say" // what will come of a game
	verbSeers    = "seers"
	verbHistory  = "history" // to another page
	verbLeave    = "leave"   // have everything deleted
	verbStay     = "stay"
	verbLearn    = "learn"  // begins the lesson
	verbLesson   = "lesson" // a tap in it
)

func tapHandlers() map[string]tapHandler {
	return map[string]tapHandler{
		verbAccept:   tapThat(match.Accept{}),
		verbDecline:  tapThat(match.Decline{}),
		verbCancel:   tapThat(match.Cancel{}),
		verbDraw:     tapThat(match.Draw{}),
		verbTakeback: tapThat(match.Takeback{}),
		verbRematch:  tapThat(match.Rematch{}),
		verbAdjourn:  tapThat(match.Adjourn{}),
		verbResume:   tapThat(match.Resume{}),
		verbProtest:  tapThat(match.Protest{}),
		verbClaim:    tapThat(match.Claim{}),
		verbHowTo:    (*request).tapHowTo,
		verbPoint:    (*request).tapPoint,
		verbTo:       (*request).tapTo,
		verbWhere:    (*request).tapWhere,
		verbResign:   (*request).tapResign,
		verbConfirm:  (*request).tapConfirm,
		verbPlayOn:   (*request).tapPlayOn,
		verbMake:     (*request).tapMake,
		verbDrop:     (*request).tapDrop,
		verbQuiet:    tapSwitch(notices()),
		verbWarnings: tapSwitch(warnings()),
		verbPage:     (*request).tapPage,
		verbFriend:   (*request).tapFriend,
		verbWhom:     (*request).tapWhom,
		verbAnyone:   (*request).tapAnyone,
		verbEngine:   (*request).tapEngine,
		verbLevel:    (*request).tapLevel,
		verbBoth:     (*request).tapBoth,
		verbRules:    (*request).tapRules,
		verbView:     (*request).tapView,
		verbStep:     (*request).tapStep,
		verbPredict:  (*request).tapPredict,
		verbSay:      (*request).tapSay,
		verbSeers:    (*request).tapSeers,
		verbHistory:  (*request).tapHistory,
		verbLeave:    (*request).tapLeave,
		verbStay:     (*request).tapStay,
		verbLearn:    (*request).tapLearn,
		verbLesson:   (*request).tapLesson,
	}
}

// errOutdated: a control of a layout that is no longer understood.
var errOutdated = errors.New("a control of an older version")

func (r *request) tap(ctx context.Context) error {
	c, ok := readControl(r.in.CustomID)
	h := r.taps[c.Verb]
	if !ok || h == nil {
		return errOutdated
	}
	return h(r, ctx, c)
}

// tapWaits is how long a tap waits for its board. It is kept by then, and the board comes when it comes: a tap that waited
// for a picture as long as that takes in a rush would keep others from being answered at all.
const tapWaits = 2 * time.Second

// tapThat is a tap that does one thing to the match.
func tapThat(do match.Deed) tapHandler {
	return func(r *request, ctx context.Context, c control) error { return r.doByTap(ctx, c, do) }
}

// doByTap carries out a deed and shows the board through the tap's own interaction.
func (r *request) doByTap(ctx context.Context, c control, do match.Deed) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	act := r.act(do)
	act.Revision = c.Revision
	done, err := r.app.Do(ctx, c.Game, act, tapScreen{r})
	if err != nil {
		return err
	}
	r.game = done.Match
	soon, cancel := context.WithTimeout(ctx, tapWaits)
	defer cancel()
	r.await(soon, done.Told)
	if err := r.answer.Done(ctx); err != nil {
		r.logger().Debug("tap not acknowledged", "error", err)
	}
	return r.afterTap(ctx)
}

// look reads the match of a control, as far as the person may see it.
func (r *request) look(ctx context.Context, c control) error {
	m, err := r.app.Visible(ctx, r.asker(), c.Game)
	r.game = m
	return err
}

// tapPoint is a tap on a point: it places, shoots, or chooses the piece to move.
func (r *request) tapPoint(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	p, err := r.chosenPoint()
	if err != nil {
		return err
	}
	t, err := match.Look(r.game)
	if err != nil {
		return err
	}
	switch pos := t.Game.Position(); {
	case pos.Pending > 0:
		return r.playByTap(ctx, c, t, rules.Action{Kind: rules.Shoot, To: p})
	case pos.Placing():
		return r.playByTap(ctx, c, t, rules.Action{Kind: rules.Place, To: p})
	}
	return r.offerDestinations(ctx, c, t, p)
}

// mayAct says why a member may not act now, before anything is tried.
func mayAct(t match.Table, member string, revision int) error {
	side, ok := t.SideOf(member)
	switch {
	case !ok:
		return match.ErrStranger
	case t.Match.State != storage.Playing:
		return match.ErrNotPlaying
	case revision != t.Match.Revision:
		return match.ErrStale
	case side != t.ToMove():
		return match.ErrNotYourTurn
	}
	return nil
}

// tapTo is a tap on a destination in the private answer: the move is made, or asked about first, and the answer says so.
func (r *request) tapTo(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	from, err := rules.ParsePoint(c.Arg)
	if err != nil {
		return err
	}
	to, err := r.chosenPoint()
	if err != nil {
		return err
	}
	a := rules.Action{Kind: rules.Move, From: from, To: to}
	ask, err := r.asksFirst(ctx)
	if err != nil {
		return err
	}
	if !ask {
		return r.makeByAnswer(ctx, c, a)
	}
	t, err := match.Look(r.game)
	if err != nil {
		return err
	}
	question, err := r.question(t, c.Revision, a)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, question)
}

// chosenPoint is the point that the tap names: a menu's value, or a button's argument.
func (r *request) chosenPoint() (rules.Point, error) {
	if len(r.in.Values) == 1 {
		return rules.ParsePoint(r.in.Values[0])
	}
	c, _ := readControl(r.in.CustomID)
	return rules.ParsePoint(c.Arg)
}

// tapResign asks for a confirmation, privately.
func (r *request) tapResign(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	return r.askToResign(ctx)
}

// tapConfirm resigns.
func (r *request) tapConfirm(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	act := r.act(match.Resign{})
	act.Revision = c.Revision // what was confirmed is the game as it stood
	done, err := r.app.Do(ctx, c.Game, act, nil)
	if err != nil {
		return err
	}
	r.game = done.Match
	id := "Resigned"
	if r.game.Ending == storage.CalledOff {
		id = "ResignedEarly"
	}
	said := r.withWarning(r.Say(id, args{"Game": r.game.ID}))
	return r.answer.Update(ctx, private(r.withWords(ctx, said)))
}

// tapHowTo explains the rules of the match's variant, privately.
func (r *request) tapHowTo(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	return r.explain(ctx, r.game.Variant)
}
