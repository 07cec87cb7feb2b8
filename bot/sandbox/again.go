package sandbox

import (
	"encoding/json"
	"slices"
	"time"
)

// maxAgain bounds how many interactions that were altered can still be answered.
const maxAgain = 4096

// Again makes a new interaction like one that there was, by the same person at the same place, lets its event be altered,
// and delivers that: what no app would send. It can be answered. It returns the new one's id.
func (s *Sandbox) Again(of string, alter func(event map[string]any)) (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.interactions[of]
	if old == nil {
		return "", cannot("there is no such interaction")
	}
	var event map[string]any
	if err := json.Unmarshal(encode(old.payload), &event); err != nil {
		return "", err
	}
	id = s.newID()
	made := &interaction{
		id: id, token: newToken(id), kind: old.kind, by: old.by, channel: old.channel, label: old.label, created: s.now(),
		began: time.Now(), source: old.source, seen: old.seen, done: make(chan struct{}),
	}
	event["id"], event["token"] = made.id, made.token
	alter(event)
	made.payload = event
	s.interactions[made.id] = made
	s.again = append(s.again, made.id)
	if over := len(s.again) - maxAgain; over > 0 {
		for _, gone := range s.again[:over] {
			delete(s.interactions, gone)
		}
		s.again = slices.Delete(s.again, 0, over)
	}
	s.deliver(made)
	return id, nil
}

// Inject delivers an event to every session, whatever it is.
func (s *Sandbox) Inject(kind string, event map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.sessions {
		n.dispatch(kind, event)
	}
}

// Commands lists the global commands that the bot has registered, as it described them.
func (s *Sandbox) Commands() (all []json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.commands {
		all = append(all, encode(c))
	}
	return all
}
