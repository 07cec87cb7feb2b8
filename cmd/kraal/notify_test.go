//go:build unix

package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestServiceManager: systemd is told of the start, gets signs of life while the store works and none otherwise, and is
// told of the end.
func TestServiceManager(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	expect := func(want string) {
		t.Helper()
		if err := l.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		heard := make([]byte, 256)
		n, err := l.Read(heard)
		if got := string(heard[:n]); err != nil || got != want {
			t.Errorf("got %q and error %v, want %q", got, err, want)
		}
	}
	m := findServiceManager([]string{"NOTIFY_SOCKET=" + socket, "WATCHDOG_USEC=20000", "WATCHDOG_PID=" + strconv.Itoa(os.Getpid())})
	if m.every != 10*time.Millisecond {
		t.Errorf("a sign of life every %v, want twice as often as asked", m.every)
	}
	asked := 0
	works := func(context.Context) error {
		if asked++; asked > 2 {
			return errors.New("it does not")
		}
		return nil
	}
	done := make(chan struct{})
	stop := m.accompany(t.Context(), func(ctx context.Context) error {
		err := works(ctx)
		if asked == 5 {
			close(done)
		}
		return err
	}, slog.New(slog.DiscardHandler))
	expect("READY=1")
	expect("WATCHDOG=1")
	expect("WATCHDOG=1")
	<-done
	stop()
	expect("STOPPING=1")
}

func TestNoServiceManager(t *testing.T) {
	for _, environ := range [][]string{nil, {"NOTIFY_SOCKET=", "WATCHDOG_USEC=20000"}} {
		stop := findServiceManager(environ).accompany(t.Context(), nil, slog.New(slog.DiscardHandler))
		stop()
	}
	if m := findServiceManager([]string{"NOTIFY_SOCKET=@kraal", "WATCHDOG_USEC=20000", "WATCHDOG_PID=1"}); m.every != 0 || m.socket != "@kraal" {
		t.Errorf("got %+v, want that the watchdog is another's", m)
	}
	nowhere := serviceManager{socket: filepath.Join(t.TempDir(), "nobody")}
	if err := nowhere.tell("READY=1"); err == nil {
		t.Error("nobody was told, and that is no error")
	}
}
