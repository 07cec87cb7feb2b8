package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"kraal/bot"
	"kraal/bot/discord"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/rating"
	"kraal/render"
	"kraal/rules/endgame"
	"kraal/rules/study"
	"kraal/storage/boltstore"
)

type runCmd struct{}

// Run runs the bot on Discord, or in the sandbox where there is no token.
func (runCmd) Run(p *program) error {
	c, log, err := p.setUp()
	if err != nil {
		return err
	}
	if c.Discord.Token == "" {
		fmt.Fprintln(p.out, "No Discord token is set.")
		return p.inSandbox(c, log, sandboxCmd{})
	}
	return p.serve(c, log, c.Storage.Path)
}

// setUp reads the config and makes the log.
func (p *program) setUp() (config, *slog.Logger, error) {
	c, warnings, err := loadConfig(p.config, p.environ)
	if err != nil {
		return c, nil, err
	}
	log := newLog(p.err, c.Log)
	for _, w := range warnings {
		log.Warn(w)
	}
	return c, log, nil
}

// newLog is text on a terminal and JSON elsewhere, unless the config says which.
func newLog(w io.Writer, c logConfig) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // read by the config already
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "json" || c.Format == "auto" && !isTerminal(w) {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// serve wires the rooms together and runs them until the context ends.
func (p *program) serve(c config, log *slog.Logger, path string) error {
	store, err := boltstore.Open(path, boltstore.Options{Log: log})
	if err != nil {
		return err
	}
	defer func() {
		if err := store.Close(); err != nil {
			log.Error("store not closed", "error", err)
		}
	}()
	defer offerCopies(p.ctx, path, store, log)()
	offers, err := c.Variants.list()
	if err != nil {
		return err // checked where the file was read
	}
	m := newMeters()
	tables := c.openTables(log)
	defer tables.Close()
	app := bot.New(bot.Config{
		Store: m.store(store), Clock: bot.SystemClock{}, Random: rand.IntN, Log: log, Ratings: rating.Standard(), Limits: c.limits(),
		Engine: c.engine(tables, m), Offers: offers,
		Keep: bot.Retention{Games: c.Storage.KeepGames.span(), Challenges: c.Storage.KeepChallenges.span()}, Forgot: m.forgot,
	})
	b, err := newBot(c, log, m, discord.Config{App: app, Study: c.Study.bounds(tables)})
	if err != nil {
		return err
	}
	stop, err := p.watchOver(c, m, &health{began: time.Now(), path: path, store: store, gateway: b.Gateway}, log)
	if err != nil {
		return err
	}
	defer stop()
	log.Info("kraal begins", "version", version(), "store", path)
	return p.ended(b.Run(p.ctx), log)
}

// ended is what the bot's end means for whoever runs it.
func (p *program) ended(err error, log *slog.Logger) error {
	var fatal *wire.FatalError
	if errors.As(err, &fatal) {
		return &refusedError{fatal}
	}
	if p.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil
	}
	log.Info("kraal ends")
	return err
}

// refusedError is Discord's refusal of the bot, in words for whoever runs it. Starting again mends nothing, and each try
// counts against the bot's token.
type refusedError struct{ no *wire.FatalError }

func (e *refusedError) Error() string { return strings.TrimSuffix(e.no.Why, ".") + ". " + e.no.Do }

// Unwrap is the refusal itself.
func (e *refusedError) Unwrap() error { return e.no }

// grace is how long what was begun may take at the end: with what closing the connection takes, at most three seconds, the
// process is gone within the ten that service managers and containers wait.
const grace = 5 * time.Second

// newBot is the bot as Discord sees it, from what about says of it and the config.
func newBot(c config, log *slog.Logger, m *meters, about discord.Config) (*discord.Bot, error) {
	catalogue, err := words.Load()
	if err != nil {
		return nil, err
	}
	painters, err := newPainters()
	if err != nil {
		return nil, err
	}
	for theme, painter := range painters {
		painters[theme] = m.painter(painter)
	}
	about.Words, about.Painter, about.Themes, about.Log, about.Greet = catalogue, painters[string(render.Wood)], painters, log, true
	about.TestServer = string(c.Discord.TestServer)
	about.Wire = wire.Config{
		Token: c.Discord.Token, API: string(c.Discord.API), Log: log, Now: time.Now, Version: version(), Shards: c.Discord.served(),
		Sent: m.sent, Handled: m.handled, Grace: grace,
	}
	return discord.New(about)
}

// newPainters makes one for each theme.
func newPainters() (map[string]discord.Painter, error) {
	painters := map[string]discord.Painter{}
	for _, theme := range render.Themes() {
		painter, err := render.New(render.Options{Theme: theme})
		if err != nil {
			return nil, err
		}
		painters[string(theme)] = painter
	}
	return painters, nil
}

func (c config) limits() bot.Limits {
	return bot.Limits{
		Games: int(c.Bot.MaxGames), ChallengeStays: time.Duration(c.Bot.ChallengeExpires), NoticeAfter: time.Duration(c.Bot.NoticeAfter),
		GamesInChannel: int(c.Bot.MaxGamesChannel), GamesInServer: int(c.Bot.MaxGamesServer),
		ChallengesAMinute: int(c.Bot.ChallengesPerMinute),
		RatedPerPair:      int(c.Bot.RatedGamesPerPair),
		FirstTurn:         time.Duration(c.Bot.FirstTurn), Abandoned: time.Duration(c.Bot.AbandonedAfter),
	}
}

// bounds are those of the thinking for people, who see what the tables know.
func (c studyConfig) bounds(tables *endgame.Tables) discord.Study {
	return discord.Study{
		Adviser: func() *study.Adviser { return study.NewAdviser(int(c.Hash), tables) },
		Workers: int(c.Workers), Hash: int(c.Hash), HintTime: time.Duration(c.HintTime),
		AnalysisTime: time.Duration(c.AnalysisTime), AnalysisNodes: int(c.AnalysisNodes), MineTime: time.Duration(c.MineTime),
	}
}
