package render

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"kraal/rules"
)

// TestCharts holds charts to the pictures that are kept of them.
func TestCharts(t *testing.T) {
	r := renderer(t)
	for name, chart := range map[string]Chart{
		"chart":       {Chances: []float64{0.5, 0.52, 0.5, 0.55, 0.2, 0.25, 0.22, 0.7, 0.72, 0.95, 1}, Swings: []int{7, 4, 9}},
		"chart-empty": {},
	} {
		var got bytes.Buffer
		if err := r.Chart(&got, chart); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".png")
		if *update {
			write(t, path, got.Bytes())
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Join("testdata", name), decode(t, got.Bytes()), decode(t, want))
	}
}

// TestChartSharesTheHeight: below the curve lies white's colour, above it black's.
func TestChartSharesTheHeight(t *testing.T) {
	r := renderer(t)
	for _, chance := range []float64{0.1, 0.5, 0.9} {
		chart := Chart{Chances: []float64{chance, chance, chance, chance}}
		im := r.drawChart(chart)
		for part, side := range map[float64]rules.Side{chance - 0.06: rules.White, chance + 0.06: rules.Black} {
			at := spot{chart.x(1) + 20, chartLow - (chartLow-chartTop)*part}
			if c := contrast(pixel(r, im, at), r.theme.Pieces[side].Body); c > 1.1 {
				t.Errorf("chance %.1f: at %.2f it is not %v's colour: contrast %.2f", chance, part, side, c)
			}
		}
	}
}

// TestChartTakesAnything: odd numbers, many turns and swings that are none.
func TestChartTakesAnything(t *testing.T) {
	r := renderer(t)
	for _, chart := range []Chart{
		{Chances: []float64{math.NaN(), math.Inf(1), math.Inf(-1), -5, 7}, Swings: []int{-1, 0, 3, 99}},
		{Chances: []float64{0.5}, Swings: []int{1}},
		{Chances: make([]float64, 2000), Swings: []int{1999}},
	} {
		var got bytes.Buffer
		if err := r.Chart(&got, chart); err != nil {
			t.Fatal(err)
		}
		decode(t, got.Bytes())
	}
}

func TestStepsOfTheAxis(t *testing.T) {
	step := 1
	for _, want := range []int{2, 5, 10, 20, 50, 100, 200} {
		if step = nextStep(step); step != want {
			t.Fatalf("got %d, want %d", step, want)
		}
	}
}
