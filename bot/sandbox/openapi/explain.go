package openapi

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// RequestError says what is wrong with a request.
type RequestError struct {
	Operation string // "POST /channels/{channel_id}/messages"
	Problems  []Problem
}

// Problem is one fault of a request.
type Problem struct {
	At   string // JSON pointer into the body, "/components/0/type"; empty: the request as a whole
	What string
}

// Error names the operation and its first three problems.
func (e *RequestError) Error() string {
	const most = 3
	var said []string
	for _, p := range e.Problems[:min(most, len(e.Problems))] {
		if p.At == "" {
			said = append(said, p.What)
		} else {
			said = append(said, p.At+": "+p.What)
		}
	}
	if more := len(e.Problems) - most; more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	return e.Operation + ": " + strings.Join(said, "; ")
}

// explain turns a validation error's tree into its leaves. Of alternatives only the one that was meant is followed:
// otherwise one bad label would be reported as wrong for every kind of component there is.
func explain(e *jsonschema.ValidationError) []Problem {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		if len(e.Causes) > 0 {
			return explainAlternatives(e)
		}
	}
	if len(e.Causes) == 0 {
		return []Problem{{At: pointer(e.InstanceLocation), What: wording(e.ErrorKind)}}
	}
	var problems []Problem
	for _, cause := range e.Causes {
		for _, p := range explain(cause) {
			if !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
		}
	}
	return problems
}

func explainAlternatives(e *jsonschema.ValidationError) []Problem {
	best, least := e.Causes[0], math.MaxInt
	for _, cause := range e.Causes {
		if w := strangeness(cause, e.InstanceLocation); w < least {
			best, least = cause, w
		}
	}
	if least < otherKind {
		return explain(best)
	}
	// None was meant: say together what each would have wanted.
	var wants []string
	at := e.InstanceLocation
	for _, cause := range e.Causes {
		for _, leaf := range leaves(cause) {
			if !isDiscriminator(leaf, e.InstanceLocation) {
				continue
			}
			at = leaf.InstanceLocation
			for _, w := range wanted(leaf.ErrorKind) {
				if !slices.Contains(wants, w) {
					wants = append(wants, w)
				}
			}
		}
	}
	if len(wants) == 0 {
		return explain(best)
	}
	return []Problem{{At: pointer(at), What: got(e, at) + "must be one of " + strings.Join(wants, ", ")}}
}

// otherKind is the weight of an error that shows an alternative was not meant at all.
const otherKind = 1000

// strangeness weighs how far a value is from an alternative: heavily if its JSON type or its "type" differ, else by
// the number of its faults.
func strangeness(e *jsonschema.ValidationError, where []string) int {
	weight := 0
	for _, leaf := range leaves(e) {
		weight++
		if isDiscriminator(leaf, where) {
			weight += otherKind
		}
	}
	return weight
}

func isDiscriminator(leaf *jsonschema.ValidationError, where []string) bool {
	own := slices.Equal(leaf.InstanceLocation, where)
	typed := slices.Equal(leaf.InstanceLocation, append(slices.Clone(where), "type"))
	switch k := leaf.ErrorKind.(type) {
	case *kind.Type:
		return own
	case *kind.Enum, *kind.Const:
		return own || typed
	case *kind.Required:
		return own && slices.Contains(k.Missing, "type")
	}
	return false
}

func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// wanted lists what a discriminating leaf would have accepted.
func wanted(k jsonschema.ErrorKind) []string {
	switch k := k.(type) {
	case *kind.Type:
		return k.Want
	case *kind.Const:
		return []string{text(k.Want)}
	case *kind.Enum:
		var wants []string
		for _, w := range k.Want {
			wants = append(wants, text(w))
		}
		return wants
	}
	return nil
}

// got says what was found at the place at: its value, or else its kind.
func got(e *jsonschema.ValidationError, at []string) string {
	found := ""
	for _, leaf := range leaves(e) {
		if !slices.Equal(leaf.InstanceLocation, at) {
			continue
		}
		switch k := leaf.ErrorKind.(type) {
		case *kind.Const:
			return "is " + text(k.Got) + ", "
		case *kind.Enum:
			return "is " + text(k.Got) + ", "
		case *kind.Type:
			found = "is " + k.Got + ", "
		}
	}
	return found
}

func wording(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "is " + k.Got + ", must be " + strings.Join(k.Want, " or ")
	case *kind.Required:
		return "misses " + strings.Join(k.Missing, ", ")
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters, at most %d allowed", k.Got, k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("has %d characters, at least %d needed", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d items, at most %d allowed", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d items, at least %d needed", k.Got, k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are the same", k.Duplicates[0], k.Duplicates[1])
	case *kind.Enum:
		return "is " + text(k.Got) + ", must be one of " + strings.Join(wanted(k), ", ")
	case *kind.Const:
		return "is " + text(k.Got) + ", must be " + text(k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("is %s, must match %s", text(k.Got), k.Want)
	case *kind.Format:
		return fmt.Sprintf("is %s, not a valid %s", text(k.Got), k.Want)
	}
	return k.LocalizedString(message.NewPrinter(language.English))
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return shorten(fmt.Sprint(v))
	}
	return shorten(string(b))
}

// shorten keeps an error readable when the value is a whole message.
func shorten(s string) string {
	const most = 60
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

func pointer(location []string) string {
	var b strings.Builder
	for _, part := range location {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(part, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
