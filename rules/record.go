package rules

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Record is a game as text carries it: who played what, how, and how it ended.
type Record struct {
	Variant      Variant
	Start        Position
	White, Black string    // names; "" where not known
	Date         time.Time // the day, UTC; zero where not known
	Result       Result
	Reason       Reason
	Actions      []Action
	Tags         []Tag // other headers, in their order
}

// Tag is a header that the rules have no use for.
type Tag struct{ Key, Value string }

// dateLayout is how a record writes a day.
const dateLayout = "2006-01-02"

// Record is the game as a record, without names and date.
func (g *Game) Record() Record {
	return Record{
		Variant: g.variant,
		Start:   g.start,
		Result:  g.status.Result,
		Reason:  g.status.Reason,
		Actions: g.Actions(),
	}
}

// String writes the record: headers, an empty line, the numbered turns and the result. The Variant header names the table
// row that a house rule was made from, Rules what it changes; its own key and name are not written. Line breaks and other
// control characters in names become spaces, and a Tag is left out if its key is not one word of letters, digits and
// underscores or is a header that the record writes itself.
func (r Record) String() string {
	var b strings.Builder
	header := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", key, escapeValue(value))
		}
	}
	header("Variant", r.variantKey())
	header("Rules", r.Variant.Changes())
	header("White", r.White)
	header("Black", r.Black)
	if !r.Date.IsZero() {
		header("Date", r.Date.UTC().Format(dateLayout))
	}
	header("Result", string(r.result()))
	header("Reason", string(r.Reason))
	if r.Start != r.Variant.Opening() {
		header("Position", r.Start.String())
	}
	for _, tag := range r.Tags {
		if isTagKey(tag.Key) && !isOwnHeader(tag.Key) {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", tag.Key, escapeValue(tag.Value))
		}
	}
	b.WriteByte('\n')
	for i, turn := range splitTurns(r.Actions) {
		if i%2 == 0 {
			b.WriteString(strconv.Itoa(i/2+1) + ". ")
		}
		b.WriteString(turn.String() + " ")
	}
	b.WriteString(string(r.result()) + "\n")
	return b.String()
}

// WriteTo writes what String gives.
func (r Record) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, r.String())
	return int64(n), err
}

// variantKey is the key of the table row the variant comes from, or its own where there is none.
func (r Record) variantKey() string {
	if row, known := r.Variant.row(); known {
		return row.Key
	}
	return r.Variant.Key
}

// result is the result, undecided where none was given.
func (r Record) result() Result {
	if r.Result == "" {
		return Undecided
	}
	return r.Result
}

// escapeValue makes a header's value fit between quotes on one line.
func escapeValue(value string) string {
	var b strings.Builder
	for _, c := range value {
		switch {
		case c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029:
			b.WriteByte(' ')
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			fallthrough
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// isTagKey tells whether a header can have this key.
func isTagKey(key string) bool {
	for _, c := range []byte(key) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

// isOwnHeader tells whether the record has a field of its own for the header.
func isOwnHeader(key string) bool {
	switch key {
	case "Variant", "Rules", "White", "Black", "Date", "Result", "Reason", "Position":
		return true
	}
	return false
}

// Game plays the record through. The error says at which action and wraps the *IllegalError, or is ErrWrongResult where
// the board's own ending and the record's differ.
func (r Record) Game() (*Game, error) {
	if err := r.Variant.Validate(); err != nil {
		return nil, err
	}
	g := NewGameAt(r.Variant, r.Start)
	for i, a := range r.Actions {
		if err := g.Play(a); err != nil {
			return nil, fmt.Errorf("action %d: %w", i+1, err)
		}
	}
	status := g.Status()
	switch {
	case status.Over && (status.Result != r.result() || r.Reason != NoReason && r.Reason != status.Reason):
		return nil, fmt.Errorf("%w: %s %s, but the board says %s %s",
			ErrWrongResult, r.result(), r.Reason, status.Result, status.Reason)
	case !status.Over && r.Reason.onBoard():
		return nil, fmt.Errorf("%w: %s, but the board says that the game goes on", ErrWrongResult, r.Reason)
	}
	return g, nil
}
