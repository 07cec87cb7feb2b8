//go:build !race

package discord_test

// stagesAtOnce is how many tests run at the same time.
const stagesAtOnce = 6
