package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
)

// Limits of Discord's for one message, in characters and pieces.
const (
	maxContent     = 2000
	maxDescription = 1024
	maxMentions    = 100
	maxChoices     = 25
	maxChoice      = 100
)

// Message is what a message shows. An edit replaces all of it.
type Message struct {
	Content    string // cut to 2000 characters
	Files      []File
	Components []discordgo.MessageComponent // rows of buttons or one select menu each, at most five
	Mentions   []string                     // ids of those who may be pinged; nobody else is, whatever Content says
	Ephemeral  bool                         // answers only: seen by the member who asked. Private sets it itself
	Nonce      string                       // Post only, at most 25 characters: the same nonce makes one message, however often it is sent
	Suppress   bool                         // links get no preview
}

// File is an attachment.
type File struct {
	Name, ContentType string
	Description       string // alt text, cut to 1024 characters
	Data              []byte // only read
}

// Choice is a suggestion for an option: Name is shown, Value is sent. Both are cut to 100 characters.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// payload is a message on the wire. discordgo's own types have no alt text and no nonce, leave out an empty attachment
// list (then an edit keeps the old picture beside the new one), and turn empty allowances into null.
type payload struct {
	Content      string                       `json:"content"`
	Components   []discordgo.MessageComponent `json:"components"`
	Attachments  []attachment                 `json:"attachments"`
	Allowed      allowances                   `json:"allowed_mentions"`
	Flags        discordgo.MessageFlags       `json:"flags,omitempty"`
	Nonce        string                       `json:"nonce,omitempty"`
	EnforceNonce bool                         `json:"enforce_nonce,omitempty"`
}

type attachment struct {
	ID          int    `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

type allowances struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

// noMentions allows nobody to be pinged.
var noMentions = allowances{Parse: []string{}}

func (m Message) payload() payload {
	p := payload{
		Content:     cut(m.Content, maxContent),
		Components:  m.Components,
		Attachments: make([]attachment, len(m.Files)),
		Allowed:     allow(m.Mentions),
	}
	if p.Components == nil {
		p.Components = []discordgo.MessageComponent{}
	}
	for i, f := range m.Files {
		p.Attachments[i] = attachment{ID: i, Name: f.Name, Description: cut(f.Description, maxDescription)}
	}
	if m.Suppress {
		p.Flags |= discordgo.MessageFlagsSuppressEmbeds
	}
	return p
}

// created is the payload of a message that is not there yet: only then may it be made ephemeral.
func (m Message) created() payload {
	p := m.payload()
	if m.Ephemeral {
		p.Flags |= discordgo.MessageFlagsEphemeral
	}
	return p
}

// allow names exactly whom a message may ping. Discord refuses a list that names someone twice.
func allow(users []string) allowances {
	a := noMentions
	for _, user := range users {
		if user != "" && len(a.Users) < maxMentions && !slices.Contains(a.Users, user) {
			a.Users = append(a.Users, user)
		}
	}
	return a
}

// cut shortens text to at most most characters.
func cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// callback is the first response to an interaction.
type callback struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// choices is the data of an autocomplete answer; the list must be there even when it is empty.
type choices struct {
	Choices []Choice `json:"choices"`
}

func someChoices(list []Choice) choices {
	c := choices{Choices: make([]Choice, 0, maxChoices)}
	for _, one := range list[:min(len(list), maxChoices)] {
		c.Choices = append(c.Choices, Choice{Name: cut(one.Name, maxChoice), Value: cut(one.Value, maxChoice)})
	}
	return c
}

// flagged is the data of a deferral, which takes nothing but flags.
type flagged struct {
	Flags discordgo.MessageFlags `json:"flags"`
}

// encoded is a request's body, ready to be sent more than once.
type encoded struct {
	contentType string
	bytes       []byte
}

// encode makes a body of JSON, and of files if there are any.
func encode(body any, files []File) (encoded, error) {
	if body == nil {
		return encoded{}, nil
	}
	if len(files) == 0 {
		text, err := json.Marshal(body)
		return encoded{"application/json", text}, err
	}
	parts := make([]*discordgo.File, len(files))
	for i, f := range files {
		parts[i] = &discordgo.File{Name: f.Name, ContentType: f.ContentType, Reader: bytes.NewReader(f.Data)}
	}
	contentType, text, err := discordgo.MultipartBodyWithJSON(body, parts)
	return encoded{contentType, text}, err
}

// snowflake reads an id; ids begin with the time they were made.
func snowflake(id string) (uint64, bool) {
	n, err := strconv.ParseUint(id, 10, 64)
	return n, err == nil && n > 0
}
