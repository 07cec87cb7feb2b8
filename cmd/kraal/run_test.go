package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is an output that a test can read while it is written.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{}
}

func newScreen() *screen { return &screen{written: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.written <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until the output matches and returns the first group.
func (s *screen) await(t testing.TB, pattern string) string {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		if found := regexp.MustCompile(pattern).FindStringSubmatch(s.String()); found != nil {
			return found[1]
		}
		select {
		case <-s.written:
		case <-deadline:
			t.Fatalf("no %s in:\n%s", pattern, s)
		}
	}
}

// TestRunWithoutToken is what a newcomer does: the sandbox's page is there, also when the usual port is taken, and the
// end is clean.
func TestRunWithoutToken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, log := newScreen(), newScreen()
	environ := []string{
		"KRAAL_SANDBOX_LISTEN=" + taken.Addr().String(),
		"KRAAL_SANDBOX_STORAGE=" + filepath.Join(t.TempDir(), "sandbox.db"),
	}
	ended := make(chan int, 1)
	go func() {
		ended <- run(program{ctx: ctx, in: strings.NewReader(""), out: out, err: log, environ: environ}, nil)
	}()
	page := out.await(t, `Open (http://127\.0\.0\.1:\d+/\S*)`)
	log.await(t, `(commands registered)`)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Jar: jar}).Get(page)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), "sandbox") {
		t.Errorf("the page answers %s, %v:\n%.300s", answer.Status, err, body)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d:\n%s", code, log)
	}
	exported := newScreen()
	code := run(program{ctx: t.Context(), in: strings.NewReader(""), out: exported, err: log, environ: environ}, []string{"export", "--sandbox", "-"})
	first, _, _ := strings.Cut(exported.String(), "\n")
	if code != 0 || !json.Valid([]byte(first)) || !strings.Contains(first, "format") {
		t.Errorf("the export of what was kept ends with %d and begins with %q", code, first)
	}
}

// TestWrongToken: Discord's refusal is one plain sentence, and the process does not try again.
func TestWrongToken(t *testing.T) {
	v := newVictim(t)
	out, log := newScreen(), newScreen()
	code := run(program{ctx: t.Context(), in: strings.NewReader(""), out: out, err: log, environ: []string{
		"KRAAL_DISCORD_TOKEN=wrong.secret", "KRAAL_DISCORD_API=" + v.sb.API(),
		"KRAAL_STORAGE_PATH=" + filepath.Join(t.TempDir(), "kraal.db"),
	}}, nil)
	if code != exitRefused || !strings.Contains(log.String(), "discord.token") || strings.Contains(log.String(), "wrong.secret") {
		t.Errorf("exit code %d: %s", code, log)
	}
}
