package page

import (
	"regexp"
	"strings"
	"testing"
)

const hostile = `"><img src=x onerror=alert(1)>'` + "\u202e"

// everything is a channel in which every kind of thing was said, by people who mean harm.
func everything() Messages {
	pair := []Pair{{"as", "7"}, {"channel", hostile}}
	return Messages{
		You: hostile, Channel: hostile, Form: pair, Next: "/page/messages?as=7", Pause: "/page/messages?pause=1", MayAct: true,
		Messages: []Message{{
			ID: "1", Author: hostile, Initial: "<", Colour: 3, Bot: true, At: "12:00", Edited: true, Private: true, Pinged: true,
			Invoked: hostile + " used /challenge",
			Blocks: []Block{
				{Body: Markdown(hostile, Reader{})},
				{Picture: &Picture{"/files/1/board.png", hostile, hostile}},
				{File: &File{"/files/2/game.txt", hostile, hostile, "12 bytes"}},
				{Rule: true},
				{Embed: &Embed{
					Author: hostile, Title: hostile, Footer: hostile, Body: Markdown("**b**", Reader{}),
					Fields: []EmbedField{{hostile, Markdown("c", Reader{})}},
					Inside: []Block{{Picture: &Picture{"javascript:alert(1)", "x", hostile}}, {File: &File{Address: "javascript:alert(1)", Name: hostile}}},
				}},
				{Row: &Row{Buttons: []Button{{Label: hostile, Value: hostile, Style: 1}, {Label: "Rules", Style: 5, Address: "javascript:alert(1)"}}}},
				{Row: &Row{Menu: &Menu{Value: hostile, Placeholder: hostile, Min: 1, Max: 1, Options: []Option{{hostile, hostile, hostile, true}}}}},
			},
		}},
	}
}

func draw(t *testing.T, write func(p *Pages, b *strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(New(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func frame() Frame {
	return Frame{
		You: hostile, Channel: hostile, Messages: "/page/messages?channel=1", Note: hostile, MayAct: true,
		Servers: []Server{{hostile, []Link{{Name: hostile, Href: "/?channel=1", Current: true}}}},
		People:  []Link{{Name: hostile, Href: "/?as=7"}},
		Chosen: &Command{Name: hostile, About: hostile, Hidden: []Pair{{hostile, hostile}}, Suggests: true, Cancel: "/", Fields: []Field{
			{Kind: Text, Name: hostile, Label: hostile, About: hostile, Value: hostile, Suggested: true, Suggestions: []Choice{{hostile, hostile}}},
			{Kind: Choose, Name: "c", Label: hostile, Value: hostile, Choices: []Choice{{hostile, hostile}}},
			{Kind: Number, Name: "n", Label: "n", Value: hostile, Min: hostile},
		}},
	}
}

func TestTextStaysText(t *testing.T) {
	outside := regexp.MustCompile(`(?i)<img src=x|<script|<[a-z0-9]+[^>]*\son[a-z]+=|javascript:|\sstyle=`)
	for name, got := range map[string]string{
		"messages": draw(t, func(p *Pages, b *strings.Builder) error { return p.Messages(b, everything()) }),
		"frame":    draw(t, func(p *Pages, b *strings.Builder) error { return p.Frame(b, frame()) }),
	} {
		// Within quotes an attribute's value may say what it likes.
		tags := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(got, `""`)
		if found := outside.FindString(tags); found != "" {
			t.Errorf("%s: %s in\n%s", name, found, got)
		}
		if found := regexp.MustCompile(`(?:href|src|action)="[^"]*javascript:`).FindString(got); found != "" {
			t.Errorf("%s: %s", name, found)
		}
		if !strings.Contains(got, "&lt;img src=x onerror=alert(1)&gt;") {
			t.Errorf("%s does not show the text", name)
		}
	}
}

func TestMessagesShow(t *testing.T) {
	m := everything()
	got := draw(t, func(p *Pages, b *strings.Builder) error { return p.Messages(b, m) })
	for _, want := range []string{
		`<meta http-equiv="refresh" content="1; url=/page/messages?as=7">`,
		"Only you can see this", "(edited)", `<span class="tag">APP</span>`, `<figcaption>`, `src="/files/1/board.png"`,
		`<form class="row" method="post" action="/page/press">`, `<form class="row" method="post" action="/page/select">`,
		`<input type="hidden" name="as" value="7">`, `<input type="hidden" name="message" value="1">`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestWhoMayNotActGetsNoLiveControls(t *testing.T) {
	m := everything()
	m.MayAct = false
	got := draw(t, func(p *Pages, b *strings.Builder) error { return p.Messages(b, m) })
	for _, control := range regexp.MustCompile(`<(?:button|select)[^>]*>`).FindAllString(got, -1) {
		if !strings.HasSuffix(control, " disabled>") {
			t.Errorf("live: %s", control)
		}
	}
	f := frame()
	f.MayAct = false
	if got := draw(t, func(p *Pages, b *strings.Builder) error { return p.Frame(b, f) }); strings.Contains(got, "<form") {
		t.Error("the page has a form")
	}
}

func TestEmptyChannelShowsAWayIn(t *testing.T) {
	got := draw(t, func(p *Pages, b *strings.Builder) error {
		return p.Messages(b, Messages{You: "Tau", Channel: "general"})
	})
	if !strings.Contains(got, "Choose who you are, then try <code>/challenge</code>") {
		t.Error("no way in:\n" + got)
	}
	if !strings.Contains(got, "Paused") || strings.Contains(got, "http-equiv") {
		t.Error("a paused page refreshes:\n" + got)
	}
}

func TestFormOfACommand(t *testing.T) {
	f := Frame{You: "Tau", Channel: "general", MayAct: true, Chosen: &Command{
		Name: "/move", About: "Move a piece", Suggests: true, Cancel: "/?as=7", Hidden: []Pair{{"as", "7"}},
		Fields: []Field{
			{Kind: Text, Name: "o.from", Label: "from", About: "The piece to move", Required: true, Suggested: true, Suggestions: []Choice{{"a7, closes a mill", "a7"}}},
			{Kind: Choose, Name: "o.colour", Label: "colour", Value: "b", Choices: []Choice{{"white", "w"}, {"black", "b"}}},
			{Kind: Number, Name: "o.level", Label: "level", Min: "1", Max: "7"},
		},
	}}
	got := draw(t, func(p *Pages, b *strings.Builder) error { return p.Frame(b, f) })
	for _, want := range []string{
		`<label for="field0">from <em>required</em></label>`, `name="o.from" value="" list="list0" required`,
		`<option value="a7">a7, closes a mill</option>`, `<option value="b" selected>black</option>`, `The piece to move`,
		`type="number" step="1" name="o.level" value="" min="1" max="7"`, `formmethod="get"`, `<input type="hidden" name="as" value="7">`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "http-equiv") {
		t.Error("the page refreshes while one types")
	}
}

func TestStyleIsThere(t *testing.T) {
	if css := string(New().Style()); !strings.Contains(css, "prefers-color-scheme: dark") {
		t.Errorf("got %d bytes without a dark side", len(css))
	}
}
