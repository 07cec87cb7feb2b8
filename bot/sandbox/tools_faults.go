package sandbox

import (
	"context"
	"time"
)

// toolFault is a trouble to make; each takes the fields that it needs.
type toolFault struct {
	Method       string `json:"method"`
	Path         string `json:"path"` // how it begins, below the version
	Status       int    `json:"status"`
	Code         int    `json:"code"` // Discord's, or the gateway's close code
	Count        int    `json:"count"`
	Milliseconds int    `json:"milliseconds"`
	On           bool   `json:"on"`
	Resumable    bool   `json:"resumable"`
	Interaction  string `json:"interaction"`
	Channel      string `json:"channel"`
	Message      string `json:"message"`
	Server       string `json:"server"`
	Person       string `json:"person"`
	Name         string `json:"name"`
	Locked       bool   `json:"locked"`
	Permissions  uint64 `json:"permissions,string"`
}

func toolFaults() []toolRoute {
	made := []toolRoute{}
	for name, do := range map[string]func(*Sandbox, toolFault) error{
		"fail": func(s *Sandbox, f toolFault) error {
			s.FailNext(f.Method, f.Path, f.Status, f.Code, f.Count)
			return nil
		},
		"recover":         func(s *Sandbox, _ toolFault) error { s.Recover(); return nil },
		"delay":           func(s *Sandbox, f toolFault) error { s.Delay(f.Method, f.Path, f.time()); return nil },
		"mute":            func(s *Sandbox, f toolFault) error { s.Mute(f.On); return nil },
		"drop":            func(s *Sandbox, _ toolFault) error { s.DropGateway(); return nil },
		"close":           func(s *Sandbox, f toolFault) error { s.CloseGateway(f.Code); return nil },
		"shards":          func(s *Sandbox, f toolFault) error { s.RecommendShards(f.Count); return nil },
		"reconnect":       func(s *Sandbox, _ toolFault) error { s.Reconnect(); return nil },
		"invalid-session": func(s *Sandbox, f toolFault) error { s.InvalidSession(f.Resumable); return nil },
		"redeliver":       func(s *Sandbox, f toolFault) error { return s.Redeliver(f.Interaction) },
		"permissions":     func(s *Sandbox, f toolFault) error { return s.SetPermissions(f.Channel, f.Permissions) },
		"manage-roles":    func(s *Sandbox, f toolFault) error { return s.ManageRoles(f.Server, f.On) },
		"delete-message":  func(s *Sandbox, f toolFault) error { return s.DeleteMessage(f.Message) },
		"delete-channel":  func(s *Sandbox, f toolFault) error { return s.DeleteChannel(f.Channel) },
		"archive-thread":  func(s *Sandbox, f toolFault) error { return s.ArchiveThread(f.Channel, f.Locked) },
		"hide":            func(s *Sandbox, f toolFault) error { return s.Hide(f.Channel, f.Person, f.On) },
		"kick":            func(s *Sandbox, f toolFault) error { return s.Kick(f.Server) },
		"invite":          func(s *Sandbox, f toolFault) error { return s.Invite(f.Server) },
		"remove-member":   func(s *Sandbox, f toolFault) error { return s.RemoveMember(f.Server, f.Person) },
		"add-member":      func(s *Sandbox, f toolFault) error { return s.AddMember(f.Server, f.Person) },
		"rename":          func(s *Sandbox, f toolFault) error { return s.Rename(f.Person, f.Name) },
	} {
		made = append(made, toolRoute{"POST", "faults/" + name, posted(func(s *Sandbox, _ context.Context, f toolFault) (any, error) {
			return nil, do(s, f)
		})})
	}
	return made
}

func (f toolFault) time() time.Duration { return time.Duration(f.Milliseconds) * time.Millisecond }
