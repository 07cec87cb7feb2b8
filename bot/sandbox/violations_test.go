package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

// TestViolations: what only a bot's mistake can earn is kept, what a state can earn is not, and troubles that were asked
// for do not count.
func TestViolations(t *testing.T) {
	const into = "/channels/" + games + "/messages"
	long := strings.Repeat("x", 2001)
	for _, c := range []struct {
		name string
		do   func(*desk)
		want string
	}{
		{"too long", func(d *desk) { d.expect(400, 50035, "POST", into, obj{"content": long}) }, "50035"},
		{"empty", func(d *desk) { d.expect(400, 50006, "POST", into, obj{}) }, "50006"},
		{"not JSON", func(d *desk) { d.expect(400, 50109, "POST", into, `{"content":`) }, "50109"},
		{"cut off", func(d *desk) { cutOff(d, "/api/v9"+into) }, ""},
		{"deleted message", func(d *desk) { d.expect(404, 10008, "PATCH", into+"/1", obj{"content": "x"}) }, ""},
		{"a trouble", func(d *desk) {
			d.FailNext("POST", "/channels/", 400, 50035, 1)
			d.expect(400, 50035, "POST", into, obj{"content": "x"})
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t)
			c.do(d)
			got := d.Violations()
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("got %v", got)
			case c.want != "" && (len(got) != 1 || !strings.Contains(got[0].Why, c.want) || got[0].Request.Status < 400):
				t.Errorf("got %v; want one %s", got, c.want)
			}
		})
	}
}

// cutOff sends a request that ends in the midst of its body, as that of a process which is killed does.
func cutOff(d *desk, path string) {
	d.t.Helper()
	api, err := url.Parse(d.API())
	if err != nil {
		d.t.Fatal(err)
	}
	conn, err := net.Dial("tcp", api.Host)
	if err != nil {
		d.t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bot %s\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"content\":",
		path, api.Host, d.Token())
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		d.t.Fatal(err)
	}
	if answer, err := io.ReadAll(conn); err != nil || !strings.Contains(string(answer), " 400 ") {
		d.t.Errorf("got %q, %v", answer, err)
	}
}

// TestCheckJudges: what the judge refuses is kept and carried out all the same.
func TestCheckJudges(t *testing.T) {
	d := openWith(t, sandbox.Config{Check: func(method, path string, body []byte, files int) error {
		if method == "POST" && strings.HasPrefix(path, "/api/v9/channels/") && string(body) == `{"content":"x"}` && files == 0 {
			return errors.New("no x here")
		}
		return nil
	}})
	d.post(obj{"content": "x"})
	d.post(obj{"content": "y"})
	if got := d.Violations(); len(got) != 1 || got[0].Why != "no x here" || got[0].Request.Method != "POST" {
		t.Errorf("got %v", got)
	}
}
