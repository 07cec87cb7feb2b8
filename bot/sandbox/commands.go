package sandbox

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Types of commands and options (interactions/application-commands).
const (
	commandSlash   = 1
	commandUser    = 2
	commandMessage = 3

	optionSub     = 1
	optionGroup   = 2
	optionString  = 3
	optionInteger = 4
	optionBoolean = 5
	optionUser    = 6
	optionChannel = 7
	optionNumber  = 10
)

// Limits of commands.
const (
	maxCommands     = 100
	maxUserCommands = 15
	maxDescription  = 100
	maxChoices      = 25
	maxCommandText  = 8000
)

var slashName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// command is an application command as it was registered.
type command struct {
	ID          string          `json:"id"`
	Type        int             `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Options     []commandOption `json:"options,omitempty"`
	Contexts    []int           `json:"contexts"`
	raw         object
}

type commandOption struct {
	Type         int             `json:"type"`
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	Required     bool            `json:"required"`
	Autocomplete bool            `json:"autocomplete"`
	Choices      []commandChoice `json:"choices"`
	Options      []commandOption `json:"options"`
	Min          *float64        `json:"min_value"`
	Max          *float64        `json:"max_value"`
}

type commandChoice struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// checkCommand holds a command to the rules that the API's description does not tell.
func checkCommand(c command) error {
	if c.Type != commandSlash {
		if n := utf8.RuneCountInString(c.Name); n < 1 || n > 32 {
			return invalid("name", "Must be between 1 and 32 in length.")
		}
		if c.Description != "" || len(c.Options) > 0 {
			return invalid("description", "Context menu commands cannot have description or options.")
		}
		return nil
	}
	if err := checkNaming(c.Name, c.Description, "name"); err != nil {
		return err
	}
	if commandText(c.Name, c.Description, c.Options) > maxCommandText {
		return invalid("_", "Command exceeds maximum size (%d)", maxCommandText)
	}
	return checkOptions(c.Options, "options")
}

func checkNaming(name, description, path string) error {
	if !slashName.MatchString(name) || name != strings.ToLower(name) {
		return invalid(path, "Command name is invalid")
	}
	if n := utf8.RuneCountInString(description); n < 1 || n > maxDescription {
		return invalid(path+".description", "Must be between 1 and %d in length.", maxDescription)
	}
	return nil
}

func checkOptions(options []commandOption, path string) error {
	if len(options) > maxChoices {
		return invalid(path, "Must be %d or fewer in length.", maxChoices)
	}
	optional := false
	names := map[string]bool{}
	for i, o := range options {
		at := path + "." + strconv.Itoa(i)
		switch {
		case names[o.Name]:
			return invalid(at+".name", "Option names must be unique")
		case o.Required && optional:
			return invalid(at+".required", "Required options must be placed before non-required options")
		case o.Autocomplete && len(o.Choices) > 0:
			return invalid(at+".autocomplete", "Choices and autocomplete exclude each other")
		case len(o.Choices) > maxChoices:
			return invalid(at+".choices", "Must be %d or fewer in length.", maxChoices)
		}
		if err := checkNaming(o.Name, o.Description, at+".name"); err != nil {
			return err
		}
		names[o.Name] = true
		optional = optional || !o.Required
		if err := checkOptions(o.Options, at+".options"); err != nil {
			return err
		}
	}
	return nil
}

func commandText(name, description string, options []commandOption) int {
	n := utf8.RuneCountInString(name) + utf8.RuneCountInString(description)
	for _, o := range options {
		n += commandText(o.Name, o.Description, o.Options)
		for _, c := range o.Choices {
			n += utf8.RuneCountInString(c.Name) + len(c.Value)
		}
	}
	return n
}

// scope is where a route's commands are registered: a server's, or "" for everywhere.
func (s *Sandbox) scope(c *call) (string, error) {
	if c.PathValue("app") != botID {
		return "", errUnknownCommand
	}
	server := c.PathValue("guild")
	if srv := s.serverByID(server); server != "" && (srv == nil || !srv.here) {
		return "", errMissingAccess
	}
	return server, nil
}

func (s *Sandbox) scoped(server string) []command {
	if server == "" {
		return s.commands
	}
	return s.serverCmds[server]
}

func (s *Sandbox) setScoped(server string, cmds []command) {
	if server == "" {
		s.commands = cmds
	} else {
		s.serverCmds[server] = cmds
	}
	s.touch()
}

func (s *Sandbox) getCommands(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.scope(c)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, wholeCommands(s.scoped(server)), nil
}

func wholeCommands(cmds []command) []object {
	all := []object{}
	for _, cmd := range cmds {
		all = append(all, cmd.raw)
	}
	return all
}

// readCommand reads one command; its id is that of the one it replaces, if there is one of its name and type.
func (s *Sandbox) readCommand(raw json.RawMessage, server string) (command, error) {
	cmd := command{Type: commandSlash}
	if err := json.Unmarshal(raw, &cmd); err != nil {
		return cmd, invalid("_", "%v", err)
	}
	if err := checkCommand(cmd); err != nil {
		return cmd, err
	}
	cmd.ID = s.newID()
	for _, old := range s.scoped(server) {
		if old.Name == cmd.Name && old.Type == cmd.Type {
			cmd.ID = old.ID
		}
	}
	_ = json.Unmarshal(raw, &cmd.raw)
	cmd.raw["id"], cmd.raw["application_id"], cmd.raw["version"], cmd.raw["type"] = cmd.ID, botID, cmd.ID, cmd.Type
	if cmd.Type != commandSlash {
		cmd.raw["description"] = ""
	}
	if server != "" {
		cmd.raw["guild_id"] = server
	}
	return cmd, nil
}

func (s *Sandbox) putCommands(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.scope(c)
	if err != nil {
		return 0, nil, err
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(c.payload.json, &raws); err != nil {
		return 0, nil, invalid("_", "%v", err)
	}
	var cmds []command
	count := map[int]int{}
	for _, raw := range raws {
		cmd, err := s.readCommand(raw, server)
		if err != nil {
			return 0, nil, err
		}
		if slices.ContainsFunc(cmds, func(o command) bool { return o.Name == cmd.Name && o.Type == cmd.Type }) {
			return 0, nil, invalid("_", "Application command names must be unique")
		}
		count[cmd.Type]++
		cmds = append(cmds, cmd)
	}
	if count[commandSlash] > maxCommands || count[commandUser] > maxUserCommands || count[commandMessage] > maxUserCommands {
		return 0, nil, refuse(http.StatusBadRequest, 30032, "Maximum number of application commands reached")
	}
	s.setScoped(server, cmds)
	return http.StatusOK, wholeCommands(cmds), nil
}

func (s *Sandbox) postCommand(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.scope(c)
	if err != nil {
		return 0, nil, err
	}
	cmd, err := s.readCommand(c.payload.json, server)
	if err != nil {
		return 0, nil, err
	}
	status := http.StatusCreated
	cmds := slices.Clone(s.scoped(server))
	at := slices.IndexFunc(cmds, func(o command) bool { return o.ID == cmd.ID })
	if at >= 0 {
		cmds[at], status = cmd, http.StatusOK
	} else {
		cmds = append(cmds, cmd)
	}
	s.setScoped(server, cmds)
	return status, cmd.raw, nil
}

func (s *Sandbox) deleteCommand(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.scope(c)
	if err != nil {
		return 0, nil, err
	}
	cmds := s.scoped(server)
	at := slices.IndexFunc(cmds, func(o command) bool { return o.ID == c.PathValue("command") })
	if at < 0 {
		return 0, nil, errUnknownCommand
	}
	s.setScoped(server, slices.Delete(slices.Clone(cmds), at, at+1))
	return http.StatusNoContent, nil, nil
}

// available are the commands that can be used in a channel.
func (s *Sandbox) available(ch *channel) []command {
	context := 0
	all := slices.Clone(s.commands)
	if ch.server == nil {
		context = 1
	} else {
		all = append(all, s.serverCmds[ch.server.ID]...)
	}
	return slices.DeleteFunc(all, func(c command) bool {
		return c.Contexts != nil && !slices.Contains(c.Contexts, context)
	})
}
