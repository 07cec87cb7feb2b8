package sandbox

import (
	"net/http"
	"testing"
	"time"
)

// TestTokensOfForgottenInteractions: an old token is still known as one that is dead, a made-up one as none.
func TestTokensOfForgottenInteractions(t *testing.T) {
	now := time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC)
	s := &Sandbox{state: newState(DefaultWorld(), func() time.Time { return now })}
	old := newToken(s.newID())
	now = now.Add(16 * time.Minute)
	young := newToken(s.newID())
	for token, want := range map[string]error{old: errInvalidToken, young: errUnknownWebhook, "x": errUnknownWebhook, "": errUnknownWebhook} {
		r, err := http.NewRequest(http.MethodGet, "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetPathValue("app", botID)
		r.SetPathValue("token", token)
		if _, err := s.byToken(&call{Request: r}); err != want {
			t.Errorf("%s: got %v; want %v", token, err, want)
		}
	}
	if a, b := newToken("1"), newToken("1"); a == b || namedBy(a) != "1" {
		t.Errorf("tokens %s and %s", a, b)
	}
}
