package main

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"time"

	"kraal/bot"
	"kraal/rules"
	"kraal/rules/endgame"
	"kraal/rules/engine"
)

// engineConfig is how the bot itself plays.
type engineConfig struct {
	Hash    count    `toml:"hash"`
	Threads count    `toml:"threads"`
	Workers limit    `toml:"workers"`
	Time    duration `toml:"time"`
	Tables  string   `toml:"tables"`
}

const (
	mostWorkers = 8                   // that are begun unasked: each has a table of its own
	seenFirst   = time.Second         // for so long people see their own turn before the engine's comes
	weighed     = 3 * time.Second / 2 // and so much longer where a mill can be closed
)

// engine is the bot's own player, a new one for each worker. No two play alike. They look into the tables, which may be
// nil and must outlive them.
func (c config) engine(tables *endgame.Tables, m *meters) bot.Engine {
	workers := int(c.Engine.Workers)
	if workers == 0 {
		workers = max(1, min(runtime.GOMAXPROCS(0)-1, mostWorkers))
	}
	return bot.Engine{
		Workers: workers, Time: time.Duration(c.Engine.Time), Pause: seenFirst, Weigh: weighed,
		Player: func() bot.Player {
			return player{engine.New(engine.Options{
				Hash: int(c.Engine.Hash), Threads: int(c.Engine.Threads), Seed: rand.Uint64(), Tables: tables,
			}), m}
		},
	}
}

// player is the engine as the bot knows it.
type player struct {
	*engine.Engine
	m *meters
}

// Choose searches as that level does.
func (p player) Choose(ctx context.Context, g *rules.Game, level int, most time.Duration) (bot.Choice, error) {
	defer p.m.thought(level, time.Now())
	r, err := p.Think(ctx, g, engine.Limits{Level: level, Time: most}, nil)
	_, lost := r.Score.Loss()
	return bot.Choice{Action: r.Action, Score: int(r.Score), Lost: lost}, err
}

// openTables opens the endgame tables that there are. One that cannot be used is left out, for the bot plays without too.
func (c config) openTables(log *slog.Logger) *endgame.Tables {
	tables, err := endgame.Open(c.Engine.Tables)
	if err != nil {
		log.Warn("some endgame tables are not used", "why", err)
	}
	return tables
}
