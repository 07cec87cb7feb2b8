package discord

import (
	"context"
	"io"
	"slices"
	"time"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/rules"
	"kraal/storage"
)

// poolStandings are a member's standings in one pool.
type poolStandings struct {
	pool string
	all  []bot.Standing
}

// leastCourse is how many games a chart of a rating takes: with one there would be a dot.
const leastCourse = 2

// ratingsChart is how a member's rating went in the variant that they play most, of those asked for, in the first of the
// pools where they have played enough.
func (r *request) ratingsChart(ctx context.Context, who storage.Person, pools []poolStandings) []wire.File {
	for _, p := range pools {
		v, ok := mostPlayed(p.all)
		if !ok {
			continue
		}
		server := ""
		if p.pool != storage.GlobalPool {
			server = r.in.Server
		}
		course, err := r.app.Course(ctx, server, who.ID, v.Key)
		if err != nil {
			r.logger().Warn("a picture is left out", "error", err)
			return nil
		}
		if len(course) < leastCourse {
			continue
		}
		said := args{"Name": plainNameOf(who, r.phrases), "Variant": plainVariantName(v, r.phrases)}
		chart := render.Ratings{Title: r.Say("RatingsTitle"+poolWord(p.pool), said)}
		for _, g := range course {
			chart.Rating = append(chart.Rating, render.Rated{At: g.Ended, Points: g.Points})
		}
		draw := func(with Painter, w io.Writer) error { return with.Ratings(w, chart) }
		return r.extra(ctx, "kraal-ratings.png", r.courseAlt(chart.Title, course), draw)
	}
	return nil
}

// mostPlayed is the variant of most games among standings, the first of equals; ok is false where there are none.
func mostPlayed(standings []bot.Standing) (v rules.Variant, ok bool) {
	most := -1
	for _, s := range standings {
		if games := s.Row.Kept.Wins + s.Row.Kept.Draws + s.Row.Kept.Losses; games > most {
			v, most, ok = s.Variant, games, true
		}
	}
	return v, ok
}

// courseAlt says what a chart of a rating shows.
func (r *request) courseAlt(chart string, course []bot.RatedGame) string {
	less := func(a, b bot.RatedGame) int { return whole(a.Points) - whole(b.Points) }
	first, last := course[0], course[len(course)-1]
	return r.Say("RatingsAlt", args{
		"Title": chart, "Count": len(course), "From": first.Ended.UTC().Format(time.DateOnly), "To": last.Ended.UTC().Format(time.DateOnly),
		"First": whole(first.Points), "Last": whole(last.Points),
		"Lowest": whole(slices.MinFunc(course, less).Points), "Highest": whole(slices.MaxFunc(course, less).Points),
	})
}
