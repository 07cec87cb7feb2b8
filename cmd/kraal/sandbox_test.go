package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// stay is kraal in a sandbox, from its start until it is stopped.
type stay struct {
	t        *testing.T
	out, log *screen
	stop     func()
	ended    chan int
}

// inSandbox starts kraal in a folder, which its stays share.
func inSandbox(t *testing.T, folder string, open func(string) error, environ []string, args ...string) *stay {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &stay{t: t, out: newScreen(), log: newScreen(), stop: stop, ended: make(chan int, 1)}
	environ = append([]string{
		"KRAAL_SANDBOX_LISTEN=127.0.0.1:0", "KRAAL_SANDBOX_STORAGE=" + filepath.Join(folder, "games.db"),
	}, environ...)
	go func() {
		s.ended <- run(program{ctx: ctx, in: strings.NewReader(""), out: s.out, err: s.log, environ: environ, open: open}, args)
	}()
	t.Cleanup(stop)
	return s
}

// leave stops it, and holds its end to a clean one.
func (s *stay) leave() {
	s.t.Helper()
	s.stop()
	if code := <-s.ended; code != 0 {
		s.t.Errorf("exit code %d:\n%s", code, s.log)
	}
}

// page is the printed address.
func (s *stay) page() *url.URL {
	s.t.Helper()
	address := s.out.await(s.t, `Open (http://\S*)`)
	u, err := url.Parse(address)
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

// tool asks the sandbox for something as a tool does, with the key of the page's address.
func (s *stay) tool(method, path, body string) string {
	s.t.Helper()
	page := s.page()
	address := page.Scheme + "://" + page.Host + "/sandbox/api/" + path
	r, err := http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+page.Query().Get("key"))
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s %v %.300s", path, response.Status, err, answer)
	}
	return string(answer)
}

const (
	naledi   = `"as":"100000000000000001","channel":"400000000000000001",`
	thabo    = `"as":"100000000000000002",`
	messages = "messages?as=100000000000000001&channel=400000000000000001"
)

// until waits until the channel shows something.
func (s *stay) until(shown string) {
	s.t.Helper()
	soon, often := time.After(20*time.Second), time.NewTicker(20*time.Millisecond)
	defer often.Stop()
	for {
		seen := s.tool(http.MethodGet, messages, "")
		if strings.Contains(seen, shown) {
			return
		}
		select {
		case <-often.C:
		case <-soon:
			s.t.Fatalf("no %s in %s\n%s", shown, seen, s.log)
		}
	}
}

// TestSandboxStays: an invitation that was sent before a restart is accepted after it, by its old button, and a reset takes
// world and games away.
func TestSandboxStays(t *testing.T) {
	folder := t.TempDir()
	s := inSandbox(t, folder, nil, nil)
	s.tool(http.MethodGet, "ready", "")
	s.tool(http.MethodPost, "say", "{"+naledi+`"content":"a word between"}`)
	sent := s.tool(http.MethodPost, "slash", "{"+naledi+`"command":"challenge","options":{"opponent":"100000000000000002"},"wait":true}`)
	key := s.page().Query().Get("key")
	s.leave()
	s = inSandbox(t, folder, nil, nil)
	if got := s.page().Query().Get("key"); got != key {
		t.Errorf("the key was %s and is %s", key, got)
	}
	if seen := s.tool(http.MethodGet, messages, ""); !strings.Contains(seen, "a word between") {
		t.Errorf("after a restart the channel holds %s", seen)
	}
	message := regexp.MustCompile(`"message":\{"id":"(\d+)"`).FindStringSubmatch(sent)
	if message == nil {
		t.Fatalf("no message in %s", sent)
	}
	s.tool(http.MethodGet, "ready", "")
	s.tool(http.MethodPost, "press", "{"+thabo+`"message":"`+message[1]+`","control":"Accept"}`)
	s.until(`"filename":`) // a board has a picture
	s.leave()
	s = inSandbox(t, folder, nil, nil, "sandbox", "--reset")
	if got := s.page().Query().Get("key"); got == key {
		t.Error("a reset keeps the key")
	}
	if seen := s.tool(http.MethodGet, messages, ""); strings.Contains(seen, `"id"`) {
		t.Errorf("after a reset the channel holds %s", seen)
	}
	for _, name := range []string{"games.db", "games-world.db"} {
		if !strings.Contains(s.out.String(), "Removed "+filepath.Join(folder, name)+": ") {
			t.Errorf("nothing is said of %s in:\n%s", name, s.out)
		}
	}
	s.leave()
	fresh := inSandbox(t, t.TempDir(), nil, nil, "sandbox", "--reset")
	fresh.page()
	if !strings.Contains(fresh.out.String(), "There was nothing to remove.") {
		t.Errorf("it says\n%s", fresh.out)
	}
	fresh.leave()
}

// TestSandboxOpensThePage: the browser is shown the printed address; where that fails, a warning says so and all goes on,
// and a browser that does not return holds nothing up.
func TestSandboxOpensThePage(t *testing.T) {
	opened, block := make(chan string, 1), make(chan struct{})
	defer close(block)
	for name, open := range map[string]func(string) error{
		"opens": func(address string) error { opened <- address; return nil },
		"fails": func(address string) error { opened <- address; return errors.New("there is no browser") },
		"stays": func(address string) error { opened <- address; <-block; return nil },
	} {
		s := inSandbox(t, t.TempDir(), open, nil, "sandbox", "--open")
		if got, want := <-opened, s.page().String(); got != want {
			t.Errorf("%s: the browser was shown %s, want %s", name, got, want)
		}
		if name == "fails" {
			s.log.await(t, `(there is no browser)`)
		}
		s.leave()
	}
}

// TestSandboxAlone prints all that a bot of one's own needs; exposed, also what it needs on another machine.
func TestSandboxAlone(t *testing.T) {
	s := inSandbox(t, t.TempDir(), nil, nil, "sandbox", "--no-bot")
	api, token := s.out.await(t, `REST   (http://127\.0\.0\.1:\d+/api/v9) \(/api/v10 too\)`), s.out.await(t, `token  (\S+)`)
	s.out.await(t, `page   (http://\S+)`)
	for _, base := range []string{api, strings.TrimSuffix(api, "9") + "10"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/users/@me", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bot "+token)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s answers %s", base, response.Status)
		}
	}
	if strings.Contains(s.out.String(), "from other machines") {
		t.Errorf("it says\n%s", s.out)
	}
	s.leave()
}

// TestSandboxExposed: with both settings the bot plays where others come in, which is warned of, and the printed address
// can be opened.
func TestSandboxExposed(t *testing.T) {
	environ := []string{"KRAAL_SANDBOX_LISTEN=0.0.0.0:0", "KRAAL_SANDBOX_EXPOSE=true"}
	s := inSandbox(t, t.TempDir(), nil, environ, "sandbox")
	page := s.page()
	s.log.await(t, `(open to other machines)`)
	s.tool(http.MethodGet, "ready", "") // the bot has found its way, and the address is one
	if page.Hostname() == "0.0.0.0" || page.Hostname() == "" || page.Port() == "0" {
		t.Errorf("%s cannot be opened", page)
	}
	s.leave()
}
