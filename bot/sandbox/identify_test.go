package sandbox_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// TestShards: each session hears of its own servers, and the first of direct messages; one session of a shard ends
// another of the same shard alone.
func TestShards(t *testing.T) {
	d := open(t)
	const club = "300000000000000002"
	shardOf := func(server string) int {
		if server == village {
			return int(uint64(300000000000000001) >> 22 % 3)
		}
		return int(uint64(300000000000000002) >> 22 % 3)
	}
	lines := map[int]*line{}
	for shard := range 3 {
		l := d.greeted()
		l.say(2, with(d.identity(1), obj{"shard": []int{shard, 3}}))
		ready := l.event("READY")
		if !strings.Contains(string(ready.Data), fmt.Sprintf(`"shard":[%d,3]`, shard)) {
			t.Errorf("shard %d: told %s", shard, ready.Data)
		}
		for _, server := range []string{village, club} {
			if told := strings.Contains(string(ready.Data), server); told != (shardOf(server) == shard) {
				t.Errorf("shard %d: told of %s: %v", shard, server, told)
			}
			if shardOf(server) == shard {
				l.event("GUILD_CREATE")
			}
		}
		lines[shard] = l
	}
	if err := d.Kick(village); err != nil {
		t.Fatal(err)
	}
	for shard, l := range lines {
		if shard == shardOf(village) {
			l.event("GUILD_DELETE")
		}
		l.say(1, nil)
		l.read(11) // and nothing before it
	}
	again := d.greeted()
	again.say(2, with(d.identity(1), obj{"shard": []int{0, 3}}))
	again.event("READY")
	lines[0].closed(0)
	lines[1].say(1, nil)
	lines[1].read(11)
}

func TestIdentifyRefused(t *testing.T) {
	d := open(t)
	for name, c := range map[string]struct {
		code  int
		shard any
	}{
		"a shard too high": {4010, []int{2, 2}},
		"a shard too low":  {4010, []int{-1, 2}},
		"no shards":        {4010, []int{0, 0}},
	} {
		l := d.greeted()
		l.t = t
		l.say(2, with(d.identity(1), obj{"shard": c.shard}))
		t.Log(name)
		l.closed(c.code)
	}
	l := d.greeted()
	l.say(2, obj{"token": d.Token(), "properties": obj{}})
	l.closed(4013)
}

func TestVersions(t *testing.T) {
	d := open(t)
	url := text(d.expect(200, 0, "GET", "/gateway", nil).json(), "url")
	dial := func(version string) *line {
		ws, resp, err := websocket.DefaultDialer.DialContext(d.ctx(), url+"/?encoding=json&v="+version, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		t.Cleanup(func() { _ = ws.Close() })
		return &line{t, ws}
	}
	for _, version := range []string{"9", "10"} {
		l := dial(version)
		l.read(10)
		l.say(2, d.identity(1))
		if ready := l.event("READY"); !strings.HasPrefix(string(ready.Data), "{") || !strings.Contains(string(ready.Data), `"v":`+version) {
			t.Errorf("version %s: %s", version, ready.Data)
		}
	}
	dial("3").closed(4012)
}
