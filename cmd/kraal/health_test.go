package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot/discord/wire"
	"kraal/storage/boltstore"
)

// get reads what is told at an address.
func get(t *testing.T, address string) (code int, body string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// until reads what is told at an address until it holds something.
func until(t *testing.T, address, holds string) string {
	t.Helper()
	soon, often := time.After(20*time.Second), time.NewTicker(20*time.Millisecond)
	defer often.Stop()
	for {
		_, told := get(t, address)
		if strings.Contains(told, holds) {
			return told
		}
		select {
		case <-often.C:
		case <-soon:
			t.Fatalf("no %s in\n%s", holds, told)
		}
	}
}

// families are the names of metrics of ours in a text; those of a histogram's parts are its own.
func families(text string) []string {
	var names []string
	for _, name := range regexp.MustCompile(`\bkraal_[a-z_]+`).FindAllString(text, -1) {
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			name = strings.TrimSuffix(name, part)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestMetrics: a bot that plays is well, tells all that docs/metrics.md lists and no more of its own, and the dashboard
// asks for what there is.
func TestMetrics(t *testing.T) {
	folder := t.TempDir()
	s := inSandbox(t, folder, nil, []string{"KRAAL_HTTP_LISTEN=127.0.0.1:0"})
	address := s.log.await(t, `"address":"(127\.0\.0\.1:\d+)"`)
	s.tool(http.MethodGet, "ready", "")
	s.tool(http.MethodPost, "slash", "{"+naledi+`"command":"challenge","options":{"opponent":"100000000000000002"},"wait":true}`)
	s.tool(http.MethodPost, "slash", "{"+naledi+`"command":"rules","options":{"variant":"koti"},"wait":true}`)
	s.tool(http.MethodPost, "slash", "{"+naledi+`"command":"challenge","options":{"level":1,"colour":"black"},"wait":true}`)
	s.tool(http.MethodPost, "slash", "{"+naledi+`"command":"claim","options":{"game":"none"},"wait":true}`)
	if code, body := get(t, "http://"+address+"/readyz"); code != http.StatusOK || !strings.Contains(body, `"connected":true`) {
		t.Errorf("/readyz: %d %s", code, body)
	}
	if code, out, said := call(t, []string{"KRAAL_HTTP_LISTEN=" + address}, "healthcheck"); code != 0 || !json.Valid([]byte(out)) {
		t.Errorf("healthcheck: exit code %d: %s%s", code, out, said)
	}
	until(t, "http://"+address+"/metrics", `outcome="refused"`) // an answer is seen before it is counted
	told := until(t, "http://"+address+"/metrics", "kraal_engine_seconds")
	for _, want := range []string{
		`kraal_games{state="challenged",variant="`, `kraal_interactions_total{kind="command",outcome="answered"} `,
		`kraal_interactions_total{kind="command",outcome="refused"} `, `kraal_interaction_first_response_seconds_bucket{kind="command",le="`,
		`kraal_commits_total{outcome="kept"} `, `kraal_api_answers_total{method="POST",code="20`, "kraal_gateway_connected 1\n", "go_goroutines ",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("/metrics does not tell %s", want)
		}
	}
	s.leave()
	docs := filepath.Join("..", "..", "docs")
	listed, err := os.ReadFile(filepath.Join(docs, "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := families(told), families(string(listed)); !slices.Equal(got, want) {
		t.Errorf("told are %q,\ndocs/metrics.md lists %q", got, want)
	}
	board, err := os.ReadFile(filepath.Join(docs, "grafana.json"))
	if err != nil || !json.Valid(board) {
		t.Fatalf("docs/grafana.json: valid %v, error %v", json.Valid(board), err)
	}
	if got, want := families(string(board)), families(told); !slices.Equal(got, want) {
		t.Errorf("the dashboard asks for %q, told are %q", got, want)
	}
}

// TestUnwell: what is wrong is told with 503, and a healthcheck fails then.
func TestUnwell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	gateway := wire.Gateway{Connected: true, Acknowledged: time.Now()}
	h := &health{began: time.Now(), path: path, store: store, gateway: func() wire.Gateway { return gateway }}
	m := newMeters()
	m.watch(h)
	server := httptest.NewServer(h.handler(m))
	defer server.Close()
	expect := func(what, path string, code int, want string) {
		t.Helper()
		if got, body := get(t, server.URL+path); got != code || !strings.Contains(body, want) {
			t.Errorf("%s: %s answers %d %s, want %d and %q", what, path, got, body, code, want)
		}
	}
	expect("all well", "/healthz", http.StatusOK, `"status":"ok"`)
	expect("all well", "/readyz", http.StatusOK, `"status":"ok"`)
	gateway.Connected, gateway.Acknowledged = false, time.Now().Add(-deafTime/2)
	expect("reconnecting", "/healthz", http.StatusOK, `"connected":false`)
	expect("reconnecting", "/readyz", http.StatusServiceUnavailable, "not connected")
	gateway.Acknowledged = time.Now().Add(-2 * deafTime)
	expect("deaf", "/healthz", http.StatusServiceUnavailable, "has not been heard")
	gateway.Acknowledged, h.began = time.Time{}, time.Now().Add(-2*deafTime)
	expect("never connected", "/healthz", http.StatusServiceUnavailable, "has not been heard")
	gateway.Acknowledged = time.Now()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	expect("no store", "/healthz", http.StatusServiceUnavailable, "the store fails")
	address := strings.TrimPrefix(server.URL, "http://")
	if code, _, said := call(t, []string{"KRAAL_HTTP_LISTEN=" + address}, "healthcheck"); code != 1 || !strings.Contains(said, "the bot is not well") {
		t.Errorf("healthcheck: exit code %d: %s", code, said)
	}
	if _, err := listenHTTP(address, nil, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "http.listen") {
		t.Errorf("a port that is taken: got error %v", err)
	}
}

// TestNearby: something that listens everywhere is asked on this machine.
func TestNearby(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8018": "127.0.0.1:8018", ":8018": "127.0.0.1:8018", "0.0.0.0:8018": "127.0.0.1:8018", "[::]:8018": "[::1]:8018",
	} {
		if got := nearby(listen); got != want {
			t.Errorf("%s: got %s, want %s", listen, got, want)
		}
	}
}
