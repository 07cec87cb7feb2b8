package sandbox

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestRequestsAreBounded(t *testing.T) {
	now := time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC)
	st := newState(DefaultWorld(), func() time.Time { return now })
	picture := make([]byte, 1<<20)
	for i := range 100 {
		st.keep(Request{Path: strconv.Itoa(i), Body: []byte("{}"), Files: []File{{Name: "a.png", Data: picture}}})
	}
	if st.requestBytes > maxRequestBytes {
		t.Errorf("%d bytes are kept, want %d at most", st.requestBytes, maxRequestBytes)
	}
	if r := st.requests[0]; r.Path != "0" || r.Files[0].Name != "a.png" || r.Files[0].Data != nil {
		t.Error("the first request is not what it was without its bytes")
	}
	if r := st.requests[99]; r.Path != "99" || len(r.Files[0].Data) != len(picture) {
		t.Error("the last request is not whole")
	}
	for i := range 2 * maxRequests {
		st.keep(Request{Path: strconv.Itoa(100 + i), Body: []byte("{}")})
	}
	n := len(st.requests)
	if n > maxRequests || n < maxRequests/2 || st.requests[n-1].Path != strconv.Itoa(99+2*maxRequests) {
		t.Errorf("%d requests are kept, the last is %s", n, st.requests[n-1].Path)
	}
	if st.requestBytes != 2*n {
		t.Errorf("%d bytes are counted for %d", st.requestBytes, 2*n)
	}
}

func TestWhatIsOverIsForgotten(t *testing.T) {
	now := time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC)
	st := newState(DefaultWorld(), func() time.Time { return now })
	for i := range maxInteractions + 1 {
		id := strconv.Itoa(i)
		st.interactions[id] = &interaction{id: id, created: now}
		st.buckets[id] = &bucket{began: now}
		st.nonces[id] = id
		st.messages[id] = &message{Message: Message{ID: id, Created: now}}
	}
	st.tidy()
	if len(st.interactions) <= maxInteractions || len(st.buckets) <= maxBuckets || len(st.nonces) <= maxNonces {
		t.Fatal("what can still have an effect was forgotten")
	}
	now = now.Add(25 * time.Hour)
	st.interactions["new"] = &interaction{id: "new", created: now}
	st.tidy()
	if len(st.interactions) != 1 || len(st.buckets) != 0 || len(st.nonces) != 0 {
		t.Errorf("kept: %d interactions, %d buckets, %d nonces", len(st.interactions), len(st.buckets), len(st.nonces))
	}
	if len(st.messages) != maxInteractions+1 {
		t.Error("messages were forgotten")
	}
}

// say puts a number of messages into one channel.
func say(t *testing.T, s *Sandbox, n int) (ids []string) {
	t.Helper()
	for range n {
		id, err := s.Say("100000000000000001", "400000000000000001", "x")
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// TestChannelsAreBounded: the oldest messages of a channel go, each of which is a change that whoever looks finds.
func TestChannelsAreBounded(t *testing.T) {
	s := &Sandbox{state: newState(DefaultWorld(), time.Now), changed: make(chan struct{})}
	first := say(t, s, 20)
	s.add(&message{Message: Message{Channel: "400000000000000002", Author: botID}})
	was := s.rev
	rest := say(t, s, maxMessages)
	if order := s.channels["400000000000000001"].order; !slices.Equal(order, rest) || len(s.messages) != len(rest)+1 {
		t.Errorf("%d messages, %d in order from %s; %s was the first", len(s.messages), len(order), order[0], first[0])
	}
	if got := s.rev - was; got != uint64(len(rest)+len(first)) {
		t.Errorf("%d revisions for %d messages that came and %d that went", got, len(rest), len(first))
	}
	newest := s.messages[rest[len(rest)-1]]
	if older := s.messages[rest[len(rest)-2]]; newest.rev <= older.rev {
		t.Errorf("the newest has revision %d, the one before %d", newest.rev, older.rev)
	}
}
