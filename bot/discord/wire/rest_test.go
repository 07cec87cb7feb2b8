package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
)

func splitPath(path string) iter.Seq[string] { return strings.SplitSeq(strings.Trim(path, "/"), "/") }

// unconnected is a client that only sends requests.
func unconnected(t *testing.T, d *stub) *Client {
	t.Helper()
	c, err := New(Config{
		Token: "Bot " + botToken, API: d.api(), Backoff: time.Millisecond,
		Handle: func(context.Context, Interaction, *Answer) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMessageOnTheWire(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	c := unconnected(t, d)
	board := Message{
		Content:    strings.Repeat("é", 3000) + "@everyone",
		Files:      []File{{Name: "board.png", ContentType: "image/png", Description: strings.Repeat("w", 2000), Data: []byte("PNG")}},
		Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.Button{Label: "a7", CustomID: "x"}}}},
		Mentions:   []string{personID, personID, ""},
		Suppress:   true,
	}
	if err := c.Edit(t.Context(), channelID, "5", board); err != nil {
		t.Fatal(err)
	}
	s := d.request("PATCH", "/channels/"+channelID+"/messages/5")
	if s.auth != "Bot "+botToken {
		t.Errorf("authorised by %q", s.auth)
	}
	if len(s.files) != 1 || s.files[0] != "PNG" {
		t.Errorf("files %v", s.files)
	}
	picture := s.body["attachments"].([]any)[0].(map[string]any)
	if picture["id"] != 0.0 || picture["filename"] != "board.png" || len(picture["description"].(string)) != 1023+len("…") {
		t.Errorf("attachment %v", picture)
	}
	if got := fmt.Sprint(s.body["allowed_mentions"]); got != "map[parse:[] users:["+personID+"]]" {
		t.Errorf("allowed mentions %v", got)
	}
	if n := len([]rune(s.body["content"].(string))); n != 2000 {
		t.Errorf("content of %d characters", n)
	}
	if flagsOf(s.body) != discordgo.MessageFlagsSuppressEmbeds {
		t.Errorf("flags %v", s.body["flags"])
	}
}

// TestEmptyMessage: an edit with nothing in it takes everything away, and pings nobody.
func TestEmptyMessage(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	c := unconnected(t, d)
	check(t, c.Edit(t.Context(), channelID, "5", Message{}))
	want := "map[allowed_mentions:map[parse:[]] attachments:[] components:[] content:]"
	if got := fmt.Sprint(d.request("PATCH", "/5").body); got != want {
		t.Errorf("edit %v, want %v", got, want)
	}
	check(t, c.StripControls(t.Context(), channelID, "6"))
	want = "map[allowed_mentions:map[parse:[]] components:[]]"
	if got := fmt.Sprint(d.request("PATCH", "/6").body); got != want {
		t.Errorf("strip %v, want %v", got, want)
	}
	n, err := c.CountAfter(t.Context(), channelID, "5", 6)
	if got := d.request("GET", "/messages").path; n != 2 || err != nil || !strings.HasSuffix(got, "?after=5&limit=6") {
		t.Errorf("counted %d, %v by %s", n, err, got)
	}
}

// fails answers the first n requests whose path contains part.
func fails(part string, n int32, answer func(w http.ResponseWriter)) func(sent, http.ResponseWriter) bool {
	var count atomic.Int32
	return func(s sent, w http.ResponseWriter) bool {
		if !strings.Contains(s.path, part) || count.Add(1) > n {
			return false
		}
		answer(w)
		return true
	}
}

func TestTriesAgain(t *testing.T) {
	t.Parallel()
	limited := func(w http.ResponseWriter) {
		w.WriteHeader(429)
		io.WriteString(w, `{"message":"slow down","retry_after":0.02,"global":false}`)
	}
	limitedAll := func(w http.ResponseWriter) {
		w.Header().Set("X-RateLimit-Global", "true")
		w.WriteHeader(429)
		io.WriteString(w, `{"message":"slow down","retry_after":0.02,"global":true}`)
	}
	inHTML := func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "0.02")
		w.WriteHeader(429)
		io.WriteString(w, `<html>slow down</html>`)
	}
	status := func(n int) func(http.ResponseWriter) { return func(w http.ResponseWriter) { w.WriteHeader(n) } }
	gone := func(http.ResponseWriter) { panic(http.ErrAbortHandler) }
	edit := func(c *Client) error { return c.Edit(context.Background(), channelID, "5", Message{}) }
	post := func(c *Client) error { _, err := c.Post(context.Background(), channelID, Message{}); return err }
	postOnce := func(c *Client) error {
		_, err := c.Post(context.Background(), channelID, Message{Nonce: "n"})
		return err
	}
	for _, test := range []struct {
		name     string
		answer   func(http.ResponseWriter)
		failures int32
		call     func(*Client) error
		sent     int
		ok       bool
	}{
		{"limit", limited, 2, edit, 3, true},
		{"limit of a post", limited, 2, post, 3, true},
		{"overall limit", limitedAll, 2, edit, 3, true},
		{"limit in HTML", inHTML, 1, edit, 2, true},
		{"limit without end", limited, 99, edit, maxTries, false},
		{"502 of an edit", status(502), 2, edit, 3, true},
		{"502 of a post", status(502), 2, post, 1, false},
		{"502 of a post with nonce", status(502), 2, postOnce, 3, true},
		{"cut off", gone, 1, edit, 2, true},
		{"cut off a post", gone, 1, post, 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newStub(t)
			d.answer = fails("/messages", test.failures, test.answer)
			err := test.call(unconnected(t, d))
			if (err == nil) != test.ok || err != nil && !IsTemporary(err) {
				t.Errorf("got %v, want success: %v", err, test.ok)
			}
			if n := len(d.matching("", "/messages")); n != test.sent {
				t.Errorf("sent %d times, want %d", n, test.sent)
			}
		})
	}
}

// TestNoDoublePost: Discord posted the message and then failed to say so.
func TestNoDoublePost(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	var failed atomic.Bool
	d.answer = func(s sent, w http.ResponseWriter) bool {
		if s.method != "POST" || failed.Swap(true) {
			return false
		}
		d.post(s, &discard{})
		w.WriteHeader(502)
		return true
	}
	id, err := unconnected(t, d).Post(t.Context(), channelID, Message{Content: "your turn", Nonce: "m1-v2"})
	check(t, err)
	if id != "810000000000000001" || d.ids != 1 {
		t.Errorf("posted %d messages, id %s", d.ids, id)
	}
}

type discard struct{ header http.Header }

func (d *discard) Header() http.Header             { return d.header }
func (*discard) WriteHeader(int)                   {}
func (d *discard) Write(p []byte) (n int, e error) { return len(p), nil }

// TestWithinLimits: a burst over a route that tells its limit meets no refusal.
func TestWithinLimits(t *testing.T) {
	t.Parallel()
	const most, window = 3, 100 * time.Millisecond
	d := newStub(t)
	var mu sync.Mutex
	var used, refused int
	var reset time.Time
	d.answer = func(s sent, w http.ResponseWriter) bool {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.After(reset) {
			used, reset = 0, now.Add(window)
		}
		used++
		left := time.Until(reset).Seconds()
		w.Header().Set("X-RateLimit-Limit", fmt.Sprint(most))
		w.Header().Set("X-RateLimit-Remaining", fmt.Sprint(max(most-used, 0)))
		w.Header().Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", left+0.005))
		if used > most {
			refused++
			w.WriteHeader(429)
			fmt.Fprintf(w, `{"retry_after":%f}`, left+0.005)
			return true
		}
		return false
	}
	c := unconnected(t, d)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { check(t, c.Edit(t.Context(), channelID, "5", Message{})) })
	}
	all.Wait()
	if refused != 0 {
		t.Errorf("refused %d of 12 edits", refused)
	}
}

// TestGivesUpInTime: a refusal that outlasts the deadline is an answer at once.
func TestGivesUpInTime(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.answer = fails("/messages", 99, func(w http.ResponseWriter) {
		w.WriteHeader(429)
		io.WriteString(w, `{"retry_after":600,"global":false}`)
	})
	c := unconnected(t, d)
	began := time.Now()
	for range 2 { // the second is not even sent
		if err := c.Edit(t.Context(), channelID, "5", Message{}); !IsTemporary(err) {
			t.Errorf("got %v, want temporary", err)
		}
	}
	if took := time.Since(began); took > requestTime/2 || len(d.matching("PATCH", "")) != 1 {
		t.Errorf("took %v, sent %v", took, d.matching("PATCH", ""))
	}
	if c.Edit(t.Context(), "7", "5", Message{}); len(d.matching("PATCH", "/7/")) != 1 {
		t.Error("another channel's edit was held back too")
	}
}

func TestErrorsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status, code                          int
		gone, forbidden, late, old, temporary bool
	}{
		{404, 10003, true, false, false, false, false},
		{404, 10004, true, false, false, false, false},
		{404, 10008, true, false, false, false, false},
		{404, 0, true, false, false, false, false},
		{404, 10062, false, false, true, false, false},
		{400, 40060, false, false, true, false, false},
		{401, 50027, false, false, true, false, false},
		{403, 50001, false, true, false, false, false},
		{403, 50013, false, true, false, false, false},
		{400, 30046, false, false, false, true, false},
		{429, 30046, false, false, false, true, false},
		{500, 0, false, false, false, false, true},
		{503, 0, false, false, false, false, true},
		{400, 50035, false, false, false, false, false},
	} {
		d := newStub(t)
		d.answer = func(_ sent, w http.ResponseWriter) bool { refuse(w, test.status, test.code); return true }
		err := unconnected(t, d).Edit(t.Context(), channelID, "5", Message{})
		got := []bool{IsGone(err), IsForbidden(err), IsLate(err), IsOld(err), IsTemporary(err)}
		want := []bool{test.gone, test.forbidden, test.late, test.old, test.temporary}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: gone, forbidden, late, old, temporary: got %v, want %v", err, got, want)
		}
	}
}

func TestFormErrors(t *testing.T) {
	t.Parallel()
	body := `{"code":50035,"message":"Invalid Form Body","errors":{"content":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH","message":"..."}]},"components":{"0":{"type":{"_errors":[{"code":"BAD"}]}}}}}`
	want := "PATCH /x: status 400, code 50035: Invalid Form Body (components.0.type: BAD, content: BASE_TYPE_MAX_LENGTH)"
	if got := refusal("PATCH /x", 400, []byte(body)).Error(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestNoTokenInErrors: neither a refusal nor a broken line quotes an address with a token.
func TestNoTokenInErrors(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(sent, http.ResponseWriter) bool{
		"refused": func(s sent, w http.ResponseWriter) bool { refuse(w, 400, 50035); return true },
		"cut off": func(sent, http.ResponseWriter) bool { panic(http.ErrAbortHandler) },
	} {
		d := newStub(t)
		d.answer = answer
		c := unconnected(t, d)
		a := newAnswer(c, Interaction{ID: newID(time.Now(), 1), Token: "secret-of-1", App: appID, Kind: Component, At: time.Now()})
		for _, err := range []error{
			a.Private(t.Context(), Message{}), a.Update(t.Context(), Message{}), a.followUp(t.Context(), Message{}),
			a.editOriginal(t.Context(), Message{}), c.Delete(t.Context(), channelID, "5"),
		} {
			if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, errors.Unwrap(err)), "secret-of-") {
				t.Errorf("%s: %#v", name, err)
			}
		}
		a.timer.Stop()
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"":                              true,
		"http://127.0.0.1:8017/api/v9":  true,
		"http://localhost:8017/api/v9/": true,
		"http://[::1]:8017/api/v9":      true,
		"https://discord.example/api":   true,
		"http://discord.com/api/v9":     false,
		"http://127.0.0.1.evil.example": false,
		"ftp://127.0.0.1/":              false,
		"127.0.0.1:8017":                false,
		"https://user@discord.com/api":  false,
	} {
		_, err := New(Config{Token: botToken, API: address, Handle: func(context.Context, Interaction, *Answer) {}})
		var refused *AddressError
		if ok != (err == nil) || !ok && !errors.As(err, &refused) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestLookingGivesWay: what is only looked at is not sent while much else is, and does not wait for that either; once there
// is room it is sent.
func TestLookingGivesWay(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	c := d.start(nil).connected().client
	c.rest.limits.all.SetLimit(0) // however long this takes, nothing is allowed again
	for c.rest.limits.all.Allow() {
	}
	if _, err := c.CountAfter(t.Context(), channelID, "5", 6); !errors.Is(err, errNoRoom) {
		t.Errorf("got %v, want %v", err, errNoRoom)
	}
	if sent := d.matching("GET", "/messages"); len(sent) > 0 {
		t.Errorf("sent all the same: %v", sent)
	}
	c.rest.limits.all.SetLimit(1e9)
	_, _ = c.CountAfter(t.Context(), channelID, "5", 6)
	if sent := d.matching("GET", "/messages"); len(sent) != 1 {
		t.Errorf("with room again: sent %v", sent)
	}
}
