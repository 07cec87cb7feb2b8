package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"kraal/bot/sandbox"
	"kraal/storage/boltstore"
)

type sandboxCmd struct {
	NoBot bool `help:"Run the sandbox alone, for a bot of your own; its address and token are printed."`
	Reset bool `help:"Begin anew: remove what the sandbox keeps, its servers and messages and the games played in it."`
	Open  bool `help:"Open the page in the browser."`
}

// Run runs in the sandbox.
func (s sandboxCmd) Run(p *program) error {
	c, log, err := p.setUp()
	if err != nil {
		return err
	}
	return p.inSandbox(c, log, s)
}

// inSandbox starts a Discord of its own on this machine, and the bot in it.
func (p *program) inSandbox(c config, log *slog.Logger, asked sandboxCmd) error {
	s, err := p.startSandbox(c, log, asked.Reset)
	if err != nil {
		return err
	}
	defer func() {
		if err := s.Close(); err != nil {
			log.Error("sandbox not closed", "error", err)
		}
	}()
	if asked.NoBot {
		fmt.Fprintf(p.out, "The sandbox waits for a bot.\n  REST   %s (/api/v10 too)\n%s  token  %s\n  page   %s\n",
			s.API(), fromElsewhere(s), s.Token(), s.Page())
	} else {
		fmt.Fprintf(p.out, "The bot plays in a sandbox: a Discord of its own on this machine.\nOpen %s\nStop with Ctrl-C.\n", s.Page())
	}
	if asked.Open {
		defer p.openPage(s.Page(), log)()
	}
	if asked.NoBot {
		<-p.ctx.Done()
		return nil
	}
	c.Discord.Token, c.Discord.API, c.Discord.TestServer = s.Token(), api(s.API()), "" // a server of Discord's is none of the sandbox's
	return p.serve(c, log, c.Sandbox.Storage)
}

// fromElsewhere is a line with the API's address for other machines, where those come in.
func fromElsewhere(s *sandbox.Sandbox) string {
	page, err := url.Parse(s.Page())
	if err != nil || isLocal(page.Hostname()) {
		return ""
	}
	return "         " + page.Scheme + "://" + page.Host + "/api/v9 from other machines\n"
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// openPage shows the page in the browser meanwhile: some browsers do not return before they are closed. It gives what
// waits a moment for that at the end.
func (p *program) openPage(address string, log *slog.Logger) (wait func()) {
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		if err := p.open(address); err != nil {
			log.Warn("the page could not be opened; open its address yourself", "error", err)
		}
	}()
	return func() {
		select {
		case <-shown:
		case <-time.After(time.Second):
		}
	}
}

// portsAfter lists where to listen when a port is taken: the ones after it, so that it is the same again the next time, and
// in the end any.
func portsAfter(listen string) (all []string) {
	host, port, err := net.SplitHostPort(listen)
	first, e := strconv.Atoi(port)
	if err != nil || e != nil {
		return nil
	}
	for n := first + 1; n <= min(first+9, 65535); n++ {
		all = append(all, net.JoinHostPort(host, strconv.Itoa(n)))
	}
	return append(all, net.JoinHostPort(host, "0"))
}

// startSandbox listens where the config says, or on another port where that one is taken.
func (p *program) startSandbox(c config, log *slog.Logger, reset bool) (*sandbox.Sandbox, error) {
	if reset && samePlace(c.Sandbox.Storage, c.Storage.Path) {
		return nil, fmt.Errorf("%s: sandbox.storage and storage.path name the same file: --reset would remove real games", c.Storage.Path)
	}
	world := c.Sandbox.world()
	_, err := os.Stat(world)
	had := err == nil
	asked := sandbox.Config{Listen: c.Sandbox.Listen, Expose: c.Sandbox.Expose, Keep: world, Fresh: reset, Log: log}
	s, err := sandbox.Start(asked)
	for _, another := range portsAfter(asked.Listen) {
		if !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
		asked.Listen = another
		s, err = sandbox.Start(asked)
	}
	if err == nil && asked.Listen != c.Sandbox.Listen {
		fmt.Fprintf(p.out, "%s is taken by another program, so the sandbox is at another port.\n", c.Sandbox.Listen)
	}
	var far *sandbox.AddressError
	if errors.As(err, &far) {
		return nil, fmt.Errorf("sandbox.listen: %w; sandbox.expose = true lets other machines in", err)
	}
	if err != nil || !reset {
		return s, err
	}
	if err := p.tellReset(had, world, c.Sandbox.Storage); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// tellReset removes the sandbox's games as its world was, and says what there was of both.
func (p *program) tellReset(hadWorld bool, world, store string) error {
	if hadWorld {
		fmt.Fprintf(p.out, "Removed %s: the sandbox's servers and messages.\n", world)
	}
	hadStore, err := boltstore.Remove(store)
	if err != nil {
		return err
	}
	if hadStore {
		fmt.Fprintf(p.out, "Removed %s: the games played in the sandbox.\n", store)
	}
	if !hadWorld && !hadStore {
		fmt.Fprintln(p.out, "There was nothing to remove.")
	}
	return nil
}

// samePlace tells whether two paths name one file, or would.
func samePlace(a, b string) bool {
	one, errOne := os.Stat(a)
	two, errTwo := os.Stat(b)
	if errOne == nil && errTwo == nil {
		return os.SameFile(one, two)
	}
	wholeA, errA := filepath.Abs(a)
	wholeB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && wholeA == wholeB
}
