package sandbox_test

import (
	"testing"
)

const manage = 1 << 34

// TestThreadsOfOthers: what the bot may do to a thread that a person started, with and without MANAGE_THREADS.
func TestThreadsOfOthers(t *testing.T) {
	d := open(t)
	thread, err := d.StartThread(naledi, games, "tea")
	if err != nil {
		t.Fatal(err)
	}
	path := "/channels/" + thread
	if got := d.expect(200, 0, "GET", path, nil).json(); text(got, "owner_id") != naledi || text(got, "name") != "tea" || got["type"] != 11.0 {
		t.Errorf("the thread is %v", got)
	}
	d.expect(403, 50013, "PATCH", path, obj{"name": "coffee"})
	d.expect(403, 50013, "PATCH", path, obj{"archived": true})
	d.expect(403, 50013, "DELETE", path, nil)
	d.allow(games, view|write|inThreads|manage)
	d.expect(200, 0, "PATCH", path, obj{"name": "coffee"})
	d.expect(200, 0, "PATCH", path, obj{"archived": true, "locked": true})
	d.expect(200, 0, "PATCH", path, obj{"archived": false, "locked": false})
	d.expect(200, 0, "DELETE", path, nil)
	d.expect(404, 10003, "GET", path, nil)
}

// TestArchivedAndLocked: an archived thread opens with a message, a locked one only for who may manage threads.
func TestArchivedAndLocked(t *testing.T) {
	d := open(t)
	thread := d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": "x", "type": 11}).id()
	path := "/channels/" + thread
	id := d.expect(200, 0, "POST", path+"/messages", obj{"content": "x"}).id()
	archive := func(locked bool) {
		t.Helper()
		if err := d.ArchiveThread(thread, locked); err != nil {
			t.Fatal(err)
		}
	}
	archive(false)
	d.expect(200, 0, "POST", path+"/messages", obj{"content": "opens it"})
	archive(false)
	d.expect(200, 0, "PATCH", path, obj{"archived": false})
	archive(true)
	d.expect(400, 50083, "POST", path+"/messages", obj{"content": "y"})
	d.expect(400, 50083, "PATCH", path+"/messages/"+id, obj{"content": "y"})
	d.expect(403, 50013, "PATCH", path, obj{"archived": false})
	if _, err := d.Say(naledi, thread, "hello"); err == nil {
		t.Error("a person wrote into a locked thread")
	}
	d.allow(thread, view|inThreads|manage)
	d.expect(200, 0, "PATCH", path, obj{"archived": false, "locked": false})
	d.expect(200, 0, "PATCH", path+"/messages/"+id, obj{"content": "y"})
	if d.ArchiveThread(games, false) == nil || d.ArchiveThread("1", false) == nil {
		t.Error("what is no thread was archived")
	}
}

// TestThreadsGoWithTheirChannel: only the channel is told of.
func TestThreadsGoWithTheirChannel(t *testing.T) {
	d := open(t)
	l, _ := d.ready()
	thread, err := d.StartThread(naledi, games, "tea")
	if err != nil {
		t.Fatal(err)
	}
	l.event("THREAD_CREATE")
	if _, err := d.Say(naledi, thread, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := d.DeleteChannel(games); err != nil {
		t.Fatal(err)
	}
	if got := l.event("CHANNEL_DELETE").field("id"); got != games {
		t.Errorf("%s is gone", got)
	}
	d.expect(404, 10003, "GET", "/channels/"+thread, nil)
	if seen := d.messages(naledi, thread); seen != nil {
		t.Errorf("still seen: %v", seen)
	}
	another, err := d.StartThread(naledi, general, "more tea")
	if err != nil {
		t.Fatal(err)
	}
	l.event("THREAD_CREATE")
	if err := d.DeleteChannel(another); err != nil {
		t.Fatal(err)
	}
	if got := l.event("THREAD_DELETE"); got.field("id") != another || got.field("parent_id") != general {
		t.Errorf("told %s", got.Data)
	}
	for _, c := range []struct{ person, channel string }{{amara, games}, {naledi, "1"}, {"1", general}, {amara, general}} {
		if _, err := d.StartThread(c.person, c.channel, "x"); err == nil {
			t.Errorf("%s started a thread in %s", c.person, c.channel)
		}
	}
}

// TestThreadsFromMessages: the message shows its thread and can be edited with the flags that it shows.
func TestThreadsFromMessages(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "x"})
	l := d.listens()
	d.expect(201, 0, "POST", written+"/"+id+"/threads", obj{"name": "talk"})
	if made := l.told("THREAD_CREATE"); text(made, "id") != id || made["newly_created"] != true || text(made, "parent_id") != games {
		t.Errorf("the thread is %v", made)
	}
	if m := l.told("MESSAGE_UPDATE"); m["flags"] != 32.0 || text(m, "thread", "name") != "talk" {
		t.Errorf("the message is %v", m)
	}
	d.expect(200, 0, "PATCH", written+"/"+id, obj{"content": "y", "flags": 32})
	plain := d.post(obj{"content": "x"})
	d.expect(400, 50035, "PATCH", written+"/"+plain, obj{"flags": 32})
}
