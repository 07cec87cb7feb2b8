package bot

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kraal/bot/match"
	"kraal/storage"
)

// Limits bound what members can set going, and time what happens by itself.
type Limits struct {
	Games             int           // live matches a member may take part in at once
	GamesInChannel    int           // games in play in one channel; 0: as many as they like
	GamesInServer     int           // games in play in one server; 0: as many as they like
	ChallengesAMinute int           // that a member may make; 0: as many as they like
	RatedPerPair      int           // rated games of the same two within a day; 0: as many as they like
	ChallengeStays    time.Duration // how long a challenge waits for an answer
	NoticeAfter       time.Duration // how long a player has to act before being told of their turn
	FirstTurn         time.Duration // how long a player has for a first turn before a live clock starts
	Abandoned         time.Duration // without a clock, how long a player may be silent before the other can end the game
}

// DefaultLimits are those that stand where the config says nothing.
func DefaultLimits() Limits {
	return Limits{
		Games: 20, ChallengesAMinute: 5, RatedPerPair: 10, ChallengeStays: 24 * time.Hour, NoticeAfter: 15 * time.Second,
		FirstTurn: 5 * time.Minute, Abandoned: 3 * 24 * time.Hour,
	}
}

// BusyError refuses a further match to somebody who has enough of them.
type BusyError struct{ Limit int }

func (e *BusyError) Error() string { return fmt.Sprintf("takes part in %d matches already", e.Limit) }

// FullError refuses a further game where enough are being played.
type FullError struct {
	Limit  int
	Server bool // in the whole server; else in the channel
}

func (e *FullError) Error() string { return fmt.Sprintf("%d games are being played there", e.Limit) }

// PaceError refuses a challenge to somebody who makes too many.
type PaceError struct {
	Limit int       // challenges within a minute
	When  time.Time // when they may make another
}

func (e *PaceError) Error() string {
	return fmt.Sprintf("%d challenges within a minute; the next at %s", e.Limit, e.When.Format(time.RFC3339))
}

// paceSpan is the time in which a member's challenges are counted.
const paceSpan = time.Minute

// pace remembers when members made their last challenges. It is not kept on disk: a restart forgets a minute, no more.
type pace struct {
	mu     sync.Mutex
	made   map[string][]time.Time
	pruned time.Time
}

// check refuses with *PaceError.
func (p *pace) check(member string, now time.Time, limit int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.pruned) >= paceSpan {
		for id, made := range p.made {
			if p.made[id] = since(made, now); len(p.made[id]) == 0 {
				delete(p.made, id)
			}
		}
		p.pruned = now
	}
	made := since(p.made[member], now)
	if limit == 0 || len(made) < limit {
		return nil
	}
	return &PaceError{Limit: limit, When: made[len(made)-limit].Add(paceSpan)}
}

func (p *pace) note(member string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == nil {
		p.made = map[string][]time.Time{}
	}
	p.made[member] = append(since(p.made[member], now), now)
}

// since leaves out the times that count no more.
func since(made []time.Time, now time.Time) []time.Time {
	for len(made) > 0 && now.Sub(made[0]) >= paceSpan {
		made = made[1:]
	}
	return made
}

// begins tells whether an act may begin a further game where the match is.
func begins(act match.Act) bool {
	_, rematch := act.Do.(match.Rematch)
	return rematch || joins(act)
}

// ofServer names the lock under which a server's games become more.
func ofServer(id string) string { return "server " + id }

// lockServer waits for the lock of a server in which games are counted. Channels have none of their own: a game may
// move from one to another.
func (a *App) lockServer(server string) (unlock func()) {
	if server == "" || !a.countsPlaces() {
		return func() {}
	}
	return a.locks.lock(ofServer(server))
}

func (a *App) countsPlaces() bool { return a.Limits.GamesInChannel > 0 || a.Limits.GamesInServer > 0 }

// checkRoom refuses a further game with *FullError where enough are being played.
func (a *App) checkRoom(ctx context.Context, server, channel string) error {
	if server == "" {
		return nil
	}
	if most := a.Limits.GamesInServer; most > 0 {
		playing, err := a.matches(ctx, storage.OfServer(server), most)
		if err != nil {
			return err
		}
		if len(playing) >= most {
			return &FullError{Limit: most, Server: true}
		}
	}
	most := a.Limits.GamesInChannel
	if most == 0 {
		return nil
	}
	live, err := a.matches(ctx, storage.OfChannel(channel), maxLive)
	if err != nil {
		return err
	}
	playing := keep(live, func(m storage.Match) bool { return m.State == storage.Playing && m.Channel == channel })
	if len(playing) >= most {
		return &FullError{Limit: most}
	}
	return nil
}
