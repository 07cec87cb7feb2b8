package render

import "kraal/rules"

// The picture is laid out in units of 1/800 of its width, whatever its size.
const (
	unitsWide = 800
	barHigh   = 84 // a player's bar
	stripHigh = 52 // the line under the picture
)

// spot is a place in the picture.
type spot struct{ X, Y float64 }

// way is which parts a picture has and which way up the board is: a set of the flags below.
type way uint8

const (
	withBars way = 1 << iota
	upsideDown
	withStrip
	ways way = 1 << iota // how many there are
)

// way is how a scene is laid out.
func (s Scene) way() (w way) {
	if s.barred() {
		w |= withBars
	}
	if s.Turned {
		w |= upsideDown
	}
	if s.Caption != "" || s.Corner != "" {
		w |= withStrip
	}
	return w
}

// layout says where everything is, in units. It is made once and never changes.
type layout struct {
	High   float64 // the whole picture
	Top    float64 // where the board begins: below the upper bar, if there are bars
	Panel  rect    // the light wood inside the frame
	Points [rules.PointCount]spot
	Bars   [2]bar // by side; of no height when there are none
	Strip  rect   // of no height when there is none
	Turned bool   // by half a circle
}

type rect struct{ X, Y, W, H float64 }

// bar is where the parts of a player's bar are.
type bar struct {
	Box     rect
	Mark    spot // the middle of turn marker, crown or equals sign
	Emblem  spot
	Text    float64 // left edge of the name
	Right   float64 // right edge of hand and losses
	UpperY  float64 // middle of the upper row
	MiddleY float64 // middle of a name that is alone
	LowerY  float64
}

// Measures of the board and of what stands on it.
const (
	boardHigh   = 800
	gridLeft    = 97.0
	gridStep    = 101.0
	frameWide   = 45.0
	pieceRadius = 42.0
	socket      = 9.0 // an empty point
	lineWide    = 6.0

	coordinateSize = 29.0
	nameSize       = 32.0
	ratingSize     = 26.0
	idSize         = 26.0
	stripSize      = 26.0
	sealSize       = 40.0

	emblemRadius = 27.0
	smallRadius  = 13.0
	smallStep    = 18.0
	smallMost    = 12 // small pieces drawn for a hand; the figure says the rest
)

// newLayout lays the picture out, with or without the players' bars. Black's is
// above the board and white's below, as the rows of the board are numbered;
// turned, all is as black sees it.
func newLayout(w way) layout {
	turned := w&upsideDown != 0
	l := layout{High: boardHigh, Turned: turned}
	if w&withBars != 0 {
		l.Top, l.High = barHigh, boardHigh+2*barHigh
		above := rules.Black
		if turned {
			above = rules.White
		}
		l.Bars[above] = newBar(0)
		l.Bars[above.Opponent()] = newBar(barHigh + boardHigh)
	}
	if w&withStrip != 0 {
		l.Strip = rect{0, l.High, unitsWide, stripHigh}
		l.High += stripHigh
	}
	l.Panel = rect{frameWide, l.Top + frameWide, unitsWide - 2*frameWide, boardHigh - 2*frameWide}
	for p := range l.Points {
		name := rules.Point(p).String()
		l.Points[p] = spot{l.column(name[0]), l.row(name[1])}
	}
	return l
}

// column is how far a file is from the left, row how far a rank is from the top.
func (l *layout) column(file byte) float64 { return l.along(file - 'a') }
func (l *layout) row(rank byte) float64    { return l.Top + l.along('7'-rank) }

// along is how far a line of the grid, counted from white's upper left, is from
// the board's edge.
func (l *layout) along(n byte) float64 {
	if l.Turned {
		n = 6 - n
	}
	return gridLeft + gridStep*float64(n)
}

func newBar(top float64) bar {
	return bar{
		Box:     rect{0, top, unitsWide, barHigh},
		Mark:    spot{39, top + barHigh/2},
		Emblem:  spot{97, top + barHigh/2},
		Text:    138,
		Right:   unitsWide - 18,
		UpperY:  top + 24,
		MiddleY: top + barHigh/2,
		LowerY:  top + 62,
	}
}
