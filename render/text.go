package render

import (
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

const (
	// ellipsis ends a text that was cut.
	ellipsis = "…"
	// substitute stands for a character that the font lacks, and for a name in
	// which nothing can be seen: the replacement character, a question mark in a
	// diamond.
	substitute = "\uFFFD"
)

// clean takes out of a text what shows nothing or disturbs what stands beside
// it: controls, marks of writing direction, joiners and zero-width characters,
// letters that are blank by design. Runs of white space become one space. What
// is left keeps its script; the answer is empty when nothing is left.
func clean(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, substitute) {
		switch {
		case unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) || isBlank(r):
			b.WriteByte(' ')
		case unicode.Is(unicode.C, r) || unicode.Is(unicode.Variation_Selector, r):
			// Controls, formats (direction, joiners, tags), private use, surrogates.
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		default:
			b.WriteRune(r)
		}
	}
	// Composed last: what was taken out may have stood between a letter and its accent.
	return strings.Join(strings.Fields(norm.NFC.String(b.String())), " ")
}

// isBlank reports letters and signs that have no ink but are not spaces by
// Unicode's account: the Hangul fillers and the empty Braille cell.
func isBlank(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800:
		return true
	}
	return false
}

// drawable turns a name into one the font can show. A character that it lacks
// is shown by its plain form where there is one (𝓐 as A, ệ as e), else by the
// substitute, one for all that follow one another in a word: a word in another
// script would be a fence of them, which says no more. Accents that belong to no
// letter the font has are left out. A name of which nothing remains is the
// substitute alone.
func drawable(f *sfnt.Font, s string) string {
	var b strings.Builder
	var buf sfnt.Buffer
	var last string
	for _, r := range clean(s) {
		shown := string(r)
		switch {
		case unicode.Is(unicode.M, r) || isSkinTone(r):
			continue
		case !has(f, &buf, r):
			shown = plain(f, &buf, r)
		}
		if shown != substitute || last != substitute {
			b.WriteString(shown)
		}
		last = shown
	}
	if t := strings.TrimSpace(b.String()); t != "" {
		return t
	}
	return substitute
}

// plain is the compatible form of r without its accents, if the font has all of
// it, else the substitute.
func plain(f *sfnt.Font, buf *sfnt.Buffer, r rune) string {
	var out []rune
	for _, c := range norm.NFKD.String(string(r)) {
		if unicode.Is(unicode.M, c) {
			continue
		}
		if !has(f, buf, c) {
			return substitute
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return substitute
	}
	return string(out)
}

// isSkinTone reports the five modifiers that tint the emoji before them.
func isSkinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// has reports whether the font draws r.
func has(f *sfnt.Font, buf *sfnt.Buffer, r rune) bool {
	i, err := f.GlyphIndex(buf, r)
	return err == nil && i != 0
}

// cut shortens s until it is at most width wide, with an ellipsis where it was
// cut. It is the ellipsis alone when nothing else fits.
func cut(face font.Face, s string, width fixed.Int26_6) string {
	if font.MeasureString(face, s) <= width {
		return s
	}
	runes := []rune(s)
	// Longer than this no text of these can be: a name of a million letters is
	// not measured letter by letter.
	const most = 200
	if len(runes) > most {
		runes = runes[:most]
	}
	for n := len(runes) - 1; n > 0; n-- {
		t := strings.TrimRight(string(runes[:n]), " ") + ellipsis
		if font.MeasureString(face, t) <= width {
			return t
		}
	}
	return ellipsis
}
