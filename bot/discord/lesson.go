package discord

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/rules"
)

// lessonStep is one thing that a beginner does in the lesson. Whoever learns plays white.
type lessonStep struct {
	name     string // ends the ids of its messages
	position func(v rules.Variant) rules.Position
	last     string                                                        // the turn that led there
	options  func(v rules.Variant, p rules.Position) rules.Points          // what can be tapped
	try      func(v rules.Variant, p rules.Position, at rules.Point) error // errNotYet: legal, but not what is asked for
}

// errNotYet: what was tapped is allowed, but is not what the lesson asks for.
var errNotYet = errors.New("not what is asked for")

// lesson is the steps for a variant, in their order.
func lesson(v rules.Variant) []lessonStep {
	steps := []lessonStep{
		{"Place", lessonOpening, "", emptyPoints, tryAction(placeAt, false)},
		{"Mill", lessonMill, "", emptyPoints, tryAction(placeAt, true)},
		{"Shoot", lessonShot, "g7", blackPieces, tryAction(shootAt, false)},
		{"Piece", lessonMoving, "", whitePieces, tryPiece},
		{"To", lessonMoving, "", destinationsOf(lessonPiece()), tryAction(moveFrom(lessonPiece()), true)},
	}
	if v.Flies {
		steps = append(steps, lessonStep{
			"Fly", lessonFlying, "", destinationsOf(lessonFlier()), tryAction(moveFrom(lessonFlier()), true),
		})
	}
	return steps
}

// The pieces that the lesson moves: one beside the line that it completes, and one far from it.
func lessonPiece() rules.Point { return pointNamed("g4") }
func lessonFlier() rules.Point { return pointNamed("c3") }

// pointNamed is a point that is known to be one.
func pointNamed(name string) rules.Point {
	p, _ := rules.ParsePoint(name)
	return p
}

func lessonOpening(v rules.Variant) rules.Position {
	p := v.Opening()
	p.Turn = rules.White
	return p
}

func lessonMill(v rules.Variant) rules.Position {
	return set(set(lessonOpening(v), rules.White, "a7", "d7"), rules.Black, "b2", "f4")
}

func lessonShot(v rules.Variant) rules.Position { return millScene(v).Position }

// lessonMoving is a position in which one move closes a mill, that of lessonPiece.
func lessonMoving(v rules.Variant) rules.Position {
	return placed(v, "a7 d7 g4 c4 e3", "b2 f2 d3 e5 c5")
}

// lessonFlying is a position in which white has three pieces, and lessonFlier closes a mill.
func lessonFlying(v rules.Variant) rules.Position {
	return placed(v, "a7 d7 c3", "b2 f2 d3 e5")
}

// placed is a position after all pieces have been placed; the others have been shot.
func placed(v rules.Variant, white, black string) rules.Position {
	p := set(set(lessonOpening(v), rules.White, strings.Fields(white)...), rules.Black, strings.Fields(black)...)
	p.Hand = [2]uint8{}
	return p
}

// set puts pieces of a side's hand on the board.
func set(p rules.Position, side rules.Side, names ...string) rules.Position {
	for _, name := range names {
		p.Pieces[side] = p.Pieces[side].With(pointNamed(name))
		p.Hand[side]--
	}
	return p
}

func emptyPoints(_ rules.Variant, p rules.Position) rules.Points { return p.Empty() }
func blackPieces(_ rules.Variant, p rules.Position) rules.Points { return p.Pieces[rules.Black] }
func whitePieces(_ rules.Variant, p rules.Position) rules.Points { return p.Pieces[rules.White] }

func destinationsOf(from rules.Point) func(rules.Variant, rules.Position) rules.Points {
	return func(v rules.Variant, p rules.Position) rules.Points { return v.Destinations(p, from) }
}

func placeAt(at rules.Point) rules.Action { return rules.Action{Kind: rules.Place, To: at} }
func shootAt(at rules.Point) rules.Action { return rules.Action{Kind: rules.Shoot, To: at} }

func moveFrom(from rules.Point) func(rules.Point) rules.Action {
	return func(to rules.Point) rules.Action { return rules.Action{Kind: rules.Move, From: from, To: to} }
}

// tryAction makes the action that a tap stands for; closing tells whether it has to close a mill.
func tryAction(action func(rules.Point) rules.Action, closing bool) func(rules.Variant, rules.Position, rules.Point) error {
	return func(v rules.Variant, p rules.Position, at rules.Point) error {
		after, err := v.Play(p, action(at))
		if err == nil && closing && after.Pending == 0 {
			err = errNotYet
		}
		return err
	}
}

// tryPiece accepts a piece with which a mill can be closed.
func tryPiece(v rules.Variant, p rules.Position, from rules.Point) error {
	for to := range v.Destinations(p, from).All() {
		if tryAction(moveFrom(from), true)(v, p, to) == nil {
			return nil
		}
	}
	return errNotYet
}

// lessonButton begins the lesson for a variant.
func lessonButton(v rules.Variant, say phrases) discordgo.MessageComponent {
	return button(say.Say("ButtonLesson", nil), control{Verb: verbLearn, Arg: v.Key}.String(), discordgo.SuccessButton)
}

// learned is the variant that a lesson is about. A game that is offered no more is learned by the server's own; one with
// fewer pieces than the lesson shows, by the game that it was made from.
func (r *request) learned(ctx context.Context, key string) (rules.Variant, error) {
	s, err := r.house(ctx)
	if err != nil {
		return rules.Variant{}, err
	}
	v, ok := r.app.Variant(s, key)
	if !ok {
		v = r.defaultGame(s)
	}
	if base, made := rules.Lookup(v.Base); made && v.Pieces < lessonPieces {
		v = base
	}
	return v, nil
}

// lessonPieces is how many pieces a side has in the lesson at most.
const lessonPieces = 5

// tapLearn begins the lesson, privately.
func (r *request) tapLearn(ctx context.Context, c control) error {
	v, err := r.learned(ctx, c.Arg)
	if err != nil {
		return err
	}
	message, err := r.lessonMessage(ctx, v, 0, "")
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// tapLesson is a tap in the lesson: it goes on, or says what is wrong. Where it stands is in the control.
func (r *request) tapLesson(ctx context.Context, c control) error {
	key, number, _ := strings.Cut(c.Arg, ".")
	v, err := r.learned(ctx, key)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(number)
	steps := lesson(v)
	if err != nil || n < 0 || n >= len(steps) {
		return errOutdated
	}
	at, err := r.chosenPoint()
	if err != nil {
		return errOutdated
	}
	step, said := steps[n], r.Say("LessonWell", nil)
	if err := step.try(v, step.position(v), at); err != nil {
		if said, err = r.lessonWrong(step, err, at); err != nil {
			return err
		}
		n--
	}
	message, err := r.lessonMessage(ctx, v, n+1, said)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// lessonWrong explains a wrong tap: by the rules, or by what the step asks for.
func (r *request) lessonWrong(step lessonStep, why error, at rules.Point) (string, error) {
	var illegal *rules.IllegalError
	switch {
	case errors.As(why, &illegal):
		return r.illegal(illegal), nil
	case errors.Is(why, errNotYet):
		return r.Say("Lesson"+step.name+"Wrong", args{"Point": at.String()}), nil
	}
	return "", why
}

// lessonMessage is a step of the lesson, or its end, after what is said of the one before.
func (r *request) lessonMessage(ctx context.Context, v rules.Variant, n int, said string) (wire.Message, error) {
	steps := lesson(v)
	if n == len(steps) {
		return wire.Message{
			Content: said + " " + r.Say("LessonDone", args{"Variant": variantName(v, r.phrases)}), Components: r.waysInHere(),
			Ephemeral: true,
		}, nil
	}
	step := steps[n]
	scene := render.Scene{Variant: v, Position: step.position(v)}
	if step.last != "" {
		scene.Last, _ = rules.ParseTurn(step.last)
	}
	file, err := r.ownPicture(ctx, scene)
	if err != nil {
		return wire.Message{}, err
	}
	options := pointOptions(step.options(v, scene.Position), func(rules.Point) string { return "" })
	id := control{Verb: verbLesson, Arg: v.Key + "." + strconv.Itoa(n)}.String()
	task := r.Say("LessonStep", args{"Step": n + 1, "Count": len(steps)}) + " " + r.Say("Lesson"+step.name, nil)
	return wire.Message{
		Content: strings.TrimSpace(said + "\n" + task), Files: []wire.File{file}, Ephemeral: true,
		Components: menu(id, r.Say("MenuLesson"+step.name, nil), options),
	}, nil
}
