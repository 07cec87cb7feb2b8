package page

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark is a pair of equal delimiters around text.
type mark struct {
	delimiter, open, end string
	wordwise             bool // only between words, as in snake_case_names
}

// marks in the order in which they are tried: longer delimiters first.
var marks = [...]mark{
	{"**", "<strong>", "</strong>", false},
	{"*", "<em>", "</em>", false},
	{"__", "<u>", "</u>", false},
	{"_", "<em>", "</em>", true},
	{"~~", "<s>", "</s>", false},
	{"||", `<span class="spoiler" tabindex="0">`, "</span>", false},
}

// deepest is how far emphasis may be nested; what lies deeper is plain text. It bounds the work on a hostile text.
const deepest = 8

// inline writes text within a line or paragraph.
func (w *writer) inline(text string, depth int) {
	start := 0 // of the plain text not written yet
	for i := 0; i < len(text); {
		n := w.special(text, i, start, depth)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		i += n
		start = i
	}
	w.write(text[start:])
}

// special writes what begins at i if it is more than a character, with the plain text from start before it, and says
// how many bytes it took; 0 if it is plain.
func (w *writer) special(text string, i, start, depth int) int {
	before := func() { w.write(text[start:i]) }
	switch rest := text[i:]; rest[0] {
	case '\n':
		before()
		w.raw("<br>")
		return 1
	case '\\':
		if len(rest) > 1 && rest[1] < utf8.RuneSelf && (unicode.IsPunct(rune(rest[1])) || unicode.IsSymbol(rune(rest[1]))) {
			before()
			w.write(rest[1:2])
			return 2
		}
	case '`':
		if code, n := codeSpan(rest); n > 0 {
			before()
			w.code(code)
			return n
		}
		return 0
	case '*', '_', '~', '|':
		return w.emphasis(text, i, start, depth)
	case '<', '[', 'h':
		return w.reference(text, i, start, depth)
	}
	return 0
}

func (w *writer) code(text string) {
	w.raw("<code>")
	w.write(text)
	w.raw("</code>")
}

// codeSpan reads `code` or “code“ at the start of text; n is its length with its marks, 0 if there is none.
func codeSpan(text string) (code string, n int) {
	for _, delimiter := range []string{"``", "`"} {
		if !strings.HasPrefix(text, delimiter) {
			continue
		}
		length := strings.Index(text[len(delimiter):], delimiter)
		if length <= 0 {
			continue
		}
		return text[len(delimiter):][:length], length + 2*len(delimiter)
	}
	return "", 0
}

func (w *writer) emphasis(text string, i, start, depth int) int {
	if depth >= deepest {
		return 0
	}
	for _, m := range marks {
		if !strings.HasPrefix(text[i:], m.delimiter) || m.wordwise && wordBefore(text[:i]) {
			continue
		}
		inner := text[i+len(m.delimiter):]
		length := closing(inner, m)
		if length <= 0 {
			continue
		}
		w.write(text[start:i])
		w.raw(m.open)
		w.inline(inner[:length], depth+1)
		w.raw(m.end)
		return length + 2*len(m.delimiter)
	}
	return 0
}

// closing finds the delimiter that ends a mark whose inside begins text; -1 if there is none.
func closing(text string, m mark) int {
	if single := len(m.delimiter) == 1; single && (text == "" || unicode.IsSpace(rune(text[0]))) {
		return -1
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '`':
			if _, n := codeSpan(text[i:]); n > 0 {
				i += n - 1
			}
		case strings.HasPrefix(text[i:], m.delimiter):
			end, size := i, len(m.delimiter)
			run := i
			for run < len(text) && text[run] == m.delimiter[0] {
				run++
			}
			// Of three asterisks in a row the last two close: ***both*** is emphasis within a strong text.
			if length := run - i; size == 1 && length%2 == 0 {
				i = run - 1
				continue
			} else if size == 2 && length > 2 {
				end = run - 2
			}
			if m.wordwise && wordAfter(text[end+1:]) {
				i = run - 1
				continue
			}
			if end == 0 || size == 1 && unicode.IsSpace(rune(text[end-1])) {
				i = run - 1
				continue
			}
			return end
		}
	}
	return -1
}

func wordBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func wordAfter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
