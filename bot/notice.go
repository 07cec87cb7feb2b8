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
	NoticeCall    NoticeKind = "call"    // the arbiter calls the time that is left
	NoticeClaim   NoticeKind = "claim"   // the player to move has been silent for so long that the other may end the game
	NoticePause   NoticeKind = "pause"   // time has been given back
	NoticeSilence NoticeKind = "silence" // a channel takes no announcements, and gets none any more
)

// Notice is something that people are to be told besides what the board shows.
type Notice struct {
	Kind  NoticeKind
	To    []storage.Person // whom it is for, and whom alone it mentions; those who want no notices are left out
	Aloud bool             // it is said even if it is for nobody
	Words bool             // one of them is told each position in words
	Pause storage.Pause    // of NoticePause: what was given back

	Channel string // of NoticeSilence: which
}

// due is what a match's people are to be told next, and how the record says that it is done; again is when to try once
// more, or zero.
func due(t match.Table, now time.Time) (kind NoticeKind, done func(m *storage.Match, again time.Time)) {
	was := t.Match
	if pause, ok := was.UntoldPause(); ok {
		return NoticePause, func(m *storage.Match, _ time.Time) {
			for i := range m.Pauses {
				if p := &m.Pauses[i]; p.Why == pause.Why && p.To.Equal(pause.To) {
					p.Untold = false
				}
			}
			if m.State == storage.Playing && m.NoticeAt.Equal(was.NoticeAt) {
				m.NoticeAt = time.Time{} // it says whose turn it is: another notice would take its place before it is read
			}
		}
	}
	if !was.WarnAt.IsZero() && !was.WarnAt.After(now) {
		return warningKind(t), func(m *storage.Match, again time.Time) {
			if !m.WarnAt.Equal(was.WarnAt) {
				return
			}
			if m.WarnAt = again; again.IsZero() {
				m.WarnAt = t.NextWarning(now)
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

// warningKind is what there is to be warned of, by what runs out.
func warningKind(t match.Table) NoticeKind {
	switch t.Reading().Runs {
	case match.Counted:
		return NoticeCall
	case match.Stopped:
		return NoticeClaim
	}
	return NoticeWarning
}

// notify tells people what is due, and notes that this is done. A notice that cannot be sent now is tried again later;
// one that can never be sent is let go.
func (a *App) notify(ctx context.Context, m storage.Match) error {
	t, err := match.Look(m)
	if err != nil {
		return err
	}
	now := a.Clock.Now().UTC()
	kind, done := due(t, now)
	if when := t.SilentSince().Add(a.Limits.Abandoned); kind == NoticeClaim && when.After(now) {
		return a.note(ctx, m.ID, func(m *storage.Match) { done(m, when) }) // they have done something meanwhile
	}
	n := Notice{Kind: kind, Aloud: kind == NoticeCall}
	n.Pause, _ = m.UntoldPause()
	if err := a.address(ctx, t, &n); err != nil {
		return err
	}
	if kind == NoticeEnd {
		again, err := a.announce(ctx, m)
		if err != nil || !again.IsZero() {
			return errors.Join(err, a.note(ctx, m.ID, func(m *storage.Match) { done(m, again) }))
		}
	}
	sent, again, err := a.sendNotice(ctx, m, n)
	if errors.Is(err, errShut) {
		return a.leaveThread(ctx, m.ID) // and say it there
	}
	if err != nil {
		return err
	}
	return a.note(ctx, m.ID, func(m *storage.Match) {
		m.Shown.Notice, m.Shown.NoticeIn = sent.Notice, sent.NoticeIn
		done(m, again)
	})
}

// sendNotice tells which notice stands after that, and when to try once more if this failed.
func (a *App) sendNotice(ctx context.Context, m storage.Match, n Notice) (sent storage.Shown, again time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	id, err := a.screen.Notify(ctx, m, n)
	sent = storage.Shown{Notice: id, NoticeIn: m.Place()}
	var trouble *Trouble
	switch {
	case err == nil:
		return sent, again, nil
	case errors.As(err, &trouble) && m.InThread():
		return sent, again, errShut
	case errors.As(err, &trouble):
		a.Log.Warn("no notice", "game", m.ID, "server", m.Server, "why", trouble.Why)
		return sent, again, nil
	case n.Kind == NoticePause:
		return sent, again, err // it has no time of its own: the match is left alone for a while
	case n.Kind != NoticeCall: // the next call comes sooner than another attempt
		again = a.Clock.Now().UTC().Add(sweepLater)
	}
	a.Log.Warn("no notice yet", "game", m.ID, "server", m.Server, "error", err)
	return m.Shown, again, nil
}

// address finds out whom a notice is for: who wants no notices, or no warnings, is left out.
func (a *App) address(ctx context.Context, t match.Table, n *Notice) error {
	for _, side := range Addressees(t, n.Kind) {
		if seat := t.Match.Seats[side]; seat.Left() || seat.Level > 0 {
			continue // there is nobody to tell
		}
		member, err := a.Member(ctx, t.Match.Seats[side].ID)
		if err != nil {
			return err
		}
		unwanted := member.Quiet
		if n.Kind == NoticeWarning || n.Kind == NoticeCall {
			unwanted = member.Unwarned
		}
		if !unwanted {
			n.To = append(n.To, t.Match.Seats[side].Person)
			n.Words = n.Words || member.Words
		}
	}
	return nil
}

// Addressees are the sides that a notice is for. Of a turn, a warning and a call: the one to move. That the game may be
// claimed: the other. Of the end: the one who did not bring it about, or both, where it was time or a referee that did. Of
// time given back: both, the one to move first.
func Addressees(t match.Table, kind NoticeKind) []rules.Side {
	mover := t.ToMove()
	switch {
	case kind == NoticePause, kind == NoticeEnd && endedByOthers(t.Match):
		return []rules.Side{mover, mover.Opponent()}
	case kind == NoticeEnd:
		return []rules.Side{hearsOfEnd(t)}
	case kind == NoticeClaim:
		return []rules.Side{mover.Opponent()}
	}
	return []rules.Side{mover}
}

// endedByOthers tells whether neither player brought the end about.
func endedByOthers(m storage.Match) bool {
	return m.Reason == rules.Timeout || m.Reason == rules.Adjudication || m.Ending == storage.Voided
}

// hearsOfEnd is the side that did not act last in a game that people ended.
func hearsOfEnd(t match.Table) rules.Side {
	switch t.Match.Ending {
	case storage.Aborted:
		return t.ToMove().Opponent() // who was there, and waited
	case storage.CalledOff:
		return match.CalledOffBy(t.Match).Opponent()
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
