package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// description is Discord's own of its API, which says what its answers look like.
type description struct {
	t        *testing.T
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

func readDescription(t *testing.T) *description {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "discord-openapi.json")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("NOT CHECKED: Discord's description is not beside this clone; looked for " + path)
		t.Skip("no description")
	}
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("discord.json", tree); err != nil {
		t.Fatal(err)
	}
	return &description{t, c, map[string]*jsonschema.Schema{}}
}

// holds holds an answer to what the description says of a route's.
func (d *description) holds(route string, a answer) {
	d.t.Helper()
	method, path, _ := strings.Cut(route, " ")
	at := fmt.Sprintf("discord.json#/paths/%s/%s/responses/%d/content/application~1json/schema",
		strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D", "@", "%40").Replace(path), strings.ToLower(method), a.status)
	schema := d.schemas[at]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile(at); err != nil {
			d.t.Fatal(err)
		}
		d.schemas[at] = schema
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.raw))
	if err != nil {
		d.t.Fatalf("%s: %v in %s", route, err, a.raw)
	}
	if err := schema.Validate(value); err != nil {
		d.t.Errorf("%s: %v\nin %s", route, err, a.raw)
	}
}

// TestAnswersAreAsDescribed holds the sandbox's answers to Discord's own description of them.
func TestAnswersAreAsDescribed(t *testing.T) {
	spec := readDescription(t)
	d := open(t)
	get := func(route, path string) { spec.holds("GET "+route, d.expect(200, 0, "GET", path, nil)) }
	get("/gateway", "/gateway")
	get("/gateway/bot", "/gateway/bot")
	get("/users/@me", "/users/@me")
	get("/users/{user_id}", "/users/"+naledi)
	get("/applications/@me", "/applications/@me")
	get("/oauth2/applications/@me", "/oauth2/applications/@me")
	get("/guilds/{guild_id}", "/guilds/"+village)
	get("/guilds/{guild_id}/roles", "/guilds/"+village+"/roles")
	get("/guilds/{guild_id}/channels", "/guilds/"+village+"/channels")
	get("/guilds/{guild_id}/members/{user_id}", "/guilds/"+village+"/members/"+thabo)
	get("/channels/{channel_id}", "/channels/"+games)

	commands := "/applications/" + d.AppID() + "/commands"
	list := []obj{
		slash("place", option(3, "point", obj{"required": true, "autocomplete": true}), option(6, "who", nil)),
		{"type": 2, "name": "Challenge"},
	}
	spec.holds("PUT /applications/{application_id}/commands", d.expect(200, 0, "PUT", commands, list))
	spec.holds("POST /applications/{application_id}/commands", d.expect(201, 0, "POST", commands, slash("move")))
	get("/applications/{application_id}/commands", commands)

	message := obj{
		"content": "<@" + naledi + ">", "nonce": "n", "enforce_nonce": true, "embeds": []obj{{"type": "rich", "title": "x"}},
		"components":  []any{row(button("a", "A"), obj{"type": 2, "style": 5, "label": "L", "url": "https://example.org"}), row(menu("m", "x"))},
		"attachments": []obj{{"id": 0, "description": "words"}},
	}
	sent := d.upload("POST", d.API()+written, message, "0")
	d.was(sent, 200, 0)
	spec.holds("POST /channels/{channel_id}/messages", sent)
	one := written + "/" + sent.id()
	spec.holds("PATCH /channels/{channel_id}/messages/{message_id}", d.expect(200, 0, "PATCH", one, obj{"content": "y"}))
	get("/channels/{channel_id}/messages", written)
	get("/channels/{channel_id}/messages/{message_id}", one)
	text, picture := obj{"type": 10, "content": "x"}, obj{"media": obj{"url": "attachment://0.png"}}
	layout := d.upload("POST", d.API()+written, obj{"flags": 1 << 15, "components": []any{
		text, obj{"type": 14}, obj{"type": 12, "items": []any{picture}}, obj{"type": 13, "file": picture["media"]},
		obj{"type": 17, "components": []any{row(menu("m", "x")), obj{"type": 9, "components": []any{text}, "accessory": with(picture, obj{"type": 11})}}},
	}}, "0")
	d.was(layout, 200, 0)
	spec.holds("POST /channels/{channel_id}/messages", layout)
	thread := d.expect(201, 0, "POST", one+"/threads", obj{"name": "x"})
	spec.holds("POST /channels/{channel_id}/messages/{message_id}/threads", thread)
	get("/channels/{channel_id}", "/channels/"+thread.id())
	spec.holds("PATCH /channels/{channel_id}", d.expect(200, 0, "PATCH", "/channels/"+thread.id(), obj{"archived": true}))
	spec.holds("POST /channels/{channel_id}/threads", d.expect(201, 0, "POST", "/channels/"+games+"/threads", obj{"name": "y", "type": 11}))
	spec.holds("POST /users/@me/channels", d.expect(200, 0, "POST", "/users/@me/channels", obj{"recipient_id": naledi}))
}

// TestAnswersToInteractionsAreAsDescribed is the same for callbacks and what follows them.
func TestAnswersToInteractionsAreAsDescribed(t *testing.T) {
	spec := readDescription(t)
	d := open(t)
	d.register(slash("place"))
	b := d.connect()
	const callback = "POST /interactions/{interaction_id}/{interaction_token}/callback"
	full := func(f *flow, kind int, data any) answer {
		a := d.send("POST", f.callbackPath()+"?with_response=true", obj{"type": kind, "data": data})
		d.was(a, 200, 0)
		spec.holds(callback, a)
		return a
	}
	f := b.slash(naledi, games, "place", nil)
	full(f, 4, obj{"content": "x", "components": []any{row(button("a", "A"))}})
	shown := f.done().Message.ID
	const named = "/webhooks/{webhook_id}/{webhook_token}/messages/"
	spec.holds("GET "+named+"@original", d.expect(200, 0, "GET", f.original(), nil))
	spec.holds("PATCH "+named+"@original", d.expect(200, 0, "PATCH", f.original(), obj{"content": "y"}))
	more := d.expect(200, 0, "POST", f.hook(), obj{"content": "more", "flags": 64})
	spec.holds("POST /webhooks/{webhook_id}/{webhook_token}", more)
	spec.holds("GET "+named+"{message_id}", d.expect(200, 0, "GET", f.hook()+"/messages/"+more.id(), nil))
	press := b.press(thabo, shown, "A")
	full(press, 7, obj{"content": "z"})
	press.done()
	reply := b.press(thabo, shown, "A")
	full(reply, 4, obj{"content": "z", "flags": 64})
	reply.done()
	ask := b.slash(naledi, games, "place", nil)
	full(ask, 9, obj{"custom_id": "m", "title": "x", "components": []any{labelled("a", 4, obj{"style": 1})}})
	ask.done()
	told := b.submit(naledi, ask.id(), map[string]any{"a": "x"})
	full(told, 4, obj{"content": "x"})
	told.done()
	later := b.slash(naledi, games, "place", nil)
	full(later, 5, obj{"flags": 64})
	later.done()
}
