// Package rules is the mill games as values: a Variant says which rules are played, a Position is one moment of a game,
// and Variant.Play turns a position and an action into the next position or into the rule that forbids it. Nothing here
// reads a clock, a file or the network, and nothing keeps state between calls but a Game, which remembers its past
// because repetition needs it.
//
// There are three ways to be wrong, and each has its own error: a text that cannot be read (*SyntaxError), a position
// that cannot be under a variant (*SetupError, all reasons joined), and an action that is not legal (*IllegalError).
//
// The words are the players': a side places, moves, flies, shoots and passes; an action is one of these, a turn is all
// that one side does until the other is to move.
package rules
