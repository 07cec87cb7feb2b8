package discord

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// clockLine says what runs, and until when; nothing where nothing does. Readers see the deadline count down by
// themselves, so no edit is needed for that.
func clockLine(t match.Table, say phrases) string {
	m, r := t.Match, t.Reading()
	mover := t.ToMove()
	a := args{
		"Name": nameOf(m.Seats[mover].Person, say), "Other": nameOf(m.Seats[mover.Opponent()].Person, say),
		"Until": relative(r.Until), "Left": span(r.Left[mover.Opponent()]), "Count": int(r.Left[mover] / time.Hour),
	}
	switch {
	case r.Runs == match.FirstTurn:
		return say.Say("BoardFirstTurn", a)
	case r.Runs == match.OnClock && r.Control.Live():
		return say.Say("BoardClockLive", a)
	case r.Runs == match.OnClock:
		return say.Say("BoardClockSlow", a)
	case r.Runs == match.Counted:
		return say.Say("BoardCounted", a)
	case m.State == storage.Playing && match.Adjourned(m):
		return say.Say("BoardAdjourned", a)
	}
	return ""
}

// clockControl is the one control that a game's clock, or its lack of one, calls for; false where none is.
func clockControl(m storage.Match, tap func(verb string) string, say phrases) (discordgo.MessageComponent, bool) {
	c, _ := match.ControlOf(m.Clock)
	_, engine := match.EngineSide(m)
	switch {
	case engine: // has nobody to agree with, nor to call to order
		return nil, false
	case match.Adjourned(m):
		return button(say.Say("ButtonResume", nil), tap(verbResume), discordgo.PrimaryButton), true
	case c.Slow():
		return button(say.Say("ButtonAdjourn", nil), tap(verbAdjourn), discordgo.SecondaryButton), true
	case !match.HasClock(m) && m.Variant.TwoMinuteRule():
		return button(say.Say("ButtonProtest", nil), tap(verbProtest), discordgo.SecondaryButton), true
	}
	return nil, false
}

// reasonOf is why a match ended. Without a clock it was the arbiter's count that ran out.
func reasonOf(m storage.Match, say phrases) string {
	if m.Reason == rules.Timeout && !match.HasClock(m) {
		return say.Say("ReasonCount", nil)
	}
	return reasonWord(m.Reason, say)
}

// adjourn is /adjourn: an offer, or agreement to one.
func (r *request) adjourn(ctx context.Context) error {
	return r.propose(ctx, match.Adjourn{}, storage.OfferAdjourn)
}

// protest is /protest: it calls the two-minute rule.
func (r *request) protest(ctx context.Context) error {
	m, err := r.carryOut(ctx, match.Protest{})
	if err != nil {
		return err
	}
	return r.sayDone(ctx, r.Say("YouProtested", args{"Name": r.nameOf(otherPlayer(m, r.in.User.ID)), "Until": relative(m.FlagAt)}))
}

// claim is /claim: it ends a game that the other has left.
func (r *request) claim(ctx context.Context) error {
	m, err := r.carryOut(ctx, match.Claim{})
	if err != nil {
		return err
	}
	return r.sayDone(ctx, r.result(m))
}

// carryOut does one thing to the game that the request means.
func (r *request) carryOut(ctx context.Context, do match.Deed) (storage.Match, error) {
	m, err := r.find(ctx)
	if err != nil {
		return m, err
	}
	done, err := r.app.Do(ctx, m.ID, r.act(do), nil)
	if err == nil {
		r.game = done.Match
	}
	return done.Match, err
}
