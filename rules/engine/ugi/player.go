package ugi

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kraal/rules/engine"
)

// player is the engine and how it is to play. The engine is made when it is first asked: many a dialogue is about the
// rules alone, and the table is large.
type player struct {
	opts   engine.Options
	level  int
	engine *engine.Engine // nil until needed

	tablePath string // where the endgame tables lie, or noTables
}

// tablesOption is the option that names the directory of the endgame tables; noTables is how UGI writes an empty text.
const (
	tablesOption = "TablePath"
	noTables     = "<empty>"
)

// usualHash is the MiB of the table where nobody chose.
const usualHash = 16

func newPlayer(opts engine.Options) player {
	if opts.Hash == 0 {
		opts.Hash = usualHash
	}
	opts.Threads = max(1, opts.Threads)
	return player{opts: opts, level: len(engine.Levels()), tablePath: noTables}
}

// playerOption is an option of the player: a number and where it is kept.
type playerOption struct {
	name            string
	value           *int
	lowest, highest int
}

func (p *player) options() []playerOption {
	return []playerOption{
		{"Level", &p.level, 1, len(engine.Levels())},
		{"Threads", &p.opts.Threads, 1, engine.MaxThreads},
		{"Hash", &p.opts.Hash, 1, engine.MaxHash},
	}
}

// setOption changes an option; false if it is none of the player's.
func (p *player) setOption(name, value string) (known bool, err error) {
	if strings.EqualFold(name, tablesOption) {
		return true, p.setTables(value)
	}
	for _, o := range p.options() {
		if !strings.EqualFold(name, o.name) {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < o.lowest || n > o.highest {
			return true, fmt.Errorf("%s=%.40q: allowed is a number from %d to %d", o.name, value, o.lowest, o.highest)
		}
		if *o.value = n; o.value != &p.level {
			p.engine = nil
		}
		return true, nil
	}
	return false, nil
}

// setTables opens the endgame tables of a directory. After an error everything is as it was.
func (p *player) setTables(path string) error {
	opts := p.opts
	if path == noTables {
		opts.Tables = nil
	} else if err := opts.OpenTables(path); err != nil {
		return fmt.Errorf("%s: %w", tablesOption, err)
	}
	p.opts, p.tablePath, p.engine = opts, path, nil
	return nil
}

// ready is the engine, made if there is none.
func (p *player) ready() *engine.Engine {
	if p.engine == nil {
		p.engine = engine.New(p.opts)
	}
	return p.engine
}

// evaluate answers eval.
func (s *session) evaluate() ([]string, error) {
	score, err := s.player.ready().Evaluate(s.game)
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	return []string{"score " + score.String()}, nil
}

// readLimits reads the arguments of go: none, or pairs of what is limited and a number.
func readLimits(args []string) (l engine.Limits, err error) {
	wrong := errors.New("go: expected movetime, depth or nodes, each with a number, 1 or more")
	if len(args)%2 != 0 {
		return l, wrong
	}
	for ; len(args) > 0; args = args[2:] {
		n, err := strconv.ParseInt(args[1], 10, 32)
		if err != nil || n < 1 {
			return l, wrong
		}
		switch args[0] {
		case "movetime":
			l.Time = time.Duration(n) * time.Millisecond
		case "depth":
			l.Depth = int(n)
		case "nodes":
			l.Nodes = uint64(n)
		default:
			return l, wrong
		}
	}
	return l, nil
}

// think answers go: with what each depth says, and at last with an action, also when stopped.
func (s *session) think(args []string) (longCommand, error) {
	limits, err := readLimits(args)
	if err != nil {
		return nil, err
	}
	if s.game.Status().Over {
		return nil, fmt.Errorf("go: %w", engine.ErrGameOver)
	}
	limits.Level = s.player.level
	e, g := s.player.ready(), s.game
	return func(ctx context.Context, say func(string)) {
		began := time.Now()
		r, err := e.Think(ctx, g, limits, func(i engine.Info) { say(describe(i, time.Since(began))) })
		if err != nil {
			say(failure(fmt.Errorf("go: %w", err))[0])
			return
		}
		say("bestmove " + r.Action.String())
	}, nil
}

// describe is the line about one depth.
func describe(i engine.Info, spent time.Duration) string {
	rate := float64(i.Nodes) / max(spent, time.Microsecond).Seconds()
	pv := strings.Join(texts(i.PV), " ")
	return fmt.Sprintf("info depth %d score %s nodes %d nps %.0f pv %s", i.Depth, i.Score, i.Nodes, rate, pv)
}
