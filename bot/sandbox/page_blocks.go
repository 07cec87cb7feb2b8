package sandbox

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"kraal/bot/sandbox/page"
)

// blockWriter turns a message into what is shown of it, from top to bottom.
type blockWriter struct {
	message Message
	at      place
	people  []Person
	reader  page.Reader
	rows    []Row // not shown yet, in the order in which they stand
	blocks  []page.Block
}

func (b *blockWriter) write() []page.Block {
	b.rows = b.message.Components
	if b.message.Flags&flagComponentsV2 != 0 {
		for _, raw := range b.message.Raw {
			b.component(raw)
		}
		return b.blocks
	}
	b.text(b.message.Content)
	if b.message.Flags&flagSuppressEmbeds == 0 {
		for _, raw := range b.message.Embeds {
			b.embed(raw)
		}
	}
	for _, a := range b.message.Attachments {
		if !b.isEmbedded(a) {
			b.attachment(a, a.Description)
		}
	}
	for len(b.rows) > 0 {
		b.row()
	}
	return b.blocks
}

func (b *blockWriter) add(block page.Block) { b.blocks = append(b.blocks, block) }

func (b *blockWriter) text(text string) {
	if text != "" {
		b.add(page.Block{Body: page.Markdown(text, b.reader)})
	}
}

// component shows a component of a message made of nothing else. It was checked when it came.
func (b *blockWriter) component(raw json.RawMessage) {
	var c component
	if json.Unmarshal(raw, &c) != nil {
		return
	}
	switch c.Type {
	case typeRow:
		b.row()
	case typeText:
		b.text(c.Content)
	case typeSection, typeContainer:
		for _, inner := range c.Components {
			b.component(inner)
		}
		if !absent(c.Accessory) {
			b.component(c.Accessory)
		}
	case typeButton: // beside a section; it was read as a row of its own
		b.row()
	case typeThumbnail:
		b.media(c.Media, c.Description)
	case typeGallery:
		for _, item := range c.Items {
			b.media(item.Media, item.Description)
		}
	case typeFile:
		b.media(c.File, "")
	case typeSeparator:
		b.add(page.Block{Rule: true})
	}
}

// media shows an attachment, or links to what lies elsewhere: the page loads nothing from other places.
func (b *blockWriter) media(m *mediaRef, words string) {
	if m == nil {
		return
	}
	name, ours := strings.CutPrefix(m.URL, fileAddress)
	if !ours {
		b.add(page.Block{File: &page.File{Address: m.URL, Name: m.URL, Words: words}})
		return
	}
	for _, a := range b.message.Attachments {
		if a.Filename == name {
			if words == "" {
				words = a.Description
			}
			b.attachment(a, words)
			return
		}
	}
}

func (b *blockWriter) attachment(a Attachment, words string) {
	if strings.HasPrefix(a.ContentType, "image/") {
		b.add(page.Block{Picture: &page.Picture{Address: local(a.URL), Name: a.Filename, Words: words}})
		return
	}
	b.add(page.Block{File: &page.File{
		Address: local(a.URL), Name: a.Filename, Words: words, Size: fmt.Sprintf("%d bytes", len(a.Data)),
	}})
}

// local is an address of this sandbox without its host, which the reader may know by another name.
func local(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

// embedBody is what the page reads of an embed (resources/message, Embed).
type embedBody struct {
	Title       string                         `json:"title"`
	Description string                         `json:"description"`
	Author      struct{ Name string }          `json:"author"`
	Footer      struct{ Text string }          `json:"footer"`
	Fields      []struct{ Name, Value string } `json:"fields"`
	Image       *mediaRef                      `json:"image"`
	Thumbnail   *mediaRef                      `json:"thumbnail"`
}

func (b *blockWriter) embed(raw json.RawMessage) {
	var e embedBody
	if json.Unmarshal(raw, &e) != nil {
		return
	}
	view := &page.Embed{Author: e.Author.Name, Title: e.Title, Footer: e.Footer.Text, Body: page.Markdown(e.Description, b.reader)}
	for _, f := range e.Fields {
		view.Fields = append(view.Fields, page.EmbedField{Name: f.Name, Body: page.Markdown(f.Value, b.reader)})
	}
	inner := &blockWriter{message: b.message}
	inner.media(e.Image, "")
	inner.media(e.Thumbnail, "")
	view.Inside = inner.blocks
	b.add(page.Block{Embed: view})
}

// isEmbedded tells whether an embed shows an attachment, which is not shown a second time then.
func (b *blockWriter) isEmbedded(a Attachment) bool {
	if b.message.Flags&flagSuppressEmbeds != 0 {
		return false
	}
	for _, raw := range b.message.Embeds {
		var e embedBody
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		for _, m := range []*mediaRef{e.Image, e.Thumbnail} {
			if m != nil && m.URL == fileAddress+a.Filename {
				return true
			}
		}
	}
	return false
}

// row shows the next row of controls.
func (b *blockWriter) row() {
	if len(b.rows) == 0 {
		return
	}
	var view page.Row
	for _, c := range b.rows[0].Controls {
		switch {
		case c.Type != typeButton:
			view.Menu = b.menu(c)
		case c.Style == linkStyle:
			view.Buttons = append(view.Buttons, page.Button{Label: c.Label, Style: c.Style, Address: c.URL})
		default:
			view.Buttons = append(view.Buttons, page.Button{Label: c.Label, Style: c.Style, Value: c.CustomID, Disabled: c.Disabled})
		}
	}
	b.rows = b.rows[1:]
	b.add(page.Block{Row: &view})
}

// Menus without options of their own: the app offers people and channels by itself. Roles the sandbox has none.
const (
	typeUserMenu    = 5
	typeMentionMenu = 7
)

func (b *blockWriter) menu(c Control) *page.Menu {
	menu := &page.Menu{Value: c.CustomID, Placeholder: c.Placeholder, Min: c.MinValues, Max: c.MaxValues, Disabled: c.Disabled}
	for _, o := range c.Options {
		menu.Options = append(menu.Options, page.Option{Label: o.Label, Value: o.Value, About: o.Description, Chosen: o.Default})
	}
	switch c.Type {
	case typeUserMenu, typeMentionMenu:
		for _, one := range b.people {
			menu.Options = append(menu.Options, page.Option{Label: one.Name, Value: one.ID})
		}
	case typeChannelMenu:
		for _, ch := range b.at.server.Channels {
			menu.Options = append(menu.Options, page.Option{Label: "#" + ch.Name, Value: ch.ID})
		}
	}
	return menu
}
