package bot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kraal/rules"
	"kraal/storage"
)

// Why a house rule is refused. A column or a value that cannot be is a *rules.ColumnError.
var (
	ErrHouseName    = errors.New("a house rule needs a name with letters or digits, and not too many")
	ErrHouseTaken   = errors.New("that name belongs to another game")
	ErrHouseSame    = errors.New("the house rule changes nothing")
	ErrHouseUnknown = errors.New("no such house rule")
	ErrTooMany      = errors.New("more than are kept")
)

const (
	maxHouse     = 20 // house rules of a server
	maxHouseName = 32 // characters
)

// House makes a game of another by changing columns, "flies=false pieces=11", under a name and a key of its own. The
// errors are *rules.ColumnError, ErrHouseName, ErrHouseTaken (the key is one of the six) and ErrHouseSame.
func House(key, name string, base rules.Variant, changes string) (rules.Variant, error) {
	if _, taken := rules.Lookup(key); taken {
		return rules.Variant{}, ErrHouseTaken
	}
	if key == "" || HouseKey(key) != key || utf8.RuneCountInString(name) > maxHouseName || strings.TrimSpace(name) == "" {
		return rules.Variant{}, ErrHouseName
	}
	v, err := base.With(changes)
	if err != nil {
		return rules.Variant{}, err
	}
	if v.Changes() == "" {
		return rules.Variant{}, ErrHouseSame
	}
	v.Key, v.Name = key, name
	if v.Base == "" {
		v.Base = base.Key
	}
	return v, v.Validate()
}

// HouseKey is the key that a name gives: its letters and digits in lower case, with a hyphen for whatever stands between
// them. It holds nothing by which keys are told apart from what stands beside them.
func HouseKey(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

// AddHouse gives a server a game of its own, or replaces its game of that name. Games that have begun keep the rules
// which they began with. Errors: those of House, ErrHouseTaken also for what is offered everywhere, ErrTooMany.
func (a *App) AddHouse(ctx context.Context, server, name string, base rules.Variant, changes string) (rules.Variant, error) {
	v, err := House(HouseKey(name), name, base, changes)
	if err != nil {
		return v, err
	}
	for _, other := range slices.Concat(rules.Variants(), a.Offers) {
		if other.Key == v.Key || strings.EqualFold(other.Name, v.Name) {
			return v, ErrHouseTaken
		}
	}
	return v, a.SetSettings(ctx, server, func(s *storage.Server) error {
		kept := storage.HouseRule{Key: v.Key, Variant: v}
		if i := slices.IndexFunc(s.House, func(h storage.HouseRule) bool { return h.Key == v.Key }); i >= 0 {
			s.House[i] = kept
			return nil
		}
		if len(s.House) >= maxHouse {
			return ErrTooMany
		}
		s.House = append(s.House, kept)
		return nil
	})
}

// RemoveHouse takes a game of its own from a server, and gives what it was. Its ladder is kept, should the game come back.
func (a *App) RemoveHouse(ctx context.Context, server, key string) (v rules.Variant, err error) {
	err = a.SetSettings(ctx, server, func(s *storage.Server) error {
		known := false
		if v, known = s.HouseRule(key); !known {
			return ErrHouseUnknown
		}
		s.House = slices.DeleteFunc(s.House, func(h storage.HouseRule) bool { return h.Key == key })
		if s.Variant == key {
			s.Variant = ""
		}
		return nil
	})
	return v, err
}
