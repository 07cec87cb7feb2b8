package sandbox

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func TestPageOfAWorldThatMeansHarm(t *testing.T) {
	const hostile = `<img src=x onerror=alert(1)> @everyone` + "\u202e"
	s, err := Start(Config{Allowance: 50, World: World{
		People: []Person{{ID: naledi, Username: "a", Name: hostile}, {ID: thabo, Username: "b", Name: `"><script>alert(1)</script>`}},
		Servers: []Server{{
			ID: "300000000000000001", Name: hostile, Owner: naledi, Members: []string{naledi, thabo},
			Channels: []Channel{{ID: games, Name: hostile}},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	startPageBot(t, s, pageCommands, func(in pageInteraction) any {
		return pageAnswer(hostile+" <@"+thabo+"> [x](javascript:alert(1)) <#"+games+">", false)
	})
	person := open(t, s, true)
	person.post("/page/send", url.Values{"as": {naledi}, "channel": {games}, "command": {"settings show"}})
	elements := regexp.MustCompile(`<(?:img|script)|javascript:[^<]*"`)
	for _, path := range []string{"/?" + here, "/?" + here + "&command=challenge", "/page/messages?" + here} {
		seen := person.get(path)
		if found := elements.FindString(seen); found != "" {
			t.Errorf("%s: %s in\n%s", path, found, seen)
		}
		has(t, seen, "&lt;img src=x onerror=alert(1)&gt; @everyone\u202e")
	}
	if m := s.As(naledi).Messages(games); len(m) != 1 || len(m[0].Mentions) != 0 {
		t.Errorf("got %+v, want one message that mentions nobody", m)
	}
}

func TestPageIsGuarded(t *testing.T) {
	s := pageSandbox(t)
	b := startPageBot(t, s, pageCommands, func(in pageInteraction) any { return pageAnswer("Done.", false) })
	stranger := open(t, s, false)
	has(t, stranger.get("/?"+here), "You may look on")
	hasNot(t, stranger.get("/?"+here+"&command=move"), "<form")
	form := url.Values{"as": {naledi}, "channel": {games}, "command": {"settings show"}}
	if status, _ := stranger.post("/page/send", form); status != http.StatusForbidden {
		t.Errorf("acting without the key: %d, want 403", status)
	}
	person := open(t, s, true)
	for name, change := range map[string]func(r *http.Request){
		"another host":   func(r *http.Request) { r.Host = "evil.example" },
		"another port":   func(r *http.Request) { r.Host = "127.0.0.1:1" },
		"another origin": func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"another site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		r, err := http.NewRequest("POST", person.base+"/page/send", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		change(r)
		if status, _ := person.read(person.client.Do(r)); status != http.StatusForbidden {
			t.Errorf("%s: %d, want 403", name, status)
		}
	}
	if in := b.last(interactionCommand); in.ID != "" {
		t.Errorf("the bot got %+v", in)
	}
	response, err := person.client.Get(person.base + "/page/messages?" + here)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if got := response.Header.Get("Content-Security-Policy"); got != policy || strings.Contains(got, "script") {
		t.Errorf("policy %q", got)
	}
}
