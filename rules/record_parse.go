package rules

import (
	"strconv"
	"strings"
	"time"
)

// ParseRecord reads a record as Record.String writes it. It reads what is written and no more: whether the actions are
// legal, Record.Game tells. The error is a *SyntaxError, a *ColumnError for a rule that cannot be, or what
// Variant.Position has against the Position header.
func ParseRecord(text string) (Record, error) {
	headers, turns, err := splitRecord(text)
	if err != nil {
		return Record{}, err
	}
	var r Record
	if err := r.readVariant(headers); err != nil {
		return Record{}, err
	}
	r.Start = r.Variant.Opening()
	for _, h := range headers {
		if err := r.readHeader(h); err != nil {
			return Record{}, err
		}
	}
	if err := r.readTurns(strings.Fields(turns)); err != nil {
		return Record{}, err
	}
	return r, nil
}

// splitRecord parts the headers of a record from its turns.
func splitRecord(text string) (headers []Tag, turns string, err error) {
	seen := map[string]bool{}
	rest := text
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !strings.HasPrefix(rest, "[") {
			return headers, rest, nil
		}
		line, after, _ := strings.Cut(rest, "\n")
		tag, ok := parseHeader(strings.TrimRight(line, " \t\r"))
		if !ok {
			return nil, "", &SyntaxError{Field: "header", Text: line, Want: `a line such as [Variant "koti"]`}
		}
		if seen[tag.Key] {
			return nil, "", &SyntaxError{Field: "header", Text: line, Want: "each header once"}
		}
		seen[tag.Key] = true
		headers = append(headers, tag)
		rest = after
	}
}

// parseHeader reads a line such as [White "A \"B\" C"].
func parseHeader(line string) (Tag, bool) {
	key, rest, found := strings.Cut(strings.TrimPrefix(line, "["), ` "`)
	value, closed := strings.CutSuffix(rest, `"]`)
	if !found || !closed || !isTagKey(key) {
		return Tag{}, false
	}
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"':
			return Tag{}, false
		case '\\':
			if i++; i == len(value) || value[i] != '"' && value[i] != '\\' {
				return Tag{}, false
			}
		}
		b.WriteByte(value[i])
	}
	return Tag{Key: key, Value: b.String()}, true
}

// readVariant finds the variant, which the other headers need, with its changes.
func (r *Record) readVariant(headers []Tag) error {
	var key, changes string
	for _, h := range headers {
		switch h.Key {
		case "Variant":
			key = h.Value
		case "Rules":
			changes = h.Value
		}
	}
	v, known := Lookup(key)
	if !known {
		return &SyntaxError{Field: "Variant", Text: key, Want: "a header with the key of a variant"}
	}
	for _, change := range strings.Fields(changes) {
		name, value, _ := strings.Cut(change, "=")
		var err error
		if v, err = v.Set(name, value); err != nil {
			return err
		}
	}
	r.Variant = v
	return nil
}

// readHeader reads one header but those of the variant.
func (r *Record) readHeader(h Tag) (err error) {
	switch h.Key {
	case "Variant", "Rules":
	case "White":
		r.White = h.Value
	case "Black":
		r.Black = h.Value
	case "Date":
		if r.Date, err = time.Parse(dateLayout, h.Value); err != nil {
			return &SyntaxError{Field: h.Key, Text: h.Value, Want: "a day such as 2026-11-30", Reason: err}
		}
	case "Result":
		if r.Result = Result(h.Value); !r.Result.known() {
			return &SyntaxError{Field: h.Key, Text: h.Value, Want: wantResult}
		}
	case "Reason":
		if r.Reason = Reason(h.Value); !r.Reason.known() {
			return &SyntaxError{Field: h.Key, Text: h.Value, Want: "a reason such as resignation"}
		}
	case "Position":
		r.Start, err = r.Variant.ParsePosition(h.Value)
	default:
		r.Tags = append(r.Tags, h)
	}
	return err
}

// wantResult is what a result may be.
const wantResult = "1-0, 0-1, 1/2-1/2 or *"

// known tells whether r is one of the results.
func (r Result) known() bool {
	return r == WhiteWins || r == BlackWins || r == Drawn || r == Undecided
}

// readTurns reads the numbered turns and the result that closes them. Numbers may be left out, but not be wrong.
func (r *Record) readTurns(words []string) error {
	closing := Result("")
	if n := len(words); n > 0 {
		closing = Result(words[n-1])
		words = words[:n-1]
	}
	if !closing.known() {
		return &SyntaxError{Field: "result", Text: string(closing), Want: wantResult + " after the last turn"}
	}
	if r.Result != "" && r.Result != closing {
		return &SyntaxError{Field: "result", Text: string(closing), Want: "the same as in the header"}
	}
	r.Result = closing
	played := 0
	for _, word := range words {
		if number, isNumber := strings.CutSuffix(word, "."); isNumber {
			if want := strconv.Itoa(played/2 + 1); number != want || played%2 != 0 {
				return &SyntaxError{Field: "number", Text: word, Want: "turn " + strconv.Itoa(played+1) +
					", numbered " + want + ". if it opens a pair"}
			}
			continue
		}
		turn, err := ParseTurn(word)
		if err != nil {
			return err
		}
		if turn[0].Kind == Shoot && (played > 0 || r.Start.Pending == 0) {
			return &SyntaxError{Field: "turn", Text: word, Want: "a shot joined to the turn that earned it"}
		}
		r.Actions = append(r.Actions, turn...)
		played++
	}
	return nil
}
