package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

// playing opens the sandbox as the first of its members, with a game in play against the second: the first one is to move
// in the end, has a private answer before them, and somebody has talked.
func playing(t testing.TB, width, height int64) (*victim, person) {
	t.Helper()
	v := newVictim(t)
	p := newChromium(t).beside(v.sb, sandbox.DefaultWorld().Servers[0].Members[0], "Naledi", width, height)
	v.game("nine")
	if _, err := v.sb.Say("100000000000000002", "400000000000000001", "Good luck, **Naledi**! `a7`"); err != nil {
		t.Fatal(err)
	}
	p.shows("Good luck")
	if _, err := v.sb.As(p.id).Slash(t.Context(), "400000000000000001", "help", nil); err != nil {
		t.Fatal(err)
	}
	p.shows("Only you can see this")
	return v, p
}

// game begins one between the first two members.
func (v *victim) game(variant string) {
	v.t.Helper()
	members := sandbox.DefaultWorld().Servers[0].Members
	v.gameOf(variant, members[0], members[1])
}

// gameOf begins a game and gives its board's message.
func (v *victim) gameOf(variant, white, black string) (board string) {
	v.t.Helper()
	challenge, err := v.sb.As(white).Slash(v.t.Context(), "400000000000000001", "challenge", map[string]any{"opponent": black, "variant": variant, "colour": "white"})
	if err != nil || challenge.Failed {
		v.t.Fatal(err, challenge)
	}
	accepted, err := v.sb.As(black).Press(v.t.Context(), challenge.Message.ID, "Accept")
	if err != nil || accepted.Failed {
		v.t.Fatal(err, accepted)
	}
	return accepted.Message.ID
}

// view is something that the page shows.
type view struct {
	name         string
	begin, leave func(w person)
}

// views are what the page can show, each brought about from the plain one and left again.
func views() []view {
	nothing := func(person) {}
	escape := func(w person) { w.press("Escape") }
	return []view{
		{"the game", nothing, nothing},
		{"a command", func(w person) {
			w.begin("challenge")
			w.option("opponent", "Thabo")
			w.option("variant", "Koti")
			w.until("the options", `document.querySelector(".picker:not([hidden]) [role=option]")`)
		}, func(w person) { escape(w); escape(w) }},
		{"a menu of the board", func(w person) { w.tap("button.menu", "place a piece") }, escape},
		{"a person's menu", func(w person) { w.menuOf("#messages .person") }, escape},
		{"trouble", func(w person) {
			w.tap("#open-faults", "")
			w.until("the panel", `!document.querySelector("#faults").hidden`)
		}, escape},
		{"a picture's words", func(w person) { w.tap("summary", "ALT") }, func(w person) { w.tap("summary", "ALT") }},
	}
}

// TestPageFitsAPhone: nothing is wider than the screen.
func TestPageFitsAPhone(t *testing.T) {
	_, p := playing(t, 390, 844)
	for _, view := range append(views(), drawers()...) {
		view.begin(p)
		p.until(view.name+" to fit", `document.documentElement.scrollWidth <= innerWidth && document.querySelector("#scroll").scrollWidth <= innerWidth`)
		view.leave(p)
	}
}

// drawers are what a narrow screen has out of sight.
func drawers() []view {
	open := func(button, side string) func(person) {
		return func(w person) {
			w.tap(button, "")
			w.until("the drawer", `document.querySelector("`+side+`").getBoundingClientRect().left >= 0 && document.querySelector("`+side+`").getBoundingClientRect().right <= innerWidth`)
		}
	}
	escape := func(w person) { w.press("Escape") }
	return []view{
		{"the channels", open("#open-places", "#places"), escape},
		{"the people", open("#open-people", "#people"), escape},
	}
}

// axeVariable names the file of axe-core, which judges a page's accessibility.
const axeVariable = "KRAAL_AXE"

// TestPageIsAccessible has axe look at the main views, dark and light, wide and narrow: it finds nothing serious.
func TestPageIsAccessible(t *testing.T) {
	path := os.Getenv(axeVariable)
	if path == "" {
		if os.Getenv(browserVariable) == "required" {
			t.Fatalf("%s names no file of axe-core", axeVariable)
		}
		t.Skipf("NOT CHECKED: set %s to axe-core's axe.min.js to judge the page's accessibility", axeVariable)
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		_, p := playing(t, size[0], size[1])
		all := views()
		if size[0] < 700 {
			all = append(all, drawers()...)
		}
		ask[bool](p.window, string(axe)+"; true")
		for _, theme := range []string{"light", "dark"} {
			ask[bool](p.window, `document.documentElement.dataset.theme = `+quoted(theme)+`; true`)
			for _, view := range all {
				view.begin(p)
				p.judge(fmt.Sprintf("%s, %s, %d wide", view.name, theme, size[0]))
				view.leave(p)
			}
		}
	}
}

// judge runs axe and fails on what it calls serious or critical.
func (p person) judge(where string) {
	p.t.Helper()
	type violation struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML, FailureSummary string }
	}
	found := ask[[]violation](p.window, `Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {}))).then(() => axe.run(document, { resultTypes: ["violations"] })).then((r) => r.violations)`)
	for _, v := range found {
		if v.Impact == "serious" || v.Impact == "critical" {
			for _, n := range v.Nodes {
				p.t.Errorf("%s: %s, %s: %s\n%s\n%s", where, v.Impact, v.ID, v.Help, n.HTML, n.FailureSummary)
			}
		}
	}
}

// TestPageKeepsTextText: names and messages that would be markup, mentions or turned around stay text.
func TestPageKeepsTextText(t *testing.T) {
	v, p := playing(t, 1280, 800)
	const name = "<img src=x onerror=hurt=1>" + "\u202e"
	for _, id := range []string{"100000000000000001", "100000000000000002"} {
		if err := v.sb.Rename(id, name); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		name + " <@100000000000000002>", "**<b onclick=hurt()>bold**", "[x](javascript:window.hurt=1) <script>window.hurt=1</script>",
		"```\n<img src=x onerror=window.hurt=1>\n```", "# <svg onload=window.hurt=1>", "||<iframe src=javascript:hurt()>||", "@everyone @here",
	} {
		if _, err := v.sb.Say("100000000000000002", "400000000000000001", text); err != nil {
			t.Fatal(err)
		}
	}
	p.begin("challenge")
	p.option("opponent", "Marek")
	p.send()
	p.shows("@everyone @here")
	p.until("a challenge", `[...document.querySelectorAll("#messages .button")].some((b) => b.innerText === "Accept")`)
	p.menuOf("#messages li:last-child .person")
	p.press("Escape")
	if hurt := ask[bool](p.window, `Boolean(window.hurt) || document.querySelector('img[src="x"], #messages script, #messages iframe, #messages [onclick], a[href^="javascript"]') !== null`); hurt {
		t.Error("a text has become more than text")
	}
	if mentioned := ask[int](p.window, `[...document.querySelectorAll("#messages .mention")].filter((m) => m.innerText === "@everyone" || m.innerText === "@here").length`); mentioned > 0 {
		t.Error("everyone is mentioned")
	}
	if bare := ask[int](p.window, `[...document.querySelectorAll(".person-line, .person, #where")].filter((e) => e.innerText.includes("\u202e") && !e.matches("bdi") && !e.querySelector("bdi")).length`); bare > 0 {
		t.Errorf("%d names turn around what stands beside them", bare)
	}
}

// TestPageByKeyboardAndMouse: what the page offers beside a game.
func TestPageByKeyboardAndMouse(t *testing.T) {
	v, p := playing(t, 1280, 800)

	// Autocomplete narrows while one types.
	p.begin("rules")
	p.option("variant", "tourn")
	p.send()
	p.shows("Tournament")
	p.begin("challenge")
	p.keys("variant")
	p.press("Enter")
	options := `document.querySelectorAll(".picker:not([hidden]) [role=option]").length`
	p.until("all variants", options+" >= 6")
	p.keys("mhe")
	p.until("one variant", options+" === 1")
	p.press("Escape")
	p.press("Escape")

	// A person's menu has the bot's command.
	p.menuOf(`#people li[data-person="100000000000000003"]`)
	p.tap("[role=menuitem]", "Challenge to a game")
	p.shows("@Inês")

	// Another person in the same window, who does not see what was private.
	p.tap(".person-line", "Inês")
	p.until("being Inês", `document.title.includes(" as Inês ")`)
	p.shows("@Inês")
	p.hasNot("Only you can see this")
	p.tap("#messages .button", "Decline")
	p.shows("declined")

	// Plain messages, and one deleted.
	p.run("hello there")
	p.shows("hello there")
	p.menuOf("#messages li:last-child .body")
	p.tap("[role=menuitem]", "Delete message")
	p.until("it is gone", `!document.querySelector("#messages").textContent.includes("hello there")`)

	// Trouble: an answer that comes too late, and a member who leaves.
	p.tap("#open-faults", "")
	ask[bool](p.window, `(() => { const s = document.querySelector("#faults select"); s.value = "4000"; s.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`)
	p.until("slow answers", `document.querySelector("#faults [role=status]").innerText.includes("timed")`)
	p.command("help")
	p.shows("/help: The application did not respond")
	if v.sb.Connected() {
		p.tap("#faults .button", "Drop the connection")
		p.until("it to come back", `document.querySelector("#faults [role=status]").innerText.includes("come back")`)
	}
	p.press("Escape")
	p.menuOf(`#people li[data-person="100000000000000005"]`)
	p.tap("[role=menuitem]", "Leave the server")
	p.until("Yuki to be gone", `!document.querySelector("#people").innerText.includes("Yuki")`)

	// A reload forgets what was private, as an app does, and keeps who one is.
	p.open(v.sb.Page() + "&as=100000000000000001")
	p.shows("Good luck")
	p.hasNot("Only you can see this")
}

// run writes a plain message.
func (p person) run(text string) {
	p.t.Helper()
	p.focus("#composer textarea")
	p.keys(text)
	p.press("Enter")
}

// TestPageScreenshot draws the picture of the README with -screenshot, and otherwise looks whether it is there.
func TestPageScreenshot(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "sandbox.png")
	if !*screenshot {
		if info, err := os.Stat(path); err != nil || info.Size() < 10_000 {
			t.Errorf("%v: draw it with go test ./cmd/kraal -run TestPageScreenshot -screenshot", err)
		}
		return
	}
	v := newVictim(t)
	v.game("morabaraba")
	members := sandbox.DefaultWorld().Servers[0].Members
	for i, point := range strings.Fields("a7 d7 g7 b6 d6 f6 c5 e5 a4 b4 d1") {
		reply, err := v.sb.As(members[i%2]).Slash(t.Context(), "400000000000000001", "place", map[string]any{"point": point})
		if err != nil || reply.Failed {
			t.Fatal(point, err, reply)
		}
	}
	if _, err := v.sb.Say(members[2], "400000000000000001", "Mind that d1, Thabo: it looks at two mills."); err != nil {
		t.Fatal(err)
	}
	p := newChromium(t).beside(v.sb, members[0], "Naledi", 1180, 910) // high enough for the whole board with its title
	p.shows("Mind that d1")
	p.until("the picture", `[...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
	picture := p.picture()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
