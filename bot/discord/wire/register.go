package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"
)

// Register makes the commands of a server, or with server empty the global ones, be exactly cmds. It waits for the first
// session, reads what is there, and writes only when that differs: Discord counts the commands created in a day.
func (c *Client) Register(ctx context.Context, server string, cmds []*discordgo.ApplicationCommand) error {
	select {
	case <-c.connected:
	case <-ctx.Done():
		return unreached("register commands", ctx.Err())
	}
	c.mu.Lock()
	where := path("applications", c.app, "commands")
	if server != "" {
		where = path("applications", c.app, "guilds", server, "commands")
	}
	c.mu.Unlock()
	var there json.RawMessage
	_, err := c.rest.do(ctx, request{
		method: http.MethodGet, path: where + "?with_localizations=true", key: "read commands " + server,
		repeatable: true, within: requestTime,
	}, &there)
	if err != nil {
		return err
	}
	if sameCommands(there, cmds) {
		return nil
	}
	_, err = c.rest.do(ctx, request{
		method: http.MethodPut, path: where, key: "write commands " + server, body: cmds, repeatable: true, within: requestTime,
	}, nil)
	if err == nil {
		c.cfg.Log.Info("commands registered", "server", server, "commands", len(cmds))
	}
	return err
}

// sameCommands compares what Discord has with what is wanted, in any order of the commands.
func sameCommands(there json.RawMessage, wanted []*discordgo.ApplicationCommand) bool {
	var has []*discordgo.ApplicationCommand
	if json.Unmarshal(there, &has) != nil || len(has) != len(wanted) {
		return false
	}
	byName := make(map[string]*discordgo.ApplicationCommand, len(has))
	for _, one := range has {
		byName[nameOf(one)] = one
	}
	for _, want := range wanted {
		got := byName[nameOf(want)]
		if got == nil || !reflect.DeepEqual(essence(want, want), essence(got, want)) {
			return false
		}
	}
	return true
}

// nameOf is unique within a set: the same name may be a slash command's and a menu's.
func nameOf(c *discordgo.ApplicationCommand) string {
	return strconv.Itoa(int(max(c.Type, discordgo.ChatApplicationCommand))) + " " + c.Name
}

// essence is a command as JSON with everything left out that Discord adds, or that says no more than its absence. Where
// want leaves the place of use to Discord, what Discord chose does not count.
func essence(c, want *discordgo.ApplicationCommand) any {
	e := *c
	e.ID, e.ApplicationID, e.GuildID, e.Version = "", "", "", ""
	e.Type = max(e.Type, discordgo.ChatApplicationCommand)
	//lint:ignore SA1019 Discord still tells these
	e.DefaultPermission, e.DMPermission = nil, nil
	if want.Contexts == nil {
		e.Contexts = nil
	} else if e.Contexts != nil {
		e.Contexts = ordered(*e.Contexts)
	}
	if want.IntegrationTypes == nil {
		e.IntegrationTypes = nil
	} else if e.IntegrationTypes != nil {
		e.IntegrationTypes = ordered(*e.IntegrationTypes)
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return prune(part[any](text))
}

func ordered[T ~uint](list []T) *[]T {
	list = slices.Sorted(slices.Values(list))
	return &list
}

// prune drops null, false, "", and lists and objects in which nothing is left. A zero is kept: as a least value it means
// something.
func prune(node any) any {
	switch n := node.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, below := range n {
			if below = prune(below); below != nil {
				kept[name] = below
			}
		}
		if len(kept) > 0 {
			return kept
		}
		return nil
	case []any:
		var kept []any
		for _, below := range n {
			kept = append(kept, prune(below))
		}
		if kept == nil {
			return nil
		}
		return kept
	case bool:
		if !n {
			return nil
		}
	case string:
		if n == "" {
			return nil
		}
	}
	return node
}
