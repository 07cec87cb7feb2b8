//go:build race

package discord_test

// stagesAtOnce leaves it to the number of processors: the race detector keeps those busy.
const stagesAtOnce = 0
