package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kraal/rules"
)

// rival is a player of a match.
type rival interface {
	chooser
	begin(ctx context.Context) error // before each game
	end()                            // after the last
	account() account                // complete after end
}

// account is what a rival has used.
type account struct {
	time    time.Duration // of processors; 0: cannot be told
	actions int
}

func (a account) String() string {
	if a.time == 0 {
		return fmt.Sprintf("not measured, in %d actions", a.actions)
	}
	each := a.time / time.Duration(max(1, a.actions))
	return fmt.Sprintf("%.1f s in %d actions (%.1f ms each)", a.time.Seconds(), a.actions, each.Seconds()*1000)
}

// series is a match: pairs of games, until all openings have been played or the test has decided.
type series struct {
	rivals     [2]rival
	openings   []*rules.Game
	test       *sprt     // nil: none
	games      io.Writer // of the records; nil: not wanted
	out        io.Writer
	progress   io.Writer
	faultsLeft int

	tally  tally
	faults [2]int
}

// play plays the match and prints the result, also when a fault ends it.
func (s *series) play(ctx context.Context) error {
	defer s.end()
	var err error
	for i, opening := range s.openings {
		if err = s.pair(ctx, opening); err != nil {
			break
		}
		if tenth := max(1, len(s.openings)/10); (i+1)%tenth == 0 {
			fmt.Fprintf(s.progress, "%d of %d pairs, %d-%d-%d%s\n", i+1, len(s.openings), s.tally.won, s.tally.drawn,
				s.tally.lost, s.test.describe(s.tally.pairs))
		}
		if s.test.verdict(s.tally.pairs) != undecided {
			break
		}
	}
	s.end() // before the accounts are read
	if len(s.tally.pairs) > 0 {
		err = errors.Join(err, s.print())
	}
	return err
}

// pair plays an opening twice, with the colours changed. Only a whole pair counts.
func (s *series) pair(ctx context.Context, opening *rules.Game) error {
	before := s.tally
	var points float64
	for _, side := range [...]rules.Side{rules.White, rules.Black} {
		result, err := s.game(ctx, opening.Clone(), side)
		if err != nil {
			s.tally = before
			return err
		}
		points += s.tally.count(result, side)
	}
	s.tally.pairs = append(s.tally.pairs, points/2)
	return nil
}

// game plays one game, in which the first rival has that side.
func (s *series) game(ctx context.Context, g *rules.Game, side rules.Side) (rules.Result, error) {
	var players [2]chooser
	players[side], players[1-side] = s.rivals[0], s.rivals[1]
	for _, r := range s.rivals {
		if err := r.begin(ctx); err != nil {
			return rules.Undecided, err
		}
	}
	result, err := playOut(ctx, g, players)
	var f *fault
	if errors.As(err, &f) {
		result, err = s.forfeit(f, g.Position().Turn, side)
	}
	if err == nil && s.games != nil {
		err = s.write(recordOf(g, result, side))
	}
	return result, err
}

// write adds a record to those of the match, apart from the next by an empty line.
func (s *series) write(r rules.Record) error {
	_, err := r.WriteTo(s.games)
	if err == nil {
		_, err = io.WriteString(s.games, "\n")
	}
	return err
}

// recordOf is the record of a game that ended with that result, if only by a fault.
func recordOf(g *rules.Game, result rules.Result, first rules.Side) rules.Record {
	r := g.Record()
	r.White, r.Black = "second", "first"
	if first == rules.White {
		r.White, r.Black = "first", "second"
	}
	if r.Result != result {
		r.Result, r.Tags = result, []rules.Tag{{Key: "Termination", Value: "a fault"}}
	}
	return r
}

// forfeit counts a game lost by a fault of the side to move, or ends the match if there have been too many.
func (s *series) forfeit(f *fault, loser, first rules.Side) (rules.Result, error) {
	if s.faultsLeft--; s.faultsLeft < 0 {
		return rules.Undecided, f
	}
	fmt.Fprintf(s.progress, "a game is lost: %v\n", f)
	if loser == first {
		s.faults[0]++
	} else {
		s.faults[1]++
	}
	if loser == rules.White {
		return rules.BlackWins, nil
	}
	return rules.WhiteWins, nil
}

func (s *series) end() {
	for _, r := range s.rivals {
		r.end()
	}
}

// print writes the result, what was decided, who lost by a fault, and what each side used.
func (s *series) print() error {
	if err := s.tally.print(s.out); err != nil {
		return err
	}
	if s.test != nil {
		fmt.Fprintf(s.out, "%d of %d pairs%s: %s\n", len(s.tally.pairs), len(s.openings), s.test.describe(s.tally.pairs),
			s.test.verdict(s.tally.pairs))
	}
	if s.faults != [2]int{} {
		fmt.Fprintf(s.out, "lost by a fault: first %d, second %d\n", s.faults[0], s.faults[1])
	}
	_, err := fmt.Fprintf(s.out, "processor: first %s, second %s\n", s.rivals[0].account(), s.rivals[1].account())
	return err
}
