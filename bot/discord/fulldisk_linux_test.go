package discord_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kraal/storage"
)

// TestFullDisk: the disk fills up while a game is played. Nobody is told that an action was made which is not kept; the
// process ends with the reason; when there is room again the next one goes on from what was answered.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("NOT CHECKED: a full disk, for which this test has to mount one: %v", err)
	}
	t.Cleanup(func() { // after the stage, which is set up later
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := newStage(t, func(s *stage) { s.path = filepath.Join(disk, "kraal.db") })
	g, id := s.freshGame()
	filler := filepath.Join(disk, "filler")
	release := s.holdReader()
	for full := false; ; {
		a := g.Legal()[0]
		command, options := commandFor(a, id)
		ctx, done := s.patience()
		reply, err := s.player(g.Position().Turn).Slash(ctx, s.channel, command, options)
		done()
		s.must(err)
		if !strings.Contains(reply.Message.Content, "You played") {
			break
		}
		s.must(g.Play(a))
		if g.Status().Over {
			t.Fatal("the game was over before the disk was full")
		}
		if !full {
			full = true
			fill(t, filler)
		}
	}
	release()
	ctx, done := s.patience()
	defer done()
	select {
	case err := <-s.ended:
		if !errors.Is(err, storage.ErrBroken) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("ended with %v, want that the store is broken because the disk is full", err)
		}
		s.ended <- nil
	case <-ctx.Done():
		t.Fatal("the bot goes on with a store that is broken")
	}
	s.must(os.Remove(filler))
	s.restart()
	s.checkRecord(id, g)
	a := g.Legal()[0]
	s.insist(id, g, a)
	s.must(g.Play(a))
	s.checkBoard(s.board(id), g.Position())
}

// holdReader keeps a reader of the store open until it is released, so that no page which a commit frees is taken by a
// later one: each commit needs room that the disk must have.
func (s *stage) holdReader() (release func()) {
	s.t.Helper()
	open, enough, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.store.View(context.Background(), func(storage.Reader) error {
			close(open)
			<-enough
			return nil
		})
	}()
	select {
	case <-open:
	case err := <-ended:
		s.t.Fatal("the reader ended at once:", err)
	}
	release = sync.OnceFunc(func() {
		close(enough)
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(release)
	return release
}

// fill takes all the room there is.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}
