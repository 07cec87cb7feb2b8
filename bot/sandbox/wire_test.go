package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

// People and places of the default world.
const (
	naledi  = "100000000000000001"
	thabo   = "100000000000000002"
	amara   = "100000000000000006"
	village = "300000000000000001"
	games   = "400000000000000001"
	general = "400000000000000002"
)

type obj = map[string]any

// clock is a time that stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// desk is a sandbox with a bot that speaks nothing but the wire.
type desk struct {
	*sandbox.Sandbox
	t     *testing.T
	clock *clock
}

// open starts a sandbox whose limits are out of the way.
func open(t *testing.T) *desk { return openWith(t, sandbox.Config{Allowance: 1000}) }

func openWith(t *testing.T, c sandbox.Config) *desk {
	t.Helper()
	d := &desk{t: t, clock: &clock{at: time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC)}}
	c.Now = d.clock.now
	var err error
	if d.Sandbox, err = sandbox.Start(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("the sandbox did not close: %v", err)
		}
	})
	return d
}

func (d *desk) ctx() context.Context {
	ctx, cancel := context.WithTimeout(d.t.Context(), 5*time.Second)
	d.t.Cleanup(cancel)
	return ctx
}

// answer is what the API said.
type answer struct {
	status int
	header http.Header
	raw    []byte
}

func (a answer) json() (o obj) {
	_ = json.Unmarshal(a.raw, &o)
	return o
}

func (a answer) list() (l []obj) {
	_ = json.Unmarshal(a.raw, &l)
	return l
}

func (a answer) code() int {
	n, _ := a.json()["code"].(float64)
	return int(n)
}

func (a answer) id() string { return text(a.json(), "id") }

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.raw) }

// text is a string deep in an answer.
func text(o obj, path ...string) string {
	for _, p := range path[:len(path)-1] {
		o, _ = o[p].(obj)
	}
	s, _ := o[path[len(path)-1]].(string)
	return s
}

// send asks with a body that may be nil, a text as it is, or anything for JSON.
func (d *desk) send(method, path string, body any) answer {
	d.t.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		raw, err := json.Marshal(body)
		if err != nil {
			d.t.Fatal(err)
		}
		r = bytes.NewReader(raw)
	}
	return d.ask(method, d.API()+path, "application/json", r)
}

func (d *desk) ask(method, url, kind string, body io.Reader) answer {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.ctx(), method, url, body)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+d.Token())
	if body != nil {
		r.Header.Set("Content-Type", kind)
	}
	return d.roundTrip(r)
}

func (d *desk) roundTrip(r *http.Request) answer {
	d.t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, raw}
}

// upload asks with files, in the order of their names; "0" becomes files[0], named 0.png.
func (d *desk) upload(method, url string, body any, files ...string) answer {
	d.t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	raw, _ := json.Marshal(body)
	_ = w.WriteField("payload_json", string(raw))
	for _, n := range files {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="files[%s]"; filename="%s.png"`, n, n))
		h.Set("Content-Type", "image/png")
		part, _ := w.CreatePart(h)
		_, _ = io.WriteString(part, "picture "+n)
	}
	_ = w.Close()
	return d.ask(method, url, w.FormDataContentType(), &buf)
}

// expect asks and holds the answer to a status and, for refusals, Discord's code.
func (d *desk) expect(status, code int, method, path string, body any) answer {
	d.t.Helper()
	a := d.send(method, path, body)
	d.was(a, status, code)
	return a
}

func (d *desk) was(a answer, status, code int) {
	d.t.Helper()
	if a.status != status || a.status >= 400 && a.code() != code {
		d.t.Fatalf("got %v; want %d %d", a, status, code)
	}
}

// post puts a message into the games channel and gives its id.
func (d *desk) post(body any) string {
	d.t.Helper()
	return d.expect(200, 0, "POST", "/channels/"+games+"/messages", body).id()
}

// register puts the bot's commands.
func (d *desk) register(commands ...obj) []obj {
	d.t.Helper()
	return d.expect(200, 0, "PUT", "/applications/"+d.AppID()+"/commands", commands).list()
}

func (d *desk) messages(person, channel string) []sandbox.Message {
	return d.As(person).Messages(channel)
}

func row(components ...any) obj { return obj{"type": 1, "components": components} }

func button(id, label string) obj { return obj{"type": 2, "style": 1, "custom_id": id, "label": label} }

func menu(id string, values ...string) obj {
	options := []obj{}
	for _, v := range values {
		options = append(options, obj{"label": "the " + v, "value": v})
	}
	return obj{"type": 3, "custom_id": id, "options": options}
}

// repeat makes n things.
func repeat(n int, make func(int) any) (all []any) {
	for i := range n {
		all = append(all, make(i))
	}
	return all
}

// with is an object with some fields of its own.
func with(o obj, more obj) obj {
	both := obj{}
	for _, one := range []obj{o, more} {
		for k, v := range one {
			both[k] = v
		}
	}
	return both
}

func sorted(ids []string) []string { return slices.Sorted(slices.Values(ids)) }

// in is the same desk, for a subtest.
func (d *desk) in(t *testing.T) *desk { return &desk{d.Sandbox, t, d.clock} }
