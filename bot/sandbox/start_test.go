package sandbox_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

func TestStartRefusesOtherMachines(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.168.1.2:8017", "[::]:0", "example.org:80", "127.0.0.1"} {
		s, err := sandbox.Start(sandbox.Config{Listen: address})
		var refused *sandbox.AddressError
		if !errors.As(err, &refused) || refused.Address != address {
			t.Errorf("%q: %v", address, err)
		}
		if s != nil {
			_ = s.Close()
		}
	}
}

func TestOtherNamesAreRefused(t *testing.T) {
	d := open(t)
	for host, want := range map[string]int{
		"rebound.example": 403, "rebound.example:8017": 403, "127.0.0.1.example": 403, "localhost:1": 200, "127.0.0.1": 200, "[::1]:9": 200,
	} {
		r, err := http.NewRequestWithContext(d.ctx(), "GET", d.API()+"/gateway", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		if got := d.roundTrip(r); got.status != want {
			t.Errorf("%s: %v", host, got)
		}
	}
}

func TestTokenIsNeeded(t *testing.T) {
	d := open(t)
	for _, header := range []string{"", d.Token(), "Bot nonsense", "Bearer " + d.Token()} {
		r, err := http.NewRequestWithContext(d.ctx(), "GET", d.API()+"/users/@me", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", header)
		if got := d.roundTrip(r); got.status != 401 {
			t.Errorf("%q: %v", header, got)
		}
	}
	if got := d.expect(200, 0, "GET", "/users/@me", nil); got.id() != d.AppID() || got.json()["bot"] != true {
		t.Errorf("the bot is %v", got)
	}
}

func TestUnknownRoutesAndForms(t *testing.T) {
	d := open(t)
	d.expect(404, 0, "GET", "/nothing", nil)
	d.expect(400, 50109, "POST", "/channels/"+games+"/messages", "{")
	kind := d.ask("POST", d.API()+"/channels/"+games+"/messages", "text/plain", strings.NewReader("{}"))
	d.was(kind, 400, 50035)
	if kind.json()["errors"] == nil {
		t.Errorf("no field is named: %v", kind)
	}
	large := `{"content":"` + strings.Repeat("x", 25<<20) + `"}`
	d.expect(413, 40005, "POST", "/channels/"+games+"/messages", large)
}
