package discord

import (
	"context"
	"strings"

	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// place is /place.
func (r *request) place(ctx context.Context) error {
	m, err := r.find(ctx)
	if err != nil {
		return err
	}
	p, err := r.point("point")
	if err != nil {
		return err
	}
	return r.play(ctx, m, rules.Action{Kind: rules.Place, To: p})
}

// shoot is /shoot.
func (r *request) shoot(ctx context.Context) error {
	m, err := r.find(ctx)
	if err != nil {
		return err
	}
	p, err := r.target("point")
	if err != nil {
		return err
	}
	return r.play(ctx, m, rules.Action{Kind: rules.Shoot, To: p})
}

// move is /move. Both points are asked for: a move named by its destination alone could mean several pieces.
func (r *request) move(ctx context.Context) error {
	m, err := r.find(ctx)
	if err != nil {
		return err
	}
	to, err := r.point("to")
	if err != nil {
		return err
	}
	from, err := r.point("from")
	if err != nil {
		return err
	}
	return r.play(ctx, m, rules.Action{Kind: rules.Move, From: from, To: to})
}

// PointError is a text that should have been a point and was none.
type PointError struct{ Typed string }

func (e *PointError) Error() string { return "not a point: " + e.Typed }

// Unwrap makes it the rules' own refusal.
func (e *PointError) Unwrap() error { return rules.ErrNotAPoint }

// point reads a point that was typed. Autocomplete suggests, but anything can arrive.
func (r *request) point(option string) (rules.Point, error) {
	typed, _ := r.in.Text(option)
	return readPoint(typed)
}

// target reads a point to shoot at; it may be written as shots are, with an x before it.
func (r *request) target(option string) (rules.Point, error) {
	typed, _ := r.in.Text(option)
	return readPoint(strings.TrimLeft(words.Plain(typed), "xX"))
}

// readPoint overlooks what cannot be seen: marks of direction come along when text is copied, and “a7” that is no point
// helps nobody.
func readPoint(typed string) (rules.Point, error) {
	p, err := rules.ParsePoint(words.Plain(typed))
	if err != nil {
		return p, &PointError{Typed: typed}
	}
	return p, nil
}

// play makes one action, or asks first, and says privately what came of it; the board is shown through the channel.
func (r *request) play(ctx context.Context, m storage.Match, a rules.Action) error {
	ask, err := r.asksFirst(ctx)
	if err != nil {
		return err
	}
	if ask {
		return r.askByCommand(ctx, m, a)
	}
	done, err := r.app.Do(ctx, m.ID, r.act(match.Play{Action: a}), nil)
	if done.Match.ID != "" {
		r.game = done.Match
	}
	if err != nil {
		return err
	}
	return r.sayDone(ctx, r.whatWasDone(done.Match))
}

// whatWasDone is a line for the one who acted: the turn so far, and what comes next.
func (r *request) whatWasDone(m storage.Match) string {
	t, err := match.Look(m)
	if err != nil {
		return r.Say("Oops", nil)
	}
	last, _ := t.LastTurn()
	said := r.Say("YouPlayed", args{"Turn": last.Turn.String()})
	switch pos := t.Game.Position(); {
	case m.State == storage.Finished:
		said += " " + r.result(m)
	case pos.Pending > 0:
		said += " " + r.Say("YouOweShots", args{"Count": int(pos.Pending), "Points": pointList(m.Variant.Targets(pos))})
	case t.Passed():
		said += " " + r.Say("TheyPassed", nil)
	default:
		said += " " + r.Say("TheirTurn", args{"Name": r.nameOf(m.Seats[t.ToMove()].Person)})
	}
	return said
}

// sayDone answers privately, with a warning where the board cannot be shown here, and the position for those who want it
// in words.
func (r *request) sayDone(ctx context.Context, line string) error {
	return r.answer.Private(ctx, private(r.withWords(ctx, r.withWarning(line))))
}

// withWarning adds to a line that the board cannot be shown here, if that is so.
func (r *request) withWarning(line string) string {
	if warning := r.permissionWarning(); warning != "" {
		line += "\n" + warning
	}
	return line
}
