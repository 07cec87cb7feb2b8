package discord

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/rules"
	"kraal/rules/study"
)

// puzzleMessage is a quest as its solver sees it.
func (r *request) puzzleMessage(ctx context.Context, q quest) (wire.Message, error) {
	at, err := q.puzzle.Follow(ctx, q.played)
	if err != nil {
		return wire.Message{}, outdatedIfIllegal(err)
	}
	lines := append(r.puzzleLines(q), r.attemptLines(q, at)...)
	if at.Standing != study.Open {
		fares, err := r.puzzleFares(ctx, q)
		if err != nil {
			return wire.Message{}, err
		}
		lines = append(lines, fares...)
	}
	message, err := r.picturedMessage(ctx, lines, questScene(q.puzzle, at), q.words)
	message.Components = r.puzzleControls(q, at)
	return message, err
}

// puzzleLines say which puzzle it is and what is to be done.
func (r *request) puzzleLines(q quest) []string {
	z := q.puzzle
	title := r.Say("PuzzleTitle"+title(q.kind), args{
		"Variant": variantName(z.Variant, r.phrases), "Grade": stars(z.Grade), "Game": q.game, "Number": q.number + 1,
	})
	lines := []string{title, goalLine(z, r.phrases)}
	if step := z.Position.Forbidden[z.Position.Turn]; step.Set {
		lines = append(lines, r.Say("PuzzleForbidden", args{"From": step.From.String(), "To": step.To.String()}))
	}
	return lines
}

// stars show a grade without words.
func stars(grade int) string {
	return strings.Repeat("★", grade) + strings.Repeat("☆", study.MaxGrade-grade)
}

// goalLine says who is to play and what for.
func goalLine(z study.Puzzle, say phrases) string {
	side := z.Position.Turn
	return say.Say("PuzzleGoal"+title(string(z.Goal)), args{
		"Side": sideWord(side, say), "Other": sideWord(side.Opponent(), say), "Count": z.Depth,
	})
}

// attemptLines say how it goes: what was answered, and what came of it.
func (r *request) attemptLines(q quest, at study.Attempt) []string {
	own, reply := lastTurns(q.puzzle, at)
	other := sideWord(q.puzzle.Position.Turn.Opponent(), r.phrases)
	a := args{"Turn": own, "Reply": reply, "Other": other, "From": q.from, "Left": at.Left}
	switch {
	case at.Standing == study.Solved:
		return []string{r.Say("PuzzleSolved", a)}
	case at.Standing == study.Missed && reply != "":
		return []string{r.Say("PuzzleMissed", a)}
	case at.Standing == study.Missed && (q.puzzle.Goal == study.Keep || q.puzzle.Goal == study.Hold):
		return []string{r.Say("PuzzleMissed"+title(string(q.puzzle.Goal)), a)}
	case at.Standing == study.Missed:
		return []string{r.Say("PuzzleMissedEnd", a)}
	case at.Position.Pending > 0:
		return []string{r.Say("PuzzleShoot", args{"Count": int(at.Position.Pending)})}
	case q.from != "":
		return []string{r.Say("PuzzleTo", a)}
	case len(q.played) > 0:
		return []string{r.Say("PuzzleGoOn", a)}
	}
	return nil
}

// lastTurns are the solver's last complete turn and what it was answered by, "" for none.
func lastTurns(z study.Puzzle, at study.Attempt) (own, reply string) {
	for _, t := range at.Turns {
		switch {
		case !t.Complete:
		case t.Side == z.Position.Turn:
			own, reply = t.Turn.String(), ""
		default:
			reply = t.Turn.String()
		}
	}
	return own, reply
}

// puzzleFares say how the solver fares with puzzles, and when the next comes.
func (r *request) puzzleFares(ctx context.Context, q quest) ([]string, error) {
	if q.kind == puzzleMine {
		return nil, nil
	}
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return nil, err
	}
	fares := member.Puzzles
	lines := []string{r.Say("PuzzleFares", args{"Solved": fares.Solved, "Missed": fares.Missed})}
	if q.kind == puzzleDaily {
		now := r.app.Clock.Now()
		if fares.Best > 0 {
			lines = append(lines, r.Say("PuzzleStreak", args{"Count": fares.StreakOn(study.DayNumber(now)), "Best": fares.Best}))
		}
		lines = append(lines, r.Say("PuzzleReset", args{"When": relative(study.NextDay(now))}))
	}
	return lines, nil
}

// puzzleControls are what the solver can tap.
func (r *request) puzzleControls(q quest, at study.Attempt) []discordgo.MessageComponent {
	push := func(id, verb string, style discordgo.ButtonStyle, q quest) discordgo.MessageComponent {
		return button(r.Say(id, nil), q.control(verb).String(), style)
	}
	fresh := q
	fresh.played, fresh.from = nil, ""
	next := fresh
	if next.kind == puzzleDaily {
		next.kind = puzzleMore
	}
	more := push("ButtonPuzzleNext", verbPuzzleNext, discordgo.PrimaryButton, next)
	again := push("ButtonPuzzleAgain", verbPuzzleAgain, discordgo.SecondaryButton, fresh)
	answer := push("ButtonPuzzleAnswer", verbPuzzleAnswer, discordgo.SecondaryButton, q)
	switch at.Standing {
	case study.Solved:
		return row(more)
	case study.Missed:
		return row(again, answer)
	}
	rows := r.puzzleMenus(q, at.Position)
	if len(q.played) > 0 {
		return append(rows, row(again, answer)...)
	}
	return append(rows, row(answer)...)
}

// puzzleMenus list the points where something can be done now: of a piece that is chosen, where it can go.
func (r *request) puzzleMenus(q quest, p rules.Position) []discordgo.MessageComponent {
	v := q.puzzle.Variant
	none := func(rules.Point) string { return "" }
	closes := func(kind rules.ActionKind, from rules.Point) func(rules.Point) string {
		return func(to rules.Point) string {
			return closesWord(v, p, rules.Action{Kind: kind, From: from, To: to}, r.phrases)
		}
	}
	var rows []discordgo.MessageComponent
	list := func(verb, say string, options []discordgo.SelectMenuOption) {
		rows = append(rows, menu(q.control(verb).String(), r.Say(say, args{"From": q.from}), options)...)
	}
	switch {
	case p.Pending > 0:
		list(verbPuzzle, "PuzzleMenuShoot", pointOptions(v.Targets(p), none))
	case p.Placing():
		list(verbPuzzle, "PuzzleMenuPlace", pointOptions(p.Empty(), closes(rules.Place, 0)))
	case v.Mobile(p) == 0:
		list(verbPuzzle, "PuzzleMenuPass", []discordgo.SelectMenuOption{{Label: r.Say("PuzzlePass", nil), Value: passWord}})
	default:
		if from, err := rules.ParsePoint(q.from); err == nil {
			list(verbPuzzleTo, "MenuTo", pointOptions(v.Destinations(p, from), closes(rules.Move, from)))
		}
		list(verbPuzzle, "PuzzleMenuMove", pointOptions(v.Mobile(p), none))
	}
	return rows
}

// solutionMessage shows a whole solution: its first turn as a picture, and all turns in words.
func (r *request) solutionMessage(ctx context.Context, q quest, solution study.Attempt) (wire.Message, error) {
	turns := make([]string, 0, len(solution.Turns))
	for _, t := range solution.Turns {
		turns = append(turns, t.Turn.String())
	}
	fares, err := r.puzzleFares(ctx, q)
	if err != nil {
		return wire.Message{}, err
	}
	said := strings.Join(turns, ", ")
	shots := strings.ContainsRune(said, 'x')
	lines := append(r.puzzleLines(q), r.Say("PuzzleSolution", args{"Turns": said, "Count": len(turns), "Shots": shots}))
	first := study.Attempt{Position: q.puzzle.Position}
	for _, a := range solution.Turns[0].Turn {
		if first.Position, err = q.puzzle.Variant.Play(first.Position, a); err != nil {
			return wire.Message{}, err
		}
	}
	first.Turns = solution.Turns[:1]
	message, err := r.picturedMessage(ctx, append(lines, fares...), questScene(q.puzzle, first), q.words)
	next := q
	if next.kind == puzzleDaily {
		next.kind = puzzleMore
	}
	id := next.control(verbPuzzleNext).String()
	message.Components = row(button(r.Say("ButtonPuzzleNext", nil), id, discordgo.PrimaryButton))
	return message, err
}
