package bot

import (
	"context"
	"errors"

	"kraal/bot/match"
	"kraal/storage"
)

// Why no game is found.
var (
	ErrNoGame = errors.New("no game to be meant")                  // the member has none that could be
	ErrDirect = errors.New("the game is in direct messages alone") // and whoever asks is in a server
)

// WhichError asks which of several games is meant.
type WhichError struct{ Matches []storage.Match }

func (e *WhichError) Error() string { return "several games could be meant" }

// Asker is who asks, and where.
type Asker struct{ Member, Server, Channel string }

const (
	maxGames = 100  // how many matches a list shows
	maxLive  = 1000 // how many of a member's are looked through: challenges by others, which bind nobody, may be many
)

// Find tells which game is meant. With an id, that one. Without, in a game's own thread that game, whoever plays it; else
// the member's game in this channel, if several there the one in which it is their turn; if none there, their only one
// anywhere in which it is, or their only one at all. Else it refuses with ErrNoGame or a *WhichError: which game is meant
// is never guessed.
func (a *App) Find(ctx context.Context, who Asker, id string) (storage.Match, error) {
	if id != "" {
		return a.Visible(ctx, who, id)
	}
	if m, ok, err := a.inThread(ctx, who); ok || err != nil {
		return m, err
	}
	playing, here, err := a.playing(ctx, who)
	if err != nil {
		return storage.Match{}, err
	}
	candidates := here
	if len(here) != 1 {
		if len(here) == 0 {
			candidates = playing
		}
		turn := keep(candidates, func(m storage.Match) bool { return isTurn(m, who.Member) })
		if len(turn) > 0 || len(here) == 0 {
			candidates = turn
		}
	}
	switch {
	case len(candidates) == 1:
		return candidates[0], nil
	case len(playing) == 1: // no other could be meant
		return playing[0], nil
	case len(playing) == 0:
		return storage.Match{}, ErrNoGame
	case len(candidates) == 0:
		candidates = playing
	}
	return storage.Match{}, &WhichError{Matches: candidates}
}

// FindToEnd is Find for what ends a game: of several in a channel, or anywhere where there is none here, it takes none
// for the one meant because it is somebody's turn, and asks.
func (a *App) FindToEnd(ctx context.Context, who Asker, id string) (storage.Match, error) {
	if id != "" {
		return a.Visible(ctx, who, id)
	}
	playing, here, err := a.playing(ctx, who)
	if err != nil {
		return storage.Match{}, err
	}
	switch {
	case len(here) == 1:
		return here[0], nil
	case len(playing) == 0:
		return storage.Match{}, ErrNoGame
	case len(playing) == 1:
		return playing[0], nil
	}
	return storage.Match{}, &WhichError{Matches: playing}
}

// playing lists the games that a member plays, and those of them that are in the channel. One in direct messages is
// meant there alone: in a server, what a member plays by themselves is not even named.
func (a *App) playing(ctx context.Context, who Asker) (all, here []storage.Match, err error) {
	live, err := a.matches(ctx, storage.OfMember(who.Member), maxLive)
	all = keep(live, func(m storage.Match) bool { return m.State == storage.Playing && !who.outside(m) })
	return all, keep(all, func(m storage.Match) bool { return in(m, who.Channel) }), err
}

// outside tells whether who asks is in a server, and the game in direct messages.
func (who Asker) outside(m storage.Match) bool { return who.Server != "" && m.Server == "" }

// Named lists the live matches that a member could name where they are, newest first.
func (a *App) Named(ctx context.Context, who Asker) ([]storage.Match, error) {
	live, err := a.matches(ctx, storage.OfMember(who.Member), maxLive)
	return keep(live, func(m storage.Match) bool { return !who.outside(m) }), err
}

// NamedFinished lists the finished matches that a member could name where they are, newest first, at most limit of them.
// So as not to read a whole life of games in direct messages for a few in servers, it looks no further back than a page of
// a list.
func (a *App) NamedFinished(ctx context.Context, who Asker, limit int) ([]storage.Match, error) {
	last, err := a.LastFinished(ctx, who.Member, max(limit, maxGames))
	last = keep(last, func(m storage.Match) bool { return !who.outside(m) })
	return last[:min(limit, len(last))], err
}

// Visible gives the match with that id to somebody who may see it: to its players, to others in its server. To anyone
// else it does not exist. With ErrDirect it gives the match that is its player's, but not here.
func (a *App) Visible(ctx context.Context, who Asker, id string) (storage.Match, error) {
	stored, err := a.load(ctx, ReadID(id))
	if err != nil {
		return storage.Match{}, err
	}
	m := stored.Record.(storage.Match)
	for _, member := range m.Members() {
		switch {
		case member != who.Member:
		case who.outside(m):
			return m, ErrDirect
		default:
			return m, nil
		}
	}
	if m.Server != "" && m.Server == who.Server {
		return m, nil
	}
	return storage.Match{}, ErrUnknownGame
}

// Mine lists a member's live matches, newest first.
func (a *App) Mine(ctx context.Context, member string) ([]storage.Match, error) {
	return a.matches(ctx, storage.OfMember(member), maxGames)
}

// InServer lists the games in play in a server, newest first.
func (a *App) InServer(ctx context.Context, server string) ([]storage.Match, error) {
	return a.matches(ctx, storage.OfServer(server), maxGames)
}

// FinishedIn lists a server's finished games, the last to end first.
func (a *App) FinishedIn(ctx context.Context, server string, limit int) ([]storage.Match, error) {
	return a.matches(ctx, storage.FinishedIn(server), limit)
}

// LastFinished lists a member's finished matches, newest first.
func (a *App) LastFinished(ctx context.Context, member string, limit int) ([]storage.Match, error) {
	return a.matches(ctx, storage.FinishedOf(member), limit)
}

func in(m storage.Match, channel string) bool {
	return m.Channel == channel || m.Shown.Channel == channel
}

func isTurn(m storage.Match, member string) bool {
	t, err := match.Look(m)
	return err == nil && m.Seats[t.ToMove()].ID == member
}

func keep(ms []storage.Match, want func(storage.Match) bool) (kept []storage.Match) {
	for _, m := range ms {
		if want(m) {
			kept = append(kept, m)
		}
	}
	return kept
}
