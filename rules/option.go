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
	return slices.Contains(options()[v.origin()], column)
}

// counted lists the games whose conduct has a two-minute rule.
func counted() []string { return []string{"tournament"} }

// TwoMinuteRule tells whether a player may call for two minutes on the other's turn. It is conduct, which the board knows
// nothing of; house rules take it from the game that they change.
func (v Variant) TwoMinuteRule() bool { return slices.Contains(counted(), v.origin()) }

// origin is the key of the row that the variant was made from.
func (v Variant) origin() string {
	if v.Base == "" {
		return v.Key
	}
	return v.Base
}
