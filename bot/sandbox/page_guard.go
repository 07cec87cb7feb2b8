package sandbox

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// guard keeps the sandbox to those who were told its address. It carries the key once; a cookie has it afterwards, which
// no script reads and no other site's request brings along.
type guard struct {
	key    string
	at     string          // host:port
	hosts  map[string]bool // what a request's Host may be
	open   bool            // at is not this machine's alone: a Host may be any number
	cookie string
}

func newGuard(at, key string) guard {
	g := guard{key: key, at: at, hosts: map[string]bool{strings.ToLower(at): true}}
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		host, port = at, "80"
	}
	g.open = !isLoopback(host)
	for _, host := range []string{"127.0.0.1", "localhost", "::1"} {
		g.hosts[net.JoinHostPort(host, port)] = true
	}
	// Cookies know no ports: two sandboxes would take each other's.
	g.cookie = "sandbox_" + port
	return g
}

// isOurs tells whether a Host is one of ours. What other machines reach answers to every number and on every port, for
// numbers and ports are translated on the way; a foreign page can point only a name here.
func (g guard) isOurs(named string) bool {
	named = strings.ToLower(named)
	if g.hosts[named] || !g.open {
		return g.hosts[named]
	}
	host, _, err := net.SplitHostPort(named)
	if err != nil {
		host = named
	}
	_, err = netip.ParseAddr(strings.Trim(host, "[]"))
	own, _, _ := net.SplitHostPort(strings.ToLower(g.at))
	return err == nil || host == "localhost" || host == own
}

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
	return g.isOurs(r.Host) && g.knows(r) && fromPage(r)
}

// fromPage refuses a request that another page had the browser make.
func fromPage(r *http.Request) bool {
	if from := r.Header.Get("Origin"); from != "" && from != "http://"+r.Host {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin"
}
