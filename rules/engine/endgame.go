package engine

import (
	"errors"
	"fmt"

	"kraal/rules"
	"kraal/rules/endgame"
)

// OpenTables makes Tables those of a directory. The error names what is wrong with a file, or that there are none; o is
// then unchanged.
func (o *Options) OpenTables(dir string) error {
	t, err := endgame.Open(dir)
	if err == nil && t.Empty() {
		err = fmt.Errorf("no endgame tables in %s", dir)
	}
	if err != nil {
		return errors.Join(err, t.Close())
	}
	o.Tables = t
	return nil
}

// root is what tables say about the position that is thought about. The zero value is nothing.
type root struct {
	reader  *endgame.Reader // nil without tables
	keeping []rules.Action  // the only actions that keep what can be kept, where no end is certain; else nil
	line    []rules.Action  // to the end of a game that is decided; nil where it is not
	score   Score           // of the line
}

// result is the answer where the game is decided.
func (r *root) result(info func(Info)) Result {
	n := uint64(len(r.line))
	info(Info{Depth: len(r.line), Score: r.score, Nodes: n, PV: r.line})
	return Result{Action: r.line[0], Score: r.score, Depth: len(r.line), Nodes: n, PV: append([]rules.Action(nil), r.line...)}
}

// rank is how good the end of a turn is for who made it, more being better. What is behind a forced end is only compared
// with its like: turns, or turns to the next shot where a count of turns is near.
type rank int

const (
	certain rank = 3000 // less a number of turns: a win
	late    rank = 2000 // less a number of turns to the next shot: a win that may not take as many as it wants
	hoped   rank = 1000 // less a number of turns: a win, unless a count of turns draws before, or one too far off to go for
)

// oracle asks tables about actions.
type oracle struct {
	rules  *rules.Ruleset
	reader *endgame.Reader
}

// after ranks what mover has come to, within a turn or at its end. What is not known is not a win.
func (o *oracle) after(p *rules.Position, mover rules.Side) (worth rank, known bool) {
	if status := o.rules.Status(p); status.Over {
		switch winner, decided := status.Result.Winner(); {
		case !decided:
			return 0, true
		case winner == mover:
			return certain - 1, true
		}
		return 1 - certain, true
	}
	if p.Turn == mover {
		return o.shoot(p)
	}
	f, sure := o.reader.Probe(p)
	known = sure
	if !sure {
		f, known = o.reader.Uncounted(p)
	}
	switch {
	case !sure, f.Turns >= endgame.Longest-1:
		worth = hoped - 1 - rank(f.Turns)
	case f.Late:
		worth = late - 1 - rank(f.Shot)
	default:
		worth = certain - 1 - rank(f.Turns)
	}
	return worth * -rank(f.Value), known
}

// shoot ranks a position in which a shot is due by the best shot.
func (o *oracle) shoot(p *rules.Position) (best rank, known bool) {
	best, known = -certain, true
	for _, a := range o.rules.AppendLegal(nil, p) {
		next := *p
		o.rules.Apply(&next, a)
		worth, found := o.after(&next, p.Turn)
		if known = known && found; found {
			best = max(best, worth)
		}
	}
	return best, known || best > hoped
}

// choose ranks the legal actions and returns all that are as good as the best, and how good; false where nothing is
// certain. An action for which draws tells so is worth a draw: by repetition, which no table knows.
func (o *oracle) choose(
	p *rules.Position, legal []rules.Action, draws func(rules.Action) bool,
) (equal []rules.Action, best rank, known bool) {
	best, known = -certain-1, true
	for _, a := range legal {
		next := *p
		o.rules.Apply(&next, a)
		worth, found := o.after(&next, p.Turn)
		if found && worth != 0 && draws(a) {
			worth = 0
		}
		if known = known && found; !found || worth < best {
			continue
		}
		if worth > best {
			best, equal = worth, equal[:0]
		}
		equal = append(equal, a)
	}
	return equal, best, known || best > hoped
}

// consult asks the tables about a game.
func (e *Engine) consult(g *rules.Game) (r root) {
	v, p := g.Variant(), g.Position()
	if e.readerOf != v {
		e.reader, e.readerOf = e.opts.Tables.For(v), v
	}
	r.reader = e.reader
	const shots = 3 // the most that one turn can take off the board
	if r.reader.Pieces() == 0 || p.Placing() || p.Occupied().Len() > r.reader.Pieces()+shots {
		return r
	}
	o := oracle{v.Compile(), r.reader}
	equal, best, known := o.choose(&p, g.Legal(), func(a rules.Action) bool {
		next := g.Clone()
		return next.Play(a) == nil && next.Status().Reason == rules.RepetitionDraw
	})
	switch {
	case !known:
	case -hoped < best && best < hoped:
		r.keeping = equal
	default:
		r.line, r.score = o.line(p, equal[0], best)
	}
	return r
}

// line follows the best actions of both sides from the first to the end of the game, and scores it.
func (o *oracle) line(p rules.Position, first rules.Action, worth rank) ([]rules.Action, Score) {
	mover := p.Turn
	line := []rules.Action{first}
	o.rules.Apply(&p, first)
	for len(line) < maxPly && !o.rules.Status(&p).Over {
		legal := o.rules.AppendLegal(nil, &p)
		equal, best, known := o.choose(&p, legal, func(rules.Action) bool { return false })
		if !known || -hoped < best && best < hoped {
			break
		}
		line = append(line, equal[0])
		o.rules.Apply(&p, equal[0])
	}
	score := won - Score(len(line))
	if winner, decided := o.rules.Status(&p).Result.Winner(); !decided || (winner == mover) != (worth > 0) {
		score = won - 2*maxPly // longer than what can be shown
	}
	if worth < 0 {
		score = -score
	}
	return line, score
}

// consult makes the worker use the tables that the root was asked about.
func (w *worker) consult(at root) {
	w.root, w.tabled = at, at.reader.Pieces()
	if w.tabled > 0 { // a win in the tables can be that much farther off
		w.limits.near = uint16(min(254, nearLimit+at.reader.Longest()))
	}
}

// legal appends the actions that come into question: at the root perhaps not all that are legal.
func (w *worker) legal(dst []rules.Action, p *rules.Position, ply int) []rules.Action {
	if ply == 0 && w.root.keeping != nil {
		return append(dst, w.root.keeping...)
	}
	return w.rules.AppendLegal(dst, p)
}

// drawnShare is by what a drawn position's evaluation is divided: among draws those are preferred in which the opponent
// has more to do.
const drawnShare = 16

// lookUp is the score of a position that the tables know. Its end is counted in turns. Where the root is drawn itself,
// draws are searched on, or else all of them would look alike.
func (w *worker) lookUp(p *rules.Position, ply int) (score Score, known bool) {
	f, known := w.root.reader.Probe(p)
	if !known {
		return 0, false
	}
	end := won - Score(ply) - Score(f.Turns)
	switch f.Value {
	case endgame.Win:
		return end, true
	case endgame.Loss:
		return -end, true
	}
	if w.root.keeping != nil {
		return 0, false
	}
	score, _ = w.judge.evaluate(p)
	return score / drawnShare, true
}
