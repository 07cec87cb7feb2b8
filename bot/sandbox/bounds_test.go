package sandbox

import (
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
