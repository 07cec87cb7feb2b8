package sandbox

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// TestIdentifiesAreCounted: gateway/bot tells how many are left, the one too many costs the token, and a day later there
// are as many again.
func TestIdentifiesAreCounted(t *testing.T) {
	now := time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC)
	s, err := Start(Config{Token: "t", Allowance: maxIdentifies, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	s.identifies = slices.Repeat([]time.Time{now}, maxIdentifies-1)
	if l := s.sessionLimit(); l["remaining"] != 1 || l["reset_after"] != int64(86_400_000) {
		t.Errorf("before the last: %v", l)
	}
	asks := frame{Op: opIdentify, Data: json.RawMessage(`{"token":"t","intents":0}`)}
	if _, code := s.identify(asks); code != 0 {
		t.Errorf("the last was refused with %d", code)
	}
	if _, code := s.identify(asks); code != closeBadToken || s.sessionLimit()["remaining"] != 0 {
		t.Errorf("one too many got %d", code)
	}
	now = now.Add(24 * time.Hour)
	if _, code := s.identify(asks); code != 0 || s.sessionLimit()["remaining"] != maxIdentifies-1 {
		t.Errorf("a day later: %d, %v", code, s.sessionLimit())
	}
}

// identify begins a session on a connection of which nothing is read.
func (s *Sandbox) identify(f frame) (*session, int) { return s.begin(newConnection(nil), f) }

// TestIdentifiesAtOnce: who begins a session too soon after another gets op 9 and none, and the others stand.
func TestIdentifiesAtOnce(t *testing.T) {
	now := time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC)
	for _, allowance := range []int{1, 3} {
		s, err := Start(Config{Token: "t", Allowance: allowance, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		var last *session
		begin := func() (*session, string) {
			c := newConnection(nil)
			n, code := s.begin(c, frame{Op: opIdentify, Data: json.RawMessage(`{"token":"t","intents":0}`)})
			if code != 0 || len(c.out) != 1 {
				t.Fatalf("closed with %d after %d payloads", code, len(c.out))
			}
			if c.out[0].Op == opInvalidSession {
				return n, string(c.out[0].Data)
			}
			return n, ""
		}
		for i := range allowance {
			if last, _ = begin(); last == nil {
				t.Fatalf("identify %d of %d was refused", i+1, allowance)
			}
		}
		left := s.sessionLimit()["remaining"]
		if n, invalid := begin(); n != nil || invalid != "false" || s.sessions[last.id] == nil || s.sessionLimit()["remaining"] != left {
			t.Errorf("one too many at once got %v, op 9 %s", n, invalid)
		}
		now = now.Add(concurrencyIn)
		if n, _ := begin(); n == nil {
			t.Error("five seconds later there is still no session")
		}
	}
}
