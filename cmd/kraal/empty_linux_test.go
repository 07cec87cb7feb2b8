package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

// emptyRoot is a system with nothing in it but the binary and a folder for data, as the container's image is.
type emptyRoot struct {
	t   *testing.T
	dir string
}

// newEmptyRoot builds the binary as it is shipped: without cgo, so that it needs nothing beside it.
func newEmptyRoot(t *testing.T) emptyRoot {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("NOT CHECKED: an empty system, for which this test has to run as root")
	}
	e := emptyRoot{t, t.TempDir()}
	openTo(t, e.dir)
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", filepath.Join(e.dir, "kraal"), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	data := filepath.Join(e.dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(data, somebody, somebody); err != nil {
		t.Fatal(err)
	}
	return e
}

// command runs the binary there, as a user who may write to /data and nowhere else.
func (e emptyRoot) command(environ []string, args ...string) *exec.Cmd {
	c := exec.Command("/kraal", args...)
	c.Dir, c.Env = "/data", environ
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: e.dir, Credential: &syscall.Credential{Uid: somebody, Gid: somebody}}
	return c
}

// TestPicturesInAnEmptySystem (O46): the fonts come with the binary. Where there is nothing else, names of all scripts are
// drawn as they are anywhere, to the last byte.
func TestPicturesInAnEmptySystem(t *testing.T) {
	e := newEmptyRoot(t)
	for _, names := range [][2]string{{"Ramaphošwane", "Ωμέγα"}, {"Жанна", "محمد"}, {"你好", "🐂🐂"}} {
		record := "[Variant \"nine\"]\n[White \"" + names[0] + "\"]\n[Black \"" + names[1] + "\"]\n\n1. d7 a7 2. d6 a4 3. d5xa7 a1 *\n"
		here := filepath.Join(t.TempDir(), "here.png")
		for _, path := range []string{filepath.Join(e.dir, "data", "game.txt"), filepath.Join(filepath.Dir(here), "game.txt")} {
			if err := os.WriteFile(path, []byte(record), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if said, err := e.command(nil, "render", "--record", "game.txt", "-o", "there.png").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		code, _, said := call(t, nil, "render", "--record", filepath.Join(filepath.Dir(here), "game.txt"), "-o", here)
		if code != 0 {
			t.Fatal(said)
		}
		want, err := os.ReadFile(here)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(e.dir, "data", "there.png"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: %d bytes there, %d here, error %v; want the same picture", names, len(got), len(want), err)
		}
	}
}

// TestBotInAnEmptySystem: there the bot runs, and is asked how it is and for a copy, with what the container's file sets.
func TestBotInAnEmptySystem(t *testing.T) {
	e := newEmptyRoot(t)
	sb, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sb.Close() }()
	environ := []string{
		"KRAAL_DISCORD_TOKEN=" + sb.Token(), "KRAAL_DISCORD_API=" + sb.API(),
		"KRAAL_STORAGE_PATH=/data/kraal.db", "KRAAL_HTTP_LISTEN=" + freeAddress(t),
	}
	bot, log := e.command(environ), newScreen()
	bot.Stdout, bot.Stderr = log, log
	if err := bot.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = bot.Process.Kill() }()
	ready, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := sb.WaitReady(ready); err != nil {
		t.Fatalf("%v; it said:\n%s", err, log)
	}
	if said, err := e.command(environ, "healthcheck").CombinedOutput(); err != nil || !strings.Contains(string(said), `"status":"ok"`) {
		t.Errorf("healthcheck: %v: %s", err, said)
	}
	if said, err := e.command(environ, "backup", "/data/copy.db").CombinedOutput(); err != nil || !strings.Contains(string(said), "opened and checked") {
		t.Errorf("backup: %v: %s", err, said)
	}
	if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := bot.Wait(); err != nil {
		t.Errorf("at its end: %v; it said:\n%s", err, log)
	}
	if said, err := e.command(environ, "healthcheck").CombinedOutput(); err == nil {
		t.Errorf("a bot that has ended is well: %s", said)
	}
}

// freeAddress is one on this machine where nobody listened a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
