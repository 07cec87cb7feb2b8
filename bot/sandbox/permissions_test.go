package sandbox_test

import "testing"

const (
	view      = 1 << 10
	write     = 1 << 11
	embed     = 1 << 14
	attach    = 1 << 15
	history   = 1 << 16
	public    = 1 << 35
	private   = 1 << 36
	inThreads = 1 << 38
)

func (d *desk) allow(channel string, permissions uint64) {
	d.t.Helper()
	if err := d.SetPermissions(channel, permissions); err != nil {
		d.t.Fatal(err)
	}
}

func TestChannelPermissions(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "x"})
	path := written + "/" + id
	words, title := obj{"content": "y"}, obj{"embeds": []obj{{"title": "x"}}}
	d.allow(games, write|attach|embed|history)
	d.expect(403, 50001, "POST", written, words)
	d.expect(403, 50001, "PATCH", path, words)
	d.expect(403, 50001, "GET", path, nil)
	d.expect(403, 50001, "GET", "/channels/"+games, nil)
	d.allow(games, view|attach|embed)
	d.expect(403, 50013, "POST", written, words)
	d.expect(403, 50013, "PATCH", path, words)
	d.expect(403, 50013, "GET", path, nil)
	d.allow(games, view|write)
	d.expect(200, 0, "PATCH", path, words)
	d.expect(403, 50013, "PATCH", path, title)
	d.was(d.upload("PATCH", d.API()+path, words, "0"), 403, 50013)
	d.was(d.upload("POST", d.API()+written, words, "0"), 403, 50013)
	d.allow(games, view|write|attach|embed)
	d.expect(200, 0, "PATCH", path, title)
	d.was(d.upload("PATCH", d.API()+path, words, "0"), 200, 0)
	if err := d.Kick(village); err != nil {
		t.Fatal(err)
	}
	d.expect(403, 50001, "PATCH", path, words)
	d.expect(404, 10004, "GET", "/guilds/"+village, nil)
	if err := d.Invite(village); err != nil {
		t.Fatal(err)
	}
	d.expect(200, 0, "PATCH", path, words)
	d.expect(404, 10003, "POST", "/channels/1/messages", words)
	if d.SetPermissions("1", 0) == nil {
		t.Error("the permissions of no channel were set")
	}
}

func TestThreads(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "x"})
	from := written + "/" + id + "/threads"
	d.expect(400, 50035, "POST", from, obj{"name": ""})
	d.expect(400, 50035, "POST", from, obj{"name": "x", "auto_archive_duration": 61})
	a := d.expect(201, 0, "POST", from, obj{"name": "a game"})
	if a.id() != id || a.json()["type"] != 11.0 || a.json()["parent_id"] != games {
		t.Errorf("the thread is %v", a)
	}
	d.expect(400, 160004, "POST", from, obj{"name": "again"})
	d.expect(404, 10008, "POST", "/channels/"+general+"/messages/"+id+"/threads", obj{"name": "elsewhere"})
	d.expect(403, 50013, "POST", "/channels/"+games+"/threads", obj{"name": "private by default"})
	d.expect(400, 50035, "POST", "/channels/"+games+"/threads", obj{"name": "x", "type": 5})
	d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": "public", "type": 11})
	d.allow(games, view|write|private)
	d.expect(403, 50013, "POST", "/channels/"+games+"/threads", obj{"name": "public", "type": 11})
	if got := d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": "private"}); got.json()["type"] != 12.0 {
		t.Errorf("got %v", got)
	}
}

func TestThreadsHaveTheirOwnPermission(t *testing.T) {
	d := open(t)
	thread := d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": "x", "type": 11}).id()
	path := "/channels/" + thread + "/messages"
	for _, channel := range []string{games, thread} {
		d.allow(channel, view|write)
	}
	d.expect(403, 50013, "POST", path, obj{"content": "x"})
	for _, channel := range []string{games, thread} {
		d.allow(channel, view|inThreads)
	}
	id := d.expect(200, 0, "POST", path, obj{"content": "x"}).id()
	d.expect(200, 0, "PATCH", "/channels/"+thread, obj{"archived": true})
	d.expect(400, 50083, "PATCH", path+"/"+id, obj{"content": "y"})
	d.expect(400, 50083, "PATCH", "/channels/"+thread, obj{"name": "renamed"})
	d.register(obj{"name": "ping", "description": "x"})
	if _, err := d.As(naledi).Slash(d.ctx(), thread, "ping", nil); err == nil {
		t.Error("a command was used in an archived thread")
	}
	d.expect(200, 0, "POST", path, obj{"content": "opens it"})
	d.expect(200, 0, "PATCH", path+"/"+id, obj{"content": "y"})
	d.expect(200, 0, "PATCH", "/channels/"+thread, obj{"archived": true})
	if got := d.expect(200, 0, "PATCH", "/channels/"+thread, obj{"archived": false, "name": "renamed"}); text(got.json(), "name") != "renamed" {
		t.Errorf("got %v", got)
	}
	d.expect(403, 50013, "PATCH", "/channels/"+games, obj{"name": "renamed"})
}

func TestDirectMessages(t *testing.T) {
	d := open(t)
	a := d.expect(200, 0, "POST", "/users/@me/channels", obj{"recipient_id": naledi})
	if a.id() != d.As(naledi).Direct() || a.json()["type"] != 1.0 {
		t.Errorf("opened %v", a)
	}
	d.expect(404, 10013, "POST", "/users/@me/channels", obj{"recipient_id": "1"})
	d.expect(200, 0, "POST", "/channels/"+a.id()+"/messages", obj{"content": "x"})
	if n := len(d.messages(naledi, a.id())); n != 1 || d.messages(thabo, a.id()) != nil {
		t.Errorf("%d messages for whom they are, %v for another", n, d.messages(thabo, a.id()))
	}
	alone := d.As(amara).Direct()
	if err := d.RemoveMember("300000000000000002", amara); err != nil {
		t.Fatal(err)
	}
	d.expect(403, 50007, "POST", "/channels/"+alone+"/messages", obj{"content": "x"})
}

func TestMembers(t *testing.T) {
	d := open(t)
	member := "/guilds/" + village + "/members/"
	if got := d.expect(200, 0, "GET", member+thabo, nil); text(got.json(), "user", "global_name") != "Thabo" {
		t.Errorf("got %v", got)
	}
	d.expect(404, 10007, "GET", member+amara, nil)
	if err := d.RemoveMember(village, thabo); err != nil {
		t.Fatal(err)
	}
	d.expect(404, 10007, "GET", member+thabo, nil)
	if d.RemoveMember(village, thabo) == nil {
		t.Error("the same member left twice")
	}
	if err := d.Rename(thabo, "Thabo M."); err != nil {
		t.Fatal(err)
	}
	if got := d.expect(200, 0, "GET", "/users/"+thabo, nil); text(got.json(), "global_name") != "Thabo M." {
		t.Errorf("got %v", got)
	}
	d.expect(404, 10013, "GET", "/users/1", nil)
}

func TestTyping(t *testing.T) {
	d := open(t)
	const typing = "/channels/" + games + "/typing"
	d.expect(204, 0, "POST", typing, nil)
	d.allow(games, view)
	d.expect(403, 50013, "POST", typing, nil)
	d.allow(games, 0)
	d.expect(403, 50001, "POST", typing, nil)
	d.expect(404, 10003, "POST", "/channels/1/typing", nil)
}
