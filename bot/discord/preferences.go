package discord

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"kraal/render"
	"kraal/storage"
)

// The values of a switch.
const (
	switchOn  = "on"
	switchOff = "off"
)

// errNoServerHere: what is kept for each server was asked for where there is none.
var errNoServerHere = errors.New("there is no server here")

// preference is one thing that a member can switch, as it stands in a server.
type preference struct {
	name string
	on   func(m storage.Member, server string) bool
	set  func(m *storage.Member, server string, on bool)
}

// standsIn tells whether a preference can be switched there: in direct messages, where the server is "", nobody is
// challenged by others.
func (p preference) standsIn(server string) bool { return p.name != "challenges" || server != "" }

// notices are the preference for notices: of a turn, an end, a pause.
func notices() preference {
	return preference{
		"notices",
		func(m storage.Member, _ string) bool { return !m.Quiet },
		func(m *storage.Member, _ string, on bool) { m.Quiet = !on },
	}
}

// warnings are the preference for warnings that little time is left. They are apart from notices: whoever wants to hear
// of no turn may still not want to lose by the clock.
func warnings() preference {
	return preference{
		"warnings",
		func(m storage.Member, _ string) bool { return !m.Unwarned },
		func(m *storage.Member, _ string, on bool) { m.Unwarned = !on },
	}
}

// preferences lists all that can be switched.
func preferences() []preference {
	return []preference{
		notices(),
		warnings(),
		{
			"challenges",
			func(m storage.Member, server string) bool { return !slices.Contains(m.Closed, server) },
			openTo,
		},
		{
			"words",
			func(m storage.Member, _ string) bool { return m.Words },
			func(m *storage.Member, _ string, on bool) { m.Words = on },
		},
		{
			"confirm",
			func(m storage.Member, _ string) bool { return m.Confirm },
			func(m *storage.Member, _ string, on bool) { m.Confirm = on },
		},
		dots(),
	}
}

// openTo lets the people of a server challenge a member, or no longer.
func openTo(m *storage.Member, server string, on bool) {
	m.Closed = slices.DeleteFunc(m.Closed, func(s string) bool { return s == server })
	if !on {
		m.Closed = append(m.Closed, server)
	}
}

// preferences is /preferences.
func (r *request) preferences(ctx context.Context) error {
	switch r.in.Sub {
	case "show":
		return r.showPreferences(ctx)
	case "theme":
		return r.chooseTheme(ctx)
	case "pieces":
		return r.choosePieces(ctx)
	case "language":
		return r.tellPrivately(ctx, "PreferenceLanguage", nil)
	}
	for _, p := range preferences() {
		if p.name == r.in.Sub {
			value, _ := r.in.Text("switch")
			return r.prefer(ctx, p, func(bool) bool { return value == switchOn })
		}
	}
	return errUnknownCommand
}

// prefer switches a preference to what becomes of the one that stands, and says what that means.
func (r *request) prefer(ctx context.Context, p preference, become func(on bool) bool) error {
	if !p.standsIn(r.in.Server) {
		return errNoServerHere
	}
	on := false
	err := r.app.SetMember(ctx, r.in.User.ID, func(m *storage.Member) error {
		on = become(p.on(*m, r.in.Server))
		p.set(m, r.in.Server, on)
		return nil
	})
	if err != nil {
		return err
	}
	return r.tellPrivately(ctx, "Preference"+title(p.name)+switchWord(on), nil)
}

// tapSwitch is a button that switches a preference of whoever taps off, or on again.
func tapSwitch(p preference) tapHandler {
	return func(r *request, ctx context.Context, _ control) error {
		return r.prefer(ctx, p, func(on bool) bool { return !on })
	}
}

// themeNames lists the themes that members can choose from.
func themeNames() (names []string) {
	for _, t := range render.Themes() {
		names = append(names, string(t))
	}
	return names
}

// chooseTheme is /preferences theme. The usual one is not noted: whoever has it has what all others have.
func (r *request) chooseTheme(ctx context.Context) error {
	name, _ := r.in.Text("theme")
	if !slices.Contains(themeNames(), name) {
		return errUnknownCommand
	}
	err := r.app.SetMember(ctx, r.in.User.ID, func(m *storage.Member) error {
		m.Theme = name
		if name == string(render.Wood) {
			m.Theme = ""
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.tellPrivately(ctx, "PreferenceTheme"+title(name), nil)
}

// showPreferences lists how everything is switched.
func (r *request) showPreferences(ctx context.Context) error {
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return err
	}
	lines := []string{r.Say("PreferencesTitle", nil)}
	for _, p := range preferences() {
		if !p.standsIn(r.in.Server) {
			continue
		}
		what := r.Say("PreferenceName"+title(p.name), nil)
		state := r.Say("Choice"+switchWord(p.on(member, r.in.Server)), nil)
		lines = append(lines, r.Say("PreferenceLine", args{"What": what, "State": state}))
	}
	theme := title(cmp.Or(member.Theme, string(render.Wood)))
	lines = append(lines,
		r.Say("PreferenceLine", args{"What": r.Say("PreferenceNameTheme", nil), "State": r.Say("Choice"+theme, nil)}),
		r.Say("PreferenceLine", args{"What": r.Say("PreferenceNamePieces", nil), "State": r.piecesWord(member.Pieces)}))
	blocked := r.Say("BlockedNone", nil)
	if n := len(member.Blocked); n > 0 {
		blocked = r.Say("PreferenceBlocked", args{"Count": n})
	}
	lines = append(lines, r.Say("PreferenceLanguage", nil), blocked)
	return r.answer.Private(ctx, private(strings.Join(lines, "\n")))
}

func switchWord(on bool) string {
	if on {
		return title(switchOn)
	}
	return title(switchOff)
}
