package bot

import "time"

// Clock tells the time and waits for it. It is handed in, so that tests can make time pass.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time // sends once, when d has passed

	// Since is how long ago Now gave that time, whatever the system's clock has been set to in between.
	Since(t time.Time) time.Duration
}

// SystemClock is the machine's own.
type SystemClock struct{}

// Now is the time of day.
func (SystemClock) Now() time.Time { return time.Now() }

// After waits on the machine's timers.
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Since goes by the machine's clock that nobody can set.
func (SystemClock) Since(t time.Time) time.Duration { return time.Since(t) }
