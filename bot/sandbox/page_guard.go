package sandbox

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
)

// guard keeps the sandbox to those who were told its address. It carries the key once; a cookie has it afterwards, which
// no script reads and no other site's request brings along.
type guard struct {
	key    string
	hosts  map[string]bool // what a request's Host may be
	cookie string
}

func newGuard(at, key string) guard {
	g := guard{key: key, hosts: map[string]bool{strings.ToLower(at): true}}
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

// isHost tells whether a request came by a name of the sandbox's own: a foreign name can be made to lead here.
func (g guard) isHost(r *http.Request) bool { return g.hosts[strings.ToLower(r.Host)] }

// knows tells whether a request comes from somebody who has the key.
func (g guard) knows(r *http.Request) bool {
	c, err := r.Cookie(g.cookie)
	return err == nil && g.isKey(c.Value)
}

func (g guard) isKey(s string) bool { return subtle.ConstantTimeCompare([]byte(s), []byte(g.key)) == 1 }

// lets says whether a request may act: by a tool that shows the key, or by the page itself, which has it as a cookie.
func (g guard) lets(r *http.Request) bool {
	if g.isKey(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) {
		return true
	}
	return g.isHost(r) && g.knows(r) && fromPage(r)
}

// fromPage refuses a request that another page had the browser make.
func fromPage(r *http.Request) bool {
	if from := r.Header.Get("Origin"); from != "" && from != "http://"+r.Host {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin"
}
