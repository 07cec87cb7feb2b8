package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// variantJSON is the form in which a variant is stored: every column under its name, so that it stays what it was when
// the table or a house rule changes.
type variantJSON struct {
	Key               string `json:"key"`
	Name              string `json:"name"`
	Base              string `json:"base"`
	Pieces            int    `json:"pieces"`
	Diagonals         bool   `json:"diagonals"`
	Flies             bool   `json:"flies"`
	Protected         bool   `json:"protected"`
	NoReturn          bool   `json:"no_return"`
	Shots             string `json:"shots"`
	Blocked           string `json:"blocked"`
	Repetition        int    `json:"repetition"`
	NoShot            int    `json:"no_shot"`
	ThreeAgainstThree int    `json:"three_against_three"`
	First             string `json:"first"`
	FullBoard         string `json:"full_board"`
}

// MarshalJSON writes key, name, base and every column under its name. It is written out by hand, for every record of a
// match carries a variant; UnmarshalJSON and a test hold it to variantJSON.
func (v Variant) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 320)
	b = append(b, '{')
	for _, text := range [...]struct{ name, value string }{{"key", v.Key}, {"name", v.Name}, {"base", v.Base}} {
		quoted, err := json.Marshal(text.value)
		if err != nil {
			return nil, err
		}
		b = append(appendName(b, text.name), quoted...)
	}
	for i := range columns {
		c := &columns[i]
		b = appendName(b, c.name)
		if c.quoted {
			b = append(append(append(b, '"'), c.text(&v)...), '"')
		} else {
			b = append(b, c.text(&v)...)
		}
	}
	return append(b, '}'), nil
}

// appendName begins a field of an object.
func appendName(b []byte, name string) []byte {
	if len(b) > 1 {
		b = append(b, ',')
	}
	return append(append(append(b, '"'), name...), '"', ':')
}

// UnmarshalJSON reads what MarshalJSON writes. A column that is missing is taken from the table row that base names, or
// key where there is no base; one that is not known, or has a value it cannot have, is an error.
func (v *Variant) UnmarshalJSON(data []byte) error {
	var named struct{ Key, Base string }
	if err := json.Unmarshal(data, &named); err != nil {
		return fmt.Errorf("variant: %w", err)
	}
	row, _ := Variant{Key: named.Key, Base: named.Base}.row()
	j := variantJSON{
		Name:   row.Name,
		Pieces: row.Pieces, Diagonals: row.Diagonals, Flies: row.Flies, Protected: row.Protected, NoReturn: row.NoReturn,
		Repetition: row.Repetition, NoShot: row.NoShot, ThreeAgainstThree: row.ThreeAgainstThree,
	}
	for name, field := range j.words() {
		*field, _ = row.Column(name)
	}
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&j); err != nil {
		return fmt.Errorf("variant: %w", err)
	}
	read := Variant{
		Key: j.Key, Name: j.Name, Base: j.Base,
		Pieces: j.Pieces, Diagonals: j.Diagonals, Flies: j.Flies, Protected: j.Protected, NoReturn: j.NoReturn,
		Repetition: j.Repetition, NoShot: j.NoShot, ThreeAgainstThree: j.ThreeAgainstThree,
	}
	for name, field := range j.words() {
		var err error
		if read, err = read.Set(name, *field); err != nil {
			return err
		}
	}
	if err := read.Validate(); err != nil {
		return err
	}
	*v = read
	return nil
}

// words is the columns that are kept as words, by name.
func (j *variantJSON) words() map[string]*string {
	return map[string]*string{"shots": &j.Shots, "blocked": &j.Blocked, "first": &j.First, "full_board": &j.FullBoard}
}
