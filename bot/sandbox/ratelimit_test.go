package sandbox_test

import (
	"strconv"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

func TestBuckets(t *testing.T) {
	d := openWith(t, sandbox.Config{})
	path := "/channels/" + games + "/messages"
	bucket := ""
	for left := 4; left >= 0; left-- {
		a := d.expect(200, 0, "POST", path, obj{"content": "x"})
		h := a.header
		if h.Get("X-RateLimit-Limit") != "5" || h.Get("X-RateLimit-Remaining") != strconv.Itoa(left) || h.Get("X-RateLimit-Reset-After") != "5.000" {
			t.Fatalf("headers: %v", h)
		}
		if at := float64(d.clock.now().Unix() + 5); h.Get("X-RateLimit-Reset") != strconv.FormatFloat(at, 'f', 3, 64) {
			t.Errorf("reset at %s; want %f", h.Get("X-RateLimit-Reset"), at)
		}
		bucket = h.Get("X-RateLimit-Bucket")
	}
	d.clock.pass(1500 * time.Millisecond)
	a := d.expect(429, 0, "POST", path, obj{"content": "x"})
	body := a.json()
	if body["retry_after"] != 3.5 || body["global"] != false || body["message"] == "" {
		t.Errorf("body: %v", body)
	}
	h := a.header
	if h.Get("Retry-After") != "4" || h.Get("X-RateLimit-Scope") != "user" || h.Get("X-RateLimit-Global") != "" {
		t.Errorf("headers: %v", h)
	}
	other := d.expect(200, 0, "POST", "/channels/"+general+"/messages", obj{"content": "another channel, another window"})
	if got := other.header.Get("X-RateLimit-Bucket"); bucket == "" || got != bucket {
		t.Errorf("one route, two buckets: %q and %q", bucket, got)
	}
	if got := d.send("GET", path, nil).header.Get("X-RateLimit-Bucket"); got == bucket {
		t.Errorf("two routes, one bucket: %q", got)
	}
	d.clock.pass(3500 * time.Millisecond)
	d.post(obj{"content": "the window has passed"})
	if n := len(d.messages(naledi, games)); n != 6 {
		t.Errorf("%d messages; the refused one was not to be made", n)
	}
	if r := d.Requests()[5]; r.Status != 429 {
		t.Errorf("noted as %d", r.Status)
	}
}

func TestGlobalLimit(t *testing.T) {
	d := openWith(t, sandbox.Config{})
	for i := range 50 {
		d.expect(200, 0, "GET", []string{"/users/@me", "/users/" + naledi, "/guilds/" + village}[i%3], nil)
	}
	a := d.expect(429, 0, "GET", "/channels/"+games, nil)
	h := a.header
	if h.Get("X-RateLimit-Global") != "true" || h.Get("X-RateLimit-Scope") != "global" || a.json()["global"] != true {
		t.Errorf("got %v %v", h, a)
	}
	for _, name := range []string{"Limit", "Remaining", "Reset", "Reset-After", "Bucket"} {
		if h.Get("X-RateLimit-"+name) != "" {
			t.Errorf("a global refusal has X-RateLimit-%s", name)
		}
	}
	d.expect(404, 10062, "POST", "/interactions/1/x/callback", obj{"type": 4}) // exempt
	d.expect(404, 10015, "PATCH", "/webhooks/"+d.AppID()+"/x/messages/@original", obj{})
	d.clock.pass(time.Second)
	d.expect(200, 0, "GET", "/channels/"+games, nil)
}

func TestAllowanceMultiplies(t *testing.T) {
	d := openWith(t, sandbox.Config{Allowance: 3})
	for range 15 {
		d.post(obj{"content": "x"})
	}
	d.expect(429, 0, "POST", "/channels/"+games+"/messages", obj{"content": "x"})
}

func TestVersionsShareTheirLimits(t *testing.T) {
	d := openWith(t, sandbox.Config{})
	for range 5 {
		d.post(obj{"content": "x"})
	}
	v10 := d.API()[:len(d.API())-1] + "10"
	d.was(d.upload("POST", v10+"/channels/"+games+"/messages", obj{"content": "x"}), 429, 0)
}
