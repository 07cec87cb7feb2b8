package words

import (
	"strings"
	"unicode"
)

// maxName is how many characters of a name are shown: as many as Discord allows in a display name.
const maxName = 32

// Name makes a text that a user chose fit to stand in a message: one line, nothing of theirs that steers the direction of
// writing or cannot be seen, no markdown, no mention. It is "" where nothing visible is left.
func Name(name string) string {
	plain := Plain(name)
	return Apart(Escape(plain), plain)
}

// Apart is what shows a name, the name itself or a mention of whoever has it, kept apart from what stands around it where
// the name is written from right to left: "1131 → 1334" after such a name would be read backwards, and a message that
// begins with one would be turned around as a whole. The two characters are Unicode's first strong isolate and its end.
func Apart(shown, name string) string {
	if !strings.ContainsFunc(name, leftward) {
		return shown
	}
	return "\u2068" + shown + "\u2069"
}

// leftward tells whether a character belongs to a script that is written from right to left.
func leftward(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam,
		unicode.Samaritan, unicode.Mandaic, unicode.Hanifi_Rohingya)
}

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
