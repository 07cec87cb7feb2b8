package sandbox

import (
	"net/http"
	"net/url"

	"kraal/bot/sandbox/page"
)

// The page for people: files that run in their browser, and a live connection that tells what changes. What they do goes
// the way of tools (tools.go), with the key in a cookie.

// pageHandler serves the page.
func (s *Sandbox) pageHandler() http.Handler {
	g, pages := newGuard(s.address(), s.key), page.New()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if !g.knows(r) {
			servePageFile(w, "closed.html", http.StatusForbidden)
			return
		}
		servePageFile(w, "index.html", http.StatusOK)
	})
	mux.HandleFunc("GET /page/{file}", func(w http.ResponseWriter, r *http.Request) {
		servePageFile(w, r.PathValue("file"), http.StatusOK)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { servePageFile(w, "icon.svg", http.StatusOK) })
	mux.HandleFunc("GET /page/live", func(w http.ResponseWriter, r *http.Request) { s.serveLive(g, pages, w, r) })
	return g.protect(mux)
}

func servePageFile(w http.ResponseWriter, name string, status int) {
	content, kind, err := page.Asset(name)
	if err != nil {
		http.Error(w, "There is no such page. The sandbox is at /.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(content) // whoever has left misses nothing
}

// policy allows what the page brings itself and no script from anywhere else, written into it least of all: what becomes
// elements goes through one named policy, which the sandbox's own markup alone is given to.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; " +
	"frame-ancestors 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types sandbox"

// protect lets through what may pass, and takes the key out of the address.
func (g guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !g.isOurs(r.Host):
			http.Error(w, "This page is not to be reached by that name. Open the address that was printed.", http.StatusForbidden)
		case r.Method == http.MethodGet && r.URL.Query().Has("key"):
			g.welcome(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// welcome changes the key in the address for a cookie.
func (g guard) welcome(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !g.isKey(query.Get("key")) {
		servePageFile(w, "closed.html", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.key, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	query.Del("key")
	http.Redirect(w, r, (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String(), http.StatusSeeOther)
}
