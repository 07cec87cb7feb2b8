package render

import (
	"strconv"

	"kraal/rules"
)

// bar draws one player's bar: whose turn it is or who has won, the side's piece,
// name, rating and shots owed on the left; hand and losses on the right.
func (r *Renderer) bar(c *canvas, b bar, s Scene, side rules.Side) {
	active := !s.Status.Over && s.Position.Turn == side
	winner, won := s.Status.Result.Winner()
	won = won && s.Status.Over && winner == side
	fill := r.theme.Bar
	if active || won {
		fill = r.theme.BarActive
	}
	c.block(b.Box, fill)
	r.barEdge(c, b)
	if active || won {
		c.block(rect{b.Box.X, b.Box.Y, 8, b.Box.H}, r.theme.Turn.Fill)
	}
	switch {
	case won:
		r.crown(c, b.Mark)
	case s.Status.Over && s.Status.Result == rules.Drawn:
		r.equals(c, b.Mark)
	case active:
		r.pointer(c, b.Mark)
	}
	c.piece(r.emblems[side], b.Emblem)
	left := r.stock(c, b, s, side)
	if side == rules.White {
		left[1] = r.gameID(c, b, s.ID, left[1])
	}
	shots := 0
	if active {
		shots = int(s.Position.Pending)
	}
	if !s.named() {
		r.owed(c, spot{b.Text, b.MiddleY}, shots)
		return
	}
	r.seat(c, b, s.Seats[side], shots, left)
}

// barEdge is a dark line between a bar and the board.
func (r *Renderer) barEdge(c *canvas, b bar) {
	y := b.Box.Y
	if y == 0 {
		y += b.Box.H - 3
	}
	c.block(rect{b.Box.X, y, b.Box.W, 3}, r.theme.BarEdge)
}

// seat writes name and rating, and a sight for each shot owed. None of it goes
// further right than the limit of its row.
func (r *Renderer) seat(c *canvas, b bar, seat Seat, shots int, limit [2]float64) {
	const gap = 18
	second := seat.Rating != "" || shots > 0 || limit[1] < b.Right
	y := b.MiddleY
	if second {
		y = b.UpperY
	}
	room := limit[0] - b.Text - gap
	name := cut(c.face(nameSize), drawable(r.font, seat.Name), c.fixed(room))
	c.write(name, spot{b.Text, y}, 0, nameSize, r.theme.Name)
	if !second {
		return
	}
	x := b.Text
	room = limit[1] - gap - x - float64(shots)*2*sightRoom
	if seat.Rating != "" {
		rating := cut(c.face(ratingSize), drawable(r.font, seat.Rating), c.fixed(room))
		x += c.write(rating, spot{x, b.LowerY}, 0, ratingSize, r.theme.Rating) + gap
	}
	r.owed(c, spot{x, b.LowerY}, shots)
}

// owed draws a sight for each shot owed, from a spot to the right.
func (r *Renderer) owed(c *canvas, from spot, shots int) {
	for i := range shots {
		r.smallSight(c, spot{from.X + sightRoom*(2*float64(i)+0.8), from.Y})
	}
}

// sightRoom is the room each sight in a bar takes, half of it either way.
const sightRoom = 18.0

// smallSight is the sight that marks targets, alone: one for each shot owed.
func (r *Renderer) smallSight(c *canvas, at spot) {
	fill := r.theme.Target.Fill
	c.band(at, 8, 12.5, fill)
	for _, box := range [...]rect{
		{at.X - 16, at.Y - 1.75, 11, 3.5}, {at.X + 5, at.Y - 1.75, 11, 3.5},
		{at.X - 1.75, at.Y - 16, 3.5, 11}, {at.X - 1.75, at.Y + 5, 3.5, 11},
	} {
		c.dc.DrawRectangle(box.X, box.Y, box.W, box.H)
	}
	c.dc.SetColor(fill)
	c.dc.Fill()
}

// figures is the room that the figures of hand and losses take at the right.
const figures = 46

// stock draws what a side has in hand, a small piece for each, and below it what
// it has lost, a crossed piece; figures say how many. The answer is how far left
// the upper and the lower row reach.
func (r *Renderer) stock(c *canvas, b bar, s Scene, side rules.Side) (left [2]float64) {
	hand, lost := int(s.Position.Hand[side]), s.lost(side)
	left = [2]float64{b.Right, b.Right}
	first := b.Right - figures - smallRadius
	if hand > 0 {
		c.write(strconv.Itoa(hand), spot{b.Right, b.UpperY}, 1, ratingSize, r.theme.Name)
		x := first
		for range min(hand, smallMost) {
			c.piece(r.smalls[side], spot{x, b.UpperY})
			x -= smallStep
		}
		left[0] = x + smallStep - smallRadius
	}
	if lost > 0 {
		c.write(strconv.Itoa(lost), spot{b.Right, b.LowerY}, 1, ratingSize, r.theme.Name)
		at := spot{first, b.LowerY}
		c.piece(r.smalls[side], at)
		r.cross(c, at, 7, 4, 1.5)
		left[1] = at.X - smallRadius
	}
	return left
}

// gameID writes the game's id in the lower row, left of the losses whether there
// are any or not, so that it stays where it is while a game goes on. The answer is
// how far left the row reaches with it.
func (r *Renderer) gameID(c *canvas, b bar, id string, left float64) float64 {
	if id = clean(id); id == "" {
		return left
	}
	const gap, room = 26, 210
	right := b.Right - figures - 2*smallRadius - gap
	id = cut(c.face(idSize), drawable(r.font, id), c.fixed(room))
	return right - c.write(id, spot{right, b.LowerY}, 1, idSize, r.theme.Rating)
}

// pointer marks the side to move: a triangle pointing at its piece.
func (r *Renderer) pointer(c *canvas, at spot) {
	c.shape(r.theme.Turn, 3, spot{at.X - 13, at.Y - 20}, spot{at.X + 19, at.Y}, spot{at.X - 13, at.Y + 20})
}

// crown marks the winner.
func (r *Renderer) crown(c *canvas, at spot) {
	c.shape(r.theme.Turn, 3,
		spot{at.X - 16, at.Y + 17}, spot{at.X - 20, at.Y - 10}, spot{at.X - 9, at.Y + 2},
		spot{at.X, at.Y - 16}, spot{at.X + 9, at.Y + 2}, spot{at.X + 20, at.Y - 10}, spot{at.X + 16, at.Y + 17},
	)
	for _, tip := range [...]spot{{at.X - 20, at.Y - 12}, {at.X, at.Y - 18}, {at.X + 20, at.Y - 12}} {
		c.disc(tip, 5, r.theme.Turn.Fill)
	}
	c.block(rect{at.X - 16, at.Y + 8, 32, 3}, r.theme.Turn.Edge)
}

// equals marks both sides of a drawn game.
func (r *Renderer) equals(c *canvas, at spot) {
	c.block(rect{at.X - 17, at.Y - 13, 34, 9}, r.theme.Turn.Fill)
	c.block(rect{at.X - 17, at.Y + 4, 34, 9}, r.theme.Turn.Fill)
}
