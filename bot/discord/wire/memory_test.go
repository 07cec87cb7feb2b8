package wire

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
)

// idleServers is how many servers the memory test tells of, each with channels, roles and some hundred members.
const idleServers = 2000

// TestIdleServers: nothing is kept of a server in which nothing happens, however many members it has.
func TestIdleServers(t *testing.T) {
	d := newStub(t) // not in parallel: others would use memory too
	more := make(chan int)
	d.connect = func(_ int, k *socket) {
		k.hello(40000)
		k.begin()
		go k.listen()
		for members := range more {
			for n := range idleServers {
				k.dispatch("GUILD_CREATE", busyServer(n, members))
			}
			k.dispatch("GUILD_DELETE", map[string]any{"id": "1"})
		}
	}
	arrived, told := 0, make(chan int)
	r := d.start(func(cfg *Config) {
		cfg.Arrived = func(Server) { arrived++ }
		cfg.Left = func(string) { told <- arrived }
	}).connected()
	tell := func(members int) uint64 {
		more <- members
		if got := <-told; got != idleServers {
			t.Fatalf("told of %d servers, want %d", got, idleServers)
		}
		arrived = 0
		return heap()
	}
	before := heap()
	few := tell(1)
	many := tell(100)
	close(more)
	perServer := func(after uint64) float64 { return (float64(after) - float64(before)) / idleServers }
	t.Logf("bytes that stay per server: %.0f with one member told of, %.0f with a hundred", perServer(few), perServer(many))
	const most = 512 // buffers of the connection are spread over all
	if perServer(few) > most || perServer(many) > most {
		t.Errorf("a server keeps %.0f and %.0f bytes, want %d at most", perServer(few), perServer(many), most)
	}
	r.stop()
	<-r.done
}

// heap is what lives after everything else has been collected.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what pools kept goes the second time
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func busyServer(n, members int) map[string]any {
	id := strconv.Itoa((n + 2) << 22)
	g := map[string]any{"id": id, "name": "server " + id, "owner_id": personID, "member_count": 5000}
	var people, channels []any
	for i := range members {
		people = append(people, map[string]any{
			"user": map[string]any{"id": fmt.Sprint(1000 + i), "username": fmt.Sprint("member-", i)}, "roles": []string{id},
		})
	}
	for i := range 20 {
		channels = append(channels, map[string]any{"id": fmt.Sprint(n*100 + i + 1), "type": 0, "name": "channel", "position": i})
	}
	g["members"], g["channels"] = people, channels
	g["roles"] = []any{map[string]any{"id": id, "permissions": "3072"}}
	return g
}
