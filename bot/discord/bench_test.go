package discord_test

import (
	"slices"
	"testing"
	"time"

	"kraal/rules"
)

// BenchmarkInteraction measures the whole way from an interaction to its answer over the sandbox, as the one who plays
// waits for it: event, decision, durable commit, answer. The board's picture is drawn on the way of a tap and beside that
// of a command.
func BenchmarkInteraction(b *testing.B) {
	for _, way := range []struct {
		name string
		play func(s *stage, id string, side rules.Side, a rules.Action)
	}{{"command", (*stage).byCommand}, {"tap", (*stage).byTap}} {
		b.Run(way.name, func(b *testing.B) {
			s := newStage(b)
			s.clock.Advance(time.Second)
			id := s.game(s.begin("morabaraba", nil))
			var took []time.Duration
			points := emptyLines()
			for i := 0; b.Loop(); i++ {
				if i%len(points) == 0 && i > 0 {
					b.StopTimer()
					confirm := s.slash(s.white, "resign", map[string]any{"game": id})
					s.press(s.white, confirm.ID, "Confirm")
					id = s.game(s.begin("morabaraba", nil))
					b.StartTimer()
				}
				s.board(id)
				began := time.Now()
				way.play(s, id, rules.Side(i%len(points)%2), rules.Action{Kind: rules.Place, To: points[i%len(points)]})
				took = append(took, time.Since(began))
			}
			reportSpread(b, took)
		})
	}
}

// emptyLines are points that alternate players can fill without closing a mill.
func emptyLines() []rules.Point {
	var points []rules.Point
	for _, name := range []string{"a7", "d7", "g7", "b6", "d6", "f6", "a4", "b4"} {
		p, err := rules.ParsePoint(name)
		if err == nil {
			points = append(points, p)
		}
	}
	return points
}

// reportSpread reports the median and the 99th percentile.
func reportSpread(b *testing.B, took []time.Duration) {
	b.Helper()
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}
