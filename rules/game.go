package rules

import "maps"

// Game is a game with its past, which repetition needs. It is not safe for concurrent use; Clone it instead.
type Game struct {
	variant  Variant
	start    Position
	position Position
	status   Status
	actions  []Action
	seen     map[Placement]int // how often each position stood at the start of a turn
}

// PlayedTurn is a turn of a game.
type PlayedTurn struct {
	Side     Side
	Turn     Turn
	Complete bool // false for a last turn whose shots are still pending, or were not needed
}

// NewGame begins a game at the variant's opening position.
func NewGame(v Variant) *Game { return NewGameAt(v, v.Opening()) }

// NewGameAt begins a game at p, which Variant.Position should have judged.
func NewGameAt(v Variant, p Position) *Game {
	g := &Game{variant: v, start: p, position: p, seen: make(map[Placement]int)}
	g.arrive()
	return g
}

// arrive counts the position the game has come to and judges it.
func (g *Game) arrive() {
	if g.position.Pending == 0 {
		g.seen[g.position.Placement]++
	}
	g.status = g.variant.Status(g.position)
	// Repetition goes before the two limits, and after every other ending.
	if !g.repeated() || g.status.Over && g.status.Reason != NoShotDraw && g.status.Reason != ThreeAgainstThreeDraw {
		return
	}
	g.status = ended(Drawn, RepetitionDraw)
}

// repeated tells whether the position at the start of this turn has occurred often enough to draw.
func (g *Game) repeated() bool {
	return g.variant.Repetition > 0 && g.position.Pending == 0 && g.Occurrences() >= g.variant.Repetition
}

// Occurrences is how often the present position has stood at the start of a turn, this time included; 0 while a shot is
// pending.
func (g *Game) Occurrences() int {
	return g.seen[g.position.Placement]
}

// Play carries out an action. The error is an *IllegalError, with ErrGameOver when the game is over, by repetition too;
// the game is then unchanged.
func (g *Game) Play(a Action) error {
	if g.status.Over {
		return &IllegalError{Action: a, Reason: ErrGameOver}
	}
	next, err := g.variant.Play(g.position, a)
	if err != nil {
		return err
	}
	g.position = next
	g.actions = append(g.actions, a)
	g.arrive()
	return nil
}

// Variant is what is played.
func (g *Game) Variant() Variant { return g.variant }

// Start is the position the game began at.
func (g *Game) Start() Position { return g.start }

// Position is the position the game has come to.
func (g *Game) Position() Position { return g.position }

// Status tells whether the game is over, repetition included.
func (g *Game) Status() Status { return g.status }

// Legal lists the legal actions, sorted by text; none when the game is over.
func (g *Game) Legal() []Action {
	if g.status.Over {
		return nil
	}
	return g.variant.Legal(g.position)
}

// Actions lists what has been played. The slice is the caller's.
func (g *Game) Actions() []Action { return append([]Action(nil), g.actions...) }

// Len is the number of actions played.
func (g *Game) Len() int { return len(g.actions) }

// Turns lists what has been played, turn by turn. The slices are the caller's.
func (g *Game) Turns() []PlayedTurn {
	var turns []PlayedTurn
	side := g.start.Turn & 1
	for i, turn := range splitTurns(g.actions) {
		if i > 0 {
			side = side.Opponent()
		}
		turns = append(turns, PlayedTurn{Side: side, Turn: turn, Complete: true})
	}
	if n := len(turns); n > 0 {
		turns[n-1].Complete = g.position.Pending == 0
	}
	return turns
}

// splitTurns cuts actions into turns: shots belong to what goes before them. The turns are copies.
func splitTurns(actions []Action) (turns []Turn) {
	for _, a := range actions {
		if n := len(turns); a.Kind == Shoot && n > 0 {
			turns[n-1] = append(turns[n-1], a)
			continue
		}
		turns = append(turns, Turn{a})
	}
	return turns
}

// Clone is an independent copy of the game.
func (g *Game) Clone() *Game {
	c := *g
	c.actions = g.Actions()
	c.seen = maps.Clone(g.seen)
	return &c
}
