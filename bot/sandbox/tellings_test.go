package sandbox_test

import (
	"encoding/json"
	"testing"
)

// listens is a connection of a bot that hears of messages, after its greeting.
func (d *desk) listens() *line {
	d.t.Helper()
	l := d.greeted()
	l.say(2, d.identity(1<<0|1<<9|1<<12))
	l.event("READY")
	l.event("GUILD_CREATE")
	l.event("GUILD_CREATE")
	return l
}

// told is the next event's object.
func (l *line) told(kind string) (o obj) {
	l.t.Helper()
	if err := json.Unmarshal(l.event(kind).Data, &o); err != nil {
		l.t.Fatal(err)
	}
	return o
}

func TestMessagesAreToldOf(t *testing.T) {
	d := open(t)
	l := d.listens()
	id := d.post(obj{"content": "hello <@" + thabo + ">", "embeds": []obj{{"title": "x"}}})
	made := l.told("MESSAGE_CREATE")
	if text(made, "id") != id || text(made, "guild_id") != village || len(made["embeds"].([]any)) != 1 {
		t.Errorf("of the bot's own: %v", made)
	}
	if member, _ := made["member"].(obj); member == nil || member["user"] != nil || member["joined_at"] == nil {
		t.Errorf("the author's member is %v", made["member"])
	}
	mention := made["mentions"].([]any)[0].(obj)
	if member, _ := mention["member"].(obj); text(mention, "id") != thabo || member == nil || member["user"] != nil {
		t.Errorf("the mention is %v", mention)
	}
	d.expect(200, 0, "PATCH", written+"/"+id, obj{"content": "bye"})
	changed := l.told("MESSAGE_UPDATE")
	if text(changed, "content") != "bye" || changed["edited_timestamp"] == nil || text(changed, "guild_id") != village {
		t.Errorf("of an edit: %v", changed)
	}
	d.expect(204, 0, "DELETE", written+"/"+id, nil)
	l.event("MESSAGE_DELETE")
	if err := d.SetPermissions(games, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Say(naledi, games, "in secret"); err != nil {
		t.Fatal(err)
	}
	l.quiet()
}

// quiet holds the gateway to having said nothing more of messages.
func (l *line) quiet() {
	l.t.Helper()
	l.say(1, nil)
	for {
		var p packet
		if err := l.ws.ReadJSON(&p); err != nil {
			l.t.Fatal(err)
		}
		switch {
		case p.Op == 11:
			return
		case p.Type == "MESSAGE_CREATE" || p.Type == "MESSAGE_UPDATE" || p.Type == "MESSAGE_DELETE":
			l.t.Fatalf("told of %s %s", p.Type, p.Data)
		}
	}
}

// TestWhatOthersSayIsEmpty: without MESSAGE_CONTENT a bot reads what is said to it, and of the rest that it was said.
func TestWhatOthersSayIsEmpty(t *testing.T) {
	d := open(t)
	l := d.listens()
	for name, c := range map[string]struct{ channel, say, want string }{
		"to everybody":   {games, "good morning", ""},
		"to the bot":     {games, "hello <@" + d.AppID() + ">", "hello <@" + d.AppID() + ">"},
		"to another":     {games, "hello <@" + thabo + ">", ""},
		"a direct words": {d.As(naledi).Direct(), "psst", "psst"},
	} {
		id, err := d.Say(naledi, c.channel, c.say)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.told("MESSAGE_CREATE"); text(got, "content") != c.want || text(got, "author", "id") != naledi {
			t.Errorf("%s: the event says %v", name, got)
		}
		if got := d.expect(200, 0, "GET", "/channels/"+c.channel+"/messages/"+id, nil).json(); text(got, "content") != c.want {
			t.Errorf("%s: the answer says %v", name, got)
		}
	}
}

// TestAnswersAreToldOf: a deferred answer is a message from the start, and an ephemeral one counts as a direct one.
func TestAnswersAreToldOf(t *testing.T) {
	d := open(t)
	d.register(slash("place"))
	b := d.hearing(d.listens())
	f := b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 5, nil)
	if got := b.told("MESSAGE_CREATE"); got["flags"] != 128.0 || got["member"] != nil || text(got, "guild_id") != village {
		t.Errorf("of a deferred answer: %v", got)
	}
	b.expect(200, 0, "PATCH", f.original(), obj{"content": "<@" + naledi + ">"})
	if got := b.told("MESSAGE_UPDATE"); got["flags"] != 0.0 || len(got["mentions"].([]any)) != 1 {
		t.Errorf("of what it says at last: %v", got)
	}
	f = b.slash(naledi, games, "place", nil)
	f.answer(204, 0, 4, obj{"content": "x", "flags": 64})
	if got := b.told("MESSAGE_CREATE"); got["flags"] != 64.0 || got["guild_id"] != nil || got["member"] != nil {
		t.Errorf("of an ephemeral answer: %v", got)
	}
	board := b.post(obj{"content": "board", "components": []any{row(button("go", "Go"))}})
	b.told("MESSAGE_CREATE")
	b.press(naledi, board, "go").answer(204, 0, 7, obj{"content": "gone"})
	if got := b.told("MESSAGE_UPDATE"); text(got, "id") != board || text(got, "content") != "gone" {
		t.Errorf("of an update: %v", got)
	}
}

// told is the object of the bot's next event.
func (b *bot) told(kind string) (o obj) {
	b.t.Helper()
	select {
	case p := <-b.events:
		if p.Type != kind || json.Unmarshal(p.Data, &o) != nil {
			b.t.Fatalf("heard %s %s; want %s", p.Type, p.Data, kind)
		}
	case <-b.ctx().Done():
		b.t.Fatalf("heard no %s", kind)
	}
	return o
}

// TestRepliesShowWhatTheyAnswer: the message itself, one deep, and null once it is gone.
func TestRepliesShowWhatTheyAnswer(t *testing.T) {
	d := open(t)
	first := d.post(obj{"content": "first"})
	second := d.post(obj{"content": "second", "message_reference": obj{"message_id": first}})
	third := d.expect(200, 0, "POST", written, obj{"content": "third", "message_reference": obj{"message_id": second}}).json()
	to, _ := third["referenced_message"].(obj)
	if text(to, "content") != "second" || to["type"] != 19.0 || to["referenced_message"] != nil {
		t.Errorf("it replies to %v", to)
	}
	d.expect(204, 0, "DELETE", written+"/"+first, nil)
	gone := d.expect(200, 0, "GET", written+"/"+second, nil).json()
	if to, told := gone["referenced_message"]; !told || to != nil || text(gone, "message_reference", "guild_id") != village {
		t.Errorf("after it is gone: %v", gone)
	}
}
