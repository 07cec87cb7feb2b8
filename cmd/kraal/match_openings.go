package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"kraal/rules"
)

// readOpenings reads a file of openings: the actions of one on a line, with spaces between. Empty lines are passed over, and
// what follows a #.
func readOpenings(path string, v rules.Variant) ([]*rules.Game, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []*rules.Game
	lines := bufio.NewScanner(f)
	number := 0
	for lines.Scan() {
		number++
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		g, err := readOpening(words, v)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		all = append(all, g)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, number+1, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no opening in it", path)
	}
	return all, nil
}

func readOpening(actions []string, v rules.Variant) (*rules.Game, error) {
	g := rules.NewGame(v)
	for _, word := range actions {
		a, err := rules.ParseAction(word)
		if err != nil {
			return nil, err
		}
		if err := g.Play(a); err != nil {
			return nil, err
		}
	}
	if g.Status().Over {
		return nil, errors.New("the game is over after it")
	}
	return g, nil
}
