package render

import (
	"fmt"
	"image"
	"image/draw"
	"io"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"

	"kraal/rules"
)

// The width of a picture, in pixels.
const (
	DefaultSize = 800
	MinSize     = 200
	MaxSize     = 2000
)

// Options are the settings of a Renderer. The zero value is fit for Discord.
type Options struct {
	Size  int   // width of a picture in pixels, MinSize to MaxSize; 0: DefaultSize
	Theme Theme // one of Themes; "": Wood
}

// Renderer draws scenes. Everything it holds is made once and then only read, so
// any number of goroutines may use it at the same time.
type Renderer struct {
	scale   float64
	theme   theme
	font    *sfnt.Font
	layouts [4]layout // without bars, with bars; then the same turned
	bases   [4]sync.Map
	pieces  [2]sprite // by side
	emblems [2]sprite
	smalls  [2]sprite
	palette *palette
}

// New makes a Renderer, which takes a good tenth of a second. The error says
// that the size cannot be, or that there is no such theme.
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
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("built-in font: %w", err)
	}
	r := &Renderer{
		scale: float64(o.Size) / unitsWide,
		theme: look,
		font:  f,
		layouts: [4]layout{
			newLayout(false, false), newLayout(true, false), newLayout(false, true), newLayout(true, true),
		},
	}
	for side, look := range r.theme.Pieces {
		r.pieces[side] = newSprite(look, pieceRadius*r.scale)
		r.emblems[side] = newSprite(look, emblemRadius*r.scale)
		r.smalls[side] = newSprite(look, smallRadius*r.scale)
	}
	r.palette = newPalette(r.samples())
	return r, nil
}

// PNG draws the scene and writes it to w: opaque, as wide as the Renderer's
// size, and a little higher; a scene without players is square. The same scene
// gives the same bytes. The error is w's.
func (r *Renderer) PNG(w io.Writer, s Scene) error {
	return r.palette.encode(w, r.draw(s))
}

// draw lays the scene together, from the wood up.
func (r *Renderer) draw(s Scene) *image.RGBA {
	way := 0
	if s.barred() {
		way++
	}
	if s.Turned {
		way += 2
	}
	l := &r.layouts[way]
	base := r.base(way, s.Variant)
	im := image.NewRGBA(base.Bounds())
	draw.Draw(im, im.Bounds(), base, image.Point{}, draw.Src)

	c := newCanvas(im, r.scale, r.font)
	if !s.barred() {
		r.brand(c, l, s.ID)
	}
	r.board(c, l, s)
	if s.barred() {
		for side := range l.Bars {
			r.bar(c, l.Bars[side], s, rules.Side(side))
		}
	}
	return im
}

// base is the picture below every scene of a board, drawn when it is first
// wanted.
func (r *Renderer) base(way int, v rules.Variant) *image.RGBA {
	lines := v.Lines()
	if im, ok := r.bases[way].Load(len(lines)); ok {
		return im.(*image.RGBA)
	}
	im, _ := r.bases[way].LoadOrStore(len(lines), r.newBase(&r.layouts[way], lines))
	return im.(*image.RGBA)
}

// brand burns the game's id into the middle of a board that has no bars to write
// it in. A long one is cut where pieces may stand beside it.
func (r *Renderer) brand(c *canvas, l *layout, id string) {
	if id = clean(id); id == "" {
		return
	}
	const room = 2 * (gridStep - markOuter - markEdge)
	text := cut(c.face(idSize), drawable(r.font, id), c.fixed(room))
	c.write(text, spot{unitsWide / 2, l.Top + boardHigh/2}, 0.5, idSize, r.theme.Brand)
}

// board draws the pieces and what happened or may happen to them.
func (r *Renderer) board(c *canvas, l *layout, s Scene) {
	h := s.happened()
	r.mills(c, l, s.closed())
	for side, set := range s.Position.Pieces {
		for p := range set.All() {
			c.piece(r.pieces[side], l.Points[p])
		}
	}
	if h.arrived && !h.moved {
		r.ring(c, l.Points[h.to], r.theme.Last)
	}
	if h.moved && h.from != h.to {
		r.arrow(c, track(l, h.from, h.to, s.Position.Occupied()), r.theme.Last)
	}
	for p := range s.targets().All() {
		r.sight(c, l.Points[p], r.theme.Target)
	}
	for p := range h.shot.All() {
		r.cross(c, l.Points[p], crossArm, crossWide, crossEdge)
	}
}
