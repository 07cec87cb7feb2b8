package rules

import "slices"

// options lists the columns that a game's own guide leaves to the players.
func options() map[string][]string {
	return map[string][]string{
		"thinhama": {"flies", "first"},
	}
}

// LeavesOpen tells whether the game's guide leaves a column to the players: with it changed, it is still the same game.
func (v Variant) LeavesOpen(column string) bool {
	base := v.Base
	if base == "" {
		base = v.Key
	}
	return slices.Contains(options()[base], column)
}
