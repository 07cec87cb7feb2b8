package sandbox

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// AddressError refuses to listen where other machines could reach the sandbox, unless Config.Expose says that they may.
type AddressError struct{ Address string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s: the sandbox listens on this machine only; use an address like 127.0.0.1:8017", e.Address)
}

// doors are where a sandbox is reached.
type doors struct {
	listeners []net.Listener
	local     string // host:port for the bot on this machine, always loopback
	at        string // host:port for people
	exposed   bool   // other machines reach it
	name      string // the name by which it was told to listen, if it was one
}

// openDoors listens. A bot may send its token over plain http to its own machine alone, so an address of the network gets
// a loopback one beside it.
func openDoors(c Config) (*doors, error) {
	host, _, err := net.SplitHostPort(c.Listen)
	if !c.Expose && (err != nil || !isLoopback(host)) {
		return nil, &AddressError{Address: c.Listen}
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("the sandbox cannot listen: %w", err)
	}
	bound := listener.Addr().(*net.TCPAddr) // that of every tcp listener
	port := strconv.Itoa(bound.Port)
	d := &doors{listeners: []net.Listener{listener}, local: bound.String(), at: bound.String(), exposed: !bound.IP.IsLoopback()}
	if _, err := netip.ParseAddr(host); err != nil {
		d.name = strings.ToLower(host)
	}
	switch {
	case !d.exposed:
		return d, nil
	case bound.IP.IsUnspecified():
		d.local, d.at = net.JoinHostPort("127.0.0.1", port), net.JoinHostPort(usableIP(), port)
		return d, nil
	case d.name != "":
		d.at = net.JoinHostPort(d.name, port)
	}
	if listener, err = listenLocally(port); err != nil {
		d.close()
		return nil, fmt.Errorf("the sandbox cannot listen: %w", err)
	}
	d.listeners, d.local = append(d.listeners, listener), listener.Addr().String()
	return d, nil
}

// listenLocally takes the port on loopback too, or another where somebody has it.
func listenLocally(port string) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return net.Listen("tcp", "127.0.0.1:0")
	}
	return listener, nil
}

func (d *doors) close() {
	for _, l := range d.listeners {
		_ = l.Close()
	}
}

// usableIP is an address by which other machines may reach this one, an IPv4 one if there is any; without a network it is
// loopback.
func usableIP() string {
	found := "127.0.0.1"
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return found
	}
	for _, a := range addresses {
		network, ok := a.(*net.IPNet)
		if !ok || !network.IP.IsGlobalUnicast() {
			continue
		}
		if network.IP.To4() != nil {
			return network.IP.String()
		}
		found = network.IP.String()
	}
	return found
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// mayBeNamed tells whether a request may call the sandbox so. A page elsewhere can make a name of its own lead here, but no
// number: what is exposed answers to every number.
func (d *doors) mayBeNamed(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if isLoopback(host) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return d.exposed && (err == nil || host == d.name && host != "")
}

// onlyNamed refuses requests that name another host.
func (d *doors) onlyNamed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.mayBeNamed(r.Host) {
			why := "this sandbox serves its own machine only"
			if d.exposed {
				why = "this sandbox is not to be reached by that name; use its number"
			}
			http.Error(w, why, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
