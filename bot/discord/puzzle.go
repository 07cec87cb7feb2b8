package discord

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/rules"
	"kraal/rules/study"
)

// The kinds of puzzle that people ask for.
const (
	puzzleDaily = "daily" // the day's, the same for everyone
	puzzleMore  = "more"  // another, without end
	puzzleMine  = "mine"  // from a turn that their own games missed
)

func puzzleKinds() []string { return []string{puzzleDaily, puzzleMore, puzzleMine} }

// The verbs of the controls of puzzles.
const (
	verbPuzzle       = "puzzle"   // a point: to place on, to move from, to shoot at
	verbPuzzleTo     = "puzzleto" // where the piece chosen goes
	verbPuzzleAgain  = "again"    // from the beginning
	verbPuzzleAnswer = "answer"   // asks for the solution
	verbPuzzleShow   = "show"     // the solution, whatever it costs
	verbPuzzleBack   = "back"     // to the puzzle, instead
	verbPuzzleNext   = "another"  // puzzle of a kind
)

// passWord stands for a pass among points.
const passWord = "pass"

// studyCommands are the commands of those who want to learn.
func studyCommands() []command {
	const text = discordgo.ApplicationCommandOptionString
	return []command{
		{name: "puzzle", options: []option{
			{name: "kind", kind: text, choices: puzzleKinds()},
			{name: "words", kind: discordgo.ApplicationCommandOptionBoolean},
		}},
		{name: "hint", options: []option{{name: "game", kind: text, complete: true}}},
		{name: "analyse", options: []option{{name: "game", kind: text, complete: true}}},
	}
}

// studyHandlers is what those commands do.
func studyHandlers() map[string]handler {
	return map[string]handler{
		"puzzle": (*request).puzzle, "hint": (*request).hint, "analyse": (*request).analyse,
	}
}

// studyTaps is what the controls of their answers do.
func studyTaps() map[string]tapHandler {
	return map[string]tapHandler{
		verbPuzzle:       (*request).tapPuzzle,
		verbPuzzleTo:     (*request).tapPuzzle,
		verbPuzzleAgain:  (*request).tapPuzzleAgain,
		verbPuzzleAnswer: (*request).tapPuzzleAnswer,
		verbPuzzleShow:   (*request).tapPuzzleShow,
		verbPuzzleBack:   (*request).tapPuzzleBack,
		verbPuzzleNext:   (*request).tapPuzzleNext,
	}
}

// errNoneMissed: no puzzle in somebody's own games.
var errNoneMissed = errors.New("no turn that was missed is found")

// errNoneFinished: what looks back at somebody's last game finds none.
var errNoneFinished = errors.New("no finished game of theirs")

// studyRefusals are the sentences of those commands.
func studyRefusals() []sentence {
	return append(adviceRefusals(), sentence{errNoneMissed, "RefuseNoneMissed"}, sentence{errNoneFinished, "RefuseNoneFinished"})
}

// quest is one person at one puzzle. All of it stands in the controls of what they see.
type quest struct {
	kind   string
	number int    // the day, which of those without end, or the turn of the game
	game   string // whose turn it was; "" unless it is from one's own games
	puzzle study.Puzzle
	played []rules.Action // the solver's, so far
	from   string         // the piece chosen to be moved, or ""
	words  bool           // positions are told in words, as was asked for at the beginning
}

// control is a control of the quest.
func (q quest) control(verb string) control {
	played := make([]string, 0, len(q.played))
	for _, a := range q.played {
		played = append(played, a.String())
	}
	id := q.game
	if id == "" {
		id = q.puzzle.ID
	}
	inWords := ""
	if q.words {
		inWords = wordsMark
	}
	arg := strings.Join([]string{q.kind, inWords, q.from, strings.Join(played, ",")}, ".")
	return control{Game: id, Revision: q.number, Verb: verb, Arg: arg}
}

// wordsMark stands in a control for positions in words.
const wordsMark = "w"

// maxSolverActions is more than any puzzle takes.
const maxSolverActions = 4 * study.MaxDepth

// readQuest understands a control of a puzzle; of the puzzle itself it reads the kind and what was played alone.
func readQuest(c control) (q quest, ok bool) {
	parts := strings.Split(c.Arg, ".")
	if len(parts) != 4 || !slices.Contains(puzzleKinds(), parts[0]) {
		return quest{}, false
	}
	q = quest{kind: parts[0], number: c.Revision, words: parts[1] == wordsMark, from: parts[2]}
	if parts[3] == "" {
		return q, true
	}
	for text := range strings.SplitSeq(parts[3], ",") {
		a, err := rules.ParseAction(text)
		if err != nil || len(q.played) == maxSolverActions {
			return quest{}, false
		}
		q.played = append(q.played, a)
	}
	return q, true
}

// quest is the quest of a control, with its puzzle. A puzzle that is no longer known makes the control outdated.
func (r *request) quest(ctx context.Context, c control) (quest, error) {
	q, ok := readQuest(c)
	if !ok {
		return quest{}, errOutdated
	}
	if q.kind == puzzleMine {
		return r.questOfGame(ctx, q, c.Game)
	}
	q.puzzle, ok = r.puzzles.Find(c.Game)
	if !ok {
		return quest{}, errOutdated
	}
	return q, nil
}

// puzzle is /puzzle.
func (r *request) puzzle(ctx context.Context) error {
	kind, given := r.in.Text("kind")
	if !given {
		kind = puzzleDaily
	}
	q, err := r.newQuest(ctx, kind, quest{})
	if err != nil {
		return err
	}
	q.words, _ = r.in.Bool("words")
	message, err := r.puzzleMessage(ctx, q)
	if err != nil {
		return err
	}
	return r.answer.Private(ctx, message)
}

// newQuest is a puzzle of a kind, the one after another where there was one.
func (r *request) newQuest(ctx context.Context, kind string, after quest) (quest, error) {
	switch kind {
	case puzzleDaily:
		now := r.app.Clock.Now()
		return quest{kind: kind, number: study.DayNumber(now), puzzle: r.puzzles.Daily(now)}, nil
	case puzzleMine:
		return r.missedByMember(ctx, after)
	}
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return quest{}, err
	}
	next := member.Puzzles.Next
	return quest{kind: puzzleMore, number: next, puzzle: r.puzzles.Further(next)}, nil
}

// tapPuzzleNext gives another puzzle: in place of one that was answered privately, and under a post of its own.
func (r *request) tapPuzzleNext(ctx context.Context, c control) error {
	after, ok := readQuest(c)
	if !ok {
		return errOutdated
	}
	after.game = c.Game
	q, err := r.newQuest(ctx, after.kind, after)
	if err != nil {
		return err
	}
	q.words = after.words
	message, err := r.puzzleMessage(ctx, q)
	if err != nil {
		return err
	}
	if !r.in.MessageEphemeral {
		return r.answer.Private(ctx, message)
	}
	return r.answer.Update(ctx, message)
}

// tapPuzzleAgain begins a puzzle anew.
func (r *request) tapPuzzleAgain(ctx context.Context, c control) error {
	q, err := r.quest(ctx, c)
	if err != nil {
		return err
	}
	q.played, q.from = nil, ""
	return r.showQuest(ctx, q)
}

func (r *request) showQuest(ctx context.Context, q quest) error {
	message, err := r.puzzleMessage(ctx, q)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}

// tapPuzzle is a tap on a point: it chooses the piece to move, or acts.
func (r *request) tapPuzzle(ctx context.Context, c control) error {
	q, err := r.quest(ctx, c)
	if err != nil {
		return err
	}
	at, err := q.puzzle.Follow(ctx, q.played)
	if err != nil {
		return outdatedIfIllegal(err)
	}
	a, chosen, err := r.puzzleAction(q, c.Verb, at.Position)
	if err != nil {
		return err
	}
	if !chosen {
		q.from = a.From.String()
		return r.showQuest(ctx, q)
	}
	q.from, q.played = "", append(q.played, a)
	if at, err = q.puzzle.Follow(ctx, q.played); err != nil {
		return err
	}
	if err := r.notePuzzle(ctx, q, at.Standing); err != nil {
		return err
	}
	return r.showQuest(ctx, q)
}

// outdatedIfIllegal: what a control says was played, and cannot be, is of another set of puzzles.
func outdatedIfIllegal(err error) error {
	if illegal := new(rules.IllegalError); errors.As(err, &illegal) {
		return errOutdated
	}
	return err
}

// puzzleAction is what was tapped; chosen is false where it is only the piece to move.
func (r *request) puzzleAction(q quest, verb string, p rules.Position) (a rules.Action, chosen bool, err error) {
	if len(r.in.Values) == 1 && r.in.Values[0] == passWord {
		return rules.Action{Kind: rules.Pass}, true, nil
	}
	to, err := r.chosenPoint()
	if err != nil {
		return a, false, errOutdated
	}
	switch {
	case p.Pending > 0:
		return rules.Action{Kind: rules.Shoot, To: to}, true, nil
	case p.Placing():
		return rules.Action{Kind: rules.Place, To: to}, true, nil
	case verb == verbPuzzleTo:
		from, err := rules.ParsePoint(q.from)
		if err != nil {
			return a, false, errOutdated
		}
		return rules.Action{Kind: rules.Move, From: from, To: to}, true, nil
	case q.puzzle.Variant.Destinations(p, to) == 0:
		move := rules.Action{Kind: rules.Move, From: to, To: to}
		return a, false, &rules.IllegalError{Action: move, Reason: errNoWay, Legal: q.puzzle.Variant.Legal(p)}
	}
	return rules.Action{Kind: rules.Move, From: to}, false, nil
}

// notePuzzle keeps what came of a quest. Those from one's own games are not counted.
func (r *request) notePuzzle(ctx context.Context, q quest, standing study.Standing) error {
	outcome := bot.PuzzleSolved
	switch {
	case standing == study.Open || q.kind == puzzleMine:
		return nil
	case standing == study.Missed:
		outcome = bot.PuzzleMissed
	}
	return r.countPuzzle(ctx, q, outcome)
}

// countPuzzle counts an attempt at one of the set's puzzles, if it is the one whose turn it is.
func (r *request) countPuzzle(ctx context.Context, q quest, outcome bot.PuzzleOutcome) error {
	_, err := r.app.NotePuzzle(ctx, r.in.User.ID, q.attempt(outcome))
	return err
}

// attempt is the quest as it is counted.
func (q quest) attempt(outcome bot.PuzzleOutcome) bot.PuzzleAttempt {
	return bot.PuzzleAttempt{Daily: q.kind == puzzleDaily, Number: q.number, Outcome: outcome}
}

// questScene is a moment of a puzzle as it is drawn and described: the same for everyone, without a word in it.
func questScene(z study.Puzzle, at study.Attempt) render.Scene {
	s := render.Scene{Variant: z.Variant, Position: at.Position, Status: z.Variant.Status(at.Position), Bars: true}
	if last, ok := at.Last(); ok {
		s.Last, s.LastBy = last.Turn, last.Side
	}
	if n := len(at.Turns); n > 0 && !at.Turns[n-1].Complete {
		s.Last, s.LastBy = at.Turns[n-1].Turn, at.Turns[n-1].Side
	}
	return s
}

// picturedMessage is a private message with a scene, and its words for those who want them.
func (r *request) picturedMessage(ctx context.Context, lines []string, s render.Scene, inWords bool) (wire.Message, error) {
	file, err := r.ownPicture(ctx, s)
	if err != nil {
		return wire.Message{}, err
	}
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return wire.Message{}, err
	}
	if inWords || member.Words {
		lines = append(lines, file.Description)
	}
	return wire.Message{
		Content: cut(strings.Join(lines, "\n"), maxContent), Files: []wire.File{file}, Ephemeral: true, Suppress: true,
	}, nil
}
