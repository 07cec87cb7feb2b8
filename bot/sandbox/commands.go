package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"
)

// Types of commands and options (interactions/application-commands).
const (
	commandSlash   = 1
	commandUser    = 2
	commandMessage = 3

	optionSub         = 1
	optionGroup       = 2
	optionString      = 3
	optionInteger     = 4
	optionBoolean     = 5
	optionUser        = 6
	optionChannel     = 7
	optionRole        = 8
	optionMentionable = 9
	optionNumber      = 10
	optionLast        = 11
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
	pruneOptions(cmd.raw)
	s.complete(&cmd)
	return cmd, nil
}

// pruneOptions takes away what a command's form leaves empty, at every depth, as Discord does not repeat it.
func pruneOptions(o object) {
	prune(o)
	for _, field := range []string{"options", "choices", "channel_types"} {
		inner, ok := o[field].([]any)
		if ok && len(inner) == 0 {
			delete(o, field)
		}
		for _, one := range inner {
			if one, ok := one.(object); ok {
				pruneOptions(one)
			}
		}
	}
}

// complete adds to a command's wire form what Discord does: ids, a version that is new with each change, and what it takes
// for granted where a bot says nothing.
func (s *Sandbox) complete(cmd *command) {
	cmd.raw["id"], cmd.raw["application_id"], cmd.raw["version"], cmd.raw["type"] = cmd.ID, botID, s.newID(), cmd.Type
	if cmd.Type != commandSlash {
		cmd.raw["description"] = ""
	}
	granted := object{"default_member_permissions": nil, "nsfw": false}
	if cmd.server != "" {
		cmd.raw["guild_id"] = cmd.server
	} else {
		granted["integration_types"], granted["contexts"], granted["dm_permission"] = []int{0}, []int{0, 1, 2}, true
	}
	for field, value := range granted {
		if cmd.raw[field] == nil {
			cmd.raw[field] = value
		}
	}
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

// commandOf is the command that a route names, and the list that it stands in. The lock is held.
func (s *Sandbox) commandOf(c *call) (server string, cmds []command, at int, err error) {
	if server, err = s.scope(c); err != nil {
		return server, nil, 0, err
	}
	cmds = slices.Clone(s.scoped(server))
	at = slices.IndexFunc(cmds, func(o command) bool { return o.ID == c.PathValue("command") })
	if at < 0 {
		return server, cmds, at, errUnknownCommand
	}
	return server, cmds, at, nil
}

func (s *Sandbox) getCommand(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, cmds, at, err := s.commandOf(c)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, cmds[at].raw, nil
}

// patchCommand changes what the request names of a command and leaves the rest; its type stays.
func (s *Sandbox) patchCommand(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, cmds, at, err := s.commandOf(c)
	if err != nil {
		return 0, nil, err
	}
	var told object
	if err := json.Unmarshal(c.payload.json, &told); err != nil {
		return 0, nil, invalid("_", "%v", err)
	}
	delete(told, "type")
	next := maps.Clone(cmds[at].raw)
	maps.Copy(next, told)
	cmd, err := s.readCommand(encode(next), server)
	if err != nil {
		return 0, nil, err
	}
	cmd.ID = cmds[at].ID
	cmd.raw["id"] = cmd.ID
	for i, o := range cmds {
		if i != at && o.Name == cmd.Name && o.Type == cmd.Type {
			return 0, nil, invalid("name", "Application command names must be unique")
		}
	}
	cmds[at] = cmd
	s.setScoped(server, cmds)
	return http.StatusOK, cmd.raw, nil
}

func (s *Sandbox) deleteCommand(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, cmds, at, err := s.commandOf(c)
	if err != nil {
		return 0, nil, err
	}
	s.setScoped(server, slices.Delete(cmds, at, at+1))
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
