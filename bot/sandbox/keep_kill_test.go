package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKill kills a process that writes and saves without a pause, at moments chosen by chance: the file opens every time,
// whatever was saved is there, and every message has its own picture.
func TestKill(t *testing.T) {
	const lives = 30
	path := filepath.Join(t.TempDir(), "world.db")
	saved := map[string]bool{}
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, 0))
	for life := range lives {
		for _, id := range killKeeper(t, path, time.Duration(chance.IntN(60))*time.Millisecond) {
			saved[id] = true
		}
		checkKept(t, path, saved)
		if t.Failed() {
			t.Fatalf("seed %d, life %d", seed, life)
		}
	}
	if len(saved) < lives {
		t.Errorf("only %d messages were saved", len(saved))
	}
	t.Logf("%d messages saved in %d lives", len(saved), lives)
}

// killKeeper lets a process go on for a while after it has saved once, kills it, and gives what it saved.
func killKeeper(t *testing.T, path string, lives time.Duration) (saved []string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var death *time.Timer
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // what has no end of line was not said
		}
		saved = append(saved, strings.TrimSpace(line))
		if death == nil {
			death = time.AfterFunc(lives, func() { _ = child.Process.Kill() })
			defer death.Stop()
		}
	}
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Errorf("it ended by itself: %v", err)
	}
	return saved
}

func checkKept(t *testing.T, path string, saved map[string]bool) {
	t.Helper()
	s, err := Start(Config{Keep: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	order := s.channels["400000000000000001"].order
	for id := range saved {
		if s.messages[id] == nil && (len(order) < maxMessages || compareIDs(id, order[0]) > 0) {
			t.Errorf("message %s was saved and is lost", id)
		}
	}
	for id, m := range s.messages {
		if len(m.Attachments) != 1 || string(m.Attachments[0].Data) != m.Content {
			t.Errorf("message %s says %.9q beside %+v", id, m.Content, m.Attachments)
		}
	}
}

// childKeep writes and changes messages, and says which are saved, until it is killed. Each one says what its picture is.
func childKeep(path string) int {
	s, err := Start(Config{Keep: path})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	put := func(m *message, n int) {
		m.Content = strings.Repeat(fmt.Sprintf("%s %d ", m.ID, n), 500)
		m.Attachments = []Attachment{{ID: s.newID(), Filename: "a.png", Data: []byte(m.Content)}}
	}
	for n := 0; ; n++ {
		s.mu.Lock()
		m := &message{Message: Message{Channel: "400000000000000001", Author: botID}}
		put(m, n)
		s.add(m)
		if old := s.messages[s.channels[m.Channel].order[0]]; n%2 == 1 {
			put(old, n)
			s.revise(old)
		}
		id := m.ID
		s.mu.Unlock()
		if err := s.save(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(id)
	}
}

// TestKeptChannelsAreBounded: a message that went from memory because there were too many goes from the file too, and
// revisions grow over a restart.
func TestKeptChannelsAreBounded(t *testing.T) {
	c := Config{Keep: filepath.Join(t.TempDir(), "world.db")}
	s, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	first := say(t, s, 20)
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	rest := say(t, s, maxMessages)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	was := s.rev
	if s, err = Start(c); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if order := s.channels["400000000000000001"].order; !slices.Equal(order, rest) || len(s.messages) != len(rest) {
		t.Errorf("%d messages, %d in order from %s; %s was the first", len(s.messages), len(order), order[0], first[0])
	}
	if s.rev <= was {
		t.Errorf("the revision went from %d to %d", was, s.rev)
	}
}
