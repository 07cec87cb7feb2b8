package render

import (
	"fmt"
	"image"
	"io"
	"strconv"

	"kraal/render/gif"
	"kraal/rules"
)

// FilmSize is the width of a film that is to be sent: the size at which lichess shows games.
const FilmSize = 720

// What a film to be sent does with less of than a picture, since all of it comes again in each frame: the breadth of marks,
// colours, and steps of soft edges. With one colour more, each pixel would need a bit more.
const (
	filmPen     = 0.6
	filmColours = 63
	filmTints   = 4
)

// filmed is the theme with what comes again in each frame made simple: a panel without a grain, and pieces without a shade.
func (th theme) filmed() theme {
	plain := blend(th.Panel.Dark, th.Panel.Light, 0.5)
	th.Panel.Dark, th.Panel.Light = plain, plain
	for side := range th.Pieces {
		th.Pieces[side].Shade = 0
		th.Pieces[side].Crisp = true
	}
	return th
}

// Replay is a game, finished or not, that is to be seen turn by turn.
type Replay struct {
	Game   *rules.Game
	Status rules.Status // the result, endings that the match decides included
	Seats  [2]Seat      // by side; their clocks are not shown
	ID     string
	Pieces Pieces // what they look like in this film; "": as the Renderer's options say
	Turned bool   // as black sees it
	Size   int    // width in pixels; 0: the Renderer's
	Limit  int    // the most bytes that the film may have; 0: any number
}

// Film says what was written of a Replay.
type Film struct {
	Turns  int // of the game
	Frames int // pictures of them, and one of the beginning; fewer where all would not fit the limit
	Bytes  int
}

// How long a frame is seen, in hundredths of a second.
const (
	usualDelay   = 100
	leastDelay   = 40
	openingDelay = 150
	lastDelay    = 500
	slowTurns    = 3   // before the last one, which are seen for longer
	slowness     = 1.7 // as long
	aimedLength  = 9000
)

// GIF writes a game as a film that is repeated for ever: the beginning, then each turn with its caption, the last ones
// slower. Frames are written as they are made. The error is w's, or says that the size cannot be.
func (r *Renderer) GIF(w io.Writer, p Replay) (Film, error) {
	if p.Size != 0 && (p.Size != r.options.Size || p.Size == FilmSize) {
		other, err := r.sized(p.Size)
		if err != nil {
			return Film{}, err
		}
		r = other
	}
	scenes := p.scenes()
	step, err := r.step(scenes, p.Limit)
	if err != nil {
		return Film{}, err
	}
	return r.shoot(w, scenes, step)
}

// sized is a Renderer of another size. That for films is made once.
func (r *Renderer) sized(size int) (*Renderer, error) {
	if size == FilmSize {
		return r.film()
	}
	o := r.options
	o.Size = size
	return New(o)
}

// scenes are the moments of the game: its beginning, and after each turn.
func (p Replay) scenes() []Scene {
	v, turns := p.Game.Variant(), p.Game.Turns()
	g := rules.NewGameAt(v, p.Game.Start())
	s := Scene{Variant: v, Position: g.Position(), ID: p.ID, Seats: p.Seats, Pieces: p.Pieces, Turned: p.Turned, Quiet: true, Caption: v.Name}
	s.Seats[rules.White].Clock, s.Seats[rules.Black].Clock = "", ""
	s.Corner = "0 / " + strconv.Itoa(len(turns))
	scenes := append(make([]Scene, 0, len(turns)+1), s)
	for i, t := range turns {
		for _, a := range t.Turn {
			if g.Play(a) != nil {
				break // a Game has played them once
			}
		}
		s.Position, s.Last, s.LastBy = g.Position(), t.Turn, t.Side
		s.Caption = fmt.Sprintf("%d. %s", i/2+1, t.Turn)
		s.Corner = fmt.Sprintf("%d / %d", i+1, len(turns))
		scenes = append(scenes, s)
	}
	scenes[len(scenes)-1].Status = p.Status
	return scenes
}

// step is how many turns a frame has to stand for if the film is not to be larger than the limit. Only where that is in
// doubt is the film made twice.
func (r *Renderer) step(scenes []Scene, limit int) (int, error) {
	const plenty = 40 << 10 // bytes that hardly a frame has at FilmSize
	frame := plenty * r.options.Size / FilmSize * r.options.Size / FilmSize
	if limit <= 0 || len(scenes)*frame <= limit {
		return 1, nil
	}
	for step := 1; ; step *= 2 {
		made, err := r.shoot(io.Discard, scenes, step)
		if err != nil || made.Bytes <= limit || made.Frames <= 2 {
			return step, err
		}
	}
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int
}

// Write is part of io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += n
	return n, err
}

// shoot writes every step-th scene, the last one always.
func (r *Renderer) shoot(w io.Writer, scenes []Scene, step int) (Film, error) {
	out := &counter{w: w}
	made := Film{Turns: len(scenes) - 1}
	e, _ := r.cameras.Get().(*gif.Encoder)
	if e == nil {
		e = new(gif.Encoder)
	}
	defer r.cameras.Put(e)
	if err := e.Begin(out, r.frameSize(scenes[0]), r.kit().inks.palette.colours); err != nil {
		return made, err
	}
	var before sheet
	defer func() { before.done() }()
	last := len(scenes) - 1
	for i, s := range scenes {
		if i > 0 && (last-i)%step != 0 {
			continue
		}
		now := r.compose(s)
		err := e.Add(now.image.Pix, delay(i, last))
		before.done()
		before = now
		if err != nil {
			return made, err
		}
		made.Frames++
	}
	err := e.End()
	made.Bytes = out.n
	return made, err
}

// delay is how long the frame of a turn is seen.
func delay(turn, last int) int {
	usual := min(max(aimedLength/max(last, 1), leastDelay), usualDelay)
	switch {
	case turn == last:
		return lastDelay
	case turn == 0:
		return openingDelay
	case last-turn <= slowTurns:
		return int(float64(usual) * slowness)
	}
	return usual
}

// frameSize is how large a scene's picture is, in pixels.
func (r *Renderer) frameSize(s Scene) image.Point {
	return rect{0, 0, unitsWide, r.layouts[s.way()].High}.pixels(r.scale).Size()
}
