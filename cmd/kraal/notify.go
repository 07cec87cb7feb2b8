package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// serviceManager is systemd, where it started the bot (sd_notify(3)): it is told when the bot is there, now and then that
// it is alive, and when it ends. Two dozen lines need no library.
type serviceManager struct {
	socket string        // "": there is none
	every  time.Duration // how often it wants a sign of life; 0: never
}

// findServiceManager reads what systemd puts into the environment.
func findServiceManager(environ []string) (m serviceManager) {
	set := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	m.socket = set["NOTIFY_SOCKET"]
	if pid := set["WATCHDOG_PID"]; pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return m // meant for another process
	}
	if micro, err := strconv.ParseInt(set["WATCHDOG_USEC"], 10, 64); err == nil && micro > 0 {
		m.every = time.Duration(micro) * time.Microsecond / 2
	}
	return m
}

// tell says one thing. An abstract socket's name, which begins with @, is one to net too.
func (m serviceManager) tell(what string) error {
	conn, err := net.Dial("unixgram", m.socket)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_, err = conn.Write([]byte(what))
	return err
}

// accompany tells the service manager of the bot until ctx ends and stop is called. The bot counts as started when it has
// its store, not when Discord has answered: to be ended and started again because Discord is away would use up the sessions
// of a day. works is asked before each sign of life.
func (m serviceManager) accompany(ctx context.Context, works func(context.Context) error, log *slog.Logger) (stop func()) {
	if m.socket == "" {
		return func() {}
	}
	say := func(what string) {
		if err := m.tell(what); err != nil {
			log.Warn("the service manager is not told", "what", what, "error", err)
		}
	}
	say("READY=1")
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		defer say("STOPPING=1")
		m.alive(ctx, works, say, log)
	})
	return func() {
		cancel()
		watching.Wait()
	}
}

func (m serviceManager) alive(ctx context.Context, works func(context.Context) error, say func(string), log *slog.Logger) {
	if m.every == 0 {
		<-ctx.Done()
		return
	}
	ticker := time.NewTicker(m.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := works(ctx); err == nil {
			say("WATCHDOG=1")
		} else if ctx.Err() == nil {
			log.Error("the service manager gets no sign of life", "error", err)
		}
	}
}
