package sandbox

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Limits of modals (components/reference, interactions/receiving-and-responding).
const (
	typeLabel      = 18
	maxModal       = 5
	maxTitle       = 45
	maxFieldLength = 4000
)

// modalPart tells what a label may hold: menus, a text, files, choices.
func modalPart(kind int) bool {
	return kind >= typeTextMenu && kind <= typeChannelMenu || kind == 19 || kind >= 21 && kind <= 23
}

type modalBody struct {
	CustomID   string            `json:"custom_id"`
	Title      string            `json:"title"`
	Components []json.RawMessage `json:"components"`
}

// modalComponent is a label or row of a modal, or what it holds.
type modalComponent struct {
	Type        int              `json:"type"`
	ID          int              `json:"id"`
	CustomID    string           `json:"custom_id"`
	Label       string           `json:"label"`
	Description string           `json:"description"`
	Style       int              `json:"style"`
	MinLength   int              `json:"min_length"`
	MaxLength   *int             `json:"max_length"`
	Value       string           `json:"value"`
	Required    *bool            `json:"required"`
	Options     []optionBody     `json:"options"`
	MinValues   *int             `json:"min_values"`
	MaxValues   *int             `json:"max_values"`
	Component   *modalComponent  `json:"component"`
	Components  []modalComponent `json:"components"`
}

// form is a modal that a person has before them.
type form struct {
	modalBody
	parts []modalComponent
	raw   json.RawMessage
}

// readModal reads a form and holds it to its rules.
func readModal(data json.RawMessage) (*form, error) {
	m := form{raw: data}
	if err := json.Unmarshal(data, &m.modalBody); err != nil {
		return nil, invalid("data", "%v", err)
	}
	rd := &reading{ids: map[string]bool{}}
	if n := utf8.RuneCountInString(m.Title); n < 1 || n > maxTitle {
		return nil, invalid("data.title", "Must be between 1 and %d in length.", maxTitle)
	}
	if n := utf8.RuneCountInString(m.CustomID); n < 1 || n > maxCustomID {
		return nil, invalid("data.custom_id", "Must be between 1 and %d in length.", maxCustomID)
	}
	if len(m.Components) < 1 || len(m.Components) > maxModal {
		return nil, invalid("data.components", "Must be between 1 and %d in length.", maxModal)
	}
	for i, raw := range m.Components {
		path := "data.components." + strconv.Itoa(i)
		var c modalComponent
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, invalid(path, "%v", err)
		}
		if err := rd.modal(c, path); err != nil {
			return nil, err
		}
		m.parts = append(m.parts, c)
	}
	return &m, nil
}

// modal reads one part of a form: a text to read, a label with a field, or, as before there were labels, a row with one.
func (rd *reading) modal(c modalComponent, path string) error {
	switch c.Type {
	case typeText:
		return nil
	case typeRow:
		if len(c.Components) != 1 || c.Components[0].Type != typeTextInput {
			return invalid(path+".components", "A row of a modal holds one text input.")
		}
		path += ".components.0"
		return rd.field(c.Components[0], c.Components[0].Label, path+".label", path)
	case typeLabel:
		if c.Component == nil || !modalPart(c.Component.Type) {
			return invalid(path+".component", "A label holds a field.")
		}
		if utf8.RuneCountInString(c.Description) > maxDescription {
			return invalid(path+".description", "Must be %d or fewer in length.", maxDescription)
		}
		return rd.field(*c.Component, c.Label, path+".label", path+".component")
	}
	return invalid(path+".type", "This component cannot stand in a modal: %d", c.Type)
}

// field is where a person writes or chooses.
func (rd *reading) field(c modalComponent, label, labelPath, path string) error {
	if n := utf8.RuneCountInString(label); n < 1 || n > maxTitle {
		return invalid(labelPath, "Must be between 1 and %d in length.", maxTitle)
	}
	most := maxFieldLength
	if c.MaxLength != nil {
		most = *c.MaxLength
	}
	switch {
	case c.Type != typeTextInput:
	case c.Style != 1 && c.Style != 2:
		return invalid(path+".style", "Value must be one of {1, 2}.")
	case c.MinLength < 0 || most < 1 || most > maxFieldLength || c.MinLength > most:
		return invalid(path+".max_length", "min_length and max_length do not fit.")
	}
	return rd.customID(c.CustomID, path)
}
