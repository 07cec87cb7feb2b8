package page

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
)

func reader() Reader {
	return Reader{
		Now: time.Date(2026, 8, 6, 12, 0, 0, 0, time.UTC),
		Person: func(id string) (string, bool) {
			name, ok := map[string]string{"7": "Naledi", "8": "<img src=x onerror=alert(1)>"}[id]
			return name, ok
		},
		Channel: func(id string) (string, bool) { return "games", id == "9" },
		Jump: func(channel, message string) (string, string, bool) {
			return "/?channel=" + channel + "&m=" + message, "#games › message", channel == "9"
		},
	}
}

func TestMarkdown(t *testing.T) {
	const newTab = ` target="_blank" rel="noopener noreferrer">`
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"plain", "a7 is taken", "a7 is taken"},
		{"lines", "one\ntwo\n\nthree", "one<br>two<br><br>three"},
		{"bold", "**d7** is taken", "<strong>d7</strong> is taken"},
		{"italics", "*a* _b_", "<em>a</em> <em>b</em>"},
		{"underline", "__a__", "<u>a</u>"},
		{"struck", "~~a~~", "<s>a</s>"},
		{"spoiler", "||a||", `<span class="spoiler" tabindex="0">a</span>`},
		{"bold italics", "***a***", "<strong><em>a</em></strong>"},
		{"italics around bold", "*a **b** c*", "<em>a <strong>b</strong> c</em>"},
		{"bold around italics", "**a *b* c**", "<strong>a <em>b</em> c</strong>"},
		{"bold over lines", "**a\nb**", "<strong>a<br>b</strong>"},
		{"names with underscores", "no_shot_draw and _a_b", "no_shot_draw and _a_b"},
		{"times and products", "3 * 4 * 5", "3 * 4 * 5"},
		{"unclosed", "**a *b ~~c ||d `e", "**a *b ~~c ||d `e"},
		{"empty marks", "**** ____ ~~~~ ||||", "**** ____ ~~~~ ||||"},
		{"escaped", `\*a\* \_b\_ \<@7> \\ \|\|c\|\|`, "*a* _b_ &lt;@7&gt; \\ ||c||"},
		{"escaped name", `\*\*Tau\*\* \@everyone \[a\]\(https\://b\.c\)`, "**Tau** @everyone [a](https://b.c)"},
		{"backslash before a letter", `¯\_(ツ)_/¯ C:\new`, `¯_(ツ)_/¯ C:\new`},
		{"code", "`a7-d7` *x*", "<code>a7-d7</code> <em>x</em>"},
		{"code holds no marks", "`**a** <@7> \\*`", "<code>**a** &lt;@7&gt; \\*</code>"},
		{"code with backticks", "``a`b``", "<code>a`b</code>"},
		{"emphasis ends outside code", "*a `b*` c*", "<em>a <code>b*</code> c</em>"},
		{"code block", "```\n**a**\n<b>\n```", "<pre><code>**a**\n&lt;b&gt;</code></pre>"},
		{"code block with language", "see:\n```go\na := 1\n```\nso", "see:<pre><code>a := 1</code></pre>so"},
		{"code block in a line", "a ```b``` c", "a <pre><code>b</code></pre> c"},
		{"unclosed code block", "```\na", "```<br>a"},
		{"headings", "# A\n## B\n### C\n-# d\n#e\n#### f", "<h4>A</h4><h5>B</h5><h6>C</h6><small>d</small>#e<br>#### f"},
		{"quote", "> a\n> **b**\nc", "<blockquote>a<br><strong>b</strong></blockquote>c"},
		{"quote to the end", "x\n>>> a\n# b\n> c", "x<blockquote>a<h4>b</h4>&gt; c</blockquote>"},
		{"more than", "a > b\n>c", "a &gt; b<br>&gt;c"},
		{"list", "- a\n- *b*\n* c", "<ul><li>a</li><li><em>b</em></li><li>c</li></ul>"},
		{"list in list", "- a\n  - b\n  - c\n- d", "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>"},
		{"numbers", "3. a\n4. b", `<ol start="3"><li>a</li><li>b</li></ol>`},
		{"escaped number", `1\. a`, "1. a"},
		{"person", "<@7>, <@!7>: your turn", `<bdi class="mention" data-person="7">@Naledi</bdi>, <bdi class="mention" data-person="7">@Naledi</bdi>: your turn`},
		{"unknown person", "<@99>", `<bdi class="mention">@unknown-user</bdi>`},
		{"hostile person", "<@8>", `<bdi class="mention" data-person="8">@&lt;img src=x onerror=alert(1)&gt;</bdi>`},
		{"channel", "<#9> <#10>", `<bdi class="mention" data-channel="9">#games</bdi> <bdi class="mention">#unknown</bdi>`},
		{"role", "<@&5>", `<bdi class="mention">@unknown-role</bdi>`},
		{"command", "</settings show:12>", `<button type="button" class="mention" data-command="settings show">/settings show</button>`},
		{"everyone", "@everyone @here", "@everyone @here"},
		{"emoji", "<:ox:123> <a:ox:123>", ":ox: :ox:"},
		{"time", "<t:1786017600:f>", `<time datetime="2026-08-06T12:00:00Z" data-style="f" title="Thursday, 6 August 2026 12:00:00 UTC">6 August 2026 12:00</time>`},
		{"time without style", "<t:1786017600>", `<time datetime="2026-08-06T12:00:00Z" data-style="f" title="Thursday, 6 August 2026 12:00:00 UTC">6 August 2026 12:00</time>`},
		{"time to come", "<t:1786017900:R>", `<time datetime="2026-08-06T12:05:00Z" data-style="R" title="Thursday, 6 August 2026 12:05:00 UTC">in 5 minutes</time>`},
		{"time beyond all", "<t:9999999999999>", "Invalid date"},
		{"no time", "<t:soon:R>", "&lt;t:soon:R&gt;"},
		{"link", "see https://a.example/b?c=1&d=2.", `see <a href="https://a.example/b?c=1&amp;d=2"` + newTab + `https://a.example/b?c=1&amp;d=2</a>.`},
		{"link in brackets", "<https://a.example/>", `<a href="https://a.example/"` + newTab + `https://a.example/</a>`},
		{"link with a label", "[the **rules**](https://a.example/)", `<a href="https://a.example/"` + newTab + `the **rules**</a>`},
		{"no such scheme", "[a](javascript:alert(1)) <javascript:alert(1)>", "[a](javascript:alert(1)) &lt;javascript:alert(1)&gt;"},
		{"link with code in its label", "[game `0a_b*`](https://a.example/)", `<a href="https://a.example/"` + newTab + `game <code>0a_b*</code></a>`},
		{"link that breaks out", `[a](https://b"onclick="x)`, `<a href="https://b&#34;onclick=&#34;x"` + newTab + `a</a>`},
		{"no link", "http:// https://", "http:// https://"},
		{"jump", "**your turn**: https://discord.com/channels/1/9/3", `<strong>your turn</strong>: <a class="mention" href="/?channel=9&amp;m=3" data-jump>#games › message</a>`},
		{"jump elsewhere", "https://discord.com/channels/1/2/3", `<a href="https://discord.com/channels/1/2/3"` + newTab + `https://discord.com/channels/1/2/3</a>`},
		{"element", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"no text at all", "\xff\x00", "\uFFFD\uFFFD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := string(Markdown(test.in, reader()))
			if test.name == "link that breaks out" {
				// An address that cannot be one may as well be shown as text.
				if wrong := unsafe(got); wrong != "" {
					t.Error(wrong)
				}
				return
			}
			if got != test.want {
				t.Errorf("%q\ngot  %s\nwant %s", test.in, got, test.want)
			}
			if wrong := unsafe(got); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}

func TestRelativeTimes(t *testing.T) {
	for _, test := range []struct {
		away time.Duration
		want string
	}{
		{0, "now"},
		{400 * time.Millisecond, "now"},
		{time.Second, "in 1 second"},
		{-59 * time.Second, "59 seconds ago"},
		{90 * time.Second, "in 2 minutes"},
		{-time.Hour, "1 hour ago"},
		{36 * time.Hour, "in 2 days"},
		{-45 * 24 * time.Hour, "2 months ago"},
		{1 << 62, "in 146 years"},
		{-1 << 63, "292 years ago"},
	} {
		if got := relative(test.away); got != test.want {
			t.Errorf("%v: got %q, want %q", test.away, got, test.want)
		}
	}
}

var (
	element = regexp.MustCompile(`<[^<>]*>`)
	allowed = regexp.MustCompile(`^<(?:/?(?:strong|em|u|s|code|pre|h4|h5|h6|small|blockquote|ul|ol|li|bdi|span|time|a)` +
		`|br|ol start="[0-9]{1,9}"|bdi class="mention"(?: data-(?:person|channel)="[0-9]{1,20}")?|span class="spoiler" tabindex="0"` +
		`|/?button|button type="button" class="mention" data-command="[^"<>]*"` +
		`|time datetime="[0-9TZ:-]+" data-style="[a-zA-Z]" title="[A-Za-z0-9,: ]+"` +
		`|a class="mention" href="/[^"]*" data-jump` +
		`|a href="https?://[^"]*" target="_blank" rel="noopener noreferrer")>$`)
)

// unsafe says what in the HTML is not made of the elements that this package names, closed in order; "" if all is.
func unsafe(got string) string {
	if rest := element.ReplaceAllString(got, ""); strings.ContainsAny(rest, "<>") {
		return "unescaped angle in " + rest
	}
	var open []string
	for _, e := range element.FindAllString(got, -1) {
		if !allowed.MatchString(e) {
			return "unknown element " + e
		}
		name := strings.Fields(strings.Trim(e, "<>/"))[0]
		switch {
		case name == "br":
		case !strings.HasPrefix(e, "</"):
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			return "out of order " + e + " in " + got
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return "left open " + strings.Join(open, " ") + " in " + got
	}
	return ""
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"**a** *b* __c__ _d_ ~~e~~ ||f|| `g` ``h`` \\*", "# a\n- b\n  - c\n1. d\n> e\n>>> f", "```go\na\n```",
		"<@7> <#9> <@&1> </a b:1> <t:1:R> <:a:1> <https://a.b> [a](https://b.c)", "https://discord.com/channels/1/9/3",
		"<img src=x onerror=alert(1)>", "[<b>](https://a.b/\"onclick=x)", "***a** b*", strings.Repeat("*_", 40), "\u202e<@8>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := string(Markdown(text, reader()))
		if wrong := unsafe(got); wrong != "" {
			t.Errorf("%q: %s", text, wrong)
		}
		// What has no mark in it is shown as it is.
		if text != "" && !strings.ContainsAny(text, "\\*_~|`<>[]#-.:\n\r\x00") && strings.ToValidUTF8(text, "") == text {
			if shown := html.UnescapeString(got); shown != text {
				t.Errorf("%q is shown as %q", text, shown)
			}
		}
	})
}

func TestMarkdownIsQuickOnHostileText(t *testing.T) {
	for _, piece := range []string{"*", "_a", "**a", "||", "~~a*b_c", "[", "`", "<@", "- a\n ", "> ", "h"} {
		text := strings.Repeat(piece, 4000/len(piece))
		if wrong := unsafe(string(Markdown(text, reader()))); wrong != "" {
			t.Error(wrong)
		}
	}
}
