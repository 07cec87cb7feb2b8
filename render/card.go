package render

import (
	"image"
	"image/color"
	"io"
	"strconv"
)

// Card is a page of a leaderboard as a picture. Its texts may be anything: what the font lacks is shown by a substitute,
// and what is too long is cut.
type Card struct {
	Title  string // the variant
	Note   string // under the title: the pool and the page
	Record string // above the records: what their figures count
	Below  string // above the first row that is provisional

	Rows []CardRow // at most MaxCardRows are drawn
	Own  *CardRow  // the reader's, below the others; nil: one of Rows is it, or they have none
}

// CardRow is one member on a Card.
type CardRow struct {
	Place       string // "" for one that has none
	Name        string
	Rating      string
	Trend       int // points won lately, or lost where it is below zero
	Record      string
	Provisional bool // greyed
	Own         bool // the reader's: it stands out
}

// MaxCardRows is how many rows of a page a Card shows.
const MaxCardRows = 10

// Measures of a card, in units. A card is often looked at on a phone, at less than half of its size: no letter is smaller
// than 28 units.
const (
	cardHead  = 116.0
	cardRow   = 62.0
	cardBelow = 56.0 // above those that are provisional
	cardApart = 26.0 // above the reader's own row
	cardFoot  = 12.0

	cardTitleSize = 40.0
	cardSize      = 30.0
	cardNoteSize  = 28.0

	cardEdge   = 26.0
	cardPlace  = 84.0 // right edge of the places
	cardName   = 104.0
	cardRating = 500.0 // right edge of the ratings
	cardTrend  = 522.0 // middle of the arrows
	cardRight  = unitsWide - cardEdge
	cardRecord = 178.0 // room for a record
	cardWidest = 130.0 // a place, and a rating
	cardGap    = 16.0

	arrowHalf = 10.0

	cardColours = 64
)

// cardLine is what stands on a card below its head: a row, or what parts rows.
type cardLine struct {
	top   float64
	kind  cardLineKind
	row   CardRow
	lower bool // another row is right above it
}

type cardLineKind uint8

const (
	rowLine cardLineKind = iota
	belowLine
	apartLine
)

// Card draws the card and writes it to w as a PNG, as high as its rows make it. The same card gives the same bytes. The
// error is w's.
func (r *Renderer) Card(w io.Writer, c Card) error {
	im := r.drawCard(c)
	return r.print(w, newPalette([]*image.RGBA{im}, cardColours).reduce(im))
}

func (r *Renderer) drawCard(card Card) *image.RGBA {
	lines, high := card.lines()
	whole := rect{0, 0, unitsWide, high}
	im := image.NewRGBA(whole.pixels(r.scale))
	c := newCanvas(r, im, image.Point{})
	c.fill(whole, r.theme.Bar)
	c.say(text{card.Title, cardTitleSize, r.theme.Name, cardRight - cardEdge}, spot{cardEdge, 38}, 0)
	record := c.say(text{card.Record, cardNoteSize, r.theme.Rating, cardRecord}, spot{cardRight, 88}, 1)
	c.say(text{card.Note, cardNoteSize, r.theme.Rating, cardRight - record - cardGap - cardEdge}, spot{cardEdge, 88}, 0)
	c.fill(rect{0, cardHead - 3, unitsWide, 3}, r.theme.Turn.Fill)
	for _, line := range lines {
		switch line.kind {
		case belowLine:
			if line.lower { // right under the head, its own line parts enough
				c.fill(rect{cardEdge, line.top + 2, cardRight - cardEdge, 3}, r.theme.Rating)
			}
			c.say(text{card.Below, cardNoteSize, r.theme.Rating, cardRight - cardName}, spot{cardName, line.top + 32}, 0)
		case apartLine:
			for x := cardEdge; x+12 <= cardRight; x += 24 {
				c.fill(rect{x, line.top + cardApart/2 - 2, 12, 4}, r.theme.Rating)
			}
		default:
			r.cardRow(c, line)
		}
	}
	return im
}

// lines is what stands below the head, and how high the whole is.
func (c Card) lines() (lines []cardLine, high float64) {
	high = cardHead
	add := func(kind cardLineKind, tall float64, row CardRow) {
		lower := len(lines) > 0 && lines[len(lines)-1].kind == rowLine
		lines = append(lines, cardLine{high, kind, row, lower})
		high += tall
	}
	under := false
	for _, row := range c.Rows[:min(len(c.Rows), MaxCardRows)] {
		if row.Provisional && !under {
			under = true
			add(belowLine, cardBelow, CardRow{})
		}
		add(rowLine, cardRow, row)
	}
	if c.Own != nil {
		own := *c.Own
		own.Own = true
		add(apartLine, cardApart, CardRow{})
		add(rowLine, cardRow, own)
	}
	return lines, high + cardFoot
}

// cardRow writes a row. The reader's lies on another ground and has a strip at its left.
func (r *Renderer) cardRow(c *canvas, line cardLine) {
	row, ground := line.row, r.theme.Bar
	if row.Own {
		ground = r.theme.BarActive
		c.fill(rect{0, line.top, unitsWide, cardRow}, ground)
		c.fill(rect{0, line.top, 10, cardRow}, r.theme.Turn.Fill)
	} else if line.lower {
		c.fill(rect{cardEdge, line.top, cardRight - cardEdge, 1}, blend(r.theme.Rating, ground, 0.65))
	}
	name, figures := r.theme.Name, r.theme.Name
	if row.Provisional {
		name = blend(r.theme.Rating, ground, greyed)
		figures = name
	}
	y := line.top + cardRow/2
	place := text{row.Place, cardSize, figures, cardWidest}
	right := max(cardPlace, cardEdge+c.measure(place)) // a place of many figures moves its name on
	c.say(place, spot{right, y}, 1)
	rating := c.say(text{row.Rating, cardSize, figures, cardWidest}, spot{cardRating, y}, 1)
	left := right + cardName - cardPlace
	c.write(text{row.Name, cardSize, name, cardRating - rating - cardGap - left}, spot{left, y}, 0)
	c.say(text{row.Record, cardNoteSize, figures, cardRecord}, spot{cardRight, y}, 1)
	cardArrow(c, row.Trend, y, figures)
}

// cardArrow tells by its form whether points were won or lost, and how many beside it; for none there is no arrow.
func cardArrow(c *canvas, trend int, y float64, colour color.RGBA) {
	up := 1.0
	switch {
	case trend == 0:
		return
	case trend < 0:
		up = -1
	}
	c.polygon(spot{cardTrend, y - 12*up}, spot{cardTrend + 13, y + arrowHalf*up}, spot{cardTrend - 13, y + arrowHalf*up})
	c.paint(colour)
	room := cardRight - cardRecord - cardGap/2 - cardTrend - cardGap
	c.write(text{strconv.FormatUint(magnitude(trend), 10), cardNoteSize, colour, room}, spot{cardTrend + cardGap + 2, y}, 0)
}

// say writes a text where there is one: for nothing nothing stands, and no substitute.
func (c *canvas) say(t text, at spot, anchor float64) float64 {
	if t.said == "" {
		return 0
	}
	return c.write(t, at, anchor)
}

// measure is how wide a text will be, in units.
func (c *canvas) measure(t text) float64 {
	if t.said == "" {
		return 0
	}
	return c.r.letters.inscribe(t).width / c.scale
}

// magnitude is a number without its sign, of the lowest one too.
func magnitude(n int) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// greyed is how much of its ground is in the colour of a provisional row.
const greyed = 0.1
