package render

import (
	"strconv"

	"kraal/rules"
)

// standing is all that a player's bar shows.
type standing struct {
	side                     rules.Side
	seat                     Seat
	hand, lost, shots        int
	id                       string // the game's, under white's name
	active, won, drawn, cows bool
	even                     bool // the bar does not tell whose turn it is: a film would grow by each change, and says it below
}

// standing is what a scene says about one side.
func (r *Renderer) standing(s Scene, side rules.Side) standing {
	st := standing{
		side: side, seat: s.Seats[side], hand: int(s.Position.Hand[side]), lost: s.lost(side), cows: r.cows(s),
		active: !s.Status.Over && s.Position.Turn == side && s.way()&withStrip == 0,
		drawn:  s.Status.Over && s.Status.Result == rules.Drawn,
		even:   s.way()&withStrip != 0,
	}
	st.seat.Name, st.seat.Rating, st.seat.Clock = shorten(st.seat.Name), shorten(st.seat.Rating), shorten(st.seat.Clock)
	winner, won := s.Status.Result.Winner()
	st.won = won && s.Status.Over && winner == side
	if st.active {
		st.shots = min(int(s.Position.Pending), mostShots)
	}
	if side == rules.White {
		st.id = shorten(s.ID)
	}
	return st
}

// bar draws one player's bar: whose turn it is or who has won, the side's piece,
// name, rating, clock and shots owed on the left; hand and losses on the right.
func (r *Renderer) bar(on surface, b bar, st standing) {
	fill := r.theme.Bar
	if st.active || st.won {
		fill = r.theme.BarActive
	}
	on.fill(b.Box, fill)
	r.barEdge(on, b)
	if st.active || st.won {
		on.fill(rect{b.Box.X, b.Box.Y, 8, b.Box.H}, r.theme.Turn.Fill)
	}
	switch {
	case st.won:
		on.lay(sprite{kind: crownMark}, b.Mark)
	case st.drawn:
		on.lay(sprite{kind: equalsMark}, b.Mark)
	case st.active:
		on.lay(sprite{kind: pointerMark}, b.Mark)
	}
	on.lay(sprite{barPiece, st.side, st.cows}, b.Emblem)
	left := r.stock(on, b, st)
	left[1] = r.gameID(on, b, st.id, left[1])
	r.seat(on, b, st, left)
}

// barEdge is a dark line between a bar and the board.
func (r *Renderer) barEdge(on surface, b bar) {
	y := b.Box.Y
	if y == 0 {
		y += b.Box.H - 3
	}
	on.fill(rect{b.Box.X, y, b.Box.W, 3}, r.theme.BarEdge)
}

// seat writes name, rating and clock, and a sight for each shot owed. None of it
// goes further right than the limit of its row.
func (r *Renderer) seat(on surface, b bar, st standing, limit [2]float64) {
	const gap = 18
	seat, shots := st.seat, st.shots
	second := seat.Rating != "" || seat.Clock != "" || shots > 0 || limit[1] < b.Right
	y := b.MiddleY
	if second {
		y = b.UpperY
	}
	if seat.Name != "" {
		on.write(text{seat.Name, nameSize, r.theme.Name, limit[0] - b.Text - gap}, spot{b.Text, y}, 0)
	}
	if !second {
		return
	}
	x := b.Text
	room := limit[1] - gap - x - float64(shots)*2*sightRoom
	if seat.Clock != "" {
		room -= gap + clockRoom
	}
	if seat.Rating != "" {
		x += on.write(text{seat.Rating, ratingSize, r.theme.Rating, room - clockLeast(seat)}, spot{x, b.LowerY}, 0) + gap
	}
	if seat.Clock != "" {
		on.lay(sprite{kind: clockMark}, spot{x + clockRoom/2 - 2, b.LowerY})
		x += clockRoom
		x += on.write(text{seat.Clock, ratingSize, r.theme.Rating, b.Text + room - (x - clockRoom - gap)}, spot{x, b.LowerY}, 0) + gap
	}
	for i := range shots {
		on.lay(sprite{kind: shotMark}, spot{x + sightRoom*(2*float64(i)+0.8), b.LowerY})
	}
}

// clockRoom is the room that the dial takes.
const clockRoom = 32.0

// clockLeast is the room that a rating leaves to the clock behind it.
func clockLeast(seat Seat) float64 {
	if seat.Clock == "" {
		return 0
	}
	return 90
}

// mostShots owed are shown. No turn can earn more than three.
const mostShots = 3

// sightRoom is the room each sight in a bar takes, half of it either way.
const sightRoom = 18.0

// figures is the room that the figures of hand and losses take at the right.
const figures = 46

// stock draws what a side has in hand, a small piece for each, and below it what
// it has lost, a crossed piece; figures say how many. The answer is how far left
// the upper and the lower row reach.
func (r *Renderer) stock(on surface, b bar, st standing) (left [2]float64) {
	hand, lost, side := st.hand, st.lost, st.side
	left = [2]float64{b.Right, b.Right}
	first := b.Right - figures - smallRadius
	figure := func(n int, y float64) {
		on.write(text{said: strconv.Itoa(n), size: ratingSize, colour: r.theme.Name}, spot{b.Right, y}, 1)
	}
	if hand > 0 {
		figure(hand, b.UpperY)
		x := first
		for range min(hand, smallMost) {
			on.lay(sprite{kind: handPiece, side: side}, spot{x, b.UpperY})
			x -= smallStep
		}
		left[0] = x + smallStep - smallRadius
	}
	if lost > 0 {
		figure(lost, b.LowerY)
		at := spot{first, b.LowerY}
		on.lay(sprite{kind: handPiece, side: side}, at)
		on.lay(sprite{kind: lostMark}, at)
		left[1] = at.X - smallRadius
	}
	return left
}

// gameID writes the game's id in the lower row, left of the losses whether there
// are any or not, so that it stays where it is while a game goes on. The answer is
// how far left the row reaches with it.
func (r *Renderer) gameID(on surface, b bar, id string, left float64) float64 {
	if id = clean(id); id == "" {
		return left
	}
	const gap, room = 26, 210
	right := b.Right - figures - 2*smallRadius - gap
	return right - on.write(text{id, idSize, r.theme.Rating, room}, spot{right, b.LowerY}, 1)
}

// strip writes the line under the picture, after the piece of the side that it is about.
func (r *Renderer) strip(on surface, l *layout, s Scene) {
	// Both texts keep away from the edges and stand in line with those of the bar above: what changes in a film is then
	// within a narrower box, which saves a thirtieth of it.
	const margin, marginRight, gap = 94, 117, 18
	on.fill(l.Strip, r.theme.Bar)
	on.fill(rect{0, l.Strip.Y, unitsWide, 3}, r.theme.BarEdge)
	y := l.Strip.Y + 1 + stripHigh/2
	x, right := float64(margin), float64(unitsWide-marginRight)
	if s.Corner != "" {
		right -= on.write(text{s.Corner, ratingSize, r.theme.Rating, unitsWide / 2}, spot{right, y}, 1) + gap
	}
	if len(s.Last) > 0 {
		on.lay(sprite{kind: handPiece, side: s.LastBy}, spot{x + smallRadius, y})
		x += 2*smallRadius + gap
	}
	if s.Caption != "" {
		on.write(text{s.Caption, stripSize, r.theme.Name, right - x}, spot{x, y}, 0)
	}
}
