package sandbox

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// guard keeps the page to those who were told its address. Looking on needs the right Host alone, so that a foreign page
// whose name is made to point here sees nothing; acting needs the key, which the printed address carries once and a
// cookie afterwards.
type guard struct {
	key    string
	at     string          // host:port
	hosts  map[string]bool // what a request's Host may be
	cookie string
}

func newGuard(at, key string) guard {
	g := guard{key: key, at: at, hosts: map[string]bool{strings.ToLower(at): true}}
	_, port, err := net.SplitHostPort(at)
	if err != nil {
		port = "80"
	}
	for _, host := range []string{"127.0.0.1", "localhost", "::1"} {
		g.hosts[net.JoinHostPort(host, port)] = true
	}
	// Cookies know no ports: two sandboxes would take each other's.
	g.cookie = "sandbox_" + port
	return g
}

func (g guard) address() string { return "http://" + g.at + "/?key=" + g.key }

// knows tells whether a request comes from somebody who has the key.
func (g guard) knows(r *http.Request) bool {
	c, err := r.Cookie(g.cookie)
	return err == nil && g.isKey(c.Value)
}

func (g guard) isKey(s string) bool { return subtle.ConstantTimeCompare([]byte(s), []byte(g.key)) == 1 }

// policy allows styles, pictures, forms and frames of the page itself, and no script from anywhere.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; " +
	"frame-ancestors 'self'; base-uri 'none'"

// protect lets through what may pass, and takes the key out of the address.
func (g guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // without a referrer, browsers would hide a form's origin too
		h.Set("Cache-Control", "no-store")
		if !g.hosts[strings.ToLower(r.Host)] {
			http.Error(w, "This page is not to be reached by that name. Open the address that was printed.", http.StatusForbidden)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			http.Error(w, "That form cannot be read.", http.StatusBadRequest)
			return
		}
		if r.Method == http.MethodPost {
			if why := g.refuses(r); why != "" {
				http.Error(w, why, http.StatusForbidden)
				return
			}
		} else if r.Form.Has("key") {
			g.welcome(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuses says why a request may not act; "" if it may.
func (g guard) refuses(r *http.Request) string {
	if from := r.Header.Get("Origin"); from != "" && from != "http://"+r.Host {
		return "That form was not on this page."
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return "That form was not on this page."
	}
	if !g.knows(r) {
		return "To act, open the address that was printed when the sandbox started: it carries the key."
	}
	return ""
}

// welcome changes the key in the address for a cookie.
func (g guard) welcome(w http.ResponseWriter, r *http.Request) {
	if !g.isKey(r.Form.Get("key")) {
		http.Error(w, "That is not the key. Open the address that was printed when this sandbox started.", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.key, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	query := r.URL.Query()
	query.Del("key")
	http.Redirect(w, r, (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String(), http.StatusSeeOther)
}
