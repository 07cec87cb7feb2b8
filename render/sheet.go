package render

import (
	"bytes"
	"image"
	"image/color"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"kraal/rules"
)

// What is kept for pictures to come. At 800 pixels an arrow takes some 12 KiB, a text 4, a bar 66, a piece
// on a mill 10.
const (
	mostTraces = 192
	mostTexts  = 256
	mostBars   = 48
	mostMilled = 128
)

// kit is everything that pictures of one theme and size are laid together from: it is drawn once, when the first picture
// is wanted. At 800 pixels a board and the pieces on it take 1.5 MiB, of which there are at most sixteen and seldom more
// than three in use; the rest stays under 8 MiB.
type kit struct {
	r       *Renderer
	inks    *inks
	stamps  map[sprite]*stamp
	boards  [ways][2]func() *board // without diagonals, with them
	traces  *lru.Cache[traceKey, *stamp]
	texts   *lru.Cache[text, *lettering]
	milled  *lru.Cache[milledKey, *tile]
	bars    *lru.Cache[barKey, []uint8]
	buffers sync.Pool // of *image.Paletted
}

// board is an empty one, and its pieces as they look on it.
type board struct {
	image  *image.Paletted
	pieces [rules.PointCount][boardPieces]func() *tile
}

// boardPieces is how many looks a piece on the board has. pieceAt gives the one at a place in a list of them, and place
// is the place of one.
const boardPieces = 4

func pieceAt(i int) sprite { return sprite{boardPiece, rules.Side(i & 1), i&2 != 0} }

func (s sprite) place() int {
	if s.cows {
		return int(s.side&1) | 2
	}
	return int(s.side & 1)
}

// milledKey is all that a piece on top of mills depends on.
type milledKey struct {
	board *board
	point rules.Point
	piece sprite
	below rules.Points
}

// barKey is all that a bar in the picture depends on.
type barKey struct {
	standing
	top float64
}

// lettering is a text ready to be laid.
type lettering struct {
	stamp *stamp
	inscription
}

// newKit takes a good tenth of a second.
func newKit(r *Renderer) *kit {
	k := &kit{r: r, stamps: make(map[sprite]*stamp)}
	k.inks = newInks(newPalette(r.samples(), r.colours), r.theme.edges(), r.tints)
	for _, s := range sprites() {
		k.stamps[s] = newStamp(r.art(s), k.inks)
	}
	for w := range ways {
		for d := range k.boards[w] {
			k.boards[w][d] = sync.OnceValue(func() *board { return k.newBoard(&r.layouts[w], d == 1) })
		}
	}
	k.traces, _ = lru.New[traceKey, *stamp](mostTraces) // the sizes are not zero
	k.texts, _ = lru.New[text, *lettering](mostTexts)
	k.milled, _ = lru.New[milledKey, *tile](mostMilled)
	k.bars, _ = lru.New[barKey, []uint8](mostBars)
	return k
}

func (k *kit) newBoard(l *layout, diagonals bool) *board {
	b := &board{image: k.inks.reduce(k.r.newBase(l, diagonals))}
	for p := range b.pieces {
		at := l.Points[p].pixel(k.r.scale)
		for i := range b.pieces[p] {
			st := k.stamps[pieceAt(i)]
			b.pieces[p][i] = sync.OnceValue(func() *tile { return st.baked(b.image, at, &k.inks.table) })
		}
	}
	return b
}

// sheet is a picture of one byte a pixel in the making.
type sheet struct {
	kit   *kit
	board *board
	image *image.Paletted
	scale float64
}

// begin copies the board of a scene.
func (k *kit) begin(w way, diagonals bool) sheet {
	d := 0
	if diagonals {
		d = 1
	}
	b := k.boards[w][d]()
	board := b.image
	im, ok := k.buffers.Get().(*image.Paletted)
	if !ok || cap(im.Pix) < len(board.Pix) {
		im = &image.Paletted{Pix: make([]uint8, len(board.Pix)), Palette: board.Palette}
	}
	im.Pix, im.Stride, im.Rect = im.Pix[:len(board.Pix)], board.Stride, board.Rect
	rows := rect{0, k.r.layouts[w].Top, unitsWide, boardHigh}.pixels(k.r.scale)
	from, to := rows.Min.Y*board.Stride, rows.Max.Y*board.Stride
	copy(im.Pix[from:to], board.Pix[from:to]) // what is above and below is drawn for each picture
	return sheet{k, b, im, k.r.scale}
}

// done gives the picture's memory to the next.
func (s sheet) done() {
	if s.kit != nil {
		s.kit.buffers.Put(s.image)
	}
}

func (s sheet) fill(box rect, colour color.RGBA) {
	b := box.pixels(s.scale).Intersect(s.image.Rect)
	if b.Empty() {
		return
	}
	row := func(y int) []uint8 { return s.image.Pix[y*s.image.Stride+b.Min.X:][:b.Dx()] }
	first, index := row(b.Min.Y), s.kit.inks.nearest(colour)
	for i := range first {
		first[i] = index
	}
	for y := b.Min.Y + 1; y < b.Max.Y; y++ {
		copy(row(y), first)
	}
}

func (s sheet) lay(what sprite, at spot) {
	s.kit.stamps[what].on(s.image, at.pixel(s.scale), &s.kit.inks.table)
}

func (s sheet) trace(t trace) {
	made, ok := s.kit.traces.Get(t.traceKey)
	if !ok {
		made = newStamp(s.kit.r.traceArt(t), s.kit.inks)
		s.kit.traces.Add(t.traceKey, made)
	}
	made.on(s.image, image.Point{}, &s.kit.inks.table)
}

func (s sheet) write(t text, at spot, anchor float64) float64 {
	t.said = shorten(t.said)
	made, ok := s.kit.texts.Get(t)
	if !ok {
		made = &lettering{inscription: s.kit.r.letters.inscribe(t)}
		made.stamp = newInscriptionStamp(made.inscription, t.colour, s.kit.inks)
		made.mask = nil
		s.kit.texts.Add(t, made)
	}
	made.stamp.on(s.image, made.origin(at, anchor, s.scale), &s.kit.inks.table)
	return made.width / s.scale
}

func (s sheet) piece(what sprite, l *layout, p rules.Point, below rules.Points) {
	if below == 0 {
		s.board.pieces[p][what.place()]().on(s.image)
		return
	}
	key := milledKey{s.board, p, what, below}
	made, ok := s.kit.milled.Get(key)
	if !ok {
		made = s.kit.stamps[what].baked(s.image, l.Points[p].pixel(s.scale), &s.kit.inks.table)
		s.kit.milled.Add(key, made)
	}
	made.on(s.image)
}

func (s sheet) bar(b bar, st standing) {
	if st.even { // a film shows each of its bars once
		s.kit.r.bar(s, b, st)
		return
	}
	box, key := b.Box.pixels(s.scale), barKey{st, b.Box.Y}
	rows := s.image.Pix[box.Min.Y*s.image.Stride : box.Max.Y*s.image.Stride] // a bar is as wide as the picture
	if made, ok := s.kit.bars.Get(key); ok {
		copy(rows, made)
		return
	}
	s.kit.r.bar(s, b, st)
	s.kit.bars.Add(key, bytes.Clone(rows))
}
