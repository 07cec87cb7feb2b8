package sandbox

import (
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

const (
	naledi = "100000000000000001"
	thabo  = "100000000000000002"
	amara  = "100000000000000006"
	games  = "400000000000000001"
	talk   = "400000000000000002"
)

const pageCommands = `[
	{"name":"challenge","type":1,"description":"Challenge somebody","options":[{"type":6,"name":"opponent","description":"Whom to challenge"}]},
	{"name":"settings","type":1,"description":"Settings","default_member_permissions":"32","options":[{"type":1,"name":"show","description":"What is set"}]},
	{"name":"Challenge to a game","type":2}]`

func pageSandbox(t *testing.T) *Sandbox {
	t.Helper()
	s, err := Start(Config{Allowance: 50})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func pageAnswer(text string, private bool) object {
	data := object{"content": text, "allowed_mentions": object{"parse": []string{}}}
	if private {
		data["flags"] = flagEphemeral
	}
	return object{"type": answerMessage, "data": data}
}

// viewer is a page without a browser: it keeps what it was told.
type viewer struct {
	t        *testing.T
	ws       *websocket.Conn
	turn     int
	world    worldView
	commands []commandView
	html     map[string]string // of messages, by id
	drawn    int               // messages drawn in all
	reset    bool              // the last telling began anew
	earlier  int
}

// openPage opens the printed address and the live connection behind it.
func openPage(t *testing.T, s *Sandbox) *viewer {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	response, err := client.Get(s.Page())
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || response.Request.URL.RawQuery != "" {
		t.Fatalf("got %d at %s, want the page without the key in its address", response.StatusCode, response.Request.URL)
	}
	dialer := websocket.Dialer{Jar: jar}
	ws, response, err := dialer.Dial("ws://"+s.address()+"/page/live", http.Header{"Origin": {"http://" + s.address()}})
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	return &viewer{t: t, ws: ws, html: map[string]string{}}
}

func (v *viewer) look(at look) {
	v.t.Helper()
	v.turn++
	at.Turn = v.turn
	if err := v.ws.WriteJSON(at); err != nil {
		v.t.Fatal(err)
	}
}

// until hears until something holds.
func (v *viewer) until(what string, holds func() bool) {
	v.t.Helper()
	for !holds() {
		_ = v.ws.SetReadDeadline(time.Now().Add(10 * time.Second))
		var n news
		if err := v.ws.ReadJSON(&n); err != nil {
			v.t.Fatalf("%s: %v, with %v", what, err, v.html)
		}
		v.hear(n)
	}
}

func (v *viewer) hear(n news) {
	if n.Turn != v.turn {
		return
	}
	switch n.Kind {
	case "world":
		v.world = *n.World
	case "commands":
		v.commands = n.Commands
	case "messages":
		v.reset, v.earlier = n.Messages.Reset, n.Messages.Earlier
		if n.Messages.Reset {
			clear(v.html)
		}
		for _, id := range n.Messages.Gone {
			delete(v.html, id)
		}
		for _, m := range n.Messages.Set {
			v.html[m.ID] = m.HTML
			v.drawn++
		}
	}
}

// shows tells whether some message's markup has a text.
func (v *viewer) shows(text string) bool {
	for _, html := range v.html {
		if strings.Contains(html, text) {
			return true
		}
	}
	return false
}

func (v *viewer) untilShown(text string) {
	v.t.Helper()
	v.until(text, func() bool { return v.shows(text) })
}

func TestLiveTellsWhatChangesAndNoMore(t *testing.T) {
	s := pageSandbox(t)
	b := startPageBot(t, s, pageCommands, func(in pageInteraction) any {
		return object{"type": answerUpdate, "data": object{"content": "Pressed", "components": []object{}}}
	})
	for i := range 5 {
		if _, err := s.Say(naledi, games, "line "+strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	v := openPage(t, s)
	v.look(look{As: thabo, Channel: games})
	v.untilShown("line 4")
	if !v.reset || v.drawn != 5 || v.world.You != thabo || v.world.Channel != games || !v.world.Bot.Connected {
		t.Fatalf("got reset %v, %d drawn, %+v", v.reset, v.drawn, v.world)
	}
	b.post(games, object{"content": "<@" + thabo + "> here", "allowed_mentions": object{"users": []string{thabo}}, "components": []object{
		{"type": 1, "components": []object{{"type": 2, "style": 3, "label": "Go", "custom_id": "go"}}},
	}}, []byte("\x89PNG\r\n\x1a\n"))
	v.untilShown(`data-person="` + thabo + `">@Thabo</bdi> here`)
	if !v.shows(" pinged") || v.reset || v.drawn != 6 {
		t.Errorf("got reset %v, %d drawn, %v", v.reset, v.drawn, v.html)
	}
	all := s.As(thabo).Messages(games)
	if _, err := s.As(thabo).Press(t.Context(), all[5].ID, "go"); err != nil {
		t.Fatal(err)
	}
	v.untilShown("Pressed")
	if err := s.DeleteMessage(all[0].ID); err != nil {
		t.Fatal(err)
	}
	v.until("gone", func() bool { return !v.shows("line 0") })
	if v.reset || v.drawn != 7 {
		t.Errorf("got reset %v and %d drawn: more than what had changed", v.reset, v.drawn)
	}
	if err := s.Rename(thabo, "<b>Tau"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Say(naledi, games, "Ask <@"+thabo+">"); err != nil {
		t.Fatal(err)
	}
	v.untilShown("@&lt;b&gt;Tau")
}

func TestLiveKeepsPrivateMessagesPrivate(t *testing.T) {
	s := pageSandbox(t)
	startPageBot(t, s, pageCommands, func(in pageInteraction) any { return pageAnswer("between us", true) })
	v, other := openPage(t, s), openPage(t, s)
	v.look(look{As: naledi, Channel: games})
	other.look(look{As: thabo, Channel: games})
	v.until("world", func() bool { return v.world.You != "" })
	if _, err := s.As(naledi).Slash(t.Context(), games, "challenge", nil); err != nil {
		t.Fatal(err)
	}
	v.untilShown("between us")
	if !v.shows("Only you can see this") || !v.shows(`<span class="command">/challenge</span>`) {
		t.Errorf("got %v", v.html)
	}
	if _, err := s.Say(naledi, games, "for all"); err != nil {
		t.Fatal(err)
	}
	other.untilShown("for all")
	if other.shows("between us") {
		t.Errorf("another person sees %v", other.html)
	}
	// An app that is started anew has forgotten what was private.
	last := s.As(naledi).Messages(games)
	v.look(look{As: naledi, Channel: games, Since: last[len(last)-1].ID})
	v.until("anew", func() bool { return len(v.html) == 1 })
}

// TestLinksToDirectMessagesNameTheBot, as the list of channels does: they have no name of their own.
func TestLinksToDirectMessagesNameTheBot(t *testing.T) {
	s := pageSandbox(t)
	direct := s.As(naledi).Direct()
	if _, err := s.Say(naledi, games, "https://discord.com/channels/@me/"+direct+"/1"); err != nil {
		t.Fatal(err)
	}
	v, other := openPage(t, s), openPage(t, s)
	v.look(look{As: naledi, Channel: games})
	v.untilShown("#Kraal › message")
	other.look(look{As: thabo, Channel: games})
	other.untilShown("/channels/@me/" + direct)
	if other.shows("#Kraal") {
		t.Errorf("another person's direct messages are named: %v", other.html)
	}
}

func TestLiveShowsTheNewestAndMoreWhenAsked(t *testing.T) {
	s := pageSandbox(t)
	ids := []string{}
	for i := range 100 {
		id, err := s.Say(naledi, games, "line "+strconv.Itoa(i)+".")
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	v := openPage(t, s)
	v.look(look{})
	v.untilShown("line 99.")
	if v.world.You != naledi || v.world.Channel != games || len(v.html) != defaultShow || v.earlier != 100-defaultShow || v.world.Since == "" {
		t.Errorf("got %d messages, %d earlier, in %+v", len(v.html), v.earlier, v.world)
	}
	v.look(look{Show: 80})
	v.until("more", func() bool { return len(v.html) == 80 })
	v.look(look{Message: ids[3]})
	v.untilShown("line 3.")
	if v.earlier != 0 || len(v.html) != 100 {
		t.Errorf("got %d messages, %d earlier", len(v.html), v.earlier)
	}
}

func TestLiveTellsWhatElseThereIs(t *testing.T) {
	s := pageSandbox(t)
	b := startPageBot(t, s, pageCommands, func(pageInteraction) any { return nil })
	owner, member, stranger := openPage(t, s), openPage(t, s), openPage(t, s)
	owner.look(look{As: naledi, Channel: games})
	member.look(look{As: thabo, Channel: games})
	stranger.look(look{As: amara, Channel: games})
	owner.until("commands", func() bool { return len(owner.commands) == 3 })
	member.until("commands", func() bool { return len(member.commands) == 2 })
	stranger.until("world", func() bool { return stranger.world.You != "" })
	if stranger.world.Channel == games || len(stranger.world.Servers) != 2 || stranger.world.Servers[0].Name != "Club room" {
		t.Errorf("who is no member sees %+v", stranger.world)
	}
	if own := stranger.world.Servers[1]; own.ID != "" || len(own.Channels) != 1 || own.Channels[0].ID != s.As(amara).Direct() {
		t.Errorf("direct messages are %+v", own)
	}
	b.post(talk, object{"content": "<@" + thabo + ">", "allowed_mentions": object{"users": []string{thabo}}}, []byte("\x89PNG\r\n\x1a\n"))
	member.until("a mention elsewhere", func() bool {
		c := member.world.Servers[0].Channels[1]
		return c.ID == talk && c.Last != "" && len(c.Pings) == 1
	})
	s.Delay("POST", answersPath, time.Second)
	s.Mute(true)
	if err := s.SetPermissions(games, permViewChannel); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveMember("300000000000000001", thabo); err != nil {
		t.Fatal(err)
	}
	owner.until("troubles", func() bool {
		w := owner.world
		return w.Slow == 1000 && w.Silent && len(w.May) == 1 && len(w.Servers[0].Left) == 1
	})
	member.until("another place", func() bool { return member.world.Channel != games })
	if err := s.AddMember("300000000000000001", thabo); err != nil {
		t.Fatal(err)
	}
	owner.until("back again", func() bool { return len(owner.world.Servers[0].Left) == 0 })
	var twice *ActionError
	if err := s.AddMember("300000000000000001", thabo); !errors.As(err, &twice) {
		t.Errorf("got %v for who is there already", err)
	}
}

func TestLiveIsGuarded(t *testing.T) {
	s := pageSandbox(t)
	cookie := newGuard(s.address(), s.key).cookie + "=" + s.key
	for name, header := range map[string]http.Header{
		"without the key":   {"Origin": {"http://" + s.address()}},
		"from another page": {"Origin": {"http://evil.example"}, "Cookie": {cookie}},
		"from nowhere":      {"Cookie": {cookie}},
	} {
		ws, response, err := websocket.DefaultDialer.Dial("ws://"+s.address()+"/page/live", header)
		if err == nil {
			_ = ws.Close()
			t.Errorf("%s: connected", name)
			continue
		}
		if response == nil || response.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
	response, err := http.Get("http://" + s.address() + "/")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("the page without the key: %d", response.StatusCode)
	}
}

func TestPageActsWithItsCookie(t *testing.T) {
	s := pageSandbox(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	at := &url.URL{Scheme: "http", Host: s.address(), Path: "/"}
	jar.SetCookies(at, []*http.Cookie{{Name: newGuard(s.address(), s.key).cookie, Value: s.key}})
	for origin, want := range map[string]int{"http://" + s.address(): http.StatusOK, "http://evil.example": http.StatusForbidden} {
		body := `{"as":"` + naledi + `","channel":"` + games + `","content":"hello from ` + origin + `"}`
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.address()+"/sandbox/api/say", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("from %s: %d, want %d", origin, response.StatusCode, want)
		}
	}
	if m := s.As(naledi).Messages(games); len(m) != 1 {
		t.Errorf("got %d messages, want the page's own", len(m))
	}
}
