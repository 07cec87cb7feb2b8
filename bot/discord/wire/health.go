package wire

import "time"

// State is what a shard is doing.
type State string

// The states of a shard. One that is Connected notices within two heartbeats that it is not any more.
const (
	Waiting    State = "waiting" // until the next try, or for leave to begin a session
	Connecting State = "connecting"
	Connected  State = "connected" // a session has begun, or gone on
	Stopped    State = "stopped"
)

// Health is how a shard's connection stands.
type Health struct {
	Shard      int
	Of         int // how many shards there are
	State      State
	Since      time.Time // when it came to be in this state
	Heard      time.Time // when the gateway last showed that it hears the bot; zero while there is no connection
	Reconnects int       // connections that have ended, and openings that failed, since the start
	Why        string    // how the last one ended; empty when none has
}

// Health tells of each shard that the client serves, in their order; of none before Run.
func (c *Client) Health() []Health {
	c.mu.Lock()
	shards := c.shards
	c.mu.Unlock()
	all := make([]Health, 0, len(shards))
	for _, s := range shards {
		all = append(all, s.health())
	}
	return all
}

// Heartbeat is when the gateway last showed that it hears the bot, on the shard where that is longest ago; zero while one
// has no connection.
func (c *Client) Heartbeat() time.Time {
	var oldest time.Time
	for i, h := range c.Health() {
		if h.Heard.IsZero() {
			return time.Time{}
		}
		if i == 0 || h.Heard.Before(oldest) {
			oldest = h.Heard
		}
	}
	return oldest
}

func (s *shard) health() Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := Health{Shard: s.number, Of: s.of, State: s.state, Since: s.since, Reconnects: s.reconnects, Why: s.why}
	if s.link != nil {
		h.Heard = s.link.heard()
	}
	return h
}

// enter notes what the shard does now.
func (s *shard) enter(state State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.since = state, time.Now()
}
