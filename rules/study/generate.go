package study

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// Order says which puzzles are wanted.
type Order struct {
	Variant rules.Variant
	Count   int
	Seed    uint64              // the same seed makes the same puzzles
	Known   map[string]struct{} // ids that are not wanted again; new ones are added. May be nil

	// Tables are where positions come from instead of games, unless nil: they must have some of the variant.
	Tables *endgame.Tables
}

// The levels that the games are played at: weak enough to leave something to find, and quick.
const weakest, strongest = 2, 5

// most bounds how many puzzles of an order may be of one task: an eighth of those that are seen at once, which games are
// full of, and a quarter of each other.
func (o Order) most(t task) int {
	part := 4
	if t.depth == 1 {
		part = 8
	}
	return (o.Count + part - 1) / part
}

// maxSearched is how many positions of games are looked at for each puzzle that is wanted before an order is given up.
const maxSearched = 4000

// ErrFew: games did not hold as many puzzles as were wanted.
var ErrFew = errors.New("not as many puzzles as wanted were found")

// Generate finds puzzles in games of the engine with itself, or in endgame tables, and tells of each through found, unless
// nil. What it returns with an error is good as far as it goes; the error is ErrFew, ErrNoTables or the context's.
func Generate(ctx context.Context, o Order, found func(Puzzle)) ([]Puzzle, error) {
	if o.Known == nil {
		o.Known = map[string]struct{}{}
	}
	m := &miner{
		order: o, chance: rand.New(rand.NewPCG(o.Seed, 0)), kinds: map[task]int{}, found: found,
		player: engine.New(engine.Options{Hash: 1, Seed: o.Seed}),
	}
	if o.Tables != nil {
		return m.fromTables(ctx)
	}
	for len(m.puzzles) < o.Count && m.searched < maxSearched*o.Count {
		if err := m.game(ctx); err != nil {
			return m.puzzles, err
		}
	}
	return m.all()
}

// all is what was found, and that it is too little if it is.
func (m *miner) all() ([]Puzzle, error) {
	if len(m.puzzles) < m.order.Count {
		return m.puzzles, fmt.Errorf("%w: %d of %d", ErrFew, len(m.puzzles), m.order.Count)
	}
	return m.puzzles, nil
}

// miner plays games and looks for puzzles in them.
type miner struct {
	order    Order
	chance   *rand.Rand
	player   *engine.Engine
	kinds    map[task]int
	puzzles  []Puzzle
	found    func(Puzzle)
	searched int
}

// game plays one game and looks at the position before each turn.
func (m *miner) game(ctx context.Context) error {
	g := rules.NewGame(m.order.Variant)
	var levels [2]int
	for side := range levels {
		levels[side] = weakest + m.chance.IntN(strongest-weakest+1)
	}
	for !g.Status().Over && len(m.puzzles) < m.order.Count {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := g.Position()
		if p.Pending == 0 && g.Len() > 6 {
			if err := m.look(ctx, p); err != nil {
				return err
			}
		}
		if g.Len() < 4 { // openings of all sorts
			legal := g.Legal()
			if err := g.Play(legal[m.chance.IntN(len(legal))]); err != nil {
				return err
			}
			continue
		}
		r, err := m.player.Think(ctx, g, engine.Limits{Level: levels[p.Turn]}, nil)
		if err != nil {
			return err
		}
		if err := g.Play(r.Action); err != nil {
			return err
		}
	}
	return nil
}

// look keeps a position that is a puzzle, if it is new and of a kind that is still wanted.
func (m *miner) look(ctx context.Context, p rules.Position) error {
	m.searched++
	z, ok, err := Prove(ctx, m.order.Variant, p)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil
	case err != nil:
		return err
	case !ok || !m.wanted(z):
		return nil
	}
	if hopeless, err := m.hopeless(ctx, z); hopeless || err != nil {
		return err
	}
	m.keep(z)
	return nil
}

// wanted tells whether a puzzle is new, and of a kind of which there are not enough.
func (m *miner) wanted(z Puzzle) bool {
	_, twice := m.order.Known[z.ID]
	return !twice && m.open(task{z.Goal, z.Depth})
}

// open tells whether more puzzles of a kind are wanted.
func (m *miner) open(t task) bool { return m.kinds[t] < m.order.most(t) }

// keep takes a puzzle in.
func (m *miner) keep(z Puzzle) {
	m.order.Known[z.ID] = struct{}{}
	m.kinds[task{z.Goal, z.Depth}]++
	m.puzzles = append(m.puzzles, z)
	if m.found != nil {
		m.found(z)
	}
}

// hopeless tells whether the side to move is lost though it reaches the goal: nobody is glad of that.
func (m *miner) hopeless(ctx context.Context, z Puzzle) (bool, error) {
	fresh := engine.New(engine.Options{Hash: 1}) // what was seen before must not decide what is found
	r, err := fresh.Think(ctx, rules.NewGameAt(z.Variant, z.Position), engine.Limits{Nodes: 20_000}, nil)
	if err != nil {
		return false, err
	}
	_, lost := r.Score.Loss()
	return lost, ctx.Err()
}
