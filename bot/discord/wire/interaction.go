package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Kind tells interactions apart by what made them.
type Kind int

// The kinds; zero is none of them.
const (
	Command      Kind = iota + 1 // a slash command, or one from a member's menu
	Autocomplete                 // an option of a command is being typed
	Component                    // a tap on a button, a choice from a select menu
	Modal                        // a form was sent
)

func (k Kind) String() string {
	switch k {
	case Command:
		return "command"
	case Autocomplete:
		return "autocomplete"
	case Component:
		return "tap"
	case Modal:
		return "form"
	}
	return "kind " + strconv.Itoa(int(k))
}

// User is a person, or a bot, as an interaction shows them.
type User struct {
	ID     string
	Name   string // nickname in this server, else display name, else user name; empty when Discord told only the id
	Bot    bool
	Member bool // known to be in the interaction's server
	Blind  bool // known not to see the interaction's channel
}

// Interaction is something a person did. It is built from whatever arrives: what Discord left out is empty.
type Interaction struct {
	ID    string
	Token string `json:"-"` // answers the interaction for 15 minutes; a secret
	App   string // the bot's application
	Kind  Kind
	At    time.Time // when Discord made it, by its id

	Server  string // empty in direct messages
	Channel string
	Thread  bool   // Channel is a thread
	Above   string // the channel that a thread hangs below
	User    User
	Locale  string // the person's language, one of Discord's locales
	Context int    // 0 server, 1 direct messages with the bot, 2 other private channels

	AppPermissions    int64    // what the bot may do in Channel
	MemberPermissions int64    // what the person may do there; 0 outside servers
	Roles             []string // ids of the roles that the person has; not that of everyone
	AttachmentLimit   int64    // bytes a file may have in an answer; 0 when not told

	Name   string // of the command
	Sub    string // its sub-command, "group sub" within a group
	Target string // id of the person or message a menu command was called on

	CustomID         string // of the control or form
	Values           []string
	Message          string // id of the message that carries the control
	MessageEphemeral bool

	options []rawOption
	people  resolved
}

// String keeps the token out of logs.
func (in Interaction) String() string {
	return fmt.Sprintf("%s %s: %s %s%s by %s", in.Kind, in.ID, in.Name, in.Sub, in.CustomID, in.User.ID)
}

// LogValue is the id: what else there is to an interaction stands beside it.
func (in Interaction) LogValue() slog.Value { return slog.StringValue(in.ID) }

// logOf is the log with what identifies an interaction.
func (c *Client) logOf(in Interaction) *slog.Logger {
	return c.cfg.Log.With("interaction", in, "server", in.Server, "what", in.String())
}

// threadTypes are the channel types that are threads: of announcements, public, private.
var threadTypes = map[int]bool{10: true, 11: true, 12: true}

// The payload, as far as it is read. Every part may be missing; discordgo's types for it fail as a whole when a message
// holds a component they do not know, and give the bot an empty interaction that nobody can answer.
type rawInteraction struct {
	ID          string                    `json:"id"`
	App         string                    `json:"application_id"`
	Type        discordgo.InteractionType `json:"type"`
	Data        json.RawMessage           `json:"data"`
	Server      string                    `json:"guild_id"`
	ChannelID   string                    `json:"channel_id"`
	Channel     json.RawMessage           `json:"channel"`
	Member      json.RawMessage           `json:"member"`
	User        json.RawMessage           `json:"user"`
	Message     json.RawMessage           `json:"message"`
	Token       string                    `json:"token"`
	Locale      json.RawMessage           `json:"locale"`
	Permissions json.RawMessage           `json:"app_permissions"`
	Limit       json.RawMessage           `json:"attachment_size_limit"`
	Context     json.RawMessage           `json:"context"`
}

type rawUser struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Global   string `json:"global_name"`
	Bot      bool   `json:"bot"`
}

type rawMember struct {
	User        *rawUser        `json:"user"`
	Nick        string          `json:"nick"`
	Permissions json.RawMessage `json:"permissions"`
	Roles       json.RawMessage `json:"roles"`
}

type rawData struct {
	Name     string          `json:"name"`
	Target   string          `json:"target_id"`
	Options  []rawOption     `json:"options"`
	Resolved json.RawMessage `json:"resolved"`
	CustomID string          `json:"custom_id"`
	Values   []string        `json:"values"`
}

type rawOption struct {
	Name    string                                 `json:"name"`
	Type    discordgo.ApplicationCommandOptionType `json:"type"`
	Value   json.RawMessage                        `json:"value"`
	Focused bool                                   `json:"focused"`
	Options []rawOption                            `json:"options"`
}

type resolved struct {
	Users    map[string]rawUser   `json:"users"`
	Members  map[string]rawMember `json:"members"`
	Channels map[string]rawPlace  `json:"channels"`
}

// parseInteraction reads a payload. It fails only when there is nothing to answer: no id, no token, a type that no one
// knows. A part that is not as documented reads as missing.
func parseInteraction(payload []byte) (Interaction, error) {
	var raw rawInteraction
	if err := json.Unmarshal(payload, &raw); err != nil && raw.Token == "" {
		return Interaction{}, errors.New("interaction cannot be read")
	}
	n, ok := snowflake(raw.ID)
	if !ok || raw.Token == "" {
		return Interaction{}, errors.New("interaction without id or token")
	}
	kind, ok := kindOf(raw.Type)
	if !ok {
		return Interaction{}, fmt.Errorf("interaction of unknown type %d", raw.Type)
	}
	in := Interaction{
		ID: raw.ID, Token: raw.Token, App: raw.App, Kind: kind, At: time.UnixMilli(int64(n>>22) + epochMillis).UTC(),
		Server: raw.Server, Channel: raw.ChannelID,
		Locale: part[string](raw.Locale), Context: part[int](raw.Context),
		AppPermissions: bits(raw.Permissions), AttachmentLimit: part[int64](raw.Limit),
	}
	in.readPlace(raw)
	in.readPerson(raw)
	in.readData(raw.Data)
	return in, nil
}

// epochMillis is the time ids count from: the beginning of 2015.
const epochMillis = 1420070400000

func kindOf(t discordgo.InteractionType) (Kind, bool) {
	switch t {
	case discordgo.InteractionApplicationCommand:
		return Command, true
	case discordgo.InteractionApplicationCommandAutocomplete:
		return Autocomplete, true
	case discordgo.InteractionMessageComponent:
		return Component, true
	case discordgo.InteractionModalSubmit:
		return Modal, true
	}
	return 0, false
}

func (in *Interaction) readPlace(raw rawInteraction) {
	channel := part[struct {
		ID     string `json:"id"`
		Type   int    `json:"type"`
		Parent string `json:"parent_id"` // of a channel that is no thread its category
	}](raw.Channel)
	if in.Thread = threadTypes[channel.Type]; in.Thread {
		in.Above = channel.Parent
	}
	if in.Channel == "" {
		in.Channel = channel.ID
	}
	message := part[struct {
		ID    string                 `json:"id"`
		Flags discordgo.MessageFlags `json:"flags"`
	}](raw.Message)
	in.Message = message.ID
	in.MessageEphemeral = message.Flags&discordgo.MessageFlagsEphemeral != 0
}

func (in *Interaction) readPerson(raw rawInteraction) {
	member := part[rawMember](raw.Member)
	in.MemberPermissions = bits(member.Permissions)
	in.Roles = part[[]string](member.Roles)
	if member.User != nil {
		in.User = person(*member.User, member.Nick, in.Server != "")
		return
	}
	in.User = person(part[rawUser](raw.User), member.Nick, false)
}

func (in *Interaction) readData(raw json.RawMessage) {
	data := part[rawData](raw)
	in.people = part[resolved](data.Resolved)
	in.Name, in.Target = data.Name, data.Target
	in.CustomID, in.Values = data.CustomID, data.Values
	in.options = data.Options
	for len(in.options) == 1 && isSub(in.options[0].Type) {
		if in.Sub != "" {
			in.Sub += " "
		}
		in.Sub += in.options[0].Name
		in.options = in.options[0].Options
	}
}

func isSub(t discordgo.ApplicationCommandOptionType) bool {
	return t == discordgo.ApplicationCommandOptionSubCommand || t == discordgo.ApplicationCommandOptionSubCommandGroup
}

func person(u rawUser, nick string, member bool) User {
	name := nick
	if name == "" {
		name = u.Global
	}
	if name == "" {
		name = u.Username
	}
	return User{ID: u.ID, Name: name, Bot: u.Bot, Member: member}
}

// part reads one piece of a payload; what it cannot read is the zero value.
func part[T any](raw json.RawMessage) T {
	var read, none T
	if len(raw) == 0 {
		return none
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			return none
		}
	}
	return read // but for the fields of another type
}

// bits reads permissions, which Discord writes as text.
func bits(raw json.RawMessage) int64 {
	n, err := strconv.ParseInt(part[string](raw), 10, 64)
	if err != nil {
		return part[int64](raw)
	}
	return n
}

func (in Interaction) option(name string) rawOption {
	for _, o := range in.options {
		if o.Name == name {
			return o
		}
	}
	return rawOption{}
}

// Text is what was given for a text option.
func (in Interaction) Text(option string) (string, bool) {
	return exactly[string](in.option(option), discordgo.ApplicationCommandOptionString)
}

// Int is what was given for a whole-number option.
func (in Interaction) Int(option string) (int64, bool) {
	n, ok := exactly[float64](in.option(option), discordgo.ApplicationCommandOptionInteger)
	if !ok || n != math.Trunc(n) || math.Abs(n) > 1<<53-1 {
		return 0, false
	}
	return int64(n), true
}

// Bool is what was given for a yes-or-no option.
func (in Interaction) Bool(option string) (value, ok bool) {
	return exactly[bool](in.option(option), discordgo.ApplicationCommandOptionBoolean)
}

// ChannelID is what was given for a channel option.
func (in Interaction) ChannelID(option string) (string, bool) {
	return exactly[string](in.option(option), discordgo.ApplicationCommandOptionChannel)
}

// RoleID is what was given for a role option.
func (in Interaction) RoleID(option string) (string, bool) {
	return exactly[string](in.option(option), discordgo.ApplicationCommandOptionRole)
}

// Person is who was given for a user option.
func (in Interaction) Person(option string) (User, bool) {
	id, ok := exactly[string](in.option(option), discordgo.ApplicationCommandOptionUser)
	if !ok {
		return User{}, false
	}
	return in.user(id)
}

// TargetUser is the person whose menu a command was called from.
func (in Interaction) TargetUser() (User, bool) {
	if _, isUser := in.people.Users[in.Target]; !isUser {
		return User{}, false
	}
	return in.user(in.Target)
}

// Chosen is the person who was chosen from a menu of people.
func (in Interaction) Chosen() (User, bool) {
	if len(in.Values) != 1 {
		return User{}, false
	}
	return in.user(in.Values[0])
}

// Focused is the option being typed, and what it says so far.
func (in Interaction) Focused() (name, text string) {
	for _, o := range in.options {
		if o.Focused {
			if text := part[string](o.Value); text != "" {
				return o.Name, text
			}
			return o.Name, part[json.Number](o.Value).String()
		}
	}
	return "", ""
}

func (in Interaction) user(id string) (User, bool) {
	if _, ok := snowflake(id); !ok {
		return User{}, false
	}
	raw := in.people.Users[id]
	raw.ID = id
	member, known := in.people.Members[id]
	u := person(raw, member.Nick, known && in.Server != "")
	u.Blind = len(member.Permissions) > 0 && bits(member.Permissions)&(permViewChannel|permAdministrator) == 0
	return u, true
}

// exactly reads an option's value when it is of the type asked for.
func exactly[T any](o rawOption, t discordgo.ApplicationCommandOptionType) (T, bool) {
	var read, none T
	if o.Type != t || len(o.Value) == 0 || string(o.Value) == "null" || json.Unmarshal(o.Value, &read) != nil {
		return none, false
	}
	return read, true
}
