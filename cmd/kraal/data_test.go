package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraal/storage/boltstore"
)

// call runs one command line to its end, with that environment.
func call(t *testing.T, environ []string, args ...string) (code int, out, said string) {
	t.Helper()
	o, e := newScreen(), newScreen()
	code = run(program{ctx: t.Context(), in: strings.NewReader(""), out: o, err: e, environ: environ}, args)
	return code, o.String(), e.String()
}

// TestBackupWhileRunning: a copy taken of a bot that runs holds what it had answered, and a bot that starts from the copy
// goes on there. Nothing takes the store's place under the bot.
func TestBackupWhileRunning(t *testing.T) {
	folder := t.TempDir()
	s := inSandbox(t, folder, nil, nil)
	s.tool(http.MethodGet, "ready", "")
	s.tool(http.MethodPost, "slash", "{"+naledi+`"command":"challenge","options":{"opponent":"100000000000000002"},"wait":true}`)
	environ := []string{"KRAAL_SANDBOX_STORAGE=" + filepath.Join(folder, "games.db")}
	target := filepath.Join(t.TempDir(), "copy.db")
	if code, out, said := call(t, environ, "backup", "--sandbox", target); code != 0 || !strings.Contains(out, "opened and checked") {
		t.Fatalf("exit code %d: %s%s", code, out, said)
	}
	info, err := os.Stat(filepath.Join(folder, "games.db"+controlSuffix))
	if err != nil || info.Mode().Type() != fs.ModeSocket || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, error %v; want that only its owner reaches it", info.Mode(), err)
	}
	if code, _, said := call(t, environ, "restore", "--sandbox", target); code != 1 || !strings.Contains(said, "another process has it locked") {
		t.Errorf("restore while the bot runs: exit code %d: %s", code, said)
	}
	s.leave()
	if left, err := filepath.Glob(filepath.Join(folder, "*sock*")); err != nil || len(left) != 0 {
		t.Errorf("it leaves %q", left)
	}
	_, exported, _ := call(t, []string{"KRAAL_STORAGE_PATH=" + target}, "export", "-")
	if !strings.Contains(exported, `"kind":"match"`) || !strings.Contains(exported, "100000000000000002") {
		t.Errorf("the challenge is not in the copy:\n%s", exported)
	}
	if code, out, said := call(t, environ, "restore", "--sandbox", target); code != 0 || !strings.Contains(out, "What stood there is now ") {
		t.Errorf("restore: exit code %d: %s%s", code, out, said)
	}
	s = inSandbox(t, folder, nil, nil)
	s.tool(http.MethodGet, "ready", "")
	s.leave()
}

// breaking is a store whose copies break off.
type breaking struct{ after int64 }

func (b breaking) Backup(_ context.Context, begin func(int64) (io.Writer, error)) error {
	w, err := begin(b.after + 1)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(w, neverEnding{}, b.after); err != nil {
		return err
	}
	return fmt.Errorf("the disk is gone")
}

type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) { return len(p), nil }

// TestControl: callers who say nothing or something else hold nothing up, and a copy that breaks off is none.
func TestControl(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	log := slog.New(slog.DiscardHandler)
	if asked, err := askForCopy(t.Context(), path, io.Discard); asked || err != nil {
		t.Errorf("where nobody listens: got %v and error %v", asked, err)
	}
	stop := offerCopies(t.Context(), path, breaking{after: 3 << 20}, log)
	if asked, err := askForCopy(t.Context(), path, io.Discard); !asked || err == nil || !strings.Contains(err.Error(), "broken off") {
		t.Errorf("got %v and error %v, want a copy that was broken off", asked, err)
	}
	other, err := net.Dial("unix", path+controlSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(other, "dance\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(other); err != nil || !strings.HasPrefix(string(answer), "no ") {
		t.Errorf("another word is answered %q, error %v", answer, err)
	}
	silent, err := net.Dial("unix", path+controlSuffix)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	stop() // returns although somebody is there who says nothing
	if _, err := os.Stat(path + controlSuffix); err == nil {
		t.Error("the socket is still there")
	}
	offerCopies(t.Context(), filepath.Join(t.TempDir(), strings.Repeat("long", 50), "kraal.db"), breaking{}, log)()
}

// TestStaleSocket: what a killed bot left is in nobody's way.
func TestStaleSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kraal.db")
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := listenBeside(path + controlSuffix)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close() // which leaves the file, as a kill would
	if asked, err := askForCopy(t.Context(), path, io.Discard); asked || err != nil {
		t.Errorf("got %v and error %v, want that nobody was asked", asked, err)
	}
	stop := offerCopies(t.Context(), path, store, slog.New(slog.DiscardHandler))
	if asked, err := askForCopy(t.Context(), path, io.Discard); !asked || err != nil {
		t.Errorf("got %v and error %v, want a copy", asked, err)
	}
	stop()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
