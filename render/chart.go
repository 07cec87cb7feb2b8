package render

import (
	"image"
	"io"
	"math"
	"strconv"

	"kraal/rules"
)

// Chart is how a game went: a curve of white's chances over its turns, and the turns where it swung.
type Chart struct {
	Chances []float64 // white's, 0 to 1, before the first turn and after each; what lies outside is brought inside
	Swings  []int     // turns, from 1, that are marked, in the order in which they are numbered
}

// Measures of a chart, in units.
const (
	chartHigh  = 400
	chartLeft  = 84.0
	chartRight = unitsWide - 28.0
	chartTop   = 34.0
	chartLow   = chartHigh - 62.0
	curveWide  = 5.0
	swingDisc  = 17.0
	turnLabels = 12 // at most, along the axis

	chartColours = 64 // a curve and its edges need no more
)

// Chart draws the chart and writes it to w as a PNG: black's share above the curve and white's below, as the sides sit at
// the board. The same chart gives the same bytes. The error is w's.
func (r *Renderer) Chart(w io.Writer, c Chart) error {
	im := r.drawChart(c)
	return r.print(w, newPalette([]*image.RGBA{im}, chartColours).reduce(im))
}

func (r *Renderer) drawChart(chart Chart) *image.RGBA {
	im := image.NewRGBA(rect{0, 0, unitsWide, chartHigh}.pixels(r.scale))
	c := newCanvas(r, im, image.Point{})
	c.fill(rect{0, 0, unitsWide, chartHigh}, r.theme.Bar)
	c.fill(rect{chartLeft, chartTop, chartRight - chartLeft, chartLow - chartTop}, r.theme.Pieces[rules.Black].Body)
	curve := chart.curve()
	c.polygon(append(curve, spot{chartRight, chartLow}, spot{chartLeft, chartLow})...)
	c.paint(r.theme.Pieces[rules.White].Body)
	r.chartFrame(c, chart)
	c.path(curve...)
	c.line(curveWide+3, r.theme.Last.Edge)
	c.path(curve...)
	c.line(curveWide, r.theme.Last.Fill)
	r.swings(c, chart)
	return im
}

// turns is how many turns the chart spans: one where there are none, so that there is a width.
func (c Chart) turns() int { return max(1, len(c.Chances)-1) }

// x is where a moment stands, after so many turns.
func (c Chart) x(turn int) float64 {
	return chartLeft + (chartRight-chartLeft)*float64(turn)/float64(c.turns())
}

// y is where a chance stands; one that is no number counts as even.
func (c Chart) y(turn int) float64 {
	chance := 0.5
	if turn < len(c.Chances) && !math.IsNaN(c.Chances[turn]) {
		chance = min(1, max(0, c.Chances[turn]))
	}
	return chartLow - (chartLow-chartTop)*chance
}

// curve is the chances as a line from the left edge to the right one.
func (c Chart) curve() []spot {
	line := make([]spot, 0, c.turns()+3) // with room for the corners of the area
	for turn := range c.turns() + 1 {
		line = append(line, spot{c.x(turn), c.y(min(turn, max(0, len(c.Chances)-1)))})
	}
	return line
}

// chartFrame draws the axes: the middle, where chances are even, the sides at the left, and the numbers of turns below.
func (r *Renderer) chartFrame(c *canvas, chart Chart) {
	middle := (chartTop + chartLow) / 2
	for x := chartLeft; x < chartRight; x += 20 {
		c.fill(rect{x, middle - 1, 10, 2}, r.theme.Turn.Fill)
	}
	c.lay(sprite{kind: barPiece, side: rules.Black}, spot{chartLeft / 2, chartTop + emblemRadius})
	c.lay(sprite{kind: barPiece, side: rules.White}, spot{chartLeft / 2, chartLow - emblemRadius})
	step := 1
	for chart.turns()/step > turnLabels {
		step = nextStep(step)
	}
	for turn := 0; turn <= chart.turns(); turn += step {
		x := chart.x(turn)
		c.fill(rect{x - 1, chartLow, 2, 8}, r.theme.Name)
		c.write(text{said: strconv.Itoa(turn), size: ratingSize, colour: r.theme.Name}, spot{x, chartLow + 30}, 0.5)
	}
}

// nextStep goes on in steps that people count in: 1, 2, 5, 10, 20, 50...
func nextStep(step int) int {
	for power := 1; ; power *= 10 {
		for _, n := range [...]int{1, 2, 5} {
			if n*power > step {
				return n * power
			}
		}
	}
}

// swings marks turns with their number in the list, on the curve.
func (r *Renderer) swings(c *canvas, chart Chart) {
	for i, turn := range chart.Swings {
		if turn < 1 || turn > chart.turns() {
			continue
		}
		at := spot{chart.x(turn), chart.y(turn)}
		at.X = min(max(at.X, chartLeft+swingDisc), chartRight-swingDisc)
		at.Y = min(max(at.Y, chartTop+swingDisc), chartLow-swingDisc)
		c.disc(at, swingDisc+3, r.theme.Turn.Edge)
		c.disc(at, swingDisc, r.theme.Turn.Fill)
		c.write(text{said: strconv.Itoa(i + 1), size: ratingSize, colour: r.theme.Turn.Edge}, at, 0.5)
	}
}
