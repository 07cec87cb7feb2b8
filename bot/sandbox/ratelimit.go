package sandbox

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// limit is how many requests a bucket takes in a time. Discord does not document its numbers; these are those that bots
// meet in practice.
type limit struct {
	most int
	in   time.Duration
}

// globalLimit is the bot's over all routes but those of interactions (topics/rate-limits).
var globalLimit = limit{50, time.Second}

// bucket counts the requests of one key since its window began.
type bucket struct {
	began time.Time
	used  int
}

// take counts a request, and tells how long to wait when there is no room; the lock is held.
func (s *Sandbox) take(key string, l limit) (left int, reset time.Duration, ok bool) {
	now := s.now()
	b := s.buckets[key]
	if b == nil || now.Sub(b.began) >= l.in {
		b = &bucket{began: now}
		s.buckets[key] = b
	}
	most := l.most * s.config.Allowance
	reset = l.in - now.Sub(b.began)
	if b.used >= most {
		return 0, reset, false
	}
	b.used++
	return most - b.used, reset, true
}

// throttle applies the limits to a request, sets the headers and, where there is no room, answers 429.
func (s *Sandbox) throttle(w http.ResponseWriter, key string, l limit, interaction bool) (allowed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !interaction {
		if _, reset, ok := s.take("global", globalLimit); !ok {
			tooMany(w, reset, true)
			return false
		}
	}
	left, reset, ok := s.take(key, l)
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(l.most*s.config.Allowance))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset", seconds(time.Duration(s.now().Add(reset).UnixMilli())*time.Millisecond))
	h.Set("X-RateLimit-Reset-After", seconds(reset))
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%x", len(key))+"-"+l.in.String())
	if !ok {
		tooMany(w, reset, false)
	}
	return ok
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// tooMany answers 429. A global refusal has none of the bucket's headers.
func tooMany(w http.ResponseWriter, after time.Duration, global bool) {
	h := w.Header()
	scope := "user"
	if global {
		scope = "global"
		h.Set("X-RateLimit-Global", "true")
	}
	h.Set("X-RateLimit-Scope", scope)
	h.Set("Retry-After", strconv.Itoa(int(after.Seconds())+1))
	writeJSON(w, http.StatusTooManyRequests, object{
		"message": "You are being rate limited.", "retry_after": after.Seconds(), "global": global,
	})
}
