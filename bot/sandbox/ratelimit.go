package sandbox

import (
	"hash/fnv"
	"math"
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

// refusal is why a request has to wait.
type refusal struct {
	after  time.Duration
	global bool
}

// throttle applies the limits to a request and sets the headers; it gives a refusal where there is no room.
func (s *Sandbox) throttle(h http.Header, rt route, major string) *refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !rt.interaction {
		if _, reset, ok := s.take("global", globalLimit); !ok {
			return &refusal{reset, true}
		}
	}
	left, reset, ok := s.take(rt.pattern+" "+major, rt.limit)
	h.Set("X-RateLimit-Limit", strconv.Itoa(rt.limit.most*s.config.Allowance))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset", seconds(time.Duration(s.now().Add(reset).UnixMilli())*time.Millisecond))
	h.Set("X-RateLimit-Reset-After", seconds(reset))
	h.Set("X-RateLimit-Bucket", bucketName(rt.pattern))
	if !ok {
		return &refusal{reset, false}
	}
	return nil
}

// bucketName is one name for a route, whatever channel or server it names.
func bucketName(pattern string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(pattern))
	return strconv.FormatUint(sum.Sum64(), 16)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// answer is a 429. A global refusal has none of the bucket's headers.
func (r *refusal) answer(w http.ResponseWriter) {
	h := w.Header()
	scope := "user"
	if r.global {
		scope = "global"
		h.Set("X-RateLimit-Global", "true")
	}
	h.Set("X-RateLimit-Scope", scope)
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(r.after.Seconds()))))
	writeJSON(w, http.StatusTooManyRequests, object{
		"message": "You are being rate limited.", "retry_after": r.after.Seconds(), "global": r.global,
	})
}
