package sandbox

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of what a message of IS_COMPONENTS_V2 shows (components/reference).
const (
	maxGallery  = 10
	maxSection  = 3
	fileAddress = "attachment://"
)

// mediaBody is an entry of a gallery.
type mediaBody struct {
	Media       *mediaRef `json:"media"`
	Description string    `json:"description"`
	Spoiler     bool      `json:"spoiler"`
}

type mediaRef struct {
	URL string `json:"url"`
}

// top reads a component of the top level.
func (rd *reading) top(raw json.RawMessage, path string) error {
	c, err := rd.read(raw, path)
	if err != nil {
		return err
	}
	if c.Type != typeContainer || !rd.v2 {
		return rd.block(c, path)
	}
	if len(c.Components) == 0 {
		return invalid(path+".components", "This field is required")
	}
	for i, inner := range c.Components {
		below := path + ".components." + strconv.Itoa(i)
		c, err := rd.read(inner, below)
		if err != nil {
			return err
		}
		if err := rd.block(c, below); err != nil {
			return err
		}
	}
	return nil
}

// block reads what stands at the top level and in containers alike. A container is none: it holds no other.
func (rd *reading) block(c component, path string) error {
	if c.Type != typeRow && !rd.v2 {
		return invalid(path+".type", "Value of field \"type\" must be one of (1,).")
	}
	switch c.Type {
	case typeRow:
		return rd.row(c, path)
	case typeSection:
		return rd.section(c, path)
	case typeText:
		return rd.words(c, path)
	case typeGallery:
		return rd.gallery(c, path)
	case typeFile:
		if c.File == nil || !strings.HasPrefix(c.File.URL, fileAddress) {
			return invalid(path+".file.url", "A file is one of the message's attachments.")
		}
		return rd.media(c.File, "", path+".file")
	case typeSeparator:
		return nil
	}
	return invalid(path+".type", "This component cannot stand here: %d", c.Type)
}

func (rd *reading) words(c component, path string) error {
	n := utf8.RuneCountInString(c.Content)
	if n < 1 || n > maxV2Text {
		return invalid(path+".content", "Must be between 1 and %d in length.", maxV2Text)
	}
	rd.text += n
	rd.said = append(rd.said, c.Content)
	return nil
}

// section holds one to three texts, and a button or thumbnail beside them.
func (rd *reading) section(c component, path string) error {
	if len(c.Components) < 1 || len(c.Components) > maxSection {
		return invalid(path+".components", "Must be between 1 and %d in length.", maxSection)
	}
	for i, raw := range c.Components {
		below := path + ".components." + strconv.Itoa(i)
		inner, err := rd.read(raw, below)
		if err != nil {
			return err
		}
		if inner.Type != typeText {
			return invalid(below+".type", "A section holds texts only.")
		}
		if err := rd.words(inner, below); err != nil {
			return err
		}
	}
	path += ".accessory"
	if absent(c.Accessory) {
		return invalid(path, "This field is required")
	}
	a, err := rd.read(c.Accessory, path)
	switch {
	case err != nil:
		return err
	case a.Type == typeThumbnail:
		return rd.media(a.Media, a.Description, path+".media")
	case a.Type == typeButton:
		control, err := rd.button(a, path)
		rd.rows = append(rd.rows, Row{Controls: []Control{control}})
		return err
	}
	return invalid(path+".type", "An accessory is a button or a thumbnail.")
}

func (rd *reading) gallery(c component, path string) error {
	if len(c.Items) < 1 || len(c.Items) > maxGallery {
		return invalid(path+".items", "Must be between 1 and %d in length.", maxGallery)
	}
	for i, item := range c.Items {
		if err := rd.media(item.Media, item.Description, path+".items."+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

// media is a picture or file that is shown: an address, or an attachment of the message.
func (rd *reading) media(m *mediaRef, alt, path string) error {
	if m == nil || m.URL == "" {
		return invalid(path+".url", "This field is required")
	}
	if utf8.RuneCountInString(alt) > maxAlt {
		return invalid(path+".description", "Must be %d or fewer in length.", maxAlt)
	}
	if name, ok := strings.CutPrefix(m.URL, fileAddress); ok {
		rd.files = append(rd.files, name)
	}
	return nil
}

// has refuses to show files that the message does not have.
func (rd *reading) has(attachments []Attachment) error {
	for _, name := range rd.files {
		if !slices.ContainsFunc(attachments, func(a Attachment) bool { return a.Filename == name }) {
			return invalid("components", "The referenced attachment was not found: %s", name)
		}
	}
	return nil
}
