package render

import (
	"cmp"
	"fmt"
	"image"
	stdpng "image/png"
	"io"
	"sync"

	"kraal/render/png"
	"kraal/rules"
)

// The width of a picture, in pixels.
const (
	DefaultSize = 800
	MinSize     = 200
	MaxSize     = 2000
)

// Pieces is what pieces look like.
type Pieces string

// The looks of pieces.
const (
	Suited Pieces = ""       // cows in the Morabaraba games, stones in the others
	Cows   Pieces = "cows"   // tokens with a cow's head
	Stones Pieces = "stones" // plain tokens, with a ring or a dot
)

// Options are the settings of a Renderer. The zero value is fit for Discord.
type Options struct {
	Size          int   // width of a picture in pixels, MinSize to MaxSize; 0: DefaultSize
	Theme         Theme // one of Themes; "": Wood
	Pieces        Pieces
	NoCoordinates bool
	Transparent   bool // PNG leaves the board's background out; for export alone, Discord's own colour may be any
}

// Renderer draws scenes. Any number of goroutines may use it at the same time.
type Renderer struct {
	options Options
	scale   float64
	theme   theme
	pen     float64 // how broad marks of the last turn are, of 1
	colours int     // of the palette
	tints   int     // steps of a soft edge
	letters *letters
	layouts [ways]layout
	kit     func() *kit               // what pictures are laid together from, made once
	presses sync.Pool                 // of *png.Encoder
	film    func() (*Renderer, error) // this one at the size of films
	cameras sync.Pool                 // of *gif.Encoder
}

// New makes a Renderer. The error says that the size cannot be, or that there is no such theme. The first picture takes
// some tenths of a second more than those after it.
func New(o Options) (*Renderer, error) {
	if o.Size == 0 {
		o.Size = DefaultSize
	}
	if o.Size < MinSize || o.Size > MaxSize {
		return nil, fmt.Errorf("picture of %d pixels: from %d to %d are possible", o.Size, MinSize, MaxSize)
	}
	look, ok := themed(o.Theme)
	if !ok {
		return nil, fmt.Errorf("theme %q: there are %v", o.Theme, Themes())
	}
	if o.Pieces != Suited && o.Pieces != Cows && o.Pieces != Stones {
		return nil, fmt.Errorf("pieces %q: there are %v", o.Pieces, []Pieces{Cows, Stones})
	}
	r := &Renderer{options: o, scale: float64(o.Size) / unitsWide, theme: look, pen: 1, colours: cmp.Or(look.Colours, mostColours), tints: levelMask}
	var err error
	if r.letters, err = newLetters(r.scale); err != nil {
		return nil, err
	}
	for w := range r.layouts {
		r.layouts[w] = newLayout(way(w))
	}
	r.film = sync.OnceValues(func() (*Renderer, error) {
		o.Size = FilmSize
		f, err := New(o)
		if err == nil {
			f.pen, f.colours, f.tints = filmPen, filmColours, filmTints
			f.theme = f.theme.filmed()
		}
		return f, err
	})
	r.kit = sync.OnceValue(func() *kit { return newKit(r) })
	return r, nil
}

// PNG draws the scene and writes it to w: opaque unless the options say otherwise, as wide as the Renderer's
// size, and a little higher; a scene without players is square. The same scene
// gives the same bytes. The error is w's.
func (r *Renderer) PNG(w io.Writer, s Scene) error {
	if r.options.Transparent {
		return stdpng.Encode(w, r.draw(s))
	}
	sheet := r.compose(s)
	defer sheet.done()
	return r.print(w, sheet.image)
}

// print writes a picture with one of the encoders that there are.
func (r *Renderer) print(w io.Writer, im *image.Paletted) error {
	e, _ := r.presses.Get().(*png.Encoder)
	if e == nil {
		e = new(png.Encoder)
	}
	defer r.presses.Put(e)
	return e.Encode(w, im)
}

// compose lays a scene together from what the kit has.
func (r *Renderer) compose(s Scene) sheet {
	on := r.kit().begin(s.way(), s.Variant.Diagonals)
	r.scene(on, s)
	return on
}

// draw is compose in full colour and from the wood up. The palette is made of such pictures and measured by them.
func (r *Renderer) draw(s Scene) *image.RGBA {
	im := r.newBase(&r.layouts[s.way()], s.Variant.Diagonals)
	r.scene(newCanvas(r, im, image.Point{}), s)
	return im
}

// scene lays all that a scene shows onto its board.
func (r *Renderer) scene(on surface, s Scene) {
	s.LastBy, s.Position.Turn = s.LastBy&1, s.Position.Turn&1 // there are two sides, whatever was given
	w := s.way()
	l := &r.layouts[w]
	if w&withBars == 0 {
		r.brand(on, l, s)
	}
	r.board(on, l, s)
	if w&withBars != 0 {
		for side := range l.Bars {
			on.bar(l.Bars[side], r.standing(s, rules.Side(side)))
		}
	}
	if w&withStrip != 0 {
		r.strip(on, l, s)
	}
}

// brand burns the game's id into the middle of a board that has no bars to write
// it in. A long one is cut where pieces may stand beside it.
func (r *Renderer) brand(on surface, l *layout, s Scene) {
	id := clean(shorten(s.ID))
	if id == "" || s.Status.Over {
		return
	}
	const room = 2 * (gridStep - markOuter - markEdge)
	on.write(text{id, idSize, r.theme.Brand, room}, spot{unitsWide / 2, l.Top + boardHigh/2}, 0.5)
}

// board draws the pieces and what happened or may happen to them.
func (r *Renderer) board(on surface, l *layout, s Scene) {
	h, w, cows := s.happened(), s.way(), r.cows(s)
	closed := s.closed()
	for _, line := range closed {
		on.trace(l.mill(w, line))
	}
	for p := range (s.Hints &^ s.Position.Occupied()).All() {
		on.lay(sprite{kind: hintMark}, l.Points[p])
	}
	for side, set := range s.Position.Pieces {
		for p := range set.All() {
			on.piece(sprite{boardPiece, rules.Side(side), cows}, l, p, through(p, closed))
		}
	}
	for p := range (s.Picked & s.Position.Occupied()).All() {
		on.lay(sprite{kind: pickMark}, l.Points[p])
	}
	if h.arrived && !h.moved && h.to < rules.PointCount {
		on.lay(sprite{kind: ringMark}, l.Points[h.to])
	}
	if h.moved && h.from != h.to && h.from < rules.PointCount && h.to < rules.PointCount {
		on.trace(l.arrow(w, h.from, h.to, s.Position.Occupied()))
	}
	if !s.Quiet {
		for p := range s.targets().All() {
			on.lay(sprite{kind: sightMark}, l.Points[p])
		}
	}
	for p := range h.shot.All() {
		on.lay(sprite{kind: crossMark}, l.Points[p])
	}
	r.seal(on, l, s)
}

// seal says the result in figures, in the middle of the board, where no point is.
func (r *Renderer) seal(on surface, l *layout, s Scene) {
	if !s.Status.Over {
		return
	}
	said := map[rules.Result]string{rules.WhiteWins: "1–0", rules.BlackWins: "0–1", rules.Drawn: "½–½"}[s.Status.Result]
	if said == "" {
		said = "–"
	}
	at := spot{unitsWide / 2, l.Top + boardHigh/2}
	const half, edge = 55, 4
	on.fill(rect{at.X - half, at.Y - half/2 - edge, 2 * half, half + 2*edge}, r.theme.Seal.Edge)
	on.fill(rect{at.X - half + edge, at.Y - half/2, 2*half - 2*edge, half}, r.theme.Seal.Fill)
	on.write(text{said: said, size: sealSize, colour: r.theme.Seal.Edge}, at, 0.5)
}

// cows tells whether a scene's pieces are cows. The Morabaraba games are those in which each mill shoots: that is how the
// table of variants tells them from their relatives.
func (r *Renderer) cows(s Scene) bool {
	switch cmp.Or(s.Pieces, r.options.Pieces) {
	case Cows:
		return true
	case Stones:
		return false
	}
	return s.Variant.Shots == rules.OneAMill
}
