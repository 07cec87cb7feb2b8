package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func parsed(t *testing.T, e map[string]any) Interaction {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	in, err := parseInteraction(text)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestInteraction(t *testing.T) {
	t.Parallel()
	in := parsed(t, event(1, 2, map[string]any{
		"name": "settings", "options": []any{map[string]any{"name": "show", "type": 1, "options": []any{
			map[string]any{"name": "variant", "type": 3, "value": "koti"},
			map[string]any{"name": "level", "type": 4, "value": 5},
			map[string]any{"name": "rated", "type": 5, "value": false},
			map[string]any{"name": "opponent", "type": 6, "value": "11"},
			map[string]any{"name": "stranger", "type": 6, "value": "12"},
			map[string]any{"name": "where", "type": 7, "value": "13"},
		}}},
		"resolved": map[string]any{
			"users":   map[string]any{"11": map[string]any{"id": "11", "username": "kabelo", "global_name": "Kabelo", "bot": true}},
			"members": map[string]any{"11": map[string]any{"nick": nil, "permissions": "2048"}},
		},
	}, map[string]any{"channel": map[string]any{"id": channelID, "type": 11}}))
	want := User{ID: personID, Name: "Naledi", Member: true}
	if in.Kind != Command || in.Name != "settings" || in.Sub != "show" || in.User != want || !in.Thread || in.Server != serverID ||
		in.Channel != channelID || in.Locale != "en-GB" || in.MemberPermissions != 2048 || in.AppPermissions != 34359741440 {
		t.Errorf("got %+v", in.User)
	}
	if age := time.Since(in.At); age < 0 || age > time.Minute {
		t.Errorf("made %v ago", age)
	}
	variant, ok1 := in.Text("variant")
	level, ok2 := in.Int("level")
	rated, ok3 := in.Bool("rated")
	opponent, ok4 := in.Person("opponent")
	stranger, ok5 := in.Person("stranger")
	where, ok6 := in.ChannelID("where")
	if got := fmt.Sprintln(variant, level, rated, opponent, stranger, where, ok1, ok2, ok3, ok4, ok5, ok6); got !=
		"koti 5 false {11 Kabelo true true true} {12  false false false} 13 true true true true true true\n" {
		t.Error("options read as", got)
	}
	for _, name := range []string{"level", "rated", "opponent", "where", "missing"} {
		if text, ok := in.Text(name); ok || text != "" {
			t.Errorf("%s read as text %q", name, text)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	t.Parallel()
	in := parsed(t, event(1, 2, map[string]any{"name": "challenge", "options": []any{
		map[string]any{"name": "variant", "type": 3, "value": 7},
		map[string]any{"name": "level", "type": 4, "value": 1.5},
		map[string]any{"name": "page", "type": 4, "value": "2"},
		map[string]any{"name": "rated", "type": 5},
		map[string]any{"name": "opponent", "type": 6, "value": "@naledi"},
		map[string]any{"name": "clock", "type": "three", "value": nil},
		map[string]any{"name": "colour", "type": 3, "value": nil},
		nil, "x", 5,
	}}, nil))
	if in.Name != "challenge" {
		t.Errorf("name %q", in.Name)
	}
	_, a := in.Text("variant")
	_, b := in.Int("level")
	_, c := in.Int("page")
	_, d := in.Bool("rated")
	_, e := in.Person("opponent")
	_, f := in.Text("clock")
	_, g := in.Text("colour")
	if a || b || c || d || e || f || g {
		t.Error("read what is not there:", a, b, c, d, e, f, g)
	}
}

// TestPeopleAndPlaces: who may do what, and where the bot may do what, is read from what Discord tells.
func TestPeopleAndPlaces(t *testing.T) {
	t.Parallel()
	in := parsed(t, event(1, 2, map[string]any{
		"name":    "settings",
		"options": []any{map[string]any{"name": "where", "type": 7, "value": "44"}, map[string]any{"name": "there", "type": 7, "value": "45"}},
		"resolved": map[string]any{"channels": map[string]any{
			"44": map[string]any{"id": "44", "type": 11, "app_permissions": "3072"},
		}},
	}, map[string]any{
		"channel": map[string]any{"id": channelID, "type": 11, "parent_id": "43"},
		"member":  map[string]any{"user": map[string]any{"id": personID}, "roles": []any{"51", "52"}, "permissions": "32"},
	}))
	if !in.MayManage() || !slices.Equal(in.Roles, []string{"51", "52"}) || in.Above != "43" {
		t.Errorf("manages %v, roles %v, thread of %q", in.MayManage(), in.Roles, in.Above)
	}
	if place, ok := in.Place("where"); !ok || place != (Place{ID: "44", Thread: true, App: 3072, Told: true}) {
		t.Errorf("got %+v, %v", place, ok)
	}
	if place, ok := in.Place("there"); !ok || place != (Place{ID: "45"}) {
		t.Errorf("of which nothing is told: %+v, %v", place, ok)
	}
	if _, ok := in.Place("nowhere"); ok {
		t.Error("a place that was not given")
	}
	for _, odd := range []map[string]any{{"roles": "x"}, {"roles": []any{1, nil}}, {"permissions": "8"}} {
		odd["user"] = map[string]any{"id": personID}
		in := parsed(t, event(1, 2, nil, map[string]any{"member": odd, "channel": map[string]any{"id": channelID, "type": 0, "parent_id": "42"}}))
		if admin := odd["permissions"] != nil; in.MayManage() != admin || slices.Contains(in.Roles, "1") || in.Above != "" {
			t.Errorf("%v: manages %v, roles %v, parent %q", odd, in.MayManage(), in.Roles, in.Above)
		}
	}
}

func TestMenuAndTyping(t *testing.T) {
	t.Parallel()
	in := parsed(t, event(1, 2, map[string]any{"name": "Challenge to a game", "type": 2, "target_id": "11",
		"resolved": map[string]any{"users": map[string]any{"11": map[string]any{"username": "kabelo"}}}}, nil))
	if user, ok := in.TargetUser(); !ok || user != (User{ID: "11", Name: "kabelo"}) {
		t.Errorf("target %+v, %v", user, ok)
	}
	in = parsed(t, typing(2))
	if name, text := in.Focused(); in.Kind != Autocomplete || name != "to" || text != "a" {
		t.Errorf("typing %q %q", name, text)
	}
	if _, ok := in.TargetUser(); ok {
		t.Error("a target without a menu")
	}
}

// TestTapOnUnknownComponents: a message may hold what no library knows yet; its controls answer all the same.
func TestTapOnUnknownComponents(t *testing.T) {
	t.Parallel()
	in := parsed(t, tap3(1))
	if in.Kind != Component || in.CustomID != "k1" || in.Message != "800000000000000005" || in.MessageEphemeral {
		t.Errorf("got %v", in)
	}
	in = parsed(t, event(2, 3, map[string]any{"custom_id": "s", "values": []any{"a7", "d7"}},
		map[string]any{"message": map[string]any{"id": "8", "flags": 64}}))
	if !in.MessageEphemeral || len(in.Values) != 2 {
		t.Errorf("got %v", in)
	}
}

// TestOddInteractions (O35): each is answered, and none ends the process: direct messages, user installs, missing and
// mangled parts.
func TestOddInteractions(t *testing.T) {
	t.Parallel()
	user := map[string]any{"id": personID, "username": "naledi"}
	odd := []map[string]any{
		{"guild_id": nil, "member": nil, "user": user, "context": 1, "channel": map[string]any{"id": channelID, "type": 1}},
		{"guild_id": nil, "member": nil, "user": user, "context": 2, "authorizing_integration_owners": map[string]any{"1": personID}},
		{"member": nil, "user": nil},
		{"member": map[string]any{}},
		{"member": "x", "user": 5, "channel": "y", "message": []any{}, "locale": 7, "app_permissions": nil, "data": nil},
		{"data": "x"}, {"data": []any{1}}, {"data": map[string]any{"options": "x", "resolved": 5, "values": 7}},
		{"guild_id": 5, "channel_id": nil, "context": "x", "message": nil},
		{"guild": map[string]any{"id": serverID}, "guild_locale": nil, "message": map[string]any{"id": nil, "flags": "x"}},
	}
	done := make(chan Interaction, 100)
	r := newStub(t).start(func(cfg *Config) {
		cfg.Handle = func(ctx context.Context, in Interaction, a *Answer) {
			in.Text("to")
			in.Int("to")
			in.Bool("to")
			in.Person("to")
			in.TargetUser()
			in.Focused()
			done <- in
		}
	}).connected()
	n := 0
	for _, more := range odd {
		for kind := 2; kind <= 5; kind++ {
			n++
			r.press(event(n, kind, map[string]any{"name": "move", "custom_id": "k"}, more))
		}
	}
	for _, nothing := range []map[string]any{
		{"type": 0}, {"type": 1}, {"type": 77}, {"id": "x"}, {"id": nil}, {"token": ""}, {"token": nil},
	} {
		r.press(event(900, 2, nil, nothing))
	}
	r.press(nil)
	for range n {
		<-done
	}
	r.until("an answer to each", func() bool { return len(r.found("POST", "/callback")) == n })
	if strings.Contains(r.log.String(), "panic") {
		t.Error(r.log)
	}
}

// TestDirectMessage (O35): there is no member and no server, and still somebody to answer.
func TestDirectMessage(t *testing.T) {
	t.Parallel()
	in := parsed(t, event(1, 2, map[string]any{"name": "help"}, map[string]any{
		"guild_id": nil, "member": nil, "user": map[string]any{"id": personID, "username": "naledi", "global_name": "Naledi M"}, "context": 1,
	}))
	if in.User != (User{ID: personID, Name: "Naledi M"}) || in.Server != "" || in.Context != 1 {
		t.Errorf("got %+v in %q", in.User, in.Server)
	}
}

// FuzzInteraction: whatever arrives, nothing panics, and what is accepted can be answered.
func FuzzInteraction(f *testing.F) {
	for _, e := range []map[string]any{slash(1), tap3(2), typing(3), event(4, 5, nil, nil)} {
		text, _ := json.Marshal(e)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		in, err := parseInteraction(payload)
		if err != nil {
			return
		}
		in.Focused()
		in.TargetUser()
		for _, o := range in.options {
			in.Text(o.Name)
			in.Int(o.Name)
			in.Bool(o.Name)
			in.Person(o.Name)
			in.Place(o.Name)
			in.RoleID(o.Name)
		}
		if in.Token == "" || in.ID == "" || in.Kind == 0 {
			t.Errorf("accepted %v", in)
		}
	})
}

func TestTokenStaysOut(t *testing.T) {
	t.Parallel()
	in := parsed(t, slash(1))
	text, err := json.Marshal(in)
	if got := fmt.Sprintf("%v %+v %s %s", in, in, in.LogValue(), text); err != nil || strings.Contains(got, in.Token) {
		t.Error(got)
	}
}

func TestMissingPermissions(t *testing.T) {
	t.Parallel()
	const view, send, files, threads = 1 << 10, 1 << 11, 1 << 15, 1 << 38
	for _, test := range []struct {
		app    int64
		thread bool
		want   string
	}{
		{view | send | files, false, "[]"},
		{view | send | files, true, "[Send Messages in Threads]"},
		{view | threads | files, true, "[]"},
		{view | threads | files, false, "[Send Messages]"},
		{0, false, "[View Channel Send Messages Attach Files]"},
		{1 << 3, true, "[]"},
	} {
		if got := fmt.Sprint(MissingPermissions(test.app, test.thread)); got != test.want {
			t.Errorf("%b, thread %v: got %s, want %s", test.app, test.thread, got, test.want)
		}
	}
}
