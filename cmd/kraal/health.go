package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"kraal/bot/discord/wire"
	"kraal/storage"
)

// health is how the bot is, for whoever watches over it.
type health struct {
	began   time.Time
	path    string // of the store
	store   storage.Store
	gateway func() wire.Gateway
}

// deafTime is how long the gateway may not have shown that it hears the bot: twice Discord's interval of 41 s, and a
// little, so that a connection that is lost and resumed is no illness.
const deafTime = 90 * time.Second

// age is how long ago the gateway acknowledged a heartbeat, or since the start if it never has.
func (h *health) age() time.Duration {
	if at := h.gateway().Acknowledged; !at.IsZero() {
		return time.Since(at)
	}
	return time.Since(h.began)
}

// storeWorks reads from the store.
func (h *health) storeWorks(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return h.store.View(ctx, func(r storage.Reader) error {
		if _, err := r.Get(storage.AliveKey("bot")); err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		return nil
	})
}

// state is what /healthz and /readyz say.
type state struct {
	Status  string       `json:"status"` // ok, or the worst that there is
	Store   string       `json:"store"`
	Gateway gatewayState `json:"gateway"`
	Up      float64      `json:"up_seconds"`
	Version string       `json:"version"`
}

type gatewayState struct {
	Connected    bool    `json:"connected"`
	Acknowledged float64 `json:"acknowledged_seconds_ago"`
	Lost         int     `json:"lost"`
}

const wellSaid = "ok"

// now is the state; ready asks for a connection too.
func (h *health) now(ctx context.Context, ready bool) (s state, well bool) {
	g := h.gateway()
	s = state{Status: wellSaid, Store: wellSaid, Up: time.Since(h.began).Seconds(), Version: version()}
	s.Gateway = gatewayState{g.Connected, h.age().Seconds(), g.Lost}
	switch err := h.storeWorks(ctx); {
	case err != nil:
		s.Store, s.Status = err.Error(), "the store fails"
	case h.age() > deafTime:
		s.Status = "Discord's gateway has not been heard for too long"
	case ready && !g.Connected:
		s.Status = "not connected"
	}
	return s, s.Status == wellSaid
}

// handler answers at http.listen.
func (h *health) handler(m *meters) http.Handler {
	say := func(ready bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			s, well := h.now(r.Context(), ready)
			w.Header().Set("Content-Type", "application/json")
			if !well {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_ = json.NewEncoder(w).Encode(s) // whoever asked may be gone
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", say(false))
	mux.HandleFunc("GET /readyz", say(true))
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.write(w)
	})
	return mux
}

// watchOver tells whoever watches over the bot how it is, until stop is called.
func (p *program) watchOver(c config, m *meters, h *health, log *slog.Logger) (stop func(), err error) {
	m.watch(h)
	stopHTTP, err := listenHTTP(c.HTTP.Listen, h.handler(m), log)
	if err != nil {
		return nil, err
	}
	leave := findServiceManager(p.environ).accompany(p.ctx, h.storeWorks, log)
	return func() {
		leave()
		stopHTTP()
	}, nil
}

// listenHTTP answers at an address until stop is called; "" is nowhere.
func listenHTTP(address string, h http.Handler, log *slog.Logger) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("http.listen: %w", err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("nothing is told at http.listen any more", "error", err)
		}
	}()
	log.Info("health and metrics are told", "address", l.Addr().String())
	return func() {
		_ = server.Close()
		<-done
	}, nil
}
