package rules

import "strings"

// ActionKind is what an action does.
type ActionKind uint8

// The four kinds of action.
const (
	Place ActionKind = iota // a piece from hand to To
	Move                    // a piece from From to To, flying included
	Shoot                   // takes the opposing piece on To out of the game
	Pass                    // does nothing, where the variant has it and nothing else is legal
)

// Action is one place, move, shot or pass. Fields that its kind does not use are zero, so that equal actions compare
// equal.
type Action struct {
	Kind     ActionKind
	From, To Point
}

// passText is how a pass is written.
const passText = "pass"

// ParseAction reads d7, a7-d7, xb4 or pass. Case and surrounding space do not matter. The error is a *SyntaxError, and
// wraps ErrNotAPoint where a point's name is none.
func ParseAction(s string) (Action, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	if text == passText {
		return Action{Kind: Pass}, nil
	}
	if text == "" {
		return Action{}, &SyntaxError{Field: "action", Text: s, Want: "an action such as d7, a7-d7, xb4 or pass"}
	}
	kind, name := Place, text
	var from Point
	if rest, shot := strings.CutPrefix(text, "x"); shot {
		kind, name = Shoot, rest
	} else if origin, rest, moved := strings.Cut(text, "-"); moved {
		p, err := ParsePoint(origin)
		if err != nil {
			return Action{}, err
		}
		kind, from, name = Move, p, rest
	}
	to, err := ParsePoint(name)
	if err != nil {
		return Action{}, err
	}
	return Action{Kind: kind, From: from, To: to}, nil
}

// String writes the action as ParseAction reads it, in lower case, and "?" for a kind that is none.
func (a Action) String() string {
	switch a.Kind {
	case Place:
		return a.To.String()
	case Move:
		return a.From.String() + "-" + a.To.String()
	case Shoot:
		return "x" + a.To.String()
	case Pass:
		return passText
	}
	return "?"
}

// compare orders actions as their texts are ordered.
func (a Action) compare(b Action) int { return strings.Compare(a.String(), b.String()) }

// Turn is what one side does until the other is to move: a place, move or pass, and the shots it earned. A turn that was
// begun elsewhere is shots alone.
type Turn []Action

// ParseTurn reads a turn such as a7-d7xb4xf6. The error is a *SyntaxError, as ParseAction's is.
func ParseTurn(s string) (Turn, error) {
	parts := strings.Split(strings.ToLower(strings.TrimSpace(s)), "x")
	turn := make(Turn, 0, len(parts))
	for i, part := range parts {
		if i > 0 {
			part = "x" + part
		} else if part == "" && len(parts) > 1 {
			continue
		}
		a, err := ParseAction(part)
		if err != nil {
			return nil, err
		}
		turn = append(turn, a)
	}
	if turn[0].Kind == Pass && len(turn) > 1 {
		return nil, &SyntaxError{Field: "turn", Text: s, Want: "no shot after a pass"}
	}
	return turn, nil
}

// String joins the actions of the turn: a7-d7xb4.
func (t Turn) String() string {
	var b strings.Builder
	for _, a := range t {
		b.WriteString(a.String())
	}
	return b.String()
}
