package words

import (
	"strings"
	"unicode"
)

// maxName is how many characters of a name are shown: as many as Discord allows in a display name.
const maxName = 32

// Name makes a text that a user chose fit to stand in a message: one line, nothing that steers the direction of writing
// or cannot be seen, no markdown, no mention. It is "" where nothing visible is left.
func Name(name string) string { return Escape(Plain(name)) }

// Plain is a user's text as one line of visible characters, cut to the length of a display name, not yet escaped.
func Plain(name string) string {
	var b strings.Builder
	space, n := false, 0
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case !unicode.IsGraphic(r) || invisible(r):
			continue
		}
		if n++; n > maxName {
			b.WriteRune('…')
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// invisible are the characters that Unicode calls graphic but that show nothing by themselves.
func invisible(r rune) bool {
	switch r {
	case '\u00ad', '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return r >= '\ufe00' && r <= '\ufe0f'
}

// marks are the characters that mean something to Discord's markdown or begin a mention.
const marks = "\\*_~`|<>#[]()@:-+."

// Escape puts a backslash before everything that Discord would read as markdown, a mention, an emoji or a link.
func Escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(marks, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
