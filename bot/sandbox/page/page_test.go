package page

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

const hostile = `"><img src=x onerror=alert(1)>'` + "\u202e"

// everything is a message in which every kind of thing was said, by somebody who means harm.
func everything() Message {
	body := Markdown(hostile, Reader{})
	menu := &Menu{Value: hostile, Type: 3, Placeholder: hostile, Min: 1, Max: 1, Options: []Option{{hostile, hostile, hostile, true}}}
	return Message{
		ID: "1", Author: hostile, AuthorID: "7", Initial: "<", Colour: 3, Bot: true, At: "2026-08-06T12:00:00Z", Clock: "12:00",
		Edited: true, Private: true, Pinged: true, Invoked: hostile, By: hostile, ByID: "8", Reply: &Reply{"2", hostile, hostile},
		Blocks: []Block{
			{Body: body},
			{Gallery: []Picture{{Address: "/files/1/board.png", Name: hostile, Words: hostile, Width: 800, Height: 900}, {Address: "javascript:alert(1)", Words: hostile, Spoiler: true}}},
			{File: &File{"/files/2/game.txt", hostile, hostile, "12 bytes"}},
			{File: &File{Address: "javascript:alert(1)", Name: hostile}},
			{Rule: &Rule{Line: true, Wide: true}},
			{Embed: &Embed{
				Author: hostile, Title: hostile, Footer: hostile, Address: "javascript:alert(1)", Accent: hostile, Body: body,
				Fields: []EmbedField{{hostile, body, true}}, Inside: []Block{{Gallery: []Picture{{Address: "/files/3/a.png", Words: hostile}}}},
			}},
			{Container: &Container{Accent: "#ff8800", Blocks: []Block{
				{Section: &Section{Texts: []Block{{Body: body}}, Beside: []Block{{Row: &Row{Buttons: []Button{{Label: hostile, Value: hostile, Style: 2, Emoji: hostile}}}}}}},
			}}},
			{Row: &Row{Buttons: []Button{{Label: hostile, Value: hostile, Style: 1, Disabled: true}, {Label: "Rules", Style: 5, Address: "javascript:alert(1)"}}}},
			{Row: &Row{Menu: menu}},
		},
	}
}

func draw(t *testing.T, m Message) string {
	t.Helper()
	var b strings.Builder
	if err := New().Message(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextStaysText(t *testing.T) {
	got := draw(t, everything())
	// Within quotes an attribute's value may say what it likes.
	tags := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(got, `""`)
	outside := regexp.MustCompile(`(?i)<img src=x|<script|<[a-z0-9]+[^>]*\son[a-z]+=|javascript:|\sstyle=`)
	if found := outside.FindString(tags); found != "" {
		t.Errorf("%s in\n%s", found, got)
	}
	if found := regexp.MustCompile(`(?:href|src|action)="[^"]*javascript:`).FindString(got); found != "" {
		t.Errorf("%s in\n%s", found, got)
	}
	if !strings.Contains(got, "&lt;img src=x onerror=alert(1)&gt;") {
		t.Errorf("the text is not shown:\n%s", got)
	}
}

func TestMessageShows(t *testing.T) {
	got := draw(t, everything())
	for _, want := range []string{
		"Only you can see this", "(edited)", `<span class="tag">APP</span>`, `src="/files/1/board.png"`, `width="800" height="900"`,
		`data-accent="#ff8800"`, `data-person="8"`, `<summary>ALT`, `class="section"`, `<hr class="wide">`, `data-menu-type="3"`,
		`data-min="1" data-max="1"`, `aria-haspopup="listbox"`, `class="button s1" data-control=`, `<dt>`, ` disabled>`, `class="gallery many"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestMessageThinks(t *testing.T) {
	got := draw(t, Message{ID: "1", Author: "Kraal", Thinking: true, Reply: &Reply{ID: "2"}})
	for _, want := range []string{"Kraal is thinking", "Original message was deleted"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Only you") || strings.Contains(got, "edited") {
		t.Errorf("more than there is:\n%s", got)
	}
}

// The page's own files bring nothing that its policy would refuse.
func TestAssetsKeepToThePolicy(t *testing.T) {
	refused := regexp.MustCompile(`(?i)\sstyle="|\son[a-z]+="|<script(?:>|[^>]*>[^<])|javascript:|eval\(|new Function|https?://`)
	outside := regexp.MustCompile(`http://www\.w3\.org/2000/svg`)
	names, err := fs.Glob(static, "static/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		content, kind, err := Asset(strings.TrimPrefix(name, "static/"))
		if err != nil || kind == "application/octet-stream" {
			t.Fatalf("%s: %s %v", name, kind, err)
		}
		if found := refused.FindString(outside.ReplaceAllString(string(content), "")); found != "" {
			t.Errorf("%s: %q", name, found)
		}
		if strings.Contains(string(content), "innerHTML") && name != "static/dom.js" {
			t.Errorf("%s makes elements of text by itself", name)
		}
	}
}

func TestAssetStaysInItsFolder(t *testing.T) {
	for _, name := range []string{"../message.html", "/../page.go", "nothing.js", ""} {
		if content, _, err := Asset(name); err == nil {
			t.Errorf("%q: got %d bytes", name, len(content))
		}
	}
}
