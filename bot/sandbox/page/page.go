// Package page is what a person sees of the sandbox in a browser: messages drawn as HTML, views in and escaped text out,
// and the files of the page around them, which run in the browser.
package page

import (
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"io/fs"
	"path"
)

//go:embed message.html
var templates embed.FS

//go:embed static
var static embed.FS

// Message is one message as it is shown.
type Message struct {
	ID       string
	Author   string // the name
	AuthorID string
	Initial  string // the author's first letter
	Colour   int    // 0 to 7, the author's
	Bot      bool
	At       string // when it was written, in RFC 3339; the browser says it in its reader's way
	Clock    string // the same for people, in UTC
	Edited   bool
	Private  bool   // only the reader sees it
	Pinged   bool   // the reader was mentioned and told of it
	Invoked  string // what was used to call it forth, "/place"
	By       string // who used that, by name
	ByID     string
	Reply    *Reply  // to what it replies
	Blocks   []Block // from top to bottom
	Thinking bool    // a deferred answer that has not come yet
}

// Reply is the message that another replies to. Without a name it is gone.
type Reply struct{ ID, Author, Words string }

// Block is one thing in a message: whichever of its fields is set.
type Block struct {
	Body      template.HTML
	Gallery   []Picture
	File      *File
	Embed     *Embed
	Row       *Row
	Rule      *Rule
	Section   *Section
	Container *Container
}

// Picture is an image with its words. Its size in pixels keeps a place for it; 0 where it is not known.
type Picture struct {
	Address, Name, Words string
	Width, Height        int
	Spoiler              bool // shown when asked for
}

// File is an attachment that is no picture.
type File struct{ Address, Name, Words, Size string }

// Rule is space between two others, with a line or without.
type Rule struct{ Line, Wide bool }

// Section is text with something beside it.
type Section struct{ Texts, Beside []Block }

// Container is a box around others. Accent is its colour as #rrggbb, or empty.
type Container struct {
	Accent  string
	Spoiler bool
	Blocks  []Block
}

// Embed is a box within a message.
type Embed struct {
	Author, Title, Footer string
	Address               string // where the title leads
	Accent                string
	Body                  template.HTML
	Fields                []EmbedField
	Inside                []Block // pictures, or links to them
}

// EmbedField is a small heading and its text.
type EmbedField struct {
	Name   string
	Body   template.HTML
	Inline bool // may stand beside others
}

// Row is a row of buttons, or a menu.
type Row struct {
	Buttons []Button
	Menu    *Menu
}

// Button is a button of a message, or a link that looks like one.
type Button struct {
	Label, Value string
	Emoji        string
	Style        int    // Discord's: 1 primary, 2 secondary, 3 success, 4 danger, 5 link
	Address      string // of a link
	Disabled     bool
}

// Menu is a select menu. The browser fills a menu of people or channels by itself.
type Menu struct {
	Value       string // which menu it is
	Type        int    // Discord's: 3 texts, 5 people, 6 roles, 7 both, 8 channels
	Placeholder string
	Min, Max    int // how many options may be chosen
	Options     []Option
	Disabled    bool
}

// Chosen says what a menu of texts shows while nobody has opened it.
func (m *Menu) Chosen() (labels []string) {
	for _, o := range m.Options {
		if o.Chosen {
			labels = append(labels, o.Label)
		}
	}
	return labels
}

// Option is an entry of a menu.
type Option struct {
	Label  string `json:"label"`
	Value  string `json:"value"`
	About  string `json:"about,omitempty"`
	Chosen bool   `json:"chosen,omitempty"`
}

// Pages draws the views. It may be used by several goroutines at once.
type Pages struct{ templates *template.Template }

// New prepares the pages.
func New() *Pages {
	// The templates are embedded: that they are well formed is seen whenever the program is built and tested.
	own := template.FuncMap{"json": asJSON}
	return &Pages{templates: template.Must(template.New("").Funcs(own).ParseFS(templates, "*.html"))}
}

// asJSON is a value for the browser's code to read out of an attribute.
func asJSON(v any) (string, error) {
	raw, err := json.Marshal(v)
	return string(raw), err
}

// Message writes one message, as an element of a list.
func (p *Pages) Message(w io.Writer, m Message) error {
	return p.templates.ExecuteTemplate(w, "message.html", m)
}

// Asset is a file of the page by its name, "index.html", with its media type.
func Asset(name string) (content []byte, kind string, err error) {
	content, err = fs.ReadFile(static, path.Join("static", path.Clean("/"+name)))
	return content, kindOf(path.Ext(name)), err
}

// kindOf is a media type: the machine's own table may say anything.
func kindOf(extension string) string {
	switch extension {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}
