package wire

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// RoundTrip lets discordgo make the one request it has to, for the gateway's address, to the server in use.
func (l *link) RoundTrip(req *http.Request) (*http.Response, error) {
	asked, ok := strings.CutPrefix(req.URL.String(), discordgo.EndpointAPI)
	if !ok || asked != "gateway" || req.Method != http.MethodGet {
		return nil, errors.New("a request that discordgo should not make")
	}
	ours, err := http.NewRequestWithContext(l.opening(), http.MethodGet, l.c.cfg.API+"/gateway", nil)
	if err != nil {
		return nil, err
	}
	ours.Header.Set("User-Agent", l.c.rest.agent)
	return l.c.rest.http.Transport.RoundTrip(ours)
}

func (l *link) opening() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ctx
}

// dial connects without TLS, on this machine only: the token follows.
func (l *link) dial(_ context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return nil, &AddressError{address, "a gateway without TLS is only for this machine"}
	}
	return l.tapped((&net.Dialer{}).DialContext(l.opening(), network, address))
}

// dialTLS connects with TLS, here rather than in the websocket library, so that the tap reads what was encrypted; and
// so the environment's proxy has to be asked here as well.
func (l *link) dialTLS(_ context.Context, network, address string) (net.Conn, error) {
	ctx := l.opening()
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	proxy, err := l.c.proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: address}})
	if err != nil {
		return nil, err
	}
	conn, err := dialThrough(ctx, proxy, network, address)
	if err != nil {
		return nil, err
	}
	cfg := l.c.tls.Clone()
	cfg.ServerName, cfg.NextProtos = host, []string{"http/1.1"}
	secure := tls.Client(conn, cfg)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return l.tapped(secure, nil)
}

// dialThrough connects to an address, by way of a proxy if there is one.
func dialThrough(ctx context.Context, proxy *url.URL, network, address string) (net.Conn, error) {
	if proxy == nil {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	if proxy.Scheme != "http" {
		return nil, &AddressError{proxy.Redacted(), "the gateway can be reached through an http proxy only"}
	}
	near := proxy.Host
	if proxy.Port() == "" {
		near = net.JoinHostPort(proxy.Hostname(), "80")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, near)
	if err != nil {
		return nil, err
	}
	unwatch := context.AfterFunc(ctx, func() { conn.Close() })
	defer unwatch()
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if proxy.User != nil {
		password, _ := proxy.User.Password()
		ask.SetBasicAuth(proxy.User.Username(), password)
		ask.Header["Proxy-Authorization"] = ask.Header["Authorization"]
		ask.Header.Del("Authorization")
	}
	if err := ask.Write(conn); err != nil {
		conn.Close()
		return nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), ask) // the far side speaks only when spoken to
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New("the proxy answers " + resp.Status)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func (l *link) tapped(conn net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tap = newTap(conn, l.c.cfg.OpenTimeout)
	return l.tap, nil
}
