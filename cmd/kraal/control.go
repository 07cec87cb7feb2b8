package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A running bot has the store to itself: no other process can so much as read it. So it listens beside the file, on a
// socket that only its own user (and root) can reach, for one word: backup. What it answers is the copy itself, so that
// whoever asks decides where it goes; a bot that is locked up in its folder could not write it elsewhere.
//
//	backup\n
//	size 65536\n and as many bytes, then done\n
//	or no and why\n

// Times of a copy on its way. Whoever stops reading holds pages of the store, and does not get the rest.
const (
	askTime  = 10 * time.Second
	stepTime = 30 * time.Second
)

// controlSuffix makes the socket's name of the store's.
const controlSuffix = ".sock"

// copier hands over copies.
type copier interface {
	Backup(ctx context.Context, begin func(size int64) (io.Writer, error)) error
}

// offerCopies listens beside the store until stop is called. Where that is not possible the bot runs all the same.
func offerCopies(ctx context.Context, path string, store copier, log *slog.Logger) (stop func()) {
	socket := shorter(path + controlSuffix)
	l, err := listenBeside(socket)
	if err != nil {
		log.Warn("no backup can be made while the bot runs", "socket", socket, "error", err)
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // closed
			}
			if err := handOver(ctx, conn, store); err != nil {
				log.Warn("no backup was handed over", "error", err)
			}
		}
	})
	return func() {
		cancel()
		_ = os.Remove(socket)
		_ = l.Close()
		serving.Wait()
	}
}

// listenBeside makes the socket where nobody else can reach it, and gives it its name when only the owner can: a socket
// is there for all from its first moment. What an earlier process left there goes.
func listenBeside(socket string) (net.Listener, error) {
	if runtime.GOOS == "windows" { // where the folder's rights hold, and a socket cannot be renamed
		_ = os.Remove(socket)
		return net.Listen("unix", socket)
	}
	folder, err := os.MkdirTemp(filepath.Dir(socket), ".sock-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	temp := filepath.Join(folder, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: temp, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // it has another name then
	err = os.Chmod(temp, 0o600)
	if err == nil {
		err = os.Rename(temp, socket)
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// shorter is a path as seen from here, where that is shorter: a socket's path may have a hundred bytes.
func shorter(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	here, err := os.Getwd()
	if err != nil {
		return whole
	}
	if seen, err := filepath.Rel(here, whole); err == nil && len(seen) < len(whole) {
		return seen
	}
	return whole
}

// handOver answers one caller.
func handOver(ctx context.Context, conn net.Conn, store copier) (err error) {
	defer func() { err = errors.Join(err, conn.Close()) }()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })()
	if err := conn.SetDeadline(time.Now().Add(askTime)); err != nil {
		return err
	}
	word, err := bufio.NewReader(io.LimitReader(conn, 64)).ReadString('\n')
	if err != nil {
		return err
	}
	if word != "backup\n" {
		_, err := fmt.Fprintf(conn, "no %q is no word that is known here\n", word)
		return err
	}
	out := &stepwise{conn}
	err = store.Backup(ctx, func(size int64) (io.Writer, error) {
		_, err := fmt.Fprintf(out, "size %d\n", size)
		return out, err
	})
	if err == nil {
		_, err = io.WriteString(out, "done\n")
	}
	return err
}

// stepwise gives each piece its own time.
type stepwise struct{ net.Conn }

func (s *stepwise) Write(p []byte) (n int, err error) {
	const piece = 1 << 20
	for len(p) > 0 && err == nil {
		var wrote int
		if err = s.SetDeadline(time.Now().Add(stepTime)); err == nil {
			wrote, err = s.Conn.Write(p[:min(piece, len(p))])
		}
		n, p = n+wrote, p[wrote:]
	}
	return n, err
}

// askForCopy asks the bot that has the store at path for a copy. asked is false where no bot listens.
func askForCopy(ctx context.Context, path string, w io.Writer) (asked bool, err error) {
	conn, err := (&net.Dialer{Timeout: askTime}).DialContext(ctx, "unix", shorter(path+controlSuffix))
	if errors.Is(err, os.ErrPermission) {
		return true, fmt.Errorf("the bot that runs hands over a copy to its own user only: call backup as that user or root")
	}
	if err != nil {
		return false, nil
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })()
	if _, err := io.WriteString(conn, "backup\n"); err != nil {
		return true, fmt.Errorf("ask for a copy: %w", err)
	}
	from := bufio.NewReaderSize(conn, 1<<20)
	head, err := from.ReadString('\n')
	size, sized := strings.CutPrefix(strings.TrimSpace(head), "size ")
	n, notNumber := strconv.ParseInt(size, 10, 64)
	if err != nil || !sized || notNumber != nil {
		return true, fmt.Errorf("the bot that runs hands over no copy; it says %q", strings.TrimSpace(head))
	}
	if _, err := io.CopyN(w, from, n); err != nil {
		return true, fmt.Errorf("the copy was broken off: %w", err)
	}
	if end, err := from.ReadString('\n'); err != nil || end != "done\n" {
		return true, errors.New("the copy was broken off at its end")
	}
	return true, nil
}
