package sandbox_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const written = "/channels/" + games + "/messages"

func TestMessageLimits(t *testing.T) {
	d := open(t)
	long := func(n int) string { return strings.Repeat("ñ", n) }
	for name, body := range map[string]obj{
		"content":          {"content": long(2001)},
		"an unknown flag":  {"content": "x", "flags": 1 << 6},
		"embeds":           {"embeds": repeat(11, func(int) any { return obj{"title": "x"} })},
		"embed title":      {"embeds": []obj{{"title": long(257)}}},
		"embed field":      {"embeds": []obj{{"fields": []obj{{"name": "x", "value": long(1025)}}}}},
		"embed fields":     {"embeds": []obj{{"fields": repeat(26, func(int) any { return obj{"name": "x", "value": "x"} })}}},
		"embed footer":     {"embeds": []obj{{"footer": obj{"text": long(2049)}}}},
		"embeds in all":    {"embeds": []obj{{"description": long(4000)}, {"description": long(2001)}}},
		"a mention kind":   {"content": "x", "allowed_mentions": obj{"parse": []string{"people"}}},
		"mentions clash":   {"content": "x", "allowed_mentions": obj{"parse": []string{"users"}, "users": []string{naledi}}},
		"roles clash":      {"content": "x", "allowed_mentions": obj{"parse": []string{"roles"}, "roles": []string{naledi}}},
		"mentions":         {"content": "x", "allowed_mentions": obj{"users": repeat(101, func(int) any { return naledi })}},
		"nonce":            {"content": "x", "nonce": strings.Repeat("n", 26)},
		"no such file":     {"content": "x", "attachments": []obj{{"id": 0, "filename": "a.png"}}},
		"no such old file": {"content": "x", "attachments": []obj{{"id": "123456789012345678"}}},
		"content's type":   {"content": 5},
	} {
		t.Run(name, func(t *testing.T) {
			d := d.in(t)
			if a := d.expect(400, 50035, "POST", written, body); a.json()["errors"] == nil {
				t.Errorf("no field is named: %v", a)
			}
		})
	}
	for _, empty := range []any{obj{}, obj{"content": ""}, obj{"content": nil, "embeds": []obj{}}, nil} {
		d.expect(400, 50006, "POST", written, empty)
	}
	d.post(obj{"content": long(2000), "nonce": strings.Repeat("n", 25), "flags": 1<<2 | 1<<12})
	if n := len(d.messages(naledi, games)); n != 1 {
		t.Errorf("%d messages; want the good one alone", n)
	}
}

func TestFileLimits(t *testing.T) {
	d := open(t)
	url := d.API() + written
	alt := func(n int) obj {
		return obj{"attachments": []obj{{"id": 0, "filename": "board.png", "description": strings.Repeat("ñ", n)}}}
	}
	d.was(d.upload("POST", url, alt(1025), "0"), 400, 50035)
	d.was(d.upload("POST", url, obj{}, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"), 400, 30015)
	d.was(d.upload("POST", url, obj{"attachments": []obj{{"id": 1}}}, "0"), 400, 50035)
	d.was(d.upload("POST", url, alt(1024), "0"), 200, 0)
	ten := d.upload("POST", url, obj{}, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	d.was(ten, 200, 0)
	d.was(d.upload("PATCH", url+"/"+ten.id(), obj{}, "0"), 400, 30015)
}

func TestAttachmentsAreServed(t *testing.T) {
	d := open(t)
	a := d.upload("POST", d.API()+written, obj{"attachments": []obj{{"id": "0", "filename": "a b#.png", "description": "a board"}}}, "0")
	d.was(a, 200, 0)
	file := a.json()["attachments"].([]any)[0].(obj)
	if file["description"] != "a board" || file["filename"] != "a b#.png" || file["size"] != 9.0 || file["content_type"] != "image/png" {
		t.Errorf("the attachment is %v", file)
	}
	got := d.ask("GET", file["url"].(string), "", nil)
	if got.status != 200 || string(got.raw) != "picture 0" || got.header.Get("Content-Type") != "image/png" {
		t.Errorf("served %v %v", got, got.header)
	}
	if err := d.DeleteMessage(a.id()); err != nil {
		t.Fatal(err)
	}
	if got := d.ask("GET", file["url"].(string), "", nil); got.status != 404 {
		t.Errorf("of a deleted message: %v", got)
	}
}

func TestAttachmentsOfEdits(t *testing.T) {
	d := open(t)
	names := func(a answer) string {
		var all []string
		files, _ := a.json()["attachments"].([]any)
		for _, one := range files {
			all = append(all, text(one.(obj), "filename")+text(one.(obj), "description"))
		}
		return strings.Join(all, " ")
	}
	const none = "none"
	for _, c := range []struct {
		version, name string
		list          any
		files         []string
		want          string
		code          int
	}{
		{"9", "no list, a file: appended", none, []string{"1"}, "0.png 1.png", 0},
		{"10", "no list, a file: replaced", none, []string{"1"}, "1.png", 0},
		{"9", "no list, no file: kept", none, nil, "0.png", 0},
		{"10", "no list, no file: kept", none, nil, "0.png", 0},
		{"9", "null", nil, nil, "", 0},
		{"9", "an empty list", []any{}, nil, "", 0},
		{"9", "the new one alone", []any{obj{"id": 1, "description": "!"}}, []string{"1"}, "1.png!", 0},
		{"10", "the new one alone", []any{obj{"id": 1, "description": "!"}}, []string{"1"}, "1.png!", 0},
		{"9", "the old one alone", []any{obj{"id": "old", "description": "!"}}, nil, "0.png!", 0},
		{"10", "both", []any{obj{"id": "old"}, obj{"id": "1"}}, []string{"1"}, "0.png 1.png", 0},
		{"10", "the new one not listed", []any{obj{"id": "old"}}, []string{"1"}, "", 50035},
		{"9", "one that is none", []any{obj{"id": "123456789012345678"}}, nil, "", 50035},
	} {
		t.Run("v"+c.version+" "+c.name, func(t *testing.T) {
			d := d.in(t)
			first := d.upload("POST", d.API()+written, obj{"content": "board"}, "0")
			body := obj{}
			if l, ok := c.list.([]any); ok {
				for _, one := range l {
					if one.(obj)["id"] == "old" {
						one.(obj)["id"] = first.json()["attachments"].([]any)[0].(obj)["id"]
					}
				}
			}
			if c.list != none {
				body["attachments"] = c.list
			}
			a := d.upload("PATCH", strings.TrimSuffix(d.API(), "9")+c.version+written+"/"+first.id(), body, c.files...)
			if c.code != 0 {
				d.was(a, 400, c.code)
			} else if got := names(a); a.status != 200 || got != c.want {
				t.Errorf("got %q; want %q", got, c.want)
			}
		})
	}
}

func TestEditsKeepWhatIsLeftOut(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "first", "embeds": []obj{{"title": "e"}}, "components": []obj{row(button("a", "A"))}, "flags": 1 << 2})
	path := written + "/" + id
	d.clock.pass(time.Minute)
	a := d.expect(200, 0, "PATCH", path, obj{"content": "second"}).json()
	if a["content"] != "second" || len(a["embeds"].([]any)) != 1 || len(a["components"].([]any)) != 1 || a["flags"] != 4.0 {
		t.Errorf("got %v", a)
	}
	d.clock.pass(time.Minute)
	if got := text(d.expect(200, 0, "GET", path, nil).json(), "edited_timestamp"); got != "2026-08-06T12:01:00Z" {
		t.Errorf("edited at %s", got)
	}
	a = d.expect(200, 0, "PATCH", path, obj{"content": nil, "components": []obj{}, "flags": 0}).json()
	if a["content"] != "" || len(a["components"].([]any)) != 0 || len(a["embeds"].([]any)) != 1 || a["flags"] != 0.0 {
		t.Errorf("got %v", a)
	}
	d.expect(400, 50006, "PATCH", path, obj{"embeds": nil})
	d.expect(400, 50035, "PATCH", path, obj{"flags": 1 << 6})
	if m, _ := d.As(naledi).Message(id); len(m.Embeds) != 1 || !m.Edited {
		t.Errorf("a refused edit changed %+v", m)
	}
	silent := d.post(obj{"content": "x", "flags": 1 << 12})
	d.expect(200, 0, "PATCH", written+"/"+silent, obj{"flags": 1 << 12}) // old bits may be sent again
	other, err := d.Say(naledi, games, "mine")
	if err != nil {
		t.Fatal(err)
	}
	d.expect(403, 50005, "PATCH", written+"/"+other, obj{"content": "yours"})
	d.expect(403, 50013, "DELETE", written+"/"+other, nil)
	d.expect(204, 0, "DELETE", path, nil)
	d.expect(404, 10008, "DELETE", path, nil)
}

func TestNonceMakesOneMessage(t *testing.T) {
	d := open(t)
	body := obj{"content": "once", "nonce": "n1", "enforce_nonce": true}
	first := d.expect(200, 0, "POST", written, body)
	if first.json()["nonce"] != "n1" {
		t.Errorf("the nonce is not given back: %v", first)
	}
	if again := d.post(with(body, obj{"content": "twice"})); again != first.id() {
		t.Errorf("%s is another message", again)
	}
	distinct := []string{
		first.id(), d.post(with(body, obj{"nonce": "n2"})), d.post(with(body, obj{"enforce_nonce": false})),
		d.post(obj{"content": "x", "enforce_nonce": true}), d.post(obj{"content": "x", "enforce_nonce": true}),
		d.expect(200, 0, "POST", "/channels/"+general+"/messages", body).id(),
	}
	if n := len(slices.Compact(sorted(distinct))); n != len(distinct) {
		t.Errorf("%d messages of %v", n, distinct)
	}
}

func TestOldMessagesTakeFewEdits(t *testing.T) {
	d := open(t)
	id := d.post(obj{"content": "x"})
	edit := func(status, code int) { d.expect(status, code, "PATCH", written+"/"+id, obj{"content": "y"}) }
	for range 20 {
		edit(200, 0)
	}
	d.clock.pass(time.Hour + time.Second)
	for range 3 {
		edit(200, 0)
	}
	edit(429, 30046)
	d.clock.pass(time.Hour + time.Second)
	edit(200, 0)
}

func TestMentionsPing(t *testing.T) {
	d := open(t)
	both := "<@" + naledi + "> and <@!" + thabo + "> and <@" + naledi + ">"
	for name, c := range map[string]struct {
		allowed any
		want    []string
	}{
		"by default all":  {nil, []string{naledi, thabo}},
		"nobody":          {obj{"parse": []string{}}, nil},
		"empty allowance": {obj{}, nil},
		"one":             {obj{"users": []string{thabo}}, []string{thabo}},
		"people":          {obj{"parse": []string{"users"}}, []string{naledi, thabo}},
		"roles":           {obj{"parse": []string{"roles"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := d.in(t)
			id := d.post(obj{"content": both, "allowed_mentions": c.allowed})
			m, _ := d.As(amara).Message(id)
			if m.ID != "" {
				t.Error("who is not a member sees the message")
			}
			if m, _ = d.As(naledi).Message(id); !slices.Equal(m.Mentions, c.want) {
				t.Errorf("pinged %v; want %v", m.Mentions, c.want)
			}
		})
	}
	id := d.post(obj{"content": "nobody"})
	d.expect(200, 0, "PATCH", written+"/"+id, obj{"content": both})
	if m, _ := d.As(naledi).Message(id); m.Mentions != nil {
		t.Errorf("an edit pinged %v", m.Mentions)
	}
}

func TestMessagesAreListed(t *testing.T) {
	d := open(t)
	var ids []string
	for range 3 {
		ids = append(ids, d.post(obj{"content": "x"}))
	}
	got := d.expect(200, 0, "GET", written+"?limit=2", nil).list()
	if len(got) != 2 || text(got[0], "id") != ids[2] || text(got[1], "id") != ids[1] {
		t.Errorf("newest first: %v", got)
	}
	if got := d.expect(200, 0, "GET", written+"?after="+ids[1], nil).list(); len(got) != 1 || text(got[0], "id") != ids[2] {
		t.Errorf("after: %v", got)
	}
	d.expect(400, 50035, "GET", written+"?limit=101", nil)
}
