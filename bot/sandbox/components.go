package sandbox

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Types of components (components/reference).
const (
	typeRow         = 1
	typeButton      = 2
	typeTextMenu    = 3
	typeTextInput   = 4
	menuOfPeople    = 5
	menuOfRoles     = 6
	menuOfBoth      = 7
	typeChannelMenu = 8
	typeSection     = 9
	typeText        = 10
	typeThumbnail   = 11
	typeGallery     = 12
	typeFile        = 13
	typeSeparator   = 14
	typeContainer   = 17
)

// Limits of components.
const (
	maxRows        = 5
	maxInRow       = 5
	maxV2          = 40
	maxV2Text      = 4000
	maxCustomID    = 100
	maxLabel       = 80
	maxOptions     = 25
	maxOptionText  = 100
	maxPlaceholder = 150
	maxURL         = 512
	linkStyle      = 5
	premiumStyle   = 6
)

// component is a component as it comes.
type component struct {
	Type        int               `json:"type"`
	CustomID    string            `json:"custom_id"`
	Label       string            `json:"label"`
	Style       int               `json:"style"`
	URL         string            `json:"url"`
	Disabled    bool              `json:"disabled"`
	Placeholder string            `json:"placeholder"`
	MinValues   *int              `json:"min_values"`
	MaxValues   *int              `json:"max_values"`
	Emoji       json.RawMessage   `json:"emoji"`
	Options     []optionBody      `json:"options"`
	Components  []json.RawMessage `json:"components"`
	Accessory   json.RawMessage   `json:"accessory"`
	Content     string            `json:"content"`
	Items       []mediaBody       `json:"items"` // of a gallery
	Media       *mediaRef         `json:"media"` // of a thumbnail
	File        *mediaRef         `json:"file"`
	Description string            `json:"description"`
	Accent      *int              `json:"accent_color"` // of a container
	Spoiler     bool              `json:"spoiler"`
	Divider     *bool             `json:"divider"` // of a separator
	Spacing     int               `json:"spacing"`
}

type optionBody struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description"`
	Default     bool   `json:"default"`
}

// reading is what has been seen of a message's components so far.
type reading struct {
	v2    bool
	ids   map[string]bool
	count int
	text  int
	rows  []Row
	said  []string // the texts
	files []string // that the components show, of attachment://
}

// readComponents holds a message's components to the platform's rules.
func readComponents(raw []json.RawMessage, v2 bool) (*reading, error) {
	rd := &reading{v2: v2, ids: map[string]bool{}}
	if !v2 && len(raw) > maxRows {
		return nil, invalid("components", "Must be %d or fewer in length.", maxRows)
	}
	for i, one := range raw {
		if err := rd.top(one, "components."+strconv.Itoa(i)); err != nil {
			return nil, err
		}
	}
	switch {
	case v2 && rd.count > maxV2:
		return nil, invalid("components", "The total number of components cannot exceed %d.", maxV2)
	case rd.text > maxV2Text:
		return nil, invalid("components", "All text together cannot exceed %d characters.", maxV2Text)
	}
	return rd, nil
}

func (rd *reading) read(raw json.RawMessage, path string) (c component, err error) {
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, invalid(path, "%v", err)
	}
	rd.count++
	return c, nil
}

// row holds one to five buttons, or one menu.
func (rd *reading) row(c component, path string) error {
	if len(c.Components) < 1 || len(c.Components) > maxInRow {
		return invalid(path+".components", "Must be between 1 and %d in length.", maxInRow)
	}
	var r Row
	for i, raw := range c.Components {
		below := path + ".components." + strconv.Itoa(i)
		inner, err := rd.read(raw, below)
		if err != nil {
			return err
		}
		var control Control
		switch {
		case inner.Type == typeButton:
			control, err = rd.button(inner, below)
		case inner.Type >= typeTextMenu && inner.Type <= typeChannelMenu && inner.Type != typeTextInput:
			if len(c.Components) > 1 {
				return invalid(path+".components", "A menu has its row to itself.")
			}
			control, err = rd.menu(inner, below)
		default:
			err = invalid(below+".type", "This component cannot stand in a row of a message.")
		}
		if err != nil {
			return err
		}
		r.Controls = append(r.Controls, control)
	}
	rd.rows = append(rd.rows, r)
	return nil
}

func (rd *reading) button(c component, path string) (Control, error) {
	control := Control{Type: c.Type, CustomID: c.CustomID, Label: c.Label, Style: c.Style, URL: c.URL, Emoji: emojiOf(c.Emoji), Disabled: c.Disabled}
	switch {
	case c.Style < 1 || c.Style > premiumStyle:
		return control, invalid(path+".style", "Value must be one of {1, 2, 3, 4, 5, 6}.")
	case c.Style == linkStyle && (c.URL == "" || c.CustomID != ""):
		return control, invalid(path+".url", "A link button has a url and no custom_id.")
	case c.Style < linkStyle && c.URL != "":
		return control, invalid(path+".url", "Only a link button has a url.")
	case c.Style != premiumStyle && c.Label == "" && absent(c.Emoji):
		return control, invalid(path+".label", "A button needs a label or an emoji.")
	case utf8.RuneCountInString(c.Label) > maxLabel:
		return control, invalid(path+".label", "Must be %d or fewer in length.", maxLabel)
	case utf8.RuneCountInString(c.URL) > maxURL:
		return control, invalid(path+".url", "Must be %d or fewer in length.", maxURL)
	case c.Style == linkStyle || c.Style == premiumStyle:
		return control, nil
	}
	return control, rd.customID(c.CustomID, path)
}

// emojiOf is an emoji as text: one of Unicode's as it is, one of a server's by its name.
func emojiOf(raw json.RawMessage) string {
	var e struct{ ID, Name string }
	if json.Unmarshal(raw, &e) != nil || e.Name == "" {
		return ""
	}
	if e.ID != "" {
		return ":" + e.Name + ":"
	}
	return e.Name
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// customID: one to a hundred characters, once in a message.
func (rd *reading) customID(id, path string) error {
	if n := utf8.RuneCountInString(id); n < 1 || n > maxCustomID {
		return invalid(path+".custom_id", "Must be between 1 and %d in length.", maxCustomID)
	}
	if rd.ids[id] {
		return invalid(path+".custom_id", "Component custom id cannot be duplicated")
	}
	rd.ids[id] = true
	return nil
}

func (rd *reading) menu(c component, path string) (Control, error) {
	control := Control{
		Type: c.Type, CustomID: c.CustomID, Placeholder: c.Placeholder, Disabled: c.Disabled, MinValues: 1, MaxValues: 1,
	}
	if c.MinValues != nil {
		control.MinValues = *c.MinValues
	}
	if c.MaxValues != nil {
		control.MaxValues = *c.MaxValues
	}
	switch {
	case utf8.RuneCountInString(c.Placeholder) > maxPlaceholder:
		return control, invalid(path+".placeholder", "Must be %d or fewer in length.", maxPlaceholder)
	case control.MinValues < 0 || control.MinValues > maxOptions || control.MaxValues < 1 || control.MaxValues > maxOptions ||
		control.MinValues > control.MaxValues:
		return control, invalid(path+".max_values", "min_values and max_values do not fit.")
	}
	if c.Type == typeTextMenu {
		if len(c.Options) < 1 || len(c.Options) > maxOptions {
			return control, invalid(path+".options", "Must be between 1 and %d in length.", maxOptions)
		}
		values := map[string]bool{}
		for i, o := range c.Options {
			if err := checkOption(o, values, path+".options."+strconv.Itoa(i)); err != nil {
				return control, err
			}
			control.Options = append(control.Options, Option(o))
		}
	}
	return control, rd.customID(c.CustomID, path)
}

func checkOption(o optionBody, values map[string]bool, path string) error {
	for field, text := range map[string]string{"label": o.Label, "value": o.Value} {
		if n := utf8.RuneCountInString(text); n < 1 || n > maxOptionText {
			return invalid(path+"."+field, "Must be between 1 and %d in length.", maxOptionText)
		}
	}
	if utf8.RuneCountInString(o.Description) > maxOptionText {
		return invalid(path+".description", "Must be %d or fewer in length.", maxOptionText)
	}
	if values[o.Value] {
		return invalid(path+".value", "The specified option value is already used")
	}
	values[o.Value] = true
	return nil
}
