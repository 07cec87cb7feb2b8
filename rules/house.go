package rules

import "strings"

// With gives the variant with the columns changed that a text names, as Changes writes them: "flies=false pieces=11".
// Commas may stand between them, and case does not matter. Key, Name and Base stay. The error is a *ColumnError.
func (v Variant) With(changes string) (Variant, error) {
	changed := v
	for _, word := range strings.FieldsFunc(strings.ToLower(changes), func(r rune) bool { return strings.ContainsRune(" \t\n,;", r) }) {
		name, value, _ := strings.Cut(word, "=")
		var err error
		if changed, err = changed.Set(name, value); err != nil {
			return v, err
		}
	}
	return changed, nil
}
