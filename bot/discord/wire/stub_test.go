package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	botToken  = "bot.secret-of-the-bot"
	appID     = "900000000000000001"
	channelID = "700000000000000001"
	serverID  = "600000000000000001"
	personID  = "500000000000000001"
)

// discordgo's own log is the process's: nothing may come out of it.
func TestMain(m *testing.M) {
	var said lockedBuffer
	log.SetOutput(&said)
	flag.Parse()
	flag.Set("test.parallel", "16") // discordgo takes a second to close, and these tests mostly wait
	code := m.Run()
	if text := said.String(); text != "" {
		fmt.Fprintln(os.Stderr, "discordgo wrote to the standard logger:", text)
		code = 1
	}
	os.Exit(code)
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// sent is a request that arrived.
type sent struct {
	method, path string // below /api/v9, with the query
	body         map[string]any
	list         []any // when the body is a list
	files        []string
	auth         string
}

func (s sent) String() string { return s.method + " " + s.path }

// is reports whether the request is of a method and a path that contains part. No method is any method.
func (s sent) is(method, part string) bool {
	return (method == "" || s.method == method) && strings.Contains(s.path, part)
}

// stub is as much of Discord as these tests need.
type stub struct {
	t       *testing.T
	server  *httptest.Server
	answer  func(s sent, w http.ResponseWriter) bool // answers before the stub does; may be nil
	connect func(n int, k *socket)                   // speaks on the nth connection; nil: greets and listens
	tune    func(*Client)                            // before it runs; may be nil

	mu       sync.Mutex
	changed  chan struct{}
	requests []sent
	first    map[string]bool // interactions that had their first response
	nonces   map[string]string
	commands json.RawMessage
	sockets  []*socket
	begun    []int    // op 2 or 6, in the order of arrival
	remains  int      // of session_start_limit
	shards   int      // recommended; 0: not told
	together int      // max_concurrency; 0: not told
	asked    [][2]int // shards of IDENTIFY, in the order of arrival
	ids      int
	seq      int
}

func newStub(t *testing.T) *stub { return newStubOn(t, httptest.NewServer) }

func newStubOn(t *testing.T, listen func(http.Handler) *httptest.Server) *stub {
	d := &stub{
		t: t, changed: make(chan struct{}), first: map[string]bool{}, nonces: map[string]string{},
		commands: json.RawMessage("[]"), remains: 1000,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v9/", d.rest)
	mux.HandleFunc("/socket/", d.socket)
	d.server = listen(mux)
	t.Cleanup(d.server.Close)
	return d
}

func (d *stub) api() string { return d.server.URL + "/api/v9" }

// change alters the stub's state and wakes those who wait for it.
func (d *stub) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
	close(d.changed)
	d.changed = make(chan struct{})
}

// until waits for something to hold; it is asked with the lock held, after each change.
func (d *stub) until(what string, holds func() bool) {
	d.t.Helper()
	limit := time.After(15 * time.Second)
	for {
		d.mu.Lock()
		ok, changed, all := holds(), d.changed, fmt.Sprint(d.requests)
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-limit:
			d.t.Fatalf("waited in vain for %s; requests: %s", what, all)
		}
	}
}

// matching are the requests of a method whose path contains part.
func (d *stub) matching(method, part string) []sent {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.found(method, part)
}

func (d *stub) found(method, part string) []sent {
	return slices.DeleteFunc(slices.Clone(d.requests), func(s sent) bool { return !s.is(method, part) })
}

// request waits for a request.
func (d *stub) request(method, part string) sent {
	d.t.Helper()
	d.until(method+" "+part, func() bool { return len(d.found(method, part)) > 0 })
	return d.matching(method, part)[0]
}

func (d *stub) rest(w http.ResponseWriter, r *http.Request) {
	s := sent{method: r.Method, path: strings.TrimPrefix(r.URL.String(), "/api/v9"), auth: r.Header.Get("Authorization")}
	d.readBody(&s, r)
	d.change(func() { d.requests = append(d.requests, s) })
	if d.answer != nil && d.answer(s, w) {
		return
	}
	switch {
	case s.path == "/gateway", s.path == "/gateway/bot":
		d.mu.Lock()
		defer d.mu.Unlock()
		fmt.Fprintf(w, `{"url":"ws%s/socket","shards":%d,"session_start_limit":{"remaining":%d,"reset_after":100,"max_concurrency":%d}}`,
			strings.TrimPrefix(d.server.URL, "http"), d.shards, d.remains, d.together)
		d.remains = max(d.remains, 1)
	case strings.Contains(s.path, "/callback"):
		d.callback(s, w)
	case strings.Contains(s.path, "/commands"):
		d.command(s, w)
	case s.method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case s.is(http.MethodPost, "/channels/"):
		d.post(s, w)
	case s.method == http.MethodGet:
		io.WriteString(w, `[{"id":"1"},{"id":"2"}]`)
	default:
		io.WriteString(w, `{"id":"800000000000000009"}`)
	}
}

func (d *stub) readBody(s *sent, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // cut off; a test means it
	}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		form, err := multipart.NewReader(bytes.NewReader(text), params["boundary"]).ReadForm(1 << 20)
		if err != nil {
			d.t.Errorf("%v: %v", s, err)
			return
		}
		text = []byte(form.Value["payload_json"][0])
		for n := 0; len(form.File[fmt.Sprintf("files[%d]", n)]) > 0; n++ {
			f, _ := form.File[fmt.Sprintf("files[%d]", n)][0].Open()
			data, _ := io.ReadAll(f)
			s.files = append(s.files, string(data))
		}
	}
	if len(text) > 0 && json.Unmarshal(text, &s.body) != nil && json.Unmarshal(text, &s.list) != nil {
		d.t.Errorf("%v: body is no JSON: %s", s, text)
	}
}

func refuse(w http.ResponseWriter, status, code int) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%d,"message":"refused"}`, code)
}

func (d *stub) callback(s sent, w http.ResponseWriter) {
	id := strings.Split(s.path, "/")[2]
	var again bool
	d.change(func() {
		again = d.first[id]
		d.first[id] = true
	})
	if again {
		refuse(w, 400, codeAcknowledged)
		return
	}
	if strings.Contains(s.path, "with_response=true") {
		io.WriteString(w, `{"interaction":{},"resource":{"type":4,"message":{"id":"800000000000000001"}}}`)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (d *stub) post(s sent, w http.ResponseWriter) {
	nonce, _ := s.body["nonce"].(string)
	d.mu.Lock()
	defer d.mu.Unlock()
	id, known := d.nonces[nonce]
	if !known || nonce == "" {
		d.ids++
		id = "81" + fmt.Sprintf("%016d", d.ids)
		d.nonces[nonce] = id
	}
	fmt.Fprintf(w, `{"id":%q}`, id)
}

// command keeps what is registered the way Discord does: with ids, versions and defaults.
func (d *stub) command(s sent, w http.ResponseWriter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.method == http.MethodPut {
		for n, one := range s.list {
			c := one.(map[string]any)
			c["id"], c["application_id"], c["version"] = strconv.Itoa(1000+n), appID, "7"
			c["dm_permission"], c["nsfw"], c["integration_types"], c["handler"] = true, false, []int{0}, nil
			if c["contexts"] == nil {
				c["contexts"] = []int{0, 1, 2}
			}
		}
		slices.Reverse(s.list)
		d.commands, _ = json.Marshal(s.list)
	}
	w.Write(d.commands)
}

// running is a client connected to a stub.
type running struct {
	*stub
	client *Client
	log    *lockedBuffer
	stop   context.CancelFunc
	done   chan error // Run's answer
}

// start runs a client against the stub with short times. What it logs must hold no secret.
func (d *stub) start(change func(*Config)) *running {
	r := &running{stub: d, log: &lockedBuffer{}, done: make(chan error, 1)}
	cfg := Config{
		Token: botToken, API: d.api(), Oops: Message{Content: "oops"},
		Log:    slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Handle: func(context.Context, Interaction, *Answer) {},
		Random: func() float64 { return 0.5 }, OpenTimeout: 10 * time.Second, ReconnectAfter: time.Millisecond,
		IdentifyEvery: time.Millisecond, Backoff: time.Millisecond, DeferAfter: 10 * time.Second, ChoicesAfter: 10 * time.Second,
	}
	if change != nil {
		change(&cfg)
	}
	var err error
	if r.client, err = New(cfg); err != nil {
		d.t.Fatal(err)
	}
	if d.tune != nil {
		d.tune(r.client)
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	r.stop = cancel
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.done <- r.client.Run(ctx)
	}()
	d.t.Cleanup(func() {
		cancel()
		<-ended
		for _, secret := range []string{botToken, "secret-of-"} {
			if strings.Contains(r.log.String(), secret) {
				d.t.Errorf("the log holds %q:\n%s", secret, r.log)
			}
		}
	})
	return r
}

// connected waits for the first session.
func (r *running) connected() *running {
	r.t.Helper()
	select {
	case <-r.client.Connected():
	case err := <-r.done:
		r.t.Fatalf("Run ended: %v", err)
	case <-time.After(15 * time.Second):
		r.t.Fatal("not connected")
	}
	return r
}

// press delivers an interaction on the newest connection.
func (r *running) press(event map[string]any) {
	r.mu.Lock()
	k := r.sockets[len(r.sockets)-1]
	r.mu.Unlock()
	k.dispatch("INTERACTION_CREATE", event)
}

// newID is an id as Discord would make it at a time; n tells ids of one moment apart.
func newID(at time.Time, n int) string {
	return strconv.FormatInt((at.UnixMilli()-epochMillis)<<22|int64(n), 10)
}

// event is an interaction of a member in a server; more overrides its parts.
func event(n int, kind int, data map[string]any, more map[string]any) map[string]any {
	id := newID(time.Now(), n)
	e := map[string]any{
		"id": id, "application_id": appID, "type": kind, "token": "secret-of-" + id, "version": 1,
		"guild_id": serverID, "channel_id": channelID, "channel": map[string]any{"id": channelID, "type": 0},
		"member": map[string]any{"nick": "Naledi", "permissions": "2048", "user": map[string]any{"id": personID, "username": "naledi"}},
		"locale": "en-GB", "app_permissions": "34359741440", "data": data,
	}
	if kind == 3 {
		e["message"] = map[string]any{"id": "800000000000000005", "flags": 0, "components": []any{map[string]any{"type": 99}}}
	}
	for name, value := range more {
		e[name] = value
	}
	return e
}

func slash(n int) map[string]any { return event(n, 2, map[string]any{"name": "move", "type": 1}, nil) }
func tap3(n int) map[string]any {
	return event(n, 3, map[string]any{"custom_id": "k1", "component_type": 2}, nil)
}
func typing(n int) map[string]any {
	return event(n, 4, map[string]any{"name": "move", "options": []any{map[string]any{"name": "to", "type": 3, "value": "a", "focused": true}}}, nil)
}
