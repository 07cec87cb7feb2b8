package page

import (
	"html/template"
	"regexp"
	"strings"
	"time"
)

// Reader is who reads a text and when: it decides how the references in it are shown. A nil function knows nothing.
type Reader struct {
	Now     time.Time
	Person  func(id string) (name string, ok bool)
	Channel func(id string) (name string, ok bool)
	// Jump says where a link to a message on Discord's own address leads here, and how it is called.
	Jump func(channel, message string) (href, label string, ok bool)
}

// Markdown is text as Discord would show it: headings, lists, quotes, code, emphasis, spoilers, links, mentions and
// times become elements of a fixed small set, everything else is escaped. Any text is valid markdown.
func Markdown(text string, r Reader) template.HTML {
	w := writer{reader: r}
	w.blocks(strings.ToValidUTF8(text, "\uFFFD"), false)
	return template.HTML(w.out.String()) //nolint:gosec // written by write and tag alone, which escape
}

// writer collects HTML. Only tag and the constants given to raw are not escaped.
type writer struct {
	reader Reader
	out    strings.Builder
}

// raw writes an element that this package names itself.
func (w *writer) raw(tag string) { w.out.WriteString(tag) }

// write writes text.
func (w *writer) write(text string) { w.out.WriteString(template.HTMLEscapeString(text)) }

const fence = "```"

var language = regexp.MustCompile(`^[A-Za-z0-9_+.#-]+\n`)

// blocks writes text that may hold code blocks. A quote cannot hold another one.
func (w *writer) blocks(text string, quoted bool) {
	for text != "" {
		start := indexUnescaped(text, fence)
		if start < 0 {
			break
		}
		length := strings.Index(text[start+len(fence):], fence)
		if length <= 0 || strings.TrimSpace(text[start+len(fence):][:length]) == "" {
			break
		}
		w.lines(strings.TrimSuffix(text[:start], "\n"), quoted)
		code := text[start+len(fence):][:length]
		code = strings.TrimPrefix(code[len(language.FindString(code)):], "\n")
		w.raw("<pre><code>")
		w.write(strings.TrimSuffix(code, "\n"))
		w.raw("</code></pre>")
		text = strings.TrimPrefix(text[start+2*len(fence)+length:], "\n")
	}
	w.lines(text, quoted)
}

// indexUnescaped is strings.Index for an occurrence without a backslash before it.
func indexUnescaped(text, what string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], what) {
			return i
		}
	}
	return -1
}

var heading = regexp.MustCompile(`^(#{1,3}|-#) +(\S.*)$`)

// lines writes text without code blocks, line by line. Plain lines next to each other are one text: emphasis may span
// them.
func (w *writer) lines(text string, quoted bool) {
	var plain []string
	flush := func() {
		w.inline(strings.Join(plain, "\n"), 0)
		plain = nil
	}
	lines := strings.Split(text, "\n")
	for len(lines) > 0 {
		rest, isQuote := strings.CutPrefix(lines[0], ">>> ")
		switch {
		case isQuote && !quoted:
			flush()
			w.quote(append([]string{rest}, lines[1:]...))
			return
		case strings.HasPrefix(lines[0], "> ") && !quoted:
			flush()
			n := span(lines, func(l string) bool { return strings.HasPrefix(l, "> ") })
			inner := make([]string, n)
			for i, l := range lines[:n] {
				inner[i] = strings.TrimPrefix(l, "> ")
			}
			w.quote(inner)
			lines = lines[n:]
			continue
		case heading.MatchString(lines[0]):
			flush()
			w.heading(lines[0])
		case listItem.MatchString(lines[0]):
			flush()
			n := span(lines, listItem.MatchString)
			w.list(lines[:n])
			lines = lines[n:]
			continue
		default:
			plain = append(plain, lines[0])
		}
		lines = lines[1:]
	}
	flush()
}

// span counts the first lines that are alike.
func span(lines []string, alike func(string) bool) int {
	for i, l := range lines {
		if !alike(l) {
			return i
		}
	}
	return len(lines)
}

func (w *writer) quote(lines []string) {
	w.raw("<blockquote>")
	w.blocks(strings.Join(lines, "\n"), true)
	w.raw("</blockquote>")
}

func (w *writer) heading(line string) {
	parts := heading.FindStringSubmatch(line)
	// A message is not the page's outline: its first heading is the page's fourth level.
	open, end := "<h4>", "</h4>"
	switch parts[1] {
	case "##":
		open, end = "<h5>", "</h5>"
	case "###":
		open, end = "<h6>", "</h6>"
	case "-#":
		open, end = "<small>", "</small>"
	}
	w.raw(open)
	w.inline(parts[2], 0)
	w.raw(end)
}

var listItem = regexp.MustCompile(`^( *)([-*]|\d{1,9}\.) +(\S.*)$`)

// list writes lines that are all list items; one that is indented further than the first belongs to the item before it.
func (w *writer) list(lines []string) {
	const deepest = 10
	w.listAt(lines, deepest)
}

func (w *writer) listAt(lines []string, deeper int) {
	first := listItem.FindStringSubmatch(lines[0])
	indent, open, end := len(first[1]), "<ul>", "</ul>"
	if first[2] != "-" && first[2] != "*" {
		open, end = `<ol start="`+strings.TrimSuffix(first[2], ".")+`">`, "</ol>"
	}
	w.raw(open)
	for len(lines) > 0 {
		w.raw("<li>")
		w.inline(listItem.FindStringSubmatch(lines[0])[3], 0)
		n := 1 + span(lines[1:], func(l string) bool { return len(listItem.FindStringSubmatch(l)[1]) > indent })
		if n > 1 && deeper > 0 {
			w.listAt(lines[1:n], deeper-1)
		} else {
			n = 1
		}
		w.raw("</li>")
		lines = lines[n:]
	}
	w.raw(end)
}
