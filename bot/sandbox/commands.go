package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
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
	optionLast    = 11
)

// Limits of commands.
const (
	maxCommands     = 100
	maxUserCommands = 15
	maxName         = 32
	maxDescription  = 100
	maxChoices      = 25
	maxChoiceText   = 100
	maxCommandText  = 8000
	maxCreates      = 200 // in a server, or everywhere
	createsIn       = 24 * time.Hour
)

// command is an application command as it was registered.
type command struct {
	ID          string          `json:"id"`
	Type        int             `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Options     []commandOption `json:"options,omitempty"`
	Contexts    []int           `json:"contexts"`
	Permissions json.RawMessage `json:"default_member_permissions"`
	localized
	server string // "": a global one
	raw    object
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
	MinLength    int             `json:"min_length"`
	MaxLength    int             `json:"max_length"`
	localized
}

type commandChoice struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
	localized
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
	all := wholeCommands(s.scoped(server))
	if c.URL.Query().Get("with_localizations") != "true" {
		all = withoutDictionaries(all)
	}
	return http.StatusOK, all, nil
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
	cmd.ID, cmd.server = s.newID(), server
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

// count holds a list that is to be a scope's to the limits of its kinds, and its new names to those of a day.
func (s *Sandbox) count(server string, cmds []command) error {
	kinds := map[int]int{}
	fresh := 0
	for _, c := range cmds {
		kinds[c.Type]++
		if !slices.ContainsFunc(s.scoped(server), func(old command) bool { return old.ID == c.ID }) {
			fresh++
		}
	}
	if kinds[commandSlash] > maxCommands || kinds[commandUser] > maxUserCommands || kinds[commandMessage] > maxUserCommands {
		return refuse(http.StatusBadRequest, 30032, "Maximum number of application commands reached")
	}
	now := s.now()
	today := slices.DeleteFunc(s.creates[server], func(t time.Time) bool { return now.Sub(t) >= createsIn })
	s.creates[server] = today
	if fresh > 0 && len(today)+fresh > maxCreates {
		return refuse(http.StatusTooManyRequests, 30034, "Max number of daily application command creates has been reached (200)")
	}
	s.creates[server] = append(today, slices.Repeat([]time.Time{now}, fresh)...)
	return nil
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
	for _, raw := range raws {
		cmd, err := s.readCommand(raw, server)
		if err != nil {
			return 0, nil, err
		}
		if slices.ContainsFunc(cmds, func(o command) bool { return o.Name == cmd.Name && o.Type == cmd.Type }) {
			return 0, nil, invalid("_", "Application command names must be unique")
		}
		cmds = append(cmds, cmd)
	}
	if err := s.count(server, cmds); err != nil {
		return 0, nil, err
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
	if err := s.count(server, cmds); err != nil {
		return 0, nil, err
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
