package sandbox

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"
)

// epoch is where the time in an id starts (reference, Snowflakes).
var epoch = time.UnixMilli(1420070400000)

// state is everything that there is. The sandbox's lock guards it.
type state struct {
	now          func() time.Time
	lastID       uint64
	rev          uint64 // the newest revision of a message
	names        uint64 // grows when somebody or something is called otherwise
	people       map[string]*Person
	servers      []*server
	channels     map[string]*channel
	messages     map[string]*message
	commands     []command // global ones, as registered
	serverCmds   map[string][]command
	creates      map[string][]time.Time // when commands were created, by server
	sessions     map[string]*session
	identifies   []time.Time // when sessions were begun, of the last day
	connections  map[*connection]bool
	interactions map[string]*interaction
	again        []string          // interactions that were altered, the oldest first
	nonces       map[string]string // channel and nonce: the message that it made
	requests     []Request
	violations   []Violation
	faults       faults
	buckets      map[string]*bucket

	noted        int // requests, ever
	requestBytes int // that came with those kept
	stripped     int // requests at the front of which no more is kept than that they were
}

type server struct {
	Server
	here    bool      // the bot is a member
	manages bool      // the bot may manage roles
	joined  time.Time // when it became one
	left    []string  // people who were members once
}

type channel struct {
	Channel
	server   *server         // nil: direct messages
	with     string          // the person of direct messages
	allow    uint64          // what the bot may do here; of a thread what it may do in its channel counts
	above    *channel        // of a thread: its channel
	hidden   map[string]bool // people who do not see it
	owner    string          // of a thread: who started it
	hide     int             // of a thread: minutes without a message after which Discord would archive it
	created  time.Time
	archived bool
	locked   bool
	order    []string // ids of its messages, oldest first
}

func newState(w World, now func() time.Time) state {
	st := state{
		now: now, people: map[string]*Person{}, channels: map[string]*channel{}, messages: map[string]*message{},
		serverCmds: map[string][]command{}, creates: map[string][]time.Time{}, sessions: map[string]*session{}, connections: map[*connection]bool{},
		interactions: map[string]*interaction{},
		nonces:       map[string]string{}, buckets: map[string]*bucket{},
	}
	st.people[botID] = &Person{ID: botID, Username: "kraal", Name: "Kraal", Bot: true}
	for _, p := range w.People {
		st.people[p.ID] = &p
	}
	for _, v := range w.Servers {
		srv := &server{Server: v, here: true, joined: epoch}
		srv.Members = slices.Clone(v.Members)
		srv.Channels, srv.Roles = slices.Clone(v.Channels), slices.Clone(v.Roles)
		for i := range srv.Roles {
			srv.Roles[i].Members = slices.Clone(srv.Roles[i].Members)
		}
		st.servers = append(st.servers, srv)
		for _, c := range v.Channels {
			st.channels[c.ID] = &channel{Channel: c, server: srv, allow: defaultPermissions, owner: v.Owner, hide: oneDay, created: now()}
		}
		for _, c := range v.Channels {
			st.channels[c.ID].above = st.channels[c.Parent]
		}
	}
	return st
}

// newID is an id that is unique and grows with time.
func (st *state) newID() string {
	id := uint64(st.now().Sub(epoch).Milliseconds()) << 22
	st.lastID = max(id, st.lastID+1)
	return strconv.FormatUint(st.lastID, 10)
}

// revise marks a message as changed, or gone: whoever remembers a revision finds what came after. The lock is held.
func (st *state) revise(m *message) {
	st.rev++
	m.rev = st.rev
}

// timeOf is when an id was made.
func timeOf(id string) time.Time {
	n, _ := strconv.ParseUint(id, 10, 64)
	return epoch.Add(time.Duration(n>>22) * time.Millisecond)
}

func (st *state) serverByID(id string) *server {
	for _, srv := range st.servers {
		if srv.ID == id {
			return srv
		}
	}
	return nil
}

func (srv *server) hasMember(id string) bool {
	return srv != nil && (id == botID || slices.Contains(srv.Members, id))
}

// Wire forms. They are maps where Discord's objects have many fields that nobody here reads.
type object = map[string]any

func userJSON(p *Person) object {
	return object{
		"id": p.ID, "username": p.Username, "discriminator": "0", "global_name": p.Name, "avatar": nil, "bot": p.Bot,
		"public_flags": 0, "flags": 0, "primary_guild": nil,
	}
}

func memberJSON(p *Person, permissions uint64) object {
	return object{
		"user": userJSON(p), "nick": nil, "avatar": nil, "banner": nil, "roles": []string{}, "joined_at": epoch.UTC().Format(time.RFC3339),
		"premium_since": nil, "deaf": false, "mute": false, "pending": false, "flags": 0,
		"communication_disabled_until": nil, "permissions": strconv.FormatUint(permissions, 10),
	}
}

func channelJSON(c *channel) object {
	o := object{"id": c.ID, "type": c.Type, "flags": 0, "last_message_id": nil}
	if c.server != nil {
		o["guild_id"], o["name"], o["rate_limit_per_user"] = c.server.ID, c.Name, 0
	}
	if c.server != nil && c.Parent == "" {
		maps.Copy(o, object{
			"position": c.position(), "parent_id": nil, "topic": nil, "nsfw": false, "permission_overwrites": c.overwrites(),
		})
	}
	if n := len(c.order); n > 0 {
		o["last_message_id"] = c.order[n-1]
	}
	if c.Parent != "" {
		o["parent_id"], o["owner_id"] = c.Parent, c.owner
		o["message_count"], o["total_message_sent"], o["member_count"] = len(c.order), len(c.order), 1
		o["thread_metadata"] = object{
			"archived": c.archived, "locked": c.locked, "auto_archive_duration": c.hide,
			"archive_timestamp": c.created.UTC().Format(time.RFC3339), "create_timestamp": c.created.UTC().Format(time.RFC3339),
		}
	}
	return o
}

func serverJSON(srv *server, st *state) object {
	channels, threads := []object{}, []object{}
	for _, c := range srv.Channels {
		ch := st.channels[c.ID]
		switch {
		case ch == nil, ch.archived: // only threads that are not archived are told of at first
		case ch.Parent != "":
			threads = append(threads, channelJSON(ch))
		default:
			channels = append(channels, channelJSON(ch))
		}
	}
	me := wholeMember(st.people[botID])
	o := guildJSON(srv)
	maps.Copy(o, object{
		"unavailable": false, "large": false, "member_count": len(srv.Members) + 1, "channels": channels, "threads": threads,
		"members": []object{me}, "joined_at": srv.joined.UTC().Format(time.RFC3339Nano), "voice_states": []any{}, "presences": []any{},
		"stage_instances": []any{}, "guild_scheduled_events": []any{}, "soundboard_sounds": []any{},
	})
	return o
}

// encode is JSON of what is always encodable.
func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`null`)
	}
	return raw
}
