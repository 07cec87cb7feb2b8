package discord

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/rules/study"
	"kraal/storage"
)

// postLater is after how long posts that failed are tried again.
const postLater = 5 * time.Minute

// poster posts each day's puzzle in the servers that want it. A post is kept after it is made: a crash between the two
// makes it again, and Discord takes that for the same by its nonce if it comes within minutes.
type poster struct {
	*Bot
	more chan struct{} // a server may want it now
}

func newPoster(b *Bot) *poster { return &poster{b, make(chan struct{}, 1)} }

// wake has it look again soon.
func (p *poster) wake() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// run posts until ctx ends: what is due at once, then at the beginning of each day.
func (p *poster) run(ctx context.Context) {
	for ctx.Err() == nil {
		next := study.NextDay(p.app.Clock.Now()) // before posting, which may last beyond it
		err := p.postAll(ctx)
		wait := next.Sub(p.app.Clock.Now())
		if err != nil && ctx.Err() == nil {
			p.log.Warn("puzzles not posted yet", "error", err)
			wait = min(wait, postLater)
		}
		select {
		case <-ctx.Done():
		case <-p.more:
		case <-p.app.Clock.After(wait):
		}
	}
}

// postAll posts where it is due, one server after the other. One that fails keeps no other from it.
func (p *poster) postAll(ctx context.Context) (err error) {
	due, err := p.app.PuzzlePosts(ctx)
	for _, s := range due {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err = errors.Join(err, p.post(ctx, s))
	}
	return err
}

// post posts in one server. Where that can never be, it is switched off there.
func (p *poster) post(ctx context.Context, s storage.Server) error {
	now := p.app.Clock.Now()
	number := study.DayNumber(now)
	message, err := p.dailyPost(ctx, s.ID, p.puzzles.Daily(now), now)
	if err != nil {
		return err
	}
	message.Nonce = "pz-" + s.Puzzles[max(0, len(s.Puzzles)-12):] + "-" + strconv.Itoa(number)
	_, err = p.wire.Post(ctx, s.Puzzles, message)
	var trouble *bot.Trouble
	off := errors.As(troubled(err), &trouble)
	if err != nil && !off {
		return err
	}
	if off {
		p.log.Warn("puzzles are posted no more", "server", s.ID, "channel", s.Puzzles, "why", trouble.Why)
	}
	return p.app.NotePuzzlePost(ctx, s.ID, s.Puzzles, number, off)
}

// dailyPost is the day's puzzle as everyone in a channel sees it. Whoever taps is answered alone.
func (b *Bot) dailyPost(ctx context.Context, server string, z study.Puzzle, now time.Time) (wire.Message, error) {
	say := b.words.In()
	painter, err := b.serverPainter(ctx, server)
	if err != nil {
		return wire.Message{}, err
	}
	file, err := paint(painter, questScene(z, study.Attempt{Position: z.Position}), say)
	if err != nil {
		return wire.Message{}, err
	}
	title := say.Say("PuzzleTitleDaily", args{"Variant": variantName(z.Variant, say), "Grade": stars(z.Grade)})
	q := quest{kind: puzzleDaily, number: study.DayNumber(now), puzzle: z}
	return wire.Message{
		Content: title + "\n" + goalLine(z, say) + "\n" + say.Say("PuzzleReset", args{"When": relative(study.NextDay(now))}),
		Files:   []wire.File{file},
		Components: row(button(say.Say("ButtonPuzzleSolve", nil), q.control(verbPuzzleNext).String(),
			discordgo.PrimaryButton)),
		Suppress: true,
	}, nil
}

// setPuzzles is /settings puzzles: without a channel none are posted. The first comes at once.
func (r *request) setPuzzles(ctx context.Context) error {
	err := r.setPlace(ctx, "SettingsPuzzlesSet", "SettingsPuzzlesOff", func(s *storage.Server, channel string) {
		if s.Puzzles != channel {
			s.Puzzles, s.PuzzleDay = channel, 0
		}
	})
	if err == nil {
		r.poster.wake()
	}
	return err
}
