package sandbox

import (
	"maps"
	"slices"
	"time"
)

// Bounds of what is kept, so that a sandbox that runs for weeks does not grow with what the bot asks.
const (
	maxMessages     = 1000 // of a channel; the oldest go, as if they were deleted
	maxRequests     = 20_000
	maxRequestBytes = 64 << 20 // of bodies and files together
	maxViolations   = 1000
	maxInteractions = 4096
	maxNonces       = 4096
	maxBuckets      = 4096
	tidyEvery       = 256              // requests
	bucketsFor      = time.Minute      // longer than any limit's window
	noncesFor       = 10 * time.Minute // Discord speaks of a few minutes (resources/message, Create Message)
	interactionsFor = time.Hour        // its token has been dead for long then
)

// keep notes a request, and forgets the oldest beyond the bounds: first what came with them, then that they were. The
// lock is held.
func (st *state) keep(r Request) {
	st.requests = append(st.requests, r)
	st.requestBytes += r.size()
	for ; st.requestBytes > maxRequestBytes && st.stripped < len(st.requests)-1; st.stripped++ {
		old := &st.requests[st.stripped]
		st.requestBytes -= old.size()
		old.strip()
	}
	if over := len(st.requests) - maxRequests; over > 0 {
		over += maxRequests / 4 // not one by one
		for _, old := range st.requests[:over] {
			st.requestBytes -= old.size()
		}
		st.requests = slices.Clone(st.requests[over:])
		st.stripped = max(0, st.stripped-over)
	}
	if st.noted++; st.noted%tidyEvery == 0 {
		st.tidy()
	}
}

func (r *Request) size() (n int) {
	n = len(r.Body)
	for _, f := range r.Files {
		n += len(f.Data)
	}
	return n
}

// strip forgets what came with a request; that files came, and their names, is still known.
func (r *Request) strip() {
	r.Body = nil
	r.Files = slices.Clone(r.Files) // somebody may look at the old ones
	for i := range r.Files {
		r.Files[i].Data = nil
	}
}

// tidy forgets what can have no effect any more. The lock is held.
func (st *state) tidy() {
	now := st.now()
	if len(st.violations) > maxViolations {
		st.violations = slices.Clone(st.violations[:maxViolations]) // the first tell what is wrong
	}
	if len(st.interactions) > maxInteractions {
		maps.DeleteFunc(st.interactions, func(_ string, in *interaction) bool { return now.Sub(in.created) > interactionsFor })
	}
	if len(st.nonces) > maxNonces {
		maps.DeleteFunc(st.nonces, func(_ string, id string) bool {
			m := st.messages[id]
			return m == nil || now.Sub(m.Created) > noncesFor
		})
	}
	if len(st.buckets) > maxBuckets {
		maps.DeleteFunc(st.buckets, func(_ string, b *bucket) bool { return now.Sub(b.began) > bucketsFor })
	}
}
