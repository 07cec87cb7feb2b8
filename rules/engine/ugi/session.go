package ugi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kraal/rules"
)

// session is what the dialogue is about: the options and the game, and who plays it.
type session struct {
	opts   Options
	game   *rules.Game
	player player
}

// longCommand is a command that runs beside the dialogue. It gives its answers to say and ends soon after ctx does.
type longCommand func(ctx context.Context, say func(answer string))

func newSession(opts Options) *session {
	if opts.Name == "" {
		opts.Name = "Kraal"
	}
	if opts.Author == "" {
		opts.Author = "the Kraal authors"
	}
	if opts.Variant.Validate() != nil {
		opts.Variant = rules.Variants()[0]
	}
	return &session{opts: opts, game: rules.NewGame(opts.Variant), player: newPlayer(opts.Engine)}
}

// do carries out a line. The answers are to be written at once; a long command, where there is one, answers later.
func (s *session) do(line string) (answers []string, long longCommand) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, nil
	}
	command, args := words[0], words[1:]
	var err error
	switch command {
	case "perft":
		long, err = s.perft(args)
	case "go":
		long, err = s.think(args)
	default:
		answers, err = s.answer(command, args)
	}
	if err != nil {
		return failure(err), nil
	}
	return answers, long
}

// failure is how an error is answered: on one line, however many reasons it has.
func failure(err error) []string {
	return []string{"error " + strings.ReplaceAll(err.Error(), "\n", "; ")}
}

// answer carries out every command but the long ones. After an error nothing has changed.
func (s *session) answer(command string, args []string) ([]string, error) {
	switch command {
	case "stop": // with nothing to stop
		return nil, nil
	case "ugi":
		return s.identify(), nil
	case "isready":
		return []string{"readyok"}, nil
	case "uginewgame":
		s.player.engine = nil // what it saw in the last game does not tell on this one
		s.game = rules.NewGame(s.game.Variant())
		return nil, nil
	case "setoption":
		return nil, s.setOption(args)
	case "position":
		return nil, s.setPosition(args)
	case "query":
		return s.query(args)
	case "legal":
		return []string{strings.Join(append([]string{"legal"}, texts(s.game.Legal())...), " ")}, nil
	case "fen":
		return []string{"fen " + s.game.Position().String()}, nil
	case "reason":
		return []string{"reason " + s.reason()}, nil
	case "eval":
		return s.evaluate()
	}
	return nil, fmt.Errorf("no command %.40q", command)
}

func texts(actions []rules.Action) []string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.String()
	}
	return names
}

// reason is why the game is over, or none.
func (s *session) reason() string {
	if reason := s.game.Status().Reason; reason != rules.NoReason {
		return string(reason)
	}
	return "none"
}

// query answers what UGI asks of every game. Its first player is white, whoever begins.
func (s *session) query(args []string) ([]string, error) {
	status := s.game.Status()
	switch strings.Join(args, " ") {
	case "gameover":
		return response(strconv.FormatBool(status.Over)), nil
	case "p1turn":
		return response(strconv.FormatBool(s.game.Position().Turn == rules.White)), nil
	case "result":
		words := map[rules.Result]string{rules.WhiteWins: "p1win", rules.BlackWins: "p2win", rules.Drawn: "draw"}
		if word, over := words[status.Result]; over {
			return response(word), nil
		}
		return response("none"), nil
	}
	return nil, errors.New("query: expected gameover, result or p1turn")
}

func response(word string) []string { return []string{"response " + word} }

// setPosition sets up a position and plays the actions that follow it.
func (s *session) setPosition(args []string) error {
	setup, moves := args, []string(nil)
	if i := slices.Index(args, "moves"); i >= 0 {
		setup, moves = args[:i], args[i+1:]
	}
	v := s.game.Variant()
	var g *rules.Game
	switch {
	case len(setup) == 1 && setup[0] == "startpos":
		g = rules.NewGame(v)
	case len(setup) > 1 && setup[0] == "fen":
		p, err := v.ParsePosition(strings.Join(setup[1:], " "))
		if err != nil {
			return err
		}
		g = rules.NewGameAt(v, p)
	default:
		return errors.New("position: expected startpos, or fen and a position, then perhaps moves and actions")
	}
	for _, move := range moves {
		a, err := rules.ParseAction(move)
		if err != nil {
			return err
		}
		if err := g.Play(a); err != nil {
			return err
		}
	}
	s.game = g
	return nil
}
