package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kraal/bot/match"
	"kraal/storage"
)

// ErrLeaving: what is kept of one of the people concerned is being deleted, and nothing new is begun until that is done.
var ErrLeaving = errors.New("somebody's data are being deleted")

// aliasLetters are as many as make it certain that no two who leave are taken for one.
const aliasLetters = 12

// Leave has everything that is kept of a member deleted. When it returns without error that is certain to happen; it is
// done meanwhile, and after a restart. To ask twice changes nothing.
func (a *App) Leave(ctx context.Context, member string) error {
	suffix := make([]byte, aliasLetters)
	for i := range suffix {
		suffix[i] = alphabet[a.Random(len(alphabet))]
	}
	f := storage.Farewell{Member: member, Alias: storage.Alias(string(suffix)), Asked: a.Clock.Now().UTC()}
	err := a.commit(ctx, storage.Changes{Expect: []storage.Expect{{Key: f.Key()}}, Put: []storage.Record{f}})
	if err != nil && !errors.Is(err, ErrLeaving) {
		return fmt.Errorf("keep a farewell: %w", err)
	}
	select {
	case a.parted <- struct{}{}:
	default:
	}
	return nil
}

// Stakes is what becomes of a member's live matches if they leave now.
type Stakes struct {
	Lost      int // games in which both have made a turn: they end as resigned
	CalledOff int // other games
	Withdrawn int // challenges, by them and to them
}

// Stakes counts what a member would leave behind.
func (a *App) Stakes(ctx context.Context, member string) (s Stakes, err error) {
	live, err := a.matches(ctx, storage.OfMember(member), maxLive)
	for _, m := range live {
		switch {
		case m.State == storage.Challenged:
			s.Withdrawn++
		case match.LosesByLeaving(m):
			s.Lost++
		default:
			s.CalledOff++
		}
	}
	return s, err
}

// staying makes changes that name people wait for their farewells: while one stands, commit refuses with ErrLeaving. So
// nothing of somebody can be kept behind the back of those who delete it.
func staying(c *storage.Changes, ids ...string) {
	for _, id := range ids {
		e := storage.Expect{Key: storage.FarewellKey(id)}
		if id != "" && !slices.Contains(c.Expect, e) {
			c.Expect = append(c.Expect, e)
		}
	}
}

// stayingFor is staying for the people whom an act needs: whoever acts, and all whom it brings together.
func stayingFor(c *storage.Changes, act match.Act, out match.Outcome) {
	if _, leaves := act.Do.(match.Leave); !leaves {
		staying(c, act.By.ID)
	}
	if joins(act) {
		staying(c, out.Match.Members()...)
	}
	if out.New != nil {
		staying(c, out.New.Members()...)
	}
}

// leavingOr is ErrLeaving where a commit was refused because of a farewell.
func leavingOr(err error) error {
	var conflict *storage.ConflictError
	if errors.As(err, &conflict) && conflict.Key.Kind == storage.KindFarewell {
		return ErrLeaving
	}
	return err
}

// refused tells whether a commit certainly changed nothing.
func refused(err error) bool {
	return errors.Is(err, storage.ErrConflict) || errors.Is(err, ErrLeaving)
}
