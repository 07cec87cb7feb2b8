package wire

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// discordTime is the time by Discord's clock, which is what an interaction's life is measured by. The machine's own may be
// hours off: a small computer without a battery begins before it knows the time. Every answer of Discord's tells it.
type discordTime struct {
	now func() time.Time // of this machine

	mu    sync.Mutex
	ahead time.Duration // of Discord's clock
	asked time.Time     // when it was last asked for nothing else
}

// exact is how far the two may be apart without being told apart: answers tell whole seconds, and take their time.
const exact = 5 * time.Second

// askEvery bounds how often Discord is asked for nothing but the time.
const (
	askEvery = time.Minute
	askAgain = 5 * time.Second // after it did not answer
)

// learn reads the time of an answer.
func (d *discordTime) learn(h http.Header) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	ahead := at.Sub(d.now())
	if ahead.Abs() < exact {
		ahead = 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ahead = ahead
}

// Now is the time by Discord's clock, as far as it is known.
func (d *discordTime) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now().Add(d.ahead)
}

// mayAsk tells whether it is not too soon to ask, and notes that it is asked.
func (d *discordTime) mayAsk() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	since := now.Sub(d.asked)
	if since >= 0 && since < askEvery { // set back, it says nothing
		return false
	}
	d.asked = now
	return true
}

// unanswered notes that Discord did not tell the time, so that it may be asked again soon.
func (d *discordTime) unanswered() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = d.now().Add(askAgain - askEvery)
}

// tooOld tells whether an interaction's token is dead. Before it says so of one that has just come, it makes sure that it
// is not the machine's clock which is wrong.
func (c *Client) tooOld(ctx context.Context, in Interaction) bool {
	dead := func() bool { return c.time.Now().Sub(in.At) > tokenLife }
	if !dead() {
		return false
	}
	if c.time.mayAsk() {
		_, err := c.rest.do(ctx, request{
			method: http.MethodGet, path: "/gateway", key: "gateway address", interaction: true, repeatable: true, within: c.cfg.AnswerWithin,
		}, nil)
		if err != nil {
			c.time.unanswered()
			c.cfg.Log.Warn("interactions seem too old, and Discord does not tell the time: this clock may be wrong",
				"error", err)
		}
	}
	return dead()
}
