package sandbox

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

const pageCommands = `[
	{"name":"challenge","type":1,"description":"Challenge somebody","options":[
		{"type":6,"name":"opponent","description":"Whom to challenge"},
		{"type":3,"name":"colour","description":"Which colour","choices":[{"name":"white","value":"w"},{"name":"black","value":"b"}]},
		{"type":5,"name":"rated","description":"Does it count"},
		{"type":4,"name":"level","description":"How strong","min_value":1,"max_value":7}]},
	{"name":"move","type":1,"description":"Move a piece","options":[
		{"type":3,"name":"from","description":"The piece","required":true,"autocomplete":true},
		{"type":3,"name":"to","description":"Its point","required":true,"autocomplete":true}]},
	{"name":"settings","type":1,"description":"Settings","options":[{"type":1,"name":"show","description":"What is set"}]},
	{"name":"Challenge to a game","type":2}]`

// browser is somebody at the page.
type browser struct {
	t      *testing.T
	client *http.Client
	base   string
}

// open opens the page, by the printed address or without its key.
func open(t *testing.T, s *Sandbox, withKey bool) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, client: &http.Client{Jar: jar, Timeout: 20 * time.Second}, base: "http://" + s.address()}
	if withKey {
		response, err := b.client.Get(s.Page())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK || response.Request.URL.RawQuery != "" {
			t.Fatalf("got %d at %s, want the page without the key in its address", response.StatusCode, response.Request.URL)
		}
	}
	return b
}

func (b *browser) read(response *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (b *browser) get(path string) string {
	b.t.Helper()
	status, text := b.read(b.client.Get(b.base + path))
	if status != http.StatusOK {
		b.t.Fatalf("%s: %d %s", path, status, text)
	}
	return text
}

func (b *browser) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	return b.read(b.client.PostForm(b.base+path, form))
}

func pageSandbox(t *testing.T) *Sandbox {
	t.Helper()
	s, err := Start(Config{Allowance: 50})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func pageAnswer(text string, private bool) object {
	data := object{"content": text, "allowed_mentions": object{"parse": []string{}}}
	if private {
		data["flags"] = flagEphemeral
	}
	return object{"type": answerMessage, "data": data}
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func hasNot(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, u := range unwanted {
		if strings.Contains(text, u) {
			t.Errorf("%s in\n%s", u, text)
		}
	}
}

const (
	naledi = "100000000000000001"
	thabo  = "100000000000000002"
	games  = "400000000000000001"
	here   = "as=" + naledi + "&channel=" + games
)

func TestPageShowsAMessageAndPressesItsButton(t *testing.T) {
	s := pageSandbox(t)
	b := startPageBot(t, s, pageCommands, func(in pageInteraction) any {
		return pageAnswer("You pressed `"+in.Data.CustomID+in.Data.Name+strings.Join(in.Data.Values, "")+"`.", true)
	})
	b.post(games, object{
		"content": "<@" + naledi + ">: **your turn**", "allowed_mentions": object{"users": []string{naledi}},
		"attachments": []object{{"id": 0, "filename": "board.png", "description": "White: a7 d7. Black: b4."}},
		"components": []object{
			{"type": 1, "components": []object{{"type": 2, "style": 4, "label": "Resign", "custom_id": "resign:1"}}},
			{"type": 1, "components": []object{{"type": 3, "custom_id": "to:1", "placeholder": "Where to", "options": []object{{"label": "a4, closes a mill", "value": "a4"}}}}},
		},
	}, []byte("\x89PNG\r\n\x1a\n"))
	person := open(t, s, true)
	seen := person.get("/page/messages?" + here)
	has(t, seen, `<bdi class="mention">@Naledi</bdi>: <strong>your turn</strong>`, `alt="White: a7 d7. Black: b4."`,
		`<figcaption><span class="tag">ALT</span> White: a7 d7. Black: b4.</figcaption>`, ` pinged"`,
		`name="control" value="resign:1"`, `<option value="a4">a4, closes a mill</option>`, `<meta http-equiv="refresh"`)
	picture := regexp.MustCompile(`<img src="(/cdn/[^"]+)"`).FindStringSubmatch(seen)
	if picture == nil || person.get(picture[1]) != "\x89PNG\r\n\x1a\n" {
		t.Errorf("no picture at %v", picture)
	}

	id := s.As(naledi).Messages(games)[0].ID
	form := url.Values{"as": {naledi}, "channel": {games}, "message": {id}, "control": {"resign:1"}}
	status, seen := person.post("/page/press", form)
	if status != http.StatusOK {
		t.Errorf("pressing: %d", status)
	}
	has(t, seen, "You pressed <code>resign:1</code>.", "Only you can see this")
	if in := b.last(interactionControl); in.Data.CustomID != "resign:1" || in.Member.User.ID != naledi {
		t.Errorf("the bot got %+v", in)
	}

	form.Set("control", "to:1")
	form.Set("value", "a4")
	if status, seen = person.post("/page/select", form); status != http.StatusOK {
		t.Errorf("choosing: %d", status)
	}
	has(t, seen, "You pressed <code>to:1a4</code>.")

	mine := s.As(naledi).Messages(games)
	form = url.Values{"as": {naledi}, "channel": {games}, "message": {mine[1].ID}}
	_, seen = person.post("/page/dismiss", form)
	hasNot(t, seen, "You pressed <code>resign:1</code>")
	form.Set("message", id) // not a private one: it stays
	_, seen = person.post("/page/dismiss", form)
	has(t, seen, "your turn", "You pressed <code>to:1a4</code>.")

	seen = person.get("/page/messages?as=" + thabo + "&channel=" + games)
	hasNot(t, seen, "You pressed", " pinged\"")
}

func TestPageIssuesCommands(t *testing.T) {
	s := pageSandbox(t)
	b := startPageBot(t, s, pageCommands, func(in pageInteraction) any {
		if in.Type == interactionComplete {
			var choices []object
			for _, o := range in.Data.Options {
				if o.Focused {
					choices = append(choices, object{"name": o.Name + " of many", "value": o.Name + "7"})
				}
			}
			return object{"type": answerChoices, "data": object{"choices": choices}}
		}
		return pageAnswer("Done.", false)
	})
	person := open(t, s, true)
	has(t, person.get("/?"+here), `>/challenge</a>`, `>/settings show</a>`, `>Challenge to a game</a>`, "<strong>Sandbox.</strong>",
		`# <bdi>games</bdi></a>`, `<bdi>Thabo</bdi></a>`)

	seen := person.get("/?" + here + "&command=challenge")
	has(t, seen, "Whom to challenge", `<option value="`+thabo+`">Thabo</option>`, `>Kraal (a bot)</option>`,
		`<option value="w">white</option>`, `<option value="true">yes</option>`, `min="1" max="7"`)
	status, seen := person.post("/page/send", url.Values{
		"as": {naledi}, "channel": {games}, "command": {"challenge"},
		"o.opponent": {thabo}, "o.colour": {"w"}, "o.rated": {"false"}, "o.level": {"7"},
	})
	if status != http.StatusOK {
		t.Errorf("%d %s", status, seen)
	}
	got := map[string]any{}
	for _, o := range b.last(interactionCommand).Data.Options {
		got[o.Name] = o.Value
	}
	if got["opponent"] != thabo || got["colour"] != "w" || got["rated"] != false || got["level"] != float64(7) {
		t.Errorf("the bot got %v", got)
	}
	has(t, person.get("/page/messages?"+here), "Naledi used /challenge", "Done.")

	seen = person.get("/?" + here + "&command=move&o.from=a7")
	has(t, seen, `<option value="from7">from of many</option>`, `<option value="to7">to of many</option>`, `name="o.from" value="a7"`)

	person.post("/page/send", url.Values{"as": {naledi}, "channel": {games}, "command": {"settings show"}})
	if in := b.last(interactionCommand); in.Data.Name != "settings" || len(in.Data.Options) != 1 || in.Data.Options[0].Name != "show" {
		t.Errorf("the bot got %+v", in)
	}
	person.post("/page/send", url.Values{"as": {naledi}, "channel": {games}, "command": {"@Challenge to a game"}, "person": {thabo}})
	if in := b.last(interactionCommand); in.Data.Name != "Challenge to a game" || in.Data.TargetID != thabo {
		t.Errorf("the bot got %+v", in)
	}
}

func TestPageSaysWhatWentWrong(t *testing.T) {
	s := pageSandbox(t)
	startPageBot(t, s, pageCommands, func(in pageInteraction) any {
		if in.Type == interactionComplete {
			return object{"type": answerChoices, "data": object{"choices": []object{}}}
		}
		return pageAnswer("Done.", false)
	})
	person := open(t, s, true)
	for _, test := range []struct {
		name, path string
		form       url.Values
		want       string
	}{
		{"a number in words", "/page/send", url.Values{"command": {"challenge"}, "o.level": {"much"}}, "level takes a whole number"},
		{"a number out of bounds", "/page/send", url.Values{"command": {"challenge"}, "o.level": {"9"}}, "9 is out of bounds"},
		{"a required option left out", "/page/send", url.Values{"command": {"move"}}, "is required"},
		{"a command that is gone", "/page/send", url.Values{"command": {"fly"}}, "no such command"},
		{"a message that is gone", "/page/press", url.Values{"message": {"1"}, "control": {"a"}}, "there is no such message"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.form.Set("as", naledi)
			test.form.Set("channel", games)
			status, seen := person.post(test.path, test.form)
			if status != http.StatusUnprocessableEntity {
				t.Errorf("got %d, want 422", status)
			}
			has(t, seen, test.want)
			if strings.Contains(seen, "level") && test.form.Has("o.level") {
				has(t, seen, `value="`+test.form.Get("o.level")+`"`)
			}
		})
	}
	for path, want := range map[string]int{"/?channel=1": 404, "/?as=1": 404, "/?as=" + botID: 404, "/nowhere": 404, "/?key=x": 403} {
		if status, text := person.read(person.client.Get(person.base + path)); status != want {
			t.Errorf("%s: got %d %s, want %d", path, status, text, want)
		}
	}
}

func TestPageShowsEmbedsAndLayouts(t *testing.T) {
	s := pageSandbox(t)
	b := startPageBot(t, s, pageCommands, func(in pageInteraction) any { return pageAnswer("You chose "+strings.Join(in.Data.Values, " "), true) })
	b.post(games, object{
		"attachments": []object{{"id": 0, "filename": "board.png", "description": "White: a7."}},
		"embeds": []object{{
			"title": "Game one", "description": "**a7** is taken", "author": object{"name": "The author"}, "footer": object{"text": "The end"},
			"fields": []object{{"name": "In hand", "value": "`12`"}}, "image": object{"url": "attachment://board.png"},
			"thumbnail": object{"url": "https://elsewhere.example/a.png"},
		}},
	}, []byte("\x89PNG\r\n\x1a\n"))
	person := open(t, s, true)
	seen := person.get("/page/messages?" + here)
	has(t, seen, "<strong>Game one</strong>", "<strong>a7</strong> is taken", "The author", "The end", "<code>12</code>",
		`alt="White: a7."`, `href="https://elsewhere.example/a.png"`)
	if n := strings.Count(seen, "<img"); n != 1 {
		t.Errorf("%d pictures, want the embed's alone", n)
	}

	b.post("400000000000000002", object{
		"flags":       flagComponentsV2,
		"attachments": []object{{"id": 0, "filename": "board.png"}},
		"components": []object{{"type": typeContainer, "components": []object{
			{"type": typeSection, "components": []object{{"type": typeText, "content": "# First"}},
				"accessory": object{"type": typeButton, "style": 1, "label": "Beside", "custom_id": "beside"}},
			{"type": typeSeparator},
			{"type": typeGallery, "items": []object{{"media": object{"url": "attachment://board.png"}, "description": "White: d7."}}},
			{"type": typeRow, "components": []object{{"type": typeUserMenu, "custom_id": "who"}}},
			{"type": typeText, "content": "Last"},
		}}},
	}, []byte("\x89PNG\r\n\x1a\n"))
	general := "as=" + naledi + "&channel=400000000000000002"
	seen = person.get("/page/messages?" + general)
	rest := seen
	for _, want := range []string{"<h4>First</h4>", `value="beside"`, "<hr>", `alt="White: d7."`, `value="who"`, `<option value="` + thabo, "Last"} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("no %s, or not in its place, in\n%s", want, seen)
		}
		rest = after
	}
	id := s.As(naledi).Messages("400000000000000002")[0].ID
	_, seen = person.post("/page/select", url.Values{
		"as": {naledi}, "channel": {"400000000000000002"}, "message": {id}, "control": {"who"}, "value": {thabo},
	})
	has(t, seen, "You chose "+thabo)
}

func TestPageWaitsForNews(t *testing.T) {
	s := pageSandbox(t)
	startPageBot(t, s, pageCommands, func(in pageInteraction) any { return pageAnswer("News.", false) })
	person := open(t, s, true)
	seen := person.get("/page/messages?" + here)
	has(t, seen, "Nothing has been said here yet", "try <code>/challenge</code>")
	next := regexp.MustCompile(`url=([^"]+)"`).FindStringSubmatch(seen)
	if next == nil {
		t.Fatal("the page does not refresh:\n" + seen)
	}
	came := make(chan string, 1)
	go func() {
		defer close(came)
		response, err := person.client.Get(person.base + strings.ReplaceAll(next[1], "&amp;", "&"))
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Error(response.StatusCode, err)
		}
		came <- string(text)
	}()
	if _, err := s.As(naledi).Slash(t.Context(), games, "settings show", nil); err != nil {
		t.Fatal(err)
	}
	has(t, <-came, "News.")
	has(t, person.get("/page/messages?"+here+"&pause=1"), "Paused")
}
