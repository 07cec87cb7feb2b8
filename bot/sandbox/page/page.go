// Package page draws what a person sees in the sandbox as HTML without a script: views in, escaped text out.
package page

import (
	"embed"
	"html/template"
	"io"
)

//go:embed *.html
var files embed.FS

//go:embed style.css
var style string

// Link is a place to go to. The current one is where the reader is.
type Link struct {
	Name, About string
	Href        string
	Current     bool
	Inner       bool // belongs to the one before it, as a thread does to its channel
}

// Server is a server with its channels.
type Server struct {
	Name     string
	Channels []Link
}

// Frame is the whole page around the messages of one channel.
type Frame struct {
	You, Channel string
	Servers      []Server
	People       []Link // who the reader may be, with the current one among them
	Messages     string // address of the messages
	Commands     []Link
	Chosen       *Command // the command that is being filled in, or nil
	Note         string   // what has just happened, if it needs a word
	MayAct       bool     // the reader came by the address that was printed
	Refresh      bool     // nothing is being typed, and something is being waited for
}

// Command is a command to fill in.
type Command struct {
	Name, About string
	Hidden      []Pair // what goes with the form, unseen
	Fields      []Field
	Suggests    bool // some field has suggestions
	Cancel      string
}

// Pair is a name and a value.
type Pair struct{ Name, Value string }

// Field is an option of a command.
type Field struct {
	Kind        FieldKind
	Name        string // in the form
	Label       string
	About       string
	Value       string
	Required    bool
	Choices     []Choice // of a Choice
	Suggestions []Choice // of a Text
	Suggested   bool     // suggestions were asked for, though there may be none
	Min, Max    string   // of a Number; empty: no bound
}

// FieldKind is how a field is filled in.
type FieldKind string

// The kinds of fields.
const (
	Text   FieldKind = "text"
	Number FieldKind = "number"
	Choose FieldKind = "choose"
)

// Choice is one of several values.
type Choice struct{ Name, Value string }

// Messages is what one person sees in one channel.
type Messages struct {
	You, Channel string
	Form         []Pair // what goes with each press, unseen
	Messages     []Message
	Next         string // address of the page after this one; empty: paused
	Pause        string // address of this page without refreshing, or with it again
	Note         string
	MayAct       bool
}

// Message is one message as it is shown.
type Message struct {
	ID       string
	Author   string
	Initial  string // the author's first letter
	Colour   int    // 0 to 7, the author's
	Bot      bool
	At       string // a time for people
	Edited   bool
	Private  bool    // only the reader sees it
	Pinged   bool    // the reader was mentioned and told of it
	Invoked  string  // who used what to call it forth
	Blocks   []Block // from top to bottom
	Thinking bool    // a deferred answer that has not come yet
}

// Block is one thing in a message: whichever of its fields is set.
type Block struct {
	Body    template.HTML
	Picture *Picture
	File    *File
	Embed   *Embed
	Row     *Row
	Rule    bool // a line between two others
}

// Picture is an image with its words.
type Picture struct{ Address, Name, Words string }

// File is an attachment that is no picture.
type File struct{ Address, Name, Words, Size string }

// Embed is a box within a message.
type Embed struct {
	Author, Title, Footer string
	Body                  template.HTML
	Fields                []EmbedField
	Inside                []Block // pictures, or links to them
}

// EmbedField is a small heading and its text.
type EmbedField struct {
	Name string
	Body template.HTML
}

// Row is a row of buttons, or a menu.
type Row struct {
	Buttons []Button
	Menu    *Menu
}

// Button is a button of a message, or a link that looks like one.
type Button struct {
	Label, Value string
	Style        int    // Discord's: 1 primary, 2 secondary, 3 success, 4 danger, 5 link
	Address      string // of a link
	Disabled     bool
}

// Menu is a select menu.
type Menu struct {
	Value       string // which menu it is
	Placeholder string
	Min, Max    int // how many options may be chosen
	Options     []Option
	Disabled    bool
}

// Option is an entry of a menu.
type Option struct {
	Label, Value, About string
	Chosen              bool
}

// Pages draws the views. It may be used by several goroutines at once.
type Pages struct{ templates *template.Template }

// New prepares the pages.
func New() *Pages {
	// The templates are embedded: that they are well formed is seen whenever the program is built and tested.
	return &Pages{templates: template.Must(template.ParseFS(files, "*.html"))}
}

// Style is the style sheet that all pages ask for as /page/style.css.
func (p *Pages) Style() []byte { return []byte(style) }

// Frame writes the page around the messages.
func (p *Pages) Frame(w io.Writer, f Frame) error {
	return p.templates.ExecuteTemplate(w, "frame.html", f)
}

// Messages writes the messages of a channel.
func (p *Pages) Messages(w io.Writer, m Messages) error {
	return p.templates.ExecuteTemplate(w, "messages.html", m)
}
