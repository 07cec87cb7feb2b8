package sandbox

import (
	"encoding/json"
	"strings"
)

// maxMembers is how many members a bot without GUILD_MEMBERS can ask for at once (events/gateway-events, Request Guild
// Members).
const maxMembers = 100

// membersBody asks for members: those with ids, or those whose names begin with a text.
type membersBody struct {
	Server string          `json:"guild_id"`
	Query  *string         `json:"query"`
	Limit  int             `json:"limit"`
	Users  json.RawMessage `json:"user_ids"` // one id, or a list
	Nonce  string          `json:"nonce"`
}

// ids are those that are asked for.
func (b membersBody) ids() (ids []string) {
	var one string
	if json.Unmarshal(b.Users, &one) == nil {
		return []string{one}
	}
	_ = json.Unmarshal(b.Users, &ids)
	return ids
}

// sendMembers answers with GUILD_MEMBERS_CHUNK, or with nothing what needs GUILD_MEMBERS: the whole list. It gives the
// code to close with, or 0.
func (s *Sandbox) sendMembers(n *session, data json.RawMessage) int {
	var asked membersBody
	if json.Unmarshal(data, &asked) != nil {
		return closeDecode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	srv := s.serverByID(asked.Server)
	ids := asked.ids()
	byName := asked.Query != nil && *asked.Query != ""
	if srv == nil || !srv.here || len(ids) > maxMembers || len(ids) == 0 && !byName {
		return 0
	}
	members, missing := []object{}, []string{}
	if byName {
		members = s.named(srv, *asked.Query, asked.Limit)
	}
	for _, id := range ids {
		if p := s.people[id]; p != nil && srv.hasMember(id) {
			members = append(members, wholeMember(p))
		} else {
			missing = append(missing, id)
		}
	}
	chunk := object{"guild_id": srv.ID, "members": members, "chunk_index": 0, "chunk_count": 1}
	if len(missing) > 0 {
		chunk["not_found"] = missing
	}
	if asked.Nonce != "" {
		chunk["nonce"] = asked.Nonce
	}
	n.dispatch("GUILD_MEMBERS_CHUNK", chunk)
	return 0
}

// named are a server's members whose name or display name begins with a text, whatever its case; limit 0 is the most.
func (s *Sandbox) named(srv *server, text string, limit int) []object {
	if limit <= 0 || limit > maxMembers {
		limit = maxMembers
	}
	found := []object{}
	for _, id := range append([]string{botID}, srv.Members...) {
		p := s.people[id]
		fits := strings.HasPrefix(strings.ToLower(p.Username), strings.ToLower(text)) ||
			strings.HasPrefix(strings.ToLower(p.Name), strings.ToLower(text))
		if fits && len(found) < limit {
			found = append(found, wholeMember(p))
		}
	}
	return found
}

// wholeMember is a member with the user that they are.
func wholeMember(p *Person) object {
	m := partialMember(p)
	m["user"] = userJSON(p)
	return m
}
