package page

import (
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	mention   = regexp.MustCompile(`^<(@!?|#|@&)([0-9]{1,20})>`)
	command   = regexp.MustCompile(`^</([^<>:\n]{1,100}):[0-9]{1,20}>`)
	timestamp = regexp.MustCompile(`^<t:(-?[0-9]{1,13})(?::([tTdDfFsSR]))?>`)
	emoji     = regexp.MustCompile(`^<a?(:[A-Za-z0-9_]{2,32}:)[0-9]{1,20}>`)
	bracketed = regexp.MustCompile(`^<(https?://[^\s<>]+)>`)
	masked    = regexp.MustCompile(`^\[((?:\\.|[^\[\]\\\n])+)\]\(<?(https?://[^\s()<>]+)>?\)`)
	bare      = regexp.MustCompile(`^https?://[^\s<>"]+`)
	jump      = regexp.MustCompile(`^https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/channels/(?:@me|[0-9]+)/([0-9]+)/([0-9]+)$`)
)

// reference writes a mention, time, link or the like that begins at i; see special for the rest.
func (w *writer) reference(text string, i, start, depth int) int {
	rest := text[i:]
	if rest[0] == 'h' {
		if wordBefore(text[:i]) {
			return 0
		}
		link := strings.TrimRight(bare.FindString(rest), `.,:;!?'")]}*_~|`+"`\\")
		if len(link) <= len("https://") {
			return 0
		}
		w.write(text[start:i])
		w.link(link)
		return len(link)
	}
	for _, r := range []struct {
		is    *regexp.Regexp
		write func(w *writer, parts []string, depth int)
	}{
		{mention, func(w *writer, p []string, _ int) { w.mention(p[1], p[2]) }},
		{command, func(w *writer, p []string, _ int) { w.command(p[1]) }},
		{timestamp, func(w *writer, p []string, _ int) { w.time(p[1], p[2]) }},
		{emoji, func(w *writer, p []string, _ int) { w.write(p[1]) }},
		{bracketed, func(w *writer, p []string, _ int) { w.link(p[1]) }},
		{masked, func(w *writer, p []string, depth int) { w.maskedLink(p[1], p[2], depth) }},
	} {
		if parts := r.is.FindStringSubmatch(rest); parts != nil {
			w.write(text[start:i])
			r.write(w, parts, depth)
			return len(parts[0])
		}
	}
	return 0
}

// pill writes a name that the reader may take for one thing, whatever characters it has.
func (w *writer) pill(text string) {
	w.raw(`<bdi class="mention">`)
	w.write(text)
	w.raw("</bdi>")
}

// command writes a slash command, which begins to be written when it is clicked.
func (w *writer) command(name string) {
	w.raw(`<button type="button" class="mention" data-command="` + template.HTMLEscapeString(name) + `">`)
	w.write("/" + name)
	w.raw("</button>")
}

func (w *writer) mention(kind, id string) {
	known, sign, unknown := w.reader.Person, "@", "@unknown-user"
	switch kind {
	case "#":
		known, sign, unknown = w.reader.Channel, "#", "#unknown"
	case "@&":
		known, unknown = nil, "@unknown-role"
	}
	if known != nil {
		if name, ok := known(id); ok {
			w.raw(`<bdi class="mention" data-` + map[string]string{"@": "person", "#": "channel"}[sign] + `="` + id + `">`)
			w.write(sign + name)
			w.raw("</bdi>")
			return
		}
	}
	w.pill(unknown)
}

// link writes an address as itself; one that Discord would jump within the client for, as a jump within the page.
func (w *writer) link(address string) {
	if to := jump.FindStringSubmatch(address); to != nil && w.reader.Jump != nil {
		if href, label, ok := w.reader.Jump(to[1], to[2]); ok {
			w.raw(`<a class="mention" href="` + template.HTMLEscapeString(href) + `" data-jump>`)
			w.write(label)
			w.raw("</a>")
			return
		}
	}
	w.anchor(address, func() { w.write(address) })
}

func (w *writer) maskedLink(label, address string, depth int) {
	if depth >= deepest {
		w.write(label)
		return
	}
	w.anchor(address, func() { w.linkLabel(label) })
}

// linkLabel writes a link's label: escapes and code count in it, and nothing else, as links cannot be nested.
func (w *writer) linkLabel(label string) {
	for i := 0; i < len(label); i++ {
		if code, n := codeSpan(label[i:]); n > 0 {
			w.code(code)
			i += n - 1
			continue
		}
		if label[i] == '\\' && i+1 < len(label) {
			i++
		}
		w.write(label[i : i+1])
	}
}

func (w *writer) anchor(address string, label func()) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		label()
		return
	}
	w.raw(`<a href="` + template.HTMLEscapeString(u.String()) + `" target="_blank" rel="noopener noreferrer">`)
	label()
	w.raw("</a>")
}

func (w *writer) time(seconds, style string) {
	n, err := strconv.ParseInt(seconds, 10, 64)
	at := time.Unix(n, 0).UTC()
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		w.write("Invalid date")
		return
	}
	full := at.Format("Monday, 2 January 2006 15:04:05 UTC")
	if style == "" {
		style = "f"
	}
	w.raw(`<time datetime="` + at.Format(time.RFC3339) + `" data-style="` + style + `" title="` + full + `">`)
	if style == "R" {
		w.write(relative(at.Sub(w.reader.Now)))
	} else {
		w.write(at.Format(timeLayout(style)))
	}
	w.raw("</time>")
}

// timeLayout is the form of a timestamp's style. Discord writes it as the reader's language does; here it is one that
// nobody misreads.
func timeLayout(style string) string {
	switch style {
	case "t":
		return "15:04"
	case "T":
		return "15:04:05"
	case "d":
		return "2006-01-02"
	case "D":
		return "2 January 2006"
	case "F":
		return "Monday, 2 January 2006 15:04"
	case "s":
		return "2006-01-02 15:04"
	case "S":
		return "2006-01-02 15:04:05"
	}
	return "2 January 2006 15:04"
}

// relative says how far away a time is, in the largest unit that fits.
func relative(d time.Duration) string {
	const day = 24 * time.Hour
	away := d.Abs()
	for _, unit := range []struct {
		name string
		long time.Duration
	}{
		{"year", 365 * day}, {"month", 30 * day}, {"day", day}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second},
	} {
		if away < unit.long {
			continue
		}
		n := int64(away / unit.long)
		if away%unit.long >= unit.long/2 {
			n++
		}
		said := fmt.Sprintf("%d %ss", n, unit.name)
		if n == 1 {
			said = "1 " + unit.name
		}
		if d < 0 {
			return said + " ago"
		}
		return "in " + said
	}
	return "now"
}
