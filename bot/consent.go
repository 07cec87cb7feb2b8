package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kraal/bot/match"
	"kraal/storage"
)

// UnwillingError refuses a game with somebody who takes no challenges: from anyone here, or from whoever asks. Which of
// the two it is nobody learns, least of all who was blocked.
type UnwillingError struct{ Who storage.Person }

func (e *UnwillingError) Error() string { return fmt.Sprintf("%s takes no challenges", e.Who.ID) }

// ErrBlockedMany refuses to block more people than a member's record should hold.
var ErrBlockedMany = errors.New("too many people are blocked")

// maxBlocked is how many people a member can block.
const maxBlocked = 200

// Block has a member take no challenges from somebody, in no server. What is being played goes on.
func (a *App) Block(ctx context.Context, member string, who storage.Person) error {
	return a.SetMember(ctx, member, func(m *storage.Member) error {
		m.Blocked = slices.DeleteFunc(m.Blocked, func(p storage.Person) bool { return p.ID == who.ID })
		if len(m.Blocked) >= maxBlocked {
			return ErrBlockedMany
		}
		m.Blocked = append(m.Blocked, who)
		return nil
	})
}

// Unblock has a member take challenges from somebody again. It tells whether they did not.
func (a *App) Unblock(ctx context.Context, member, who string) (was bool, err error) {
	err = a.SetMember(ctx, member, func(m *storage.Member) error {
		was = m.Blocks(who)
		m.Blocked = slices.DeleteFunc(m.Blocked, func(p storage.Person) bool { return p.ID == who })
		return nil
	})
	return was, err
}

// mayChallenge refuses a challenge to somebody who takes none in that server, or none from the challenger.
func (a *App) mayChallenge(ctx context.Context, t match.Terms) error {
	if t.Opponent.ID == "" || t.Opponent.ID == t.Challenger.ID {
		return nil
	}
	member, err := a.Member(ctx, t.Opponent.ID)
	if err != nil {
		return err
	}
	if member.Blocks(t.Challenger.ID) || slices.Contains(member.Closed, t.Server) {
		return &UnwillingError{Who: t.Opponent}
	}
	return nil
}

// mayMeet refuses what would begin a game with somebody who blocks whoever acts: to take up their challenge, open to
// anyone or made before, and to ask them for a rematch or agree to one. That they take no challenges in a server is no
// obstacle here, for this one they have made themselves.
func (a *App) mayMeet(ctx context.Context, m storage.Match, act match.Act) error {
	var other storage.Person
	switch act.Do.(type) {
	case match.Accept:
		other = m.Challenger
	case match.Rematch:
		for side, seat := range m.Seats {
			if seat.ID == act.By.ID {
				other = m.Seats[1-side].Person
			}
		}
	}
	if other.ID == "" || other.ID == act.By.ID {
		return nil
	}
	member, err := a.Member(ctx, other.ID)
	if err == nil && member.Blocks(act.By.ID) {
		err = &UnwillingError{Who: other}
	}
	return err
}
