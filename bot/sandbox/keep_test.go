package sandbox_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

// kept is a config that keeps its world in a file of its own.
func kept(t *testing.T) sandbox.Config {
	t.Helper()
	return sandbox.Config{Allowance: 1000, Keep: filepath.Join(t.TempDir(), "more", "world.db")}
}

// again ends a sandbox and starts another one on what it kept.
func (d *desk) again(c sandbox.Config) *desk {
	d.t.Helper()
	if err := d.Close(); err != nil {
		d.t.Fatal(err)
	}
	return openWith(d.t, c)
}

// shown is an answer without the port, which a restart may change.
func (d *desk) shown(path string) any {
	d.t.Helper()
	host := strings.TrimSuffix(d.API(), "/api/v9")
	var v any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(d.expect(200, 0, "GET", path, nil).raw), host, "")), &v); err != nil {
		d.t.Fatal(err)
	}
	return v
}

func key(page string) string { _, k, _ := strings.Cut(page, "?key="); return k }

// TestRestartKeepsTheWorld: what everybody sees is after a restart what it was before, to the byte of a picture.
func TestRestartKeepsTheWorld(t *testing.T) {
	c := kept(t)
	d := openWith(t, c)
	d.register(slash("place", option(3, "point", obj{"autocomplete": true})), obj{"type": 2, "name": "Challenge"})
	d.expect(201, 0, "POST", "/applications/"+d.AppID()+"/guilds/"+village+"/commands", slash("here"))
	board := d.upload("POST", d.API()+written, obj{
		"content": "board", "nonce": "n", "enforce_nonce": true, "embeds": []obj{{"title": "e", "image": obj{"url": "attachment://0.png"}}},
		"components": []any{row(button("go", "Go"))}, "attachments": []obj{{"id": 0, "description": "empty"}},
	}, "0").id()
	d.expect(200, 0, "PATCH", written+"/"+board, obj{"content": "edited"})
	reply := d.post(obj{"content": "<@" + naledi + ">", "message_reference": obj{"message_id": board}})
	thread := d.expect(201, 0, "POST", "/channels/"+games+"/messages/"+board+"/threads", obj{"name": "tea"}).id()
	d.expect(200, 0, "POST", "/channels/"+thread+"/messages", obj{"content": "inside"})
	d.expect(200, 0, "PATCH", "/channels/"+thread, obj{"archived": true})
	direct := d.As(thabo).Direct()
	d.expect(200, 0, "POST", "/channels/"+direct+"/messages", obj{"content": "psst"})
	d.allow(general, view|write|manage)
	gone := d.post(obj{"content": "gone"})
	d.expect(204, 0, "DELETE", written+"/"+gone, nil)
	if err := errors.Join(d.Hide(general, thabo, true), d.Rename(naledi, "Nal"), d.Kick("300000000000000002")); err != nil {
		t.Fatal(err)
	}
	paths := []string{
		written, "/channels/" + games, "/channels/" + thread, "/channels/" + thread + "/messages", "/channels/" + direct + "/messages",
		"/channels/" + general, "/applications/" + d.AppID() + "/commands?with_localizations=true", "/users/" + naledi,
		"/applications/" + d.AppID() + "/guilds/" + village + "/commands",
	}
	before := map[string]any{}
	for _, path := range paths {
		before[path] = d.shown(path)
	}
	e := d.again(c)
	for _, path := range paths {
		if got := e.shown(path); !reflect.DeepEqual(got, before[path]) {
			t.Errorf("%s\nwas %v\nis  %v", path, before[path], got)
		}
	}
	if key(e.Page()) != key(d.Page()) || e.Token() != d.Token() {
		t.Errorf("key and token were %s %s, are %s %s", key(d.Page()), d.Token(), key(e.Page()), e.Token())
	}
	m, _ := e.As(naledi).Message(board)
	if len(m.Attachments) != 1 || !strings.HasPrefix(m.Attachments[0].URL, strings.TrimSuffix(e.API(), "/api/v9")) {
		t.Fatalf("attachments: %+v", m.Attachments)
	}
	if got := e.ask("GET", m.Attachments[0].URL, "", nil); string(got.raw) != "picture 0" {
		t.Errorf("the picture is %v", got)
	}
	e.expect(404, 10008, "GET", written+"/"+gone, nil)
	e.expect(404, 10004, "GET", "/guilds/300000000000000002", nil)
	if e.As(thabo).Messages(general) != nil {
		t.Error("what was hidden is seen")
	}
	if got := e.post(obj{"content": "board", "nonce": "n", "enforce_nonce": true}); got != board {
		t.Errorf("what must not be made twice is %s and %s", board, got)
	}
	if got := e.post(obj{"content": "new"}); got <= max(gone, reply) {
		t.Errorf("the id %s is not above %s", got, gone)
	}
}

// TestRestartForgetsWhatWasOnItsWay: an answer that was promised, a private one, and every token end with the process; a
// button of before does what it did.
func TestRestartForgetsWhatWasOnItsWay(t *testing.T) {
	c := kept(t)
	b := openWith(t, c).connect()
	b.register(slash("place"))
	board := b.post(obj{"content": "board", "components": []any{row(button("go", "Go"))}})
	promised, private, open := b.slash(naledi, games, "place", nil), b.slash(naledi, games, "place", nil), b.press(thabo, board, "Go")
	promised.answer(204, 0, 5, nil)
	private.answer(204, 0, 4, obj{"content": "for you", "flags": 1 << 6})
	if n := len(b.messages(naledi, games)); n != 3 {
		t.Fatalf("%d messages before the restart", n)
	}
	e := b.again(c).connect()
	if left := e.messages(naledi, games); len(left) != 1 || left[0].ID != board {
		t.Errorf("left is %+v", left)
	}
	e.expect(404, 10062, "POST", open.callbackPath(), obj{"type": 6})
	e.expect(404, 10015, "PATCH", promised.original(), obj{"content": "late"})
	f := e.press(thabo, board, "Go")
	f.answer(204, 0, 7, obj{"content": "moved"})
	if r := f.done(); r.Failed || r.Message.ID != board || r.Message.Content != "moved" {
		t.Errorf("the button of before gives %+v", r)
	}
	if f = e.slash(naledi, games, "place", nil); text(f.payload, "data", "name") != "place" {
		t.Errorf("the command of before gives %v", f.payload)
	}
	f.answer(204, 0, 4, obj{"content": "x"})
}

// TestFresh: what is kept goes when it is asked for, and a config's token comes before the kept one.
func TestFresh(t *testing.T) {
	c := kept(t)
	d := openWith(t, c)
	id := d.post(obj{"content": "x"})
	c.Token = "mine"
	e := d.again(c)
	if e.Token() != "mine" || len(e.messages(naledi, games)) != 1 {
		t.Errorf("token %q and %d messages", e.Token(), len(e.messages(naledi, games)))
	}
	c.Fresh = true
	f := e.again(c)
	if left := f.messages(naledi, games); len(left) != 0 || key(f.Page()) == key(e.Page()) {
		t.Errorf("left is %+v, with the key %s", left, key(f.Page()))
	}
	f.expect(404, 10008, "GET", written+"/"+id, nil)
	c.Fresh = false
	if left := f.again(c).messages(naledi, games); len(left) != 0 {
		t.Errorf("after another restart there is %+v", left)
	}
}

func TestKeptFile(t *testing.T) {
	c := kept(t)
	d := openWith(t, c)
	info, err := os.Stat(c.Keep)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v; want that its owner alone may read it", info.Mode(), err)
	}
	_, err = sandbox.Start(c)
	unusable(t, err, c.Keep, "another kraal uses it", "stop that one")
	c.Fresh = true
	_, err = sandbox.Start(c)
	unusable(t, err, c.Keep, "another kraal uses it")
	if d.post(obj{"content": "x"}) == "" {
		t.Error("the one that was there is gone")
	}
}

// unusable holds an error to its kind, and to one line that names the file and what else is wanted.
func unusable(t *testing.T, err error, path string, want ...string) {
	t.Helper()
	var refused *sandbox.KeepError
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a KeepError", err)
	}
	for _, part := range append(want, path) {
		if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %q, want one line with %q", err, part)
		}
	}
	if refused.Do == "" {
		t.Error("no remedy")
	}
}

// TestUnusableFiles: a file that is no world is left as it is, a damaged world gives way to a fresh one.
func TestUnusableFiles(t *testing.T) {
	first := 2 * os.Getpagesize()
	world := func(change func(raw []byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			c := sandbox.Config{Keep: path}
			d := openWith(t, c)
			d.upload("POST", d.API()+written, obj{"content": "x"}, "0", "1")
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, change(raw), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	file := func(text string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name      string
		make      func(t *testing.T, path string)
		want      string
		givesWay  bool
		unchanged bool
	}{
		{"a letter", file(strings.Repeat("Dear reader. ", 1000)), "no world", false, true},
		{"an empty file", file(""), "no world", false, true},
		{"cut short", world(func(raw []byte) []byte { return raw[:first+1] }), "damaged", true, false},
		{"all but the first pages lost", world(func(raw []byte) []byte { clear(raw[first:]); return raw }), "damaged", true, false},
		{"the first pages lost", world(func(raw []byte) []byte { clear(raw[:first]); return raw }), "no world", false, true},
		{"another form", world(func(raw []byte) []byte {
			return []byte(strings.ReplaceAll(string(raw), "kraal sandbox 1", "kraal sandbox 9"))
		}), "newer version", true, false},
		{"a message of nowhere", world(func(raw []byte) []byte {
			return []byte(strings.ReplaceAll(string(raw), `"Channel":"4`, `"Channel":"5`))
		}), "damaged", true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "world.db")
			test.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = sandbox.Start(sandbox.Config{Keep: path})
			unusable(t, err, path, test.want)
			file(string(before))(t, path+".copy") // for what was met in the other may be locked until the process ends
			path += ".copy"
			s, err := sandbox.Start(sandbox.Config{Keep: path, Fresh: true})
			if (err == nil) != test.givesWay {
				t.Errorf("a fresh one: %v", err)
			}
			if s != nil {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			if after, _ := os.ReadFile(path); test.unchanged && string(after) != string(before) {
				t.Error("it was changed")
			}
		})
	}
	folder := t.TempDir()
	_, err := sandbox.Start(sandbox.Config{Keep: folder, Fresh: true})
	unusable(t, err, folder, "no world")
}

// TestSavesByItself: nobody needs to close a sandbox for its world to be kept.
func TestSavesByItself(t *testing.T) {
	c := kept(t)
	d := openWith(t, c)
	id := d.post(obj{"content": "x"})
	copied := filepath.Join(t.TempDir(), "copy.db")
	soon, often := time.After(20*time.Second), time.NewTicker(50*time.Millisecond)
	defer often.Stop()
	for !holds(t, c.Keep, copied, id) {
		select {
		case <-often.C:
		case <-soon:
			t.Fatal("nothing was saved")
		}
	}
}

// holds tells whether a copy of a world has a message. A copy that is taken while the file is written may be none.
func holds(t *testing.T, path, copied, id string) bool {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(copied, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := sandbox.Start(sandbox.Config{Keep: copied})
	if err != nil {
		return false
	}
	_, ok := s.As(naledi).Message(id)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return ok
}
