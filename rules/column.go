package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// column is one setting of a variant: its name, what it may be, and how it is read and written as text.
type column struct {
	name    string
	allowed string
	text    func(v *Variant) string
	set     func(v *Variant, value string) bool // false: not an allowed value, v unchanged
}

// columns lists the settings in the order in which they are shown.
func columns() [12]column {
	return [...]column{
		numberColumn("pieces", "a number from 3 to 12", func(v *Variant) *int { return &v.Pieces }, validPieces),
		boolColumn("diagonals", func(v *Variant) *bool { return &v.Diagonals }),
		boolColumn("flies", func(v *Variant) *bool { return &v.Flies }),
		boolColumn("protected", func(v *Variant) *bool { return &v.Protected }),
		boolColumn("no_return", func(v *Variant) *bool { return &v.NoReturn }),
		choiceColumn("shots", "one", "each", func(v *Variant) *ShotRule { return &v.Shots }),
		choiceColumn("blocked", "loses", "passes", func(v *Variant) *BlockedRule { return &v.Blocked }),
		numberColumn("repetition", "0, or a number from 2 to 65535", func(v *Variant) *int { return &v.Repetition },
			validRepetition),
		numberColumn("no_shot", "a number from 0 to 65535", func(v *Variant) *int { return &v.NoShot }, validLimit),
		numberColumn("three_against_three", "a number from 0 to 65535",
			func(v *Variant) *int { return &v.ThreeAgainstThree }, validLimit),
		choiceColumn("first", "white", "black", func(v *Variant) *Side { return &v.First }),
		choiceColumn("full_board", "plays", "draws", func(v *Variant) *FullBoardRule { return &v.FullBoard }),
	}
}

func validPieces(n int) bool     { return n >= 3 && n <= 12 }
func validLimit(n int) bool      { return n >= 0 && n <= math.MaxUint16 }
func validRepetition(n int) bool { return validLimit(n) && n != 1 }

// numberColumn is a column that holds a number.
func numberColumn(name, allowed string, field func(*Variant) *int, valid func(int) bool) column {
	return column{name, allowed,
		func(v *Variant) string { return strconv.Itoa(*field(v)) },
		func(v *Variant, value string) bool {
			n, err := strconv.Atoi(value)
			if err != nil || !valid(n) {
				return false
			}
			*field(v) = n
			return true
		},
	}
}

// boolColumn is a column that holds true or false.
func boolColumn(name string, field func(*Variant) *bool) column {
	return column{name, "true or false",
		func(v *Variant) string { return strconv.FormatBool(*field(v)) },
		func(v *Variant, value string) bool {
			if value != "true" && value != "false" {
				return false
			}
			*field(v) = value == "true"
			return true
		},
	}
}

// choiceColumn is a column that holds one of two words, which stand for 0 and 1.
func choiceColumn[T ~uint8](name, zero, one string, field func(*Variant) *T) column {
	words := [...]string{zero, one}
	return column{name, zero + " or " + one,
		func(v *Variant) string {
			if i := int(*field(v)); i < len(words) {
				return words[i]
			}
			return "?"
		},
		func(v *Variant, value string) bool {
			for i, word := range words {
				if value == word {
					*field(v) = T(i)
					return true
				}
			}
			return false
		},
	}
}

// Columns lists the names of the settings that make a variant, in the order in which they are shown.
func Columns() []string {
	all := columns()
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.name
	}
	return names
}

// columnNamed finds a column; the error is a *ColumnError that lists those there are.
func columnNamed(name, value string) (column, error) {
	for _, c := range columns() {
		if c.name == name {
			return c, nil
		}
	}
	return column{}, &ColumnError{Column: name, Value: value, Allowed: "one of " + strings.Join(Columns(), ", ")}
}

// Set gives the variant with one column changed. Key, Name and Base stay. The error is a *ColumnError.
func (v Variant) Set(name, value string) (Variant, error) {
	c, err := columnNamed(name, value)
	if err != nil {
		return v, err
	}
	if !c.set(&v, strings.TrimSpace(value)) {
		return v, &ColumnError{Column: name, Value: value, Allowed: c.allowed}
	}
	return v, nil
}

// Column is a column's value as Set takes it; false if there is no such column.
func (v Variant) Column(name string) (string, bool) {
	c, err := columnNamed(name, "")
	if err != nil {
		return "", false
	}
	return c.text(&v), true
}

// Changes lists the columns in which the variant differs from the table row it was made from, in the order of Columns:
// "flies=false no_shot=30". It is empty for the rows themselves. Where no row is known it lists every column.
func (v Variant) Changes() string {
	base, known := v.row()
	var changed []string
	for _, c := range columns() {
		if text := c.text(&v); !known || text != c.text(&base) {
			changed = append(changed, c.name+"="+text)
		}
	}
	return strings.Join(changed, " ")
}

// row is the table row that the variant was made from.
func (v Variant) row() (Variant, bool) {
	if v.Base != "" {
		return Lookup(v.Base)
	}
	return Lookup(v.Key)
}

// Validate tells what keeps v from being a variant: no key, or a column (*ColumnError) with a value it cannot have.
func (v Variant) Validate() error {
	if v.Key == "" {
		return &ColumnError{Column: "key", Allowed: "any text but none"}
	}
	for _, c := range columns() {
		scratch := v
		if text := c.text(&v); !c.set(&scratch, text) {
			return fmt.Errorf("variant %s: %w", v.Key, &ColumnError{Column: c.name, Value: text, Allowed: c.allowed})
		}
	}
	return nil
}
