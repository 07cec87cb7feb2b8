package openapi

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// description finds Discord's description beside the repository; a clone elsewhere has none, and its tests say so.
func description(t testing.TB) *Spec {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "discord-openapi.json")
	s, err := Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("NOT CHECKED: Discord's description is not beside this clone; looked for " + path)
		t.Skip("no description")
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The routes that the bot uses, as it sends them.
const (
	commandsPath = "/api/v9/applications/11/commands"
	callbackPath = "/api/v9/interactions/21/tok/callback?with_response=true"
	messagesPath = "/api/v9/channels/31/messages"
	messagePath  = "/api/v9/channels/31/messages/41"
	originalPath = "/api/v9/webhooks/11/tok/messages/@original"
	followupPath = "/api/v9/webhooks/11/tok?wait=true"
	threadPath   = "/api/v9/channels/31/messages/41/threads"
	threadsPath  = "/api/v9/channels/31/threads"
)

const goodCommands = `[
	{"name":"move","type":1,"description":"Move a piece","contexts":[0,1],"integration_types":[0],"options":[
		{"type":3,"name":"from","description":"Where it stands","required":true,"autocomplete":true,
		 "choices":null,"options":null,"channel_types":null},
		{"type":4,"name":"level","description":"How strong","min_value":1,"max_value":7},
		{"type":6,"name":"opponent","description":"Against whom"},
		{"type":5,"name":"rated","description":"Does it count"}]},
	{"name":"settings","type":1,"description":"Of this server","default_member_permissions":"32","options":[
		{"type":1,"name":"show","description":"What is set","options":[]}]},
	{"name":"referee","type":1,"description":"For referees","default_member_permissions":32},
	{"name":"Challenge to a game","type":2,"default_member_permissions":null}]`

const goodMessage = `{"content":"<@51>: your turn.","allowed_mentions":{"parse":[],"users":["51"]},
	"attachments":[{"id":0,"filename":"board.png","description":"White: a7 d7."}],
	"embeds":[{"title":"b4k2","image":{"url":"attachment://board.png"}}],
	"components":[{"type":1,"components":[
		{"type":2,"style":1,"label":"a7","custom_id":"1:b4k2:3:a7"},
		{"type":2,"style":4,"label":"Resign","custom_id":"1:b4k2:3:resign","disabled":true}]},
		{"type":1,"components":[{"type":3,"custom_id":"to","placeholder":"Where to","options":[
			{"label":"b4, closes a mill","value":"b4"}]}]}],
	"nonce":"abc","enforce_nonce":true,"flags":0,"message_reference":{"message_id":"41"}}`

func callback(kind, data string) string {
	if data == "" {
		return `{"type":` + kind + `}`
	}
	return `{"type":` + kind + `,"data":` + data + `}`
}

func TestCheckAcceptsWhatTheBotSends(t *testing.T) {
	s := description(t)
	message := strings.Replace(goodMessage, `"message_reference":{"message_id":"41"}`, `"tts":false`, 1)
	for _, test := range []struct {
		name, method, path, body string
		files                    int
	}{
		{"commands", "PUT", commandsPath, goodCommands, 0},
		{"one server's commands", "PUT", "/api/v10/applications/11/guilds/61/commands", goodCommands, 0},
		{"no commands", "PUT", commandsPath, `[]`, 0},
		{"message", "POST", messagesPath, goodMessage, 1},
		{"message under version 10", "POST", "/api/v10/channels/31/messages", goodMessage, 0},
		{"attachment id as text", "POST", messagesPath, `{"attachments":[{"id":"0","filename":"a.png"}]}`, 1},
		{"edit", "PATCH", messagePath, goodMessage, 1},
		{"edit clears", "PATCH", messagePath, `{"components":[],"embeds":null,"attachments":[]}`, 0},
		{"delete", "DELETE", messagePath, "", 0},
		{"callback 4", "POST", callbackPath, callback("4", message), 1},
		{"callback 5", "POST", callbackPath, callback("5", `{"flags":64}`), 0},
		{"callback 6", "POST", callbackPath, callback("6", ""), 0},
		{"callback 7", "POST", callbackPath, callback("7", message), 1},
		{"callback 8", "POST", callbackPath, callback("8", `{"choices":[{"name":"a7","value":"a7"}]}`), 0},
		{"callback 8, nothing", "POST", callbackPath, callback("8", `{"choices":[]}`), 0},
		{"callback 9", "POST", callbackPath, callback("9", `{"custom_id":"m","title":"Move","components":[
			{"type":1,"components":[{"type":4,"custom_id":"to","label":"To","style":1}]}]}`), 0},
		{"original edited", "PATCH", originalPath, message, 1},
		{"original deleted", "DELETE", originalPath, "", 0},
		{"original read", "GET", originalPath, "", 0},
		{"followup", "POST", followupPath, message, 1},
		{"followup edited", "PATCH", "/api/v9/webhooks/11/tok/messages/41", `{"content":"x"}`, 0},
		{"thread on a message", "POST", threadPath, `{"name":"A – B, Morabaraba","auto_archive_duration":1440}`, 0},
		{"thread", "POST", threadsPath, `{"name":"A – B","type":11}`, 0},
		{"thread archived", "PATCH", "/api/v9/channels/41", `{"archived":true}`, 0},
		{"thread joined", "PUT", "/api/v9/channels/41/thread-members/@me", "", 0},
		{"direct messages opened", "POST", "/api/v9/users/@me/channels", `{"recipient_id":"51"}`, 0},
		{"gateway", "GET", "/api/v9/gateway", "", 0},
		{"gateway of a bot", "GET", "/api/v9/gateway/bot", "", 0},
		{"self", "GET", "/api/v9/users/@me", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := s.Check(test.method, test.path, []byte(test.body), test.files); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	s := description(t)
	long := strings.Repeat("x", 2001)
	button := func(fields string) string {
		return `{"content":"x","components":[{"type":1,"components":[{"type":2,` + fields + `}]}]}`
	}
	for _, test := range []struct {
		name, method, path, body string
		files                    int
		want                     string // the error ends so
	}{
		{"unknown route", "GET", "/api/v9/nowhere", "", 0, "no such route in Discord's description"},
		{"no version", "GET", "/gateway", "", 0, "(wants /api/v9 or /api/v10 in front)"},
		{"unknown method", "PUT", messagePath, "{}", 0, "no such method on this route in Discord's description"},
		{"channel is no id", "POST", "/api/v9/channels/general/messages", "{}", 0, `channel_id in the path is "general", not an id`},
		{"channel is empty", "POST", "/api/v9/channels//messages", "{}", 0, `channel_id in the path is empty`},
		{"body on a delete", "DELETE", messagePath, "{}", 0, "takes no JSON body"},
		{"no body", "POST", callbackPath, " ", 0, "needs a JSON body"},
		{"half a body", "POST", callbackPath, `{"type":`, 0, "body is not JSON: unexpected EOF"},
		{"files on commands", "PUT", commandsPath, `[]`, 1, "takes no files"},
		{"eleven files", "POST", messagesPath, `{}`, 11, "takes 10 files, not 11"},

		{"commands: an object", "PUT", commandsPath, `{}`, 0, "is object, must be null or array"},
		{"commands: no name", "PUT", commandsPath, `[{"type":1}]`, 0, "/0: misses name"},
		{"commands: permissions in words", "PUT", commandsPath, `[{"name":"a","default_member_permissions":"ADMIN"}]`, 0,
			`/0/default_member_permissions: is "ADMIN", must match ^(0|[1-9][0-9]*)$`},
		{"commands: negative permissions", "PUT", commandsPath, `[{"name":"a","default_member_permissions":-1}]`, 0,
			`/0/default_member_permissions: minimum: got -1, want 0`},
		{"commands: option without description", "PUT", commandsPath,
			`[{"name":"a","options":[{"type":3,"name":"b"}]}]`, 0, "/0/options/0: misses description"},
		{"commands: unknown option type", "PUT", commandsPath,
			`[{"name":"a","options":[{"type":99,"name":"b","description":"c"}]}]`, 0,
			"/0/options/0/type: is 99, must be one of 11, 5, 7, 4, 9, 10, 8, 3, 2, 1, 6"},
		{"commands: option inside a subcommand", "PUT", commandsPath,
			`[{"name":"a","options":[{"type":1,"name":"b","description":"c","options":[{"type":3,"name":"","description":"d"}]}]}]`, 0,
			"/0/options/0/options/0/name: has 0 characters, at least 1 needed"},

		{"message: number as content", "POST", messagesPath, `{"content":5}`, 0, "/content: is number, must be null or string"},
		{"message: label too long", "POST", messagesPath, button(`"style":1,"custom_id":"a","label":"` + long[:81] + `"`), 0,
			"/components/0/components/0/label: has 81 characters, at most 80 allowed"},
		{"message: custom_id too long", "POST", messagesPath, button(`"style":1,"custom_id":"` + long[:101] + `"`), 0,
			"/components/0/components/0/custom_id: has 101 characters, at most 100 allowed"},
		{"message: button without style", "POST", messagesPath, button(`"custom_id":"a"`), 0,
			"/components/0/components/0: misses style"},
		{"message: unknown component", "POST", messagesPath, `{"components":[{"type":2,"style":1,"custom_id":"a"}]}`, 0,
			"/components/0/type: is 2, must be one of 1, 17, 13, 12, 9, 14, 10"},
		{"message: six buttons in a row", "POST", messagesPath, `{"components":[{"type":1,"components":[` +
			strings.Repeat(`{"type":2,"style":2,"custom_id":"a"},`, 5) + `{"type":2,"style":2,"custom_id":"a"}]}]}`, 0,
			"/components/0/components: has 6 items, at most 5 allowed"},
		{"message: select with 26 options", "POST", messagesPath, `{"components":[{"type":1,"components":[{"type":3,"custom_id":"a","options":[` +
			strings.Repeat(`{"label":"a","value":"a"},`, 25) + `{"label":"a","value":"a"}]}]}]}`, 0,
			"/components/0/components/0/options: has 26 items, at most 25 allowed"},
		{"message: alt text too long", "POST", messagesPath, `{"attachments":[{"id":0,"description":"` + long[:1025] + `"}]}`, 1,
			"/attachments/0/description: has 1025 characters, at most 1024 allowed"},
		{"message: attachment without id", "POST", messagesPath, `{"attachments":[{"filename":"a.png"}]}`, 1,
			"/attachments/0: misses id"},
		{"message: unknown mention kind", "POST", messagesPath, `{"allowed_mentions":{"parse":["people"]}}`, 0,
			`/allowed_mentions/parse/0: is "people", must be one of null, "users", "roles", "everyone"`},
		{"message: mention is no id", "POST", messagesPath, `{"allowed_mentions":{"users":["Tau"]}}`, 0,
			`/allowed_mentions/users/0: is "Tau", must match ^(0|[1-9][0-9]*)$`},
		{"message: nonce too long", "POST", messagesPath, `{"nonce":"` + long[:26] + `"}`, 0,
			"/nonce: has 26 characters, at most 25 allowed"},
		{"edit: components are text", "PATCH", messagePath, `{"components":"none"}`, 0, "/components: is string, must be null or array"},

		{"callback: no type", "POST", callbackPath, `{"data":{"content":"x"}}`, 0, "misses type"},
		{"callback: unknown type", "POST", callbackPath, `{"type":3}`, 0, "/type: is 3, must be one of 8, 4, 5, 12, 9, 1, 13, 6, 7"},
		{"callback 4: content too long", "POST", callbackPath, callback("4", `{"content":"`+long+`"}`), 0,
			"/data/content: has 2001 characters, at most 2000 allowed"},
		{"callback 7: embed title too long", "POST", callbackPath, callback("7", `{"embeds":[{"title":"`+long[:257]+`"}]}`), 0,
			"/data/embeds/0/title: has 257 characters, at most 256 allowed"},
		{"callback 8: no data", "POST", callbackPath, `{"type":8}`, 0, "misses data"},
		{"callback 9: title too long", "POST", callbackPath, callback("9", `{"custom_id":"m","title":"`+long[:46]+`","components":[
			{"type":1,"components":[{"type":4,"custom_id":"to","label":"To","style":1}]}]}`), 0,
			"/data/title: has 46 characters, at most 45 allowed"},

		{"original: flags are text", "PATCH", originalPath, `{"flags":"64"}`, 0, "/flags: is string, must be null or integer"},
		{"followup: content too long", "POST", followupPath, `{"content":"` + long + `"}`, 0,
			"/content: has 2001 characters, at most 2000 allowed"},
		{"thread: no name", "POST", threadPath, `{}`, 0, "misses name"},
		{"thread: name too long", "POST", threadsPath, `{"type":11,"name":"` + long[:101] + `"}`, 0,
			"/name: has 101 characters, at most 100 allowed"},
		{"thread: odd archive time", "POST", threadPath, `{"name":"a","auto_archive_duration":5}`, 0,
			"/auto_archive_duration: is 5, must be one of null, 60, 1440, 4320, 10080"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := s.Check(test.method, test.path, []byte(test.body), test.files)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant an end of %s", err, test.want)
			}
			if len(err.Error()) > 300 {
				t.Errorf("%d bytes long: %v", len(err.Error()), err)
			}
		})
	}
}

func TestErrorsHaveTypes(t *testing.T) {
	s := description(t)
	if err := s.Check("GET", "/api/v9/nowhere", nil, 0); !errors.Is(err, ErrUnknownRoute) {
		t.Errorf("got %v, want ErrUnknownRoute", err)
	}
	if err := s.Check("PUT", messagePath, nil, 0); !errors.Is(err, ErrUnknownMethod) {
		t.Errorf("got %v, want ErrUnknownMethod", err)
	}
	var wrong *RequestError
	err := s.Check("POST", messagesPath, []byte(`{"content":1,"tts":1,"flags":"a","nonce":[],"embeds":1}`), 0)
	if !errors.As(err, &wrong) || wrong.Operation != "POST /channels/{channel_id}/messages" || len(wrong.Problems) != 5 {
		t.Fatalf("got %#v, want a RequestError with 5 problems", err)
	}
	if !strings.HasSuffix(err.Error(), "; and 2 more") {
		t.Errorf("got %v, want it to end after three problems", err)
	}
}

func TestCheckConcurrently(t *testing.T) {
	s := description(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, c := range []struct{ method, path, body string }{
				{"PUT", commandsPath, goodCommands}, {"POST", messagesPath, goodMessage}, {"POST", callbackPath, callback("6", "")},
			} {
				if err := s.Check(c.method, c.path, []byte(c.body), 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"not JSON", "openapi: 3.1", "invalid character"},
		{"another version", `{"openapi":"3.0.3"}`, `wants OpenAPI 3.1, is "3.0.3"`},
		{"not Discord's", `{"openapi":"3.1.0","paths":{"/a":{}}}`, "no property default_member_permissions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "description.json")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %s, %q", err, path, test.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "absent.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there is no such file", err)
	}
}

func FuzzCheck(f *testing.F) {
	s := description(f)
	f.Add("POST", messagesPath, goodMessage, 1)
	f.Add("PUT", commandsPath, goodCommands, 0)
	f.Add("POST", callbackPath, `{"type":4,"data":{"components":[{"type":1,"components":[{}]}]}}`, 0)
	f.Add("POST", threadsPath, `{"name":[null]}`, 2)
	f.Fuzz(func(t *testing.T, method, path, body string, files int) {
		err := s.Check(method, path, []byte(body), files)
		if err == nil && body != "" && strings.TrimSpace(body) != "" && !json.Valid([]byte(body)) {
			t.Errorf("accepted what is not JSON: %q", body)
		}
		if err != nil && err.Error() == "" {
			t.Error("an error that says nothing")
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	s := description(b)
	body := []byte(goodMessage)
	for b.Loop() {
		if err := s.Check("POST", messagesPath, body, 1); err != nil {
			b.Fatal(err)
		}
	}
}
