package rules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Values is what a column may hold: one of Words, or, where there are none, a number from Min to Max.
type Values struct {
	Words    []string
	Min, Max int
	// Except is a number between Min and Max that is not allowed, or -1: a position that draws when it occurs for the
	// first time would draw every game.
	Except int
}

// String tells in words what is allowed.
func (d Values) String() string {
	switch {
	case len(d.Words) > 0:
		return strings.Join(d.Words, " or ")
	case d.Except >= 0:
		return fmt.Sprintf("a number from %d to %d but %d", d.Min, d.Max, d.Except)
	}
	return fmt.Sprintf("a number from %d to %d", d.Min, d.Max)
}

// column is one setting of a variant: its name, what it may be, and how it is read and written as text.
type column struct {
	name    string
	allowed Values
	quoted  bool // in JSON
	text    func(v *Variant) string
	set     func(v *Variant, value string) bool // false: not an allowed value, v unchanged
}

// anyLimit is what a number of turns may be.
var anyLimit = Values{Max: math.MaxUint16, Except: -1}

// columns lists the settings in the order in which they are shown. It is made once, since every record that is kept or
// read goes through it, and never changed.
var columns = [...]column{
	numberColumn("pieces", Values{Min: 3, Max: 12, Except: -1}, func(v *Variant) *int { return &v.Pieces }),
	boolColumn("diagonals", func(v *Variant) *bool { return &v.Diagonals }),
	boolColumn("flies", func(v *Variant) *bool { return &v.Flies }),
	boolColumn("protected", func(v *Variant) *bool { return &v.Protected }),
	boolColumn("no_return", func(v *Variant) *bool { return &v.NoReturn }),
	choiceColumn("shots", "one", "each", func(v *Variant) *ShotRule { return &v.Shots }),
	choiceColumn("blocked", "loses", "passes", func(v *Variant) *BlockedRule { return &v.Blocked }),
	numberColumn("repetition", Values{Max: math.MaxUint16, Except: 1}, func(v *Variant) *int { return &v.Repetition }),
	numberColumn("no_shot", anyLimit, func(v *Variant) *int { return &v.NoShot }),
	numberColumn("three_against_three", anyLimit, func(v *Variant) *int { return &v.ThreeAgainstThree }),
	choiceColumn("first", "white", "black", func(v *Variant) *Side { return &v.First }),
	choiceColumn("full_board", "plays", "draws", func(v *Variant) *FullBoardRule { return &v.FullBoard }),
}

// numberColumn is a column that holds a number.
func numberColumn(name string, allowed Values, field func(*Variant) *int) column {
	return column{name, allowed, false,
		func(v *Variant) string { return strconv.Itoa(*field(v)) },
		func(v *Variant, value string) bool {
			n, err := strconv.Atoi(value)
			if err != nil || n < allowed.Min || n > allowed.Max || n == allowed.Except {
				return false
			}
			*field(v) = n
			return true
		},
	}
}

// boolColumn is a column that holds true or false.
func boolColumn(name string, field func(*Variant) *bool) column {
	return column{name, Values{Words: []string{"true", "false"}}, false,
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
	words := []string{zero, one}
	return column{name, Values{Words: words}, true,
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
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// ColumnValues is what a column may hold; false if there is no such column.
func ColumnValues(name string) (Values, bool) {
	c, err := columnNamed(name, "")
	c.allowed.Words = slices.Clone(c.allowed.Words)
	return c.allowed, err == nil
}

// columnNamed finds a column; the error is a *ColumnError that lists those there are.
func columnNamed(name, value string) (column, error) {
	for _, c := range columns {
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
		return v, &ColumnError{Column: name, Value: value, Allowed: c.allowed.String()}
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
	for _, c := range columns {
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
	for _, c := range columns {
		scratch := v
		if text := c.text(&v); !c.set(&scratch, text) {
			return fmt.Errorf("variant %s: %w", v.Key, &ColumnError{Column: c.name, Value: text, Allowed: c.allowed.String()})
		}
	}
	return nil
}
