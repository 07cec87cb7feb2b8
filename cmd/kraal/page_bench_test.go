package main

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// BenchmarkPageUpdate measures what a browser works when one of fifty boards in play changes, in a channel that shows five
// hundred messages: milliseconds of scripts, of layout and style, and of everything, for one update.
func BenchmarkPageUpdate(b *testing.B) {
	const games, messages = 50, 500
	v := newVictim(b)
	members := sandbox.DefaultWorld().Servers[0].Members
	running := make([]*running, games)
	for i := range running {
		white, black := members[i%5], members[(i+1)%5]
		running[i] = newRunning(v, white, black)
	}
	for i := range messages - games {
		text := fmt.Sprintf("message %d, with **some** words and a <@%s>", i, members[(i+1)%5])
		if _, err := v.sb.Say(members[i%5], "400000000000000001", text); err != nil {
			b.Fatal(err)
		}
	}
	p := newChromium(b).beside(v.sb, members[0], "Naledi", 1280, 800)
	for p.tapEarlier() {
	}
	if n := ask[int](p.window, `document.querySelectorAll("#messages > li").length`); n < messages {
		b.Fatalf("the page shows %d messages", n)
	}
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	before := p.metrics()
	updates := 0
	for b.Loop() {
		g := running[updates%games]
		picture := g.place()
		p.until("the board as it is now", `document.getElementById("m-`+g.board+`")?.querySelector("img").src.endsWith(`+quoted(picture)+`)`)
		updates++
	}
	after := p.metrics()
	for name, unit := range map[string]string{
		"ScriptDuration": "script-ms/update", "LayoutDuration": "layout-ms/update", "RecalcStyleDuration": "style-ms/update", "TaskDuration": "all-ms/update",
	} {
		b.ReportMetric(1000*(after[name]-before[name])/float64(updates), unit)
	}
}

// tapEarlier asks for earlier messages, if there are any, and waits for them.
func (p person) tapEarlier() bool {
	p.t.Helper()
	if ask[bool](p.window, `document.querySelector("#earlier").hidden`) {
		return false
	}
	n := ask[int](p.window, `document.querySelectorAll("#messages > li").length`)
	ask[bool](p.window, `document.querySelector("#earlier").click(); true`)
	p.until("earlier messages", fmt.Sprintf(`document.querySelectorAll("#messages > li").length > %d`, n))
	return true
}

// metrics are the browser's own, in seconds.
func (p person) metrics() map[string]float64 {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, pageWait)
	defer cancel()
	got, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	all := map[string]float64{}
	for _, m := range got.Metrics {
		all[m.Name] = m.Value
	}
	return all
}

// running is a game in play, with its board's message.
type running struct {
	v       *victim
	people  [2]string
	board   string // the message
	picture string // the path
	id      string
	actions *rules.Game
}

func newRunning(v *victim, white, black string) *running {
	v.t.Helper()
	g := &running{v: v, people: [2]string{white, black}, board: v.gameOf("nine", white, black), actions: rules.NewGame(mustLookup(v.t, "nine"))}
	m, ok := v.sb.As(white).Message(g.board)
	if !ok || len(m.Attachments) == 0 {
		v.t.Fatal("there is no board")
	}
	g.id = regexp.MustCompile("game `([0-9a-z]{8})`").FindStringSubmatch(m.Content)[1]
	at, err := url.Parse(m.Attachments[0].URL)
	if err != nil {
		v.t.Fatal(err)
	}
	g.picture = at.Path
	return g
}

// place makes the first action that there is, by a tap, and gives the path of the new picture. The board moves to the end
// of the channel when too much stands below it.
func (g *running) place() (picture string) {
	t := g.v.t
	t.Helper()
	legal := g.actions.Legal()
	if len(legal) == 0 || legal[0].Kind == rules.Move {
		t.Fatal("all pieces are placed: ask for fewer updates")
	}
	who := g.people[g.actions.Position().Turn]
	reply, err := g.v.sb.As(who).Select(t.Context(), g.board, "", legal[0].To.String())
	if err != nil || reply.Failed {
		t.Fatal(err, reply)
	}
	if err := g.actions.Play(legal[0]); err != nil {
		t.Fatal(err)
	}
	g.v.wait("the board", func() bool {
		for _, m := range slices.Backward(g.v.sb.As(who).Messages("400000000000000001")) {
			if strings.Contains(m.Content, g.id) && len(m.Attachments) > 0 {
				at, err := url.Parse(m.Attachments[0].URL)
				changed := err == nil && at.Path != g.picture
				if changed {
					g.board, g.picture = m.ID, at.Path
				}
				return changed
			}
		}
		return false
	})
	return g.picture
}
