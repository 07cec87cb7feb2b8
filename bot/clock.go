package bot

import "time"

// Clock tells the time and waits for it. It is handed in, so that tests can make time pass.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time // sends once, when d has passed
}

// SystemClock is the machine's own.
type SystemClock struct{}

// Now is the time of day.
func (SystemClock) Now() time.Time { return time.Now() }

// After waits on the machine's timers.
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
