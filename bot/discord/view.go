package discord

import (
	"context"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// view is which moment of a game somebody looks at, and from where. It is kept in the controls of what they see, and
// nowhere else.
type view struct {
	step   int  // how many turns have been made; lastStep: all of them, the newest too
	turned bool // as black sees it
}

// lastStep stands for the newest moment, however many turns lead to it by then.
const lastStep = -1

// arg is the view as a control carries it. What the control is called comes first: two that lead to the same view must
// not have the same id.
func (v view) arg(name string) string {
	return strings.Join([]string{name, strconv.Itoa(v.step), strconv.FormatBool(v.turned)}, ".")
}

// readView understands a control's view; ok is false for what arg does not write.
func readView(arg string) (v view, ok bool) {
	parts := strings.Split(arg, ".")
	if len(parts) != 3 {
		return v, false
	}
	step, stepErr := strconv.Atoi(parts[1])
	turned, turnedErr := strconv.ParseBool(parts[2])
	return view{step: step, turned: turned}, stepErr == nil && turnedErr == nil && step >= lastStep
}

// tapView opens a look at the game for whoever taps, and nobody else.
func (r *request) tapView(ctx context.Context, c control) error {
	if err := r.look(ctx, c); err != nil {
		return err
	}
	return r.openView(ctx, r.game)
}

// openView begins with the newest moment. Who plays black sees the board from black's side.
func (r *request) openView(ctx context.Context, m storage.Match) error {
	message, err := r.viewMessage(ctx, m, view{step: lastStep, turned: r.seenByBlack(m)})
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// seenByBlack: whoever asks plays black, and not white too.
func (r *request) seenByBlack(m storage.Match) bool {
	white, black := m.Seats[rules.White].ID, m.Seats[rules.Black].ID
	return r.in.User.ID == black && black != white
}

// tapStep turns to another moment, or the board round.
func (r *request) tapStep(ctx context.Context, c control) error {
	v, ok := readView(c.Arg)
	if !ok {
		return errOutdated
	}
	if err := r.look(ctx, c); err != nil {
		return err
	}
	message, err := r.viewMessage(ctx, r.game, v)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// viewMessage is one moment of a game, with controls that lead to the others.
func (r *request) viewMessage(ctx context.Context, m storage.Match, v view) (wire.Message, error) {
	if m.State != storage.Playing && m.State != storage.Finished {
		return wire.Message{}, errUnplayed
	}
	t, err := match.Look(m)
	if err != nil {
		return wire.Message{}, err
	}
	all := len(t.Game.Turns())
	step := v.step
	if step == lastStep || step > all {
		step = all // turns may have been taken back since the control was made
	}
	then, err := t.After(step)
	if err != nil {
		return wire.Message{}, err
	}
	scene := r.scene(then)
	scene.Turned = v.turned
	file, err := r.ownPicture(ctx, scene)
	if err != nil {
		return wire.Message{}, err
	}
	return wire.Message{
		Content:    r.boardLines(then, r.phrases) + "\n" + r.Say("ViewStep", args{"Step": step, "Count": all}),
		Files:      []wire.File{file},
		Components: viewControls(m, view{step, v.turned}, all, r.phrases),
		Ephemeral:  true,
		Suppress:   true,
	}, nil
}

// viewControls lead to the first and the last moment, one back and one forward, and turn the board round.
func viewControls(m storage.Match, at view, all int, say phrases) []discordgo.MessageComponent {
	to := func(name string, step int, off bool) discordgo.MessageComponent {
		id := control{Game: m.ID, Revision: m.Revision, Verb: verbStep, Arg: view{step, at.turned}.arg(name)}
		return discordgo.Button{
			Label: say.Say("ButtonView"+title(name), nil), CustomID: id.String(), Style: discordgo.SecondaryButton, Disabled: off,
		}
	}
	round := at
	round.turned = !at.turned
	if at.step == all {
		round.step = lastStep
	}
	turn := control{Game: m.ID, Revision: m.Revision, Verb: verbStep, Arg: round.arg("flip")}
	return row(
		to("first", 0, at.step == 0), to("back", max(0, at.step-1), at.step == 0),
		to("forward", at.step+1, at.step == all), to("last", lastStep, at.step == all && m.State == storage.Finished),
		button(say.Say("ButtonViewFlip", nil), turn.String(), discordgo.SecondaryButton),
	)
}

// viewButton opens a look at a game.
func viewButton(m storage.Match, say phrases) discordgo.MessageComponent {
	id := control{Game: m.ID, Revision: m.Revision, Verb: verbView}
	return button(say.Say("ButtonView", nil), id.String(), discordgo.SecondaryButton)
}
