package bot

import (
	"context"
	"errors"
	"time"

	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// NoticeKind is what a notice is about.
type NoticeKind string

// The kinds of notice.
const (
	NoticeTurn    NoticeKind = "turn"    // it is somebody's turn
	NoticeEnd     NoticeKind = "end"     // the match is over
	NoticeWarning NoticeKind = "warning" // the player to move has little time left
	NoticePause   NoticeKind = "pause"   // time has been given back
)

// Notice is something that people are to be told besides what the board shows.
type Notice struct {
	Kind  NoticeKind
	To    []storage.Person // whom it is for, and whom alone it mentions; those who want no notices are left out
	Pause storage.Pause    // of NoticePause: what was given back
}

// due is what a match's people are to be told next, and how the record says that it is done; again is when to try once
// more, or zero.
func due(t match.Table, now time.Time) (kind NoticeKind, done func(m *storage.Match, again time.Time)) {
	was := t.Match
	if pause, ok := was.UntoldPause(); ok {
		return NoticePause, func(m *storage.Match, again time.Time) {
			for i := range m.Pauses {
				if again.IsZero() && m.Pauses[i] == pause {
					m.Pauses[i].Untold = false
				}
			}
		}
	}
	if !was.WarnAt.IsZero() && !was.WarnAt.After(now) {
		return NoticeWarning, func(m *storage.Match, again time.Time) {
			if m.WarnAt.Equal(was.WarnAt) {
				m.WarnAt = again
			}
		}
	}
	kind = NoticeTurn
	if !was.Live() {
		kind = NoticeEnd
	}
	return kind, func(m *storage.Match, again time.Time) {
		if m.NoticeAt.Equal(was.NoticeAt) {
			m.NoticeAt = again
		}
	}
}

// notify tells people what is due, and notes that this is done. A notice that cannot be sent now is tried again later;
// one that can never be sent is let go.
func (a *App) notify(ctx context.Context, m storage.Match) error {
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	kind, done := due(t, a.Clock.Now())
	n := Notice{Kind: kind}
	n.Pause, _ = m.UntoldPause()
	if n.To, err = a.wanting(ctx, t, Addressees(t, kind)); err != nil {
		return err
	}
	again := time.Time{}
	sent, err := a.sendNotice(ctx, m, n)
	sentIn := m.Channel
	var trouble *Trouble
	switch {
	case errors.As(err, &trouble):
		a.Log.Warn("no notice", "game", m.ID, "why", trouble.Why)
	case err != nil && kind == NoticePause:
		return err // it has no time of its own: the match is left alone for a while
	case err != nil:
		a.Log.Warn("no notice yet", "game", m.ID, "error", err)
		again, sent, sentIn = a.Clock.Now().Add(sweepLater).UTC(), m.Shown.Notice, m.Shown.NoticeIn
	}
	return a.note(ctx, m.ID, func(now *storage.Match) {
		now.Shown.Notice, now.Shown.NoticeIn = sent, sentIn
		done(now, again)
	})
}

func (a *App) sendNotice(ctx context.Context, m storage.Match, n Notice) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	return a.screen.Notify(ctx, m, n)
}

// wanting leaves out who wants no notices.
func (a *App) wanting(ctx context.Context, t match.Table, sides []rules.Side) (to []storage.Person, err error) {
	for _, side := range sides {
		member, err := a.Member(ctx, t.Match.Seats[side].ID)
		if err != nil {
			return nil, err
		}
		if !member.Quiet {
			to = append(to, t.Match.Seats[side].Person)
		}
	}
	return to, nil
}

// Addressees are the sides that a notice is for. Of a turn and a warning: the one to move. Of the end: the one who did not
// bring it about, or both, where it was time that did. Of time given back: both, the one to move first.
func Addressees(t match.Table, kind NoticeKind) []rules.Side {
	mover := t.ToMove()
	switch {
	case kind == NoticePause, kind == NoticeEnd && t.Match.Reason == rules.Timeout:
		return []rules.Side{mover, mover.Opponent()}
	case kind == NoticeEnd:
		return []rules.Side{hearsOfEnd(t)}
	}
	return []rules.Side{mover}
}

// hearsOfEnd is the side that did not act last in a game that people ended.
func hearsOfEnd(t match.Table) rules.Side {
	if t.Match.Ending == storage.Aborted {
		return t.ToMove().Opponent() // who was there, and waited
	}
	if winner, ok := t.Match.Result.Winner(); ok && t.Match.Reason == rules.Resignation {
		return winner
	}
	if by, ok := match.Offerer(t.Match, storage.OfferDraw); ok && t.Match.Reason == rules.Agreement {
		return by
	}
	if last, ok := t.LastTurn(); ok {
		return last.Side.Opponent()
	}
	return rules.White
}
