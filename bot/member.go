package bot

import (
	"context"
	"errors"
	"fmt"

	"kraal/storage"
)

// Member reads what a member has chosen; somebody who has chosen nothing is their id alone.
func (a *App) Member(ctx context.Context, id string) (storage.Member, error) {
	member, _, err := a.member(ctx, id)
	return member, err
}

func (a *App) member(ctx context.Context, id string) (member storage.Member, version storage.Version, err error) {
	member.ID = id
	err = a.Store.View(ctx, func(r storage.Reader) error {
		stored, err := r.Get(storage.MemberKey(id))
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			member, version = stored.Record.(storage.Member), stored.Version
		}
		return err
	})
	return member, version, err
}

// SetMember changes what a member has chosen. Where somebody else was faster the change is made again, on what they
// left; an error of the change itself ends it, and nothing is kept.
func (a *App) SetMember(ctx context.Context, id string, change func(*storage.Member) error) error {
	for range attempts {
		member, version, err := a.member(ctx, id)
		if err != nil {
			return err
		}
		if err := change(&member); err != nil {
			return err
		}
		changes := storage.Changes{
			Expect: []storage.Expect{{Key: member.Key(), Version: version}},
			Put:    []storage.Record{member},
		}
		staying(&changes, id)
		err = a.commit(ctx, changes)
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("member %s: %w", id, storage.ErrConflict)
}
