package ugi

import (
	"context"
	"errors"
	"strconv"

	"kraal/rules"
)

// readDepth reads the one argument of perft.
func readDepth(args []string) (int, error) {
	if len(args) == 1 {
		if depth, err := strconv.Atoi(args[0]); err == nil && depth >= 0 {
			return depth, nil
		}
	}
	return 0, errors.New("perft: expected a number of actions, 0 or more")
}

// perft counts from the present position.
func (s *session) perft(args []string) (longCommand, error) {
	depth, err := readDepth(args)
	if err != nil {
		return nil, err
	}
	v, p := s.game.Variant(), s.game.Position()
	return func(ctx context.Context, say func(string)) {
		n, err := countUntil(ctx, v, p, depth)
		if err != nil {
			say(failure(errors.New("perft: stopped"))[0])
			return
		}
		say("nodes " + strconv.FormatUint(n, 10))
	}, nil
}

// atOnce is the depth that is counted without looking whether to stop: some milliseconds.
const atOnce = 4

// countUntil is Variant.Perft, given up when ctx ends.
func countUntil(ctx context.Context, v rules.Variant, p rules.Position, depth int) (n uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if depth <= atOnce {
		return v.Perft(p, depth), nil
	}
	for _, a := range v.Legal(p) {
		next, err := v.Play(p, a)
		if err != nil {
			return 0, err
		}
		below, err := countUntil(ctx, v, next, depth-1)
		if err != nil {
			return 0, err
		}
		n += below
	}
	return n, nil
}
