package sandbox

import (
	"context"
	"encoding/json"
	"math"
)

// toolAct is what somebody does: As acts in a channel or on a message.
type toolAct struct {
	As          string         `json:"as"`
	Channel     string         `json:"channel"`
	Message     string         `json:"message"`
	Command     string         `json:"command"` // "settings show" for a sub-command
	Options     map[string]any `json:"options"`
	Focused     string         `json:"focused"` // the option being typed
	Target      string         `json:"target"`  // of a person's menu; of a message's, it is the message
	Control     string         `json:"control"` // custom id or label; "" for the only menu
	Values      []string       `json:"values"`
	Content     string         `json:"content"`
	Interaction string         `json:"interaction"` // that was answered with the form
	Fields      map[string]any `json:"fields"`      // of a form, by custom id
	Stale       bool           `json:"stale"`       // the control is one that the message had once
	Wait        bool           `json:"wait"`        // for what a deferred answer says in the end
}

// toolReply is how the bot answered.
type toolReply struct {
	Interaction string          `json:"interaction"`
	Failed      bool            `json:"failed"`
	Type        int             `json:"type"`
	Message     toolMessage     `json:"message"`
	Form        json.RawMessage `json:"form,omitempty"` // that the answer is
}

func toolActs() []toolRoute {
	return []toolRoute{
		{"POST", "slash", posted(replied(func(a *Actor, ctx context.Context, in toolAct) (*Reply, error) {
			return a.Slash(ctx, in.Channel, in.Command, whole(in.Options))
		}))},
		{"POST", "menu", posted(replied(func(a *Actor, ctx context.Context, in toolAct) (*Reply, error) {
			if in.Message != "" {
				return a.MessageCommand(ctx, in.Command, in.Message)
			}
			return a.UserCommand(ctx, in.Channel, in.Command, in.Target)
		}))},
		{"POST", "press", posted(replied(func(a *Actor, ctx context.Context, in toolAct) (*Reply, error) {
			if in.Stale {
				return a.PressStale(ctx, in.Message, in.Control)
			}
			return a.Press(ctx, in.Message, in.Control)
		}))},
		{"POST", "select", posted(replied(func(a *Actor, ctx context.Context, in toolAct) (*Reply, error) {
			if in.Stale {
				return a.SelectStale(ctx, in.Message, in.Control, in.Values...)
			}
			return a.Select(ctx, in.Message, in.Control, in.Values...)
		}))},
		{"POST", "submit", posted(replied(func(a *Actor, ctx context.Context, in toolAct) (*Reply, error) {
			return a.Submit(ctx, in.Interaction, in.Fields)
		}))},
		{"POST", "complete", posted((*Sandbox).toolComplete)},
		{"POST", "say", posted((*Sandbox).toolSay)},
		{"POST", "direct", posted((*Sandbox).toolDirect)},
	}
}

// replied runs an act and gives the answer to it.
func replied(do func(*Actor, context.Context, toolAct) (*Reply, error)) func(*Sandbox, context.Context, toolAct) (any, error) {
	return func(s *Sandbox, ctx context.Context, in toolAct) (any, error) {
		reply, err := do(s.As(in.As), ctx, in)
		if err != nil {
			return nil, err
		}
		if in.Wait && !reply.Failed {
			if reply.Message, err = reply.Wait(ctx); err != nil {
				return nil, err
			}
		}
		return toolReply{reply.Interaction, reply.Failed, reply.Type, asTool(reply.Message), reply.Form}, nil
	}
}

func (s *Sandbox) toolComplete(ctx context.Context, in toolAct) (any, error) {
	choices, err := s.As(in.As).Complete(ctx, in.Channel, in.Command, whole(in.Options), in.Focused)
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, c := range choices {
		list = append(list, object{"name": c.Name, "value": c.Value})
	}
	return object{"choices": list}, nil
}

func (s *Sandbox) toolSay(_ context.Context, in toolAct) (any, error) {
	id, err := s.Say(in.As, in.Channel, in.Content)
	return object{"message": id}, err
}

func (s *Sandbox) toolDirect(_ context.Context, in toolAct) (any, error) {
	s.mu.Lock()
	known := s.people[in.As] != nil
	s.mu.Unlock()
	if !known {
		return nil, errUnknownUser
	}
	return object{"channel": s.As(in.As).Direct()}, nil
}

// whole makes whole numbers of JSON's where they are whole.
func whole(options map[string]any) map[string]any {
	made := make(map[string]any, len(options))
	for name, value := range options {
		if f, ok := value.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			value = int(f)
		}
		made[name] = value
	}
	return made
}
