package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"kraal/bot/discord"
	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/storage"
)

// meters count what the bot does, for /metrics; docs/metrics.md says what each of them is.
type meters struct {
	set     *metrics.Set
	commits *metrics.PrometheusHistogram
	renders *metrics.PrometheusHistogram
	api     *metrics.PrometheusHistogram
	games   gamesNow
}

// Upper bounds of what is timed, in seconds: from a picture or a commit to what Discord waits for.
func bounds() []float64 {
	return []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
}

func newMeters() *meters {
	set := metrics.NewSet()
	m := &meters{
		set:     set,
		commits: set.NewPrometheusHistogramExt("kraal_commit_seconds", bounds()),
		renders: set.NewPrometheusHistogramExt("kraal_render_seconds", bounds()),
		api:     set.NewPrometheusHistogramExt("kraal_api_seconds", bounds()),
	}
	for _, name := range []string{cleanings(false), cleanings(true), deletedMatches} { // there from the start, so that one more shows
		set.NewCounter(name)
	}
	set.NewGauge(fmt.Sprintf("kraal_info{version=%q}", version()), func() float64 { return 1 })
	return m
}

// handled counts an interaction.
func (m *meters) handled(h wire.Handled) {
	m.set.GetOrCreateCounter(fmt.Sprintf("kraal_interactions_total{kind=%q,outcome=%q}", h.Kind, h.Outcome)).Inc()
	if h.First > 0 {
		m.timed("kraal_interaction_first_response_seconds", h.Kind, h.First)
	}
	m.timed("kraal_interaction_seconds", h.Kind, h.Took)
}

func (m *meters) timed(name string, kind wire.Kind, took time.Duration) {
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("%s{kind=%q}", name, kind), bounds()).Update(took.Seconds())
}

// thought counts an action that the bot itself chose.
func (m *meters) thought(level int, began time.Time) {
	name := fmt.Sprintf("kraal_engine_seconds{level=\"%d\"}", level)
	m.set.GetOrCreatePrometheusHistogramExt(name, bounds()).UpdateDuration(began)
}

// sent counts an answer of Discord's.
func (m *meters) sent(s wire.Sent) {
	code := "none"
	if s.Status > 0 {
		code = fmt.Sprint(s.Status)
	}
	m.set.GetOrCreateCounter(fmt.Sprintf("kraal_api_answers_total{method=%q,code=%q}", s.Method, code)).Inc()
	m.api.Update(s.Took.Seconds())
}

const deletedMatches = "kraal_deleted_matches_total"

// cleanings names the counter of how often what is old was to be deleted.
func cleanings(failed bool) string {
	outcome := "done"
	if failed {
		outcome = "failed"
	}
	return fmt.Sprintf("kraal_cleanings_total{outcome=%q}", outcome)
}

// forgot counts matches that were deleted for their age.
func (m *meters) forgot(deleted int, err error) {
	m.set.GetOrCreateCounter(deletedMatches).Add(deleted)
	m.set.GetOrCreateCounter(cleanings(err != nil)).Inc()
}

// store counts the commits of a store.
func (m *meters) store(s storage.Store) storage.Store { return metered{s, m} }

type metered struct {
	storage.Store
	m *meters
}

// Commit is storage.Store's.
func (s metered) Commit(ctx context.Context, c storage.Changes) (storage.Versions, error) {
	began := time.Now()
	versions, err := s.Store.Commit(ctx, c)
	outcome := "kept"
	switch {
	case errors.Is(err, storage.ErrConflict):
		outcome = "conflict"
	case err != nil:
		outcome = "failed"
	default:
		s.m.commits.UpdateDuration(began)
	}
	s.m.set.GetOrCreateCounter(fmt.Sprintf("kraal_commits_total{outcome=%q}", outcome)).Inc()
	return versions, err
}

// painter times the pictures of a painter.
func (m *meters) painter(p discord.Painter) discord.Painter { return timedPainter{p, m} }

type timedPainter struct {
	discord.Painter
	m *meters
}

// PNG is discord.Painter's.
func (p timedPainter) PNG(w io.Writer, s render.Scene) error {
	defer p.m.renders.UpdateDuration(time.Now())
	return p.Painter.PNG(w, s)
}

// watch adds what is looked up when it is asked for.
func (m *meters) watch(h *health) {
	gauge := func(name string, f func() float64) { m.set.NewGauge(name, f) }
	gauge("kraal_gateway_connected", func() float64 {
		if h.gateway().Connected {
			return 1
		}
		return 0
	})
	gauge("kraal_gateway_acknowledgement_age_seconds", func() float64 { return h.age().Seconds() })
	gauge("kraal_gateway_lost_total", func() float64 { return float64(h.gateway().Lost) })
	gauge("kraal_store_bytes", func() float64 {
		info, err := os.Stat(h.path)
		if err != nil {
			return 0
		}
		return float64(info.Size())
	})
	m.set.RegisterMetricsWriter(func(w io.Writer) { m.games.write(w, h.store) })
}

// write answers /metrics.
func (m *meters) write(w io.Writer) {
	m.set.WritePrometheus(w)
	metrics.WriteProcessMetrics(w)
}

// gamesNow counts the games that are not over. That reads each of them, so it is done seldom, however often somebody asks.
type gamesNow struct {
	mu   sync.Mutex
	at   time.Time
	text []string
}

const (
	countEvery = 10 * time.Second
	countPage  = 500
)

func (g *gamesNow) write(w io.Writer, s storage.Store) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.at) > countEvery {
		counts, err := countGames(s)
		g.at, g.text = time.Now(), nil
		for of, n := range counts {
			if err == nil {
				g.text = append(g.text, fmt.Sprintf("kraal_games{state=%q,variant=%q} %d\n", of.state, of.variant, n))
			}
		}
	}
	for _, line := range g.text {
		_, _ = io.WriteString(w, line)
	}
}

type gamesOf struct {
	state   storage.State
	variant string // of a house rule, the game that it is made from: there may be any number of house rules
}

func countGames(s storage.Store) (map[gamesOf]int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), healthTime)
	defer cancel()
	counts := map[gamesOf]int{}
	for from, more := storage.Cursor(""), true; more; {
		err := s.View(ctx, func(r storage.Reader) error { // a short one each: a long one holds pages
			hits, err := r.Range(storage.Live(), from, countPage)
			if err != nil {
				return err
			}
			more = len(hits) == countPage
			for _, hit := range hits {
				from = hit.Cursor
				kept, err := r.Get(hit.Key)
				if err != nil {
					continue // one that cannot be read is told of by whoever needs it
				}
				m := kept.Record.(storage.Match)
				counts[gamesOf{m.State, cmp.Or(m.Variant.Base, m.Variant.Key)}]++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}
