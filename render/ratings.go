package render

import (
	"image"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
)

// Ratings is how a rating went over time: a curve of points against dates.
type Ratings struct {
	Title  string  // the member and the variant
	Rating []Rated // in any order; those whose points are no number are left out
}

// Rated is a rating after a game.
type Rated struct {
	At     time.Time // its date is UTC's
	Points float64
}

// Measures of a chart of ratings, in units.
const (
	ratingsHigh  = 500.0
	ratingsLeft  = 112.0
	ratingsRight = unitsWide - 30.0
	ratingsTop   = 84.0
	ratingsLow   = ratingsHigh - 66.0
	ratingsSize  = 28.0

	leastSpan  = 20.0  // points that the axis spans at least: a rating that moves little is not drawn as a leap
	pointMarks = 5     // at most, along the axis of points, and one
	dateRoom   = 196.0 // between the middles of dates
	dateHalf   = 84.0
	dotsMost   = 40 // games: of more the dots would hide the curve
	dotRadius  = 6.0
	pointsMost = 1e6 // what lies beyond is brought inside
)

// Ratings draws the chart and writes it to w as a PNG. The same chart gives the same bytes. The error is w's.
func (r *Renderer) Ratings(w io.Writer, chart Ratings) error {
	im := r.drawRatings(chart)
	return r.print(w, newPalette([]*image.RGBA{im}, chartColours).reduce(im))
}

func (r *Renderer) drawRatings(chart Ratings) *image.RGBA {
	whole := rect{0, 0, unitsWide, ratingsHigh}
	im := image.NewRGBA(whole.pixels(r.scale))
	c := newCanvas(r, im, image.Point{})
	c.fill(whole, r.theme.Bar)
	c.fill(rect{ratingsLeft, ratingsTop, ratingsRight - ratingsLeft, ratingsLow - ratingsTop}, r.theme.BarActive)
	c.say(text{chart.Title, nameSize, r.theme.Name, unitsWide - 2*cardEdge}, spot{cardEdge, 42}, 0)
	plot := newPlot(chart.Rating)
	r.pointAxis(c, plot)
	r.dateAxis(c, plot)
	curve := plot.curve()
	for _, pen := range []struct {
		wide float64
		mark
	}{{curveWide + 4, mark{Fill: r.theme.Last.Edge}}, {curveWide, r.theme.Last}} {
		if len(curve) > 1 {
			c.path(curve...)
			c.line(pen.wide, pen.Fill)
		}
		for i, at := range curve {
			if i == len(curve)-1 || len(curve) <= dotsMost {
				c.disc(at, dotRadius+(pen.wide-curveWide)/2, pen.Fill)
			}
		}
	}
	return im
}

// plot is ratings in the order of their times, with what the axes span.
type plot struct {
	rated     []Rated
	low, high float64 // points
	step      int     // of the marks on their axis
}

func newPlot(rated []Rated) plot {
	p := plot{rated: slices.Clone(rated)}
	p.rated = slices.DeleteFunc(p.rated, func(at Rated) bool { return math.IsNaN(at.Points) })
	low, high := math.Inf(1), math.Inf(-1)
	for i, at := range p.rated {
		points := min(max(at.Points, -pointsMost), pointsMost)
		p.rated[i] = Rated{dated(at.At), points}
		low, high = min(low, points), max(high, points)
	}
	slices.SortStableFunc(p.rated, func(a, b Rated) int { return a.At.Compare(b.At) })
	if len(p.rated) == 0 {
		low, high = 1500, 1500 // where everybody begins
	}
	if lacks := leastSpan - (high - low); lacks > 0 {
		low, high = low-lacks/2, high+lacks/2
	}
	for p.step = 1; (high-low)/float64(p.step) > pointMarks; {
		p.step = nextStep(p.step)
	}
	margin := (high - low) / 12 // that the curve touches no edge
	p.low, p.high = low-margin, high+margin
	return p
}

// dated is a time, or the nearest to it whose year has at most four figures.
func dated(t time.Time) time.Time {
	first, last := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	switch {
	case t.Before(first):
		return first
	case t.After(last):
		return last
	}
	return t
}

// x is where a moment stands. Games that all ended at one moment are spread evenly, in their order.
func (p plot) x(i int) float64 {
	if span := p.span(); span > 0 {
		return p.along(seconds(p.rated[i].At))
	}
	return ratingsLeft + (ratingsRight-ratingsLeft)*(float64(i)+0.5)/float64(len(p.rated))
}

// along is where a time in seconds stands, a little inside the edges at both ends.
func (p plot) along(at float64) float64 {
	const inset = 2 * dotRadius
	return ratingsLeft + inset + (ratingsRight-ratingsLeft-2*inset)*(at-seconds(p.rated[0].At))/p.span()
}

// seconds is a time as a number: the time between two may be more than a time.Duration holds.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// span is the time from the first to the last, in seconds.
func (p plot) span() float64 {
	if len(p.rated) == 0 {
		return 0
	}
	return seconds(p.rated[len(p.rated)-1].At) - seconds(p.rated[0].At)
}

func (p plot) y(points float64) float64 {
	return ratingsLow - (ratingsLow-ratingsTop)*(points-p.low)/(p.high-p.low)
}

func (p plot) curve() (line []spot) {
	for i, at := range p.rated {
		line = append(line, spot{p.x(i), p.y(at.Points)})
	}
	return line
}

// pointAxis writes whole points at the left, each with a line across.
func (r *Renderer) pointAxis(c *canvas, p plot) {
	first := int(math.Ceil(p.low/float64(p.step))) * p.step
	for points := first; float64(points) <= p.high; points += p.step {
		y := p.y(float64(points))
		c.fill(rect{ratingsLeft, y - 1, ratingsRight - ratingsLeft, 2}, blend(r.theme.Rating, r.theme.BarActive, 0.6))
		c.write(text{strconv.Itoa(points), ratingsSize, r.theme.Name, ratingsLeft - 14}, spot{ratingsLeft - 12, y}, 1)
	}
}

// dateAxis writes dates below, as the year, month and day that are read alike in every language.
func (r *Renderer) dateAxis(c *canvas, p plot) {
	right := 0.0
	for _, d := range p.dates() {
		c.fill(rect{d.x - 1, ratingsLow, 2, 10}, r.theme.Name)
		middle := min(max(d.x, dateHalf+4), unitsWide-dateHalf-4)
		if middle-dateHalf < right {
			continue
		}
		c.write(text{d.said, ratingsSize, r.theme.Name, 2 * dateHalf}, spot{middle, ratingsLow + 36}, 0.5)
		right = middle + dateHalf + cardGap
	}
}

// dateMark is a date on the axis.
type dateMark struct {
	said string
	x    float64
}

// day is a day of UTC's, in seconds.
const day = 24 * 60 * 60

// dates are days that begin between the first game and the last, so many days apart that there is room for each; where no
// day begins between them, it is the day of all.
func (p plot) dates() (marks []dateMark) {
	if len(p.rated) == 0 {
		return nil
	}
	said := func(at int64) string { return time.Unix(at, 0).UTC().Format(time.DateOnly) }
	from, to := p.rated[0].At.Unix(), p.rated[len(p.rated)-1].At.Unix()
	step := 1
	for span := p.span(); span > 0 && float64(step)*day/span*(ratingsRight-ratingsLeft) < dateRoom; {
		step = nextStep(step)
	}
	begins := from - (from%day+day)%day + day
	for at := begins; at <= to; at += int64(step) * day {
		marks = append(marks, dateMark{said(at), p.along(float64(at))})
	}
	if len(marks) == 0 {
		marks = append(marks, dateMark{said(from), (ratingsLeft + ratingsRight) / 2})
	}
	return marks
}
