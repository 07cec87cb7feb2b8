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
	reader  page.Reader
	rows    []Row // not shown yet, in the order in which they stand
}

func (b *blockWriter) write() (blocks []page.Block) {
	b.rows = b.message.Components
	if b.message.Flags&flagComponentsV2 != 0 {
		return b.components(b.message.Raw)
	}
	if b.message.Content != "" {
		blocks = append(blocks, b.text(b.message.Content))
	}
	if b.message.Flags&flagSuppressEmbeds == 0 {
		for _, raw := range b.message.Embeds {
			blocks = append(blocks, b.embed(raw)...)
		}
	}
	blocks = append(blocks, b.attachments()...)
	for len(b.rows) > 0 {
		blocks = append(blocks, b.row())
	}
	return blocks
}

// attachments shows the pictures together, and each other file by itself.
func (b *blockWriter) attachments() (blocks []page.Block) {
	var gallery []page.Picture
	for _, a := range b.message.Attachments {
		switch {
		case b.isEmbedded(a):
		case a.isPicture():
			gallery = append(gallery, picture(a, a.Description))
		default:
			blocks = append(blocks, file(a, a.Description))
		}
	}
	if len(gallery) > 0 {
		blocks = append([]page.Block{{Gallery: gallery}}, blocks...)
	}
	return blocks
}

func (b *blockWriter) text(text string) page.Block {
	return page.Block{Body: page.Markdown(text, b.reader)}
}

func (b *blockWriter) components(all []json.RawMessage) (blocks []page.Block) {
	for _, raw := range all {
		blocks = append(blocks, b.component(raw)...)
	}
	return blocks
}

// component shows a component of a message made of nothing else. It was checked when it came.
func (b *blockWriter) component(raw json.RawMessage) []page.Block {
	var c component
	if json.Unmarshal(raw, &c) != nil {
		return nil
	}
	switch c.Type {
	case typeRow, typeButton: // a button stands beside a section; it was read as a row of its own
		return []page.Block{b.row()}
	case typeText:
		return []page.Block{b.text(c.Content)}
	case typeSection:
		section := &page.Section{Texts: b.components(c.Components)}
		section.Beside = b.component(c.Accessory)
		return []page.Block{{Section: section}}
	case typeContainer:
		return []page.Block{{Container: &page.Container{Accent: accent(c.Accent), Spoiler: c.Spoiler, Blocks: b.components(c.Components)}}}
	case typeThumbnail:
		return b.media(c.Media, c.Description, c.Spoiler)
	case typeGallery:
		return b.gallery(c.Items)
	case typeFile:
		return b.media(c.File, "", c.Spoiler)
	case typeSeparator:
		return []page.Block{{Rule: &page.Rule{Line: c.Divider == nil || *c.Divider, Wide: c.Spacing > 1}}}
	}
	return nil
}

// gallery shows pictures together; what cannot be shown here, after them.
func (b *blockWriter) gallery(items []mediaBody) (blocks []page.Block) {
	var pictures []page.Picture
	for _, item := range items {
		for _, one := range b.media(item.Media, item.Description, item.Spoiler) {
			if one.Gallery == nil {
				blocks = append(blocks, one)
			}
			pictures = append(pictures, one.Gallery...)
		}
	}
	if len(pictures) > 0 {
		blocks = append([]page.Block{{Gallery: pictures}}, blocks...)
	}
	return blocks
}

// media shows an attachment, or links to what lies elsewhere: the page loads nothing from other places.
func (b *blockWriter) media(m *mediaRef, words string, spoiler bool) []page.Block {
	if m == nil {
		return nil
	}
	name, ours := strings.CutPrefix(m.URL, fileAddress)
	if !ours {
		return []page.Block{{File: &page.File{Address: m.URL, Name: m.URL, Words: words}}}
	}
	for _, a := range b.message.Attachments {
		if a.Filename != name {
			continue
		}
		if words == "" {
			words = a.Description
		}
		if !a.isPicture() {
			return []page.Block{file(a, words)}
		}
		p := picture(a, words)
		p.Spoiler = spoiler
		return []page.Block{{Gallery: []page.Picture{p}}}
	}
	return nil
}

func (a *Attachment) isPicture() bool { return strings.HasPrefix(a.kind(), "image/") }

func picture(a Attachment, words string) page.Picture {
	return page.Picture{Address: local(a.URL), Name: a.Filename, Words: words, Width: a.width, Height: a.height}
}

func file(a Attachment, words string) page.Block {
	return page.Block{File: &page.File{Address: local(a.URL), Name: a.Filename, Words: words, Size: sizeSaid(a.size)}}
}

func sizeSaid(bytes int) string {
	if bytes < 1<<10 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
}

// local is an address of this sandbox without its host, which the reader may know by another name.
func local(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

// accent is a colour as a style has it; empty for none.
func accent(colour *int) string {
	if colour == nil {
		return ""
	}
	return fmt.Sprintf("#%06x", *colour&0xffffff)
}

// embedBody is what the page reads of an embed (resources/message, Embed).
type embedBody struct {
	Title       string                `json:"title"`
	Description string                `json:"description"`
	URL         string                `json:"url"`
	Colour      *int                  `json:"color"`
	Author      struct{ Name string } `json:"author"`
	Footer      struct{ Text string } `json:"footer"`
	Fields      []embedField          `json:"fields"`
	Image       *mediaRef             `json:"image"`
	Thumbnail   *mediaRef             `json:"thumbnail"`
}

type embedField struct {
	Name, Value string
	Inline      bool
}

func (b *blockWriter) embed(raw json.RawMessage) []page.Block {
	var e embedBody
	if json.Unmarshal(raw, &e) != nil {
		return nil
	}
	view := &page.Embed{Author: e.Author.Name, Title: e.Title, Footer: e.Footer.Text, Accent: accent(e.Colour)}
	if u, err := url.Parse(e.URL); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		view.Address = u.String()
	}
	if e.Description != "" {
		view.Body = page.Markdown(e.Description, b.reader)
	}
	for _, f := range e.Fields {
		view.Fields = append(view.Fields, page.EmbedField{Name: f.Name, Body: page.Markdown(f.Value, b.reader), Inline: f.Inline})
	}
	view.Inside = append(b.media(e.Image, "", false), b.media(e.Thumbnail, "", false)...)
	return []page.Block{{Embed: view}}
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
func (b *blockWriter) row() page.Block {
	if len(b.rows) == 0 {
		return page.Block{}
	}
	var view page.Row
	for _, c := range b.rows[0].Controls {
		if c.Type != typeButton {
			view.Menu = menu(c)
			continue
		}
		button := page.Button{Label: c.Label, Style: c.Style, Value: c.CustomID, Emoji: c.Emoji, Disabled: c.Disabled}
		if c.Style == linkStyle {
			button.Address = c.URL
		}
		view.Buttons = append(view.Buttons, button)
	}
	b.rows = b.rows[1:]
	return page.Block{Row: &view}
}

func menu(c Control) *page.Menu {
	m := &page.Menu{
		Value: c.CustomID, Type: c.Type, Placeholder: c.Placeholder, Min: c.MinValues, Max: c.MaxValues, Disabled: c.Disabled,
		Options: []page.Option{},
	}
	for _, o := range c.Options {
		m.Options = append(m.Options, page.Option{Label: o.Label, Value: o.Value, About: o.Description, Chosen: o.Default})
	}
	return m
}
