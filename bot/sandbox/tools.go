package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The sandbox for tools in any language: what Actor, the looks at what happened and the faults do in Go, as JSON over
// HTTP below /sandbox/api/. The page acts this way too. A tool shows the page's key as "Authorization: Bearer KEY", which a
// foreign page in a browser cannot do here; the page has a cookie. Reading is GET with a query, everything else POST with an object, in
// which an unknown field is an error. Refusals are {"error": why}: 400 for what cannot be read, 403 without the key, 404
// for what is not there, 422 for what the app does not let a person do, 504 when the time is over.

const (
	toolsPath = "/sandbox/api/"
	maxTool   = 1 << 20
	toolTime  = 30 * time.Second // for a tool to wait for the bot
)

// toolRoute is one thing that a tool can ask for.
type toolRoute struct {
	method, name string
	handle       func(*Sandbox, *http.Request) (any, error)
}

func toolRoutes() []toolRoute {
	return append(toolLooks(), append(toolActs(), toolFaults()...)...)
}

// toolLooks only read.
func toolLooks() []toolRoute {
	return []toolRoute{
		{"GET", "world", (*Sandbox).toolWorld},
		{"GET", "ready", (*Sandbox).toolReady},
		{"GET", "commands", (*Sandbox).toolCommands},
		{"GET", "messages", (*Sandbox).toolMessages},
		{"GET", "message", (*Sandbox).toolMessage},
		{"GET", "requests", (*Sandbox).toolRequests},
		{"GET", "violations", (*Sandbox).toolViolations},
	}
}

// toolsHandler serves tools.
func (s *Sandbox) toolsHandler() http.Handler {
	mux := http.NewServeMux()
	for _, t := range toolRoutes() {
		mux.HandleFunc(t.method+" "+toolsPath+t.name, func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), toolTime)
			defer cancel()
			answerTool(w, func() (any, error) { return t.handle(s, r.WithContext(ctx)) })
		})
	}
	mux.HandleFunc(toolsPath, func(w http.ResponseWriter, r *http.Request) {
		answerTool(w, func() (any, error) {
			return nil, &toolError{http.StatusNotFound, "no such thing: " + r.Method + " " + r.URL.Path}
		})
	})
	g := newGuard(s.address(), s.key)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.lets(r) {
			answerTool(w, func() (any, error) {
				return nil, &toolError{http.StatusForbidden, "the key of the page's address is needed, as Authorization: Bearer KEY"}
			})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// toolError is a refusal with its status.
type toolError struct {
	status int
	why    string
}

func (e *toolError) Error() string { return e.why }

func answerTool(w http.ResponseWriter, do func() (any, error)) {
	status := http.StatusOK
	body, err := do()
	if err != nil {
		status, body = statusOfTool(err), object{"error": err.Error()}
	} else if body == nil {
		body = object{}
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	writeJSON(w, status, body)
}

func statusOfTool(err error) int {
	var told *toolError
	var action *ActionError
	var missing *apiError
	switch {
	case errors.As(err, &told):
		return told.status
	case errors.As(err, &action):
		return http.StatusUnprocessableEntity
	case errors.As(err, &missing):
		return http.StatusNotFound
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusGatewayTimeout
	}
	return http.StatusInternalServerError
}

// posted makes a handler of what takes an object.
func posted[T any](do func(*Sandbox, context.Context, T) (any, error)) func(*Sandbox, *http.Request) (any, error) {
	return func(s *Sandbox, r *http.Request) (any, error) {
		raw, err := io.ReadAll(io.LimitReader(r.Body, maxTool+1))
		if err != nil {
			return nil, &toolError{http.StatusBadRequest, err.Error()}
		}
		if len(raw) > maxTool {
			return nil, &toolError{http.StatusRequestEntityTooLarge, fmt.Sprintf("more than %d bytes", maxTool)}
		}
		var in T
		if len(bytes.TrimSpace(raw)) > 0 {
			d := json.NewDecoder(bytes.NewReader(raw))
			d.DisallowUnknownFields()
			if err := d.Decode(&in); err != nil {
				return nil, &toolError{http.StatusBadRequest, err.Error()}
			}
		}
		return do(s, r.Context(), in)
	}
}
