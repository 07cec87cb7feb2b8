package wire

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestTLS: the tap sees into an encrypted connection, also one that goes through a proxy.
func TestTLS(t *testing.T) {
	t.Parallel()
	for name, through := range map[string]bool{"direct": false, "proxy": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newStubOn(t, httptest.NewTLSServer)
			var used atomic.Int32
			proxy := connectProxy(t, &used)
			d.tune = func(c *Client) {
				trusted := x509.NewCertPool()
				trusted.AddCert(d.server.Certificate())
				c.tls = &tls.Config{RootCAs: trusted}
				c.rest.http.Transport.(*http.Transport).TLSClientConfig = c.tls
				c.proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
				if through {
					c.proxy = func(*http.Request) (*url.URL, error) { return proxy, nil }
				}
			}
			d.connect = func(n int, k *socket) {
				k.hello(40000)
				k.begin()
				if n == 1 {
					k.op(7, nil)
				}
				k.listen()
			}
			d.start(nil).connected().begins(2, 6)
			if through != (used.Load() == 2) {
				t.Errorf("the proxy was used %d times", used.Load())
			}
		})
	}
}

// connectProxy relays what is CONNECTed through it, for those who know the password.
func connectProxy(t *testing.T, used *atomic.Int32) *url.URL {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Header.Get("Proxy-Authorization") != "Basic dTpw" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		used.Add(1)
		far, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		near, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(near, "HTTP/1.1 200 Connected\r\n\r\n")
		go func() {
			defer far.Close()
			io.Copy(far, near)
		}()
		io.Copy(near, far)
		near.Close()
	}))
	t.Cleanup(proxy.Close)
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("u", "p")
	return u
}

// TestPlainGatewayElsewhere: a server that names a gateway without TLS on another machine does not get the token.
func TestPlainGatewayElsewhere(t *testing.T) {
	t.Parallel()
	d := newStub(t)
	d.answer = func(s sent, w http.ResponseWriter) bool {
		if s.path != "/gateway" {
			return false
		}
		io.WriteString(w, `{"url":"ws://gateway.example"}`)
		return true
	}
	r := d.start(nil)
	d.until("two tries", func() bool { return len(d.found("GET", "/gateway")) >= 4 })
	r.stop()
	<-r.done
	if !strings.Contains(r.log.String(), "without TLS") || len(d.sockets) > 0 {
		t.Errorf("connected %d times; log: %s", len(d.sockets), r.log)
	}
}

// frame is a server's websocket frame.
func frame(first byte, body []byte) []byte {
	switch n := len(body); {
	case n < 126:
		return append([]byte{first, byte(n)}, body...)
	case n < 1<<16:
		return append(binary.BigEndian.AppendUint16([]byte{first, 126}, uint16(n)), body...)
	default:
		return append(binary.BigEndian.AppendUint64([]byte{first, 127}, uint64(n)), body...)
	}
}

// TestTapFollowsFrames: whatever pieces the bytes arrive in, it finds the one that matters behind small, large and
// foreign frames.
func TestTapFollowsFrames(t *testing.T) {
	t.Parallel()
	stream := []byte("HTTP/1.1 101 Switching Protocols\r\nA: b\r\n\r\n")
	for _, f := range [][]byte{
		frame(wholeText, []byte(`{"op":10,"d":{"heartbeat_interval":40000}}`)),
		frame(wholeText, []byte(`{"op":0,"d":{"op":7,"x":"`+strings.Repeat("x", 200)+`"}}`)),
		frame(wholeText, []byte(strings.Repeat("x", 5000))),
		frame(0x89, []byte("ping")),
		frame(wholeText, []byte(strings.Repeat("x", 70000))),
		frame(wholeText, []byte(`{"op":11}`)),
	} {
		stream = append(stream, f...)
	}
	stream = append(stream, frame(wholeText, []byte(`{"op":7,"d":null}`))...)
	for _, size := range []int{1, 2, 3, 7, 1000, 4096, 65536, len(stream)} {
		tp := newTap(nil, time.Second)
		for at := 0; at < len(stream); at += size {
			piece := stream[at:min(at+size, len(stream))]
			err := tp.feed(piece)
			if last := at+size >= len(stream); last != errors.Is(err, errReconnect) || !last && err != nil {
				t.Fatalf("in pieces of %d, at %d of %d: %v", size, at, len(stream), err)
			}
		}
		if tp.interval != 40*time.Second {
			t.Errorf("interval %v", tp.interval)
		}
	}
}
