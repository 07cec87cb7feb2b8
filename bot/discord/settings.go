package discord

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/render"
	"kraal/storage"
)

// Why a setting is refused.
var (
	errNotManager = errors.New("somebody who may not manage the server")
	errNotListed  = errors.New("that is not in the list")
)

// maxListed is how many channels or roles a setting lists.
const maxListed = 50

// settings is /settings. That Discord offers it only to those who may manage the server is for a server to change, so the
// right is looked at here too.
func (r *request) settings(ctx context.Context) error {
	h := settingsHandlers()[strings.ReplaceAll(r.in.Sub, " ", "/")]
	switch {
	case r.in.Server == "":
		return errNoServer
	case h == nil:
		return errUnknownCommand
	case !r.in.MayManage():
		return errNotManager
	}
	return h(r, ctx)
}

// house is what the server has chosen. It is read once a request.
func (r *request) house(ctx context.Context) (storage.Server, error) {
	if r.chosen != nil {
		return *r.chosen, nil
	}
	if r.in.Server == "" {
		return storage.Server{}, nil
	}
	s, err := r.app.Settings(ctx, r.in.Server)
	if err == nil {
		r.chosen = &s
	}
	return s, err
}

// change keeps a change of the server's settings, and says privately what was done.
func (r *request) change(ctx context.Context, id string, a args, change func(*storage.Server) error) error {
	if err := r.app.SetSettings(ctx, r.in.Server, change); err != nil {
		return err
	}
	return r.tellPrivately(ctx, id, a)
}

// setVariant is /settings variant: without one, the bot's own default holds again.
func (r *request) setVariant(ctx context.Context) error {
	id, a, key := "SettingsVariantNone", args{}, ""
	if _, given := r.in.Text("variant"); given {
		v, err := r.variantOption(ctx)
		if err != nil {
			return err
		}
		id, a, key = "SettingsVariantSet", args{"Variant": variantName(v, r.phrases)}, v.Key
	}
	return r.change(ctx, id, a, func(s *storage.Server) error { s.Variant = key; return nil })
}

// setClock is /settings clock: without one, games have none.
func (r *request) setClock(ctx context.Context) error {
	clock, given := r.in.Text("clock")
	if given && !slices.Contains(clocks(), clock) {
		return errUnknownClock
	}
	return r.change(ctx, "SettingsClockSet", args{"Clock": clockWord(clock, r.phrases)}, func(s *storage.Server) error {
		s.Clock = clock
		return nil
	})
}

// setThreads is /settings threads.
func (r *request) setThreads(ctx context.Context) error {
	on, _ := r.in.Bool("on")
	id := "SettingsThreadsOff"
	if on {
		id = "SettingsThreadsOn"
	}
	return r.change(ctx, id, nil, func(s *storage.Server) error { s.Threads = on; return nil })
}

// setTheme is /settings theme. The usual one is not noted, as with a member's own.
func (r *request) setTheme(ctx context.Context) error {
	name, _ := r.in.Text("theme")
	if !slices.Contains(themeNames(), name) {
		return errUnknownCommand
	}
	return r.change(ctx, "SettingsThemeSet", args{"Theme": r.themeWord(name)}, func(s *storage.Server) error {
		s.Theme = name
		if name == string(render.Wood) {
			s.Theme = ""
		}
		return nil
	})
}

// themeWord is what a theme is called; "" is the usual one.
func (r *request) themeWord(name string) string {
	return r.Say("Choice"+title(cmp.Or(name, string(render.Wood))), nil)
}

// addChannel is /settings channels add.
func (r *request) addChannel(ctx context.Context) error {
	place, err := r.writable("channel")
	if err != nil {
		return err
	}
	return r.change(ctx, "SettingsChannelAdded", args{"Channel": channelMention(place.ID)}, func(s *storage.Server) error {
		s.Channels, err = added(s.Channels, place.ID)
		return err
	})
}

// removeChannel is /settings channels remove. When the last is gone games may begin everywhere again.
func (r *request) removeChannel(ctx context.Context) error {
	place, _ := r.in.Place("channel")
	return r.change(ctx, "SettingsChannelRemoved", args{"Channel": channelMention(place.ID)}, func(s *storage.Server) (err error) {
		s.Channels, err = removed(s.Channels, place.ID)
		return err
	})
}

// setTV is /settings tv: without a channel there is none.
func (r *request) setTV(ctx context.Context) error {
	err := r.setPlace(ctx, "SettingsTVSet", "SettingsTVOff", func(s *storage.Server, channel string) { s.TV = channel })
	if err == nil {
		r.app.Tune(r.in.Server)
	}
	return err
}

// setAnnounce is /settings announce: without a channel nothing is announced.
func (r *request) setAnnounce(ctx context.Context) error {
	return r.setPlace(ctx, "SettingsAnnounceSet", "SettingsAnnounceOff", func(s *storage.Server, channel string) {
		s.Announce, s.Herald = channel, ""
		if channel != "" {
			s.Herald = r.in.User.ID
		}
	})
}

// setPlace sets a channel, or none where none is given, and says which of the two it was.
func (r *request) setPlace(ctx context.Context, setID, offID string, set func(s *storage.Server, channel string)) error {
	place, id := wire.Place{}, offID
	if _, given := r.in.Place("channel"); given {
		var err error
		if place, err = r.writable("channel"); err != nil {
			return err
		}
		id = setID
	}
	return r.change(ctx, id, args{"Channel": channelMention(place.ID)}, func(s *storage.Server) error {
		set(s, place.ID)
		return nil
	})
}

// setReferees is /settings referees.
func (r *request) setReferees(ctx context.Context) error {
	role, _ := r.in.RoleID("role")
	id, change := "SettingsRefereesAdded", added
	if gone, _ := r.in.Bool("remove"); gone {
		id, change = "SettingsRefereesRemoved", removed
	}
	return r.change(ctx, id, args{"Role": r.roleMention(role)}, func(s *storage.Server) (err error) {
		s.Referees, err = change(s.Referees, role)
		return err
	})
}

func added(list []string, id string) ([]string, error) {
	switch {
	case slices.Contains(list, id):
		return list, nil
	case len(list) >= maxListed:
		return list, bot.ErrTooMany
	}
	return append(list, id), nil
}

func removed(list []string, id string) ([]string, error) {
	if !slices.Contains(list, id) {
		return list, errNotListed
	}
	return slices.DeleteFunc(list, func(one string) bool { return one == id }), nil
}

// showSettings is /settings show: what is set and what that means.
func (r *request) showSettings(ctx context.Context) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	v := r.defaultGame(s)
	lines := []string{
		r.Say("SettingsTitle", nil),
		r.Say("SettingsVariant", args{"Variant": variantName(v, r.phrases)}),
		r.Say("SettingsClock", args{"Clock": clockWord(s.Clock, r.phrases)}),
		r.sayList("SettingsChannels", "SettingsChannelsNone", mentions(s.Channels, channelMention)),
		r.Say(either(s.Threads, "SettingsThreadsOn", "SettingsThreadsOff"), nil),
		r.Say("SettingsThemeSet", args{"Theme": r.themeWord(s.Theme)}),
		r.Say("SettingsPiecesSet", args{"Pieces": r.piecesWord(s.Pieces)}),
		r.sayPlace(s.TV, "SettingsTVSet", "SettingsTVOff"),
		r.sayPlace(s.Announce, "SettingsAnnounceSet", "SettingsAnnounceOff"),
		r.sayPlace(s.Puzzles, "SettingsPuzzlesSet", "SettingsPuzzlesOff"),
		r.sayList("SettingsReferees", "SettingsRefereesNone", mentions(s.Referees, r.roleMention)),
		strings.Join(r.seasonSettings(s), "\n"),
		r.sayList("SettingsHouse", "SettingsHouseNone", r.houseNames(s)),
		r.sayList("SettingsBanned", "SettingsBannedNone", mentions(s.Banned, memberMention)),
	}
	return r.answer.Private(ctx, private(wholeLines(lines, r.phrases)))
}

// sayList says what a list holds, or what it means that it holds nothing.
func (r *request) sayList(id, none string, list []string) string {
	if len(list) == 0 {
		return r.Say(none, nil)
	}
	return r.Say(id, args{"List": strings.Join(list, ", ")})
}

func (r *request) sayPlace(channel, set, off string) string {
	if channel == "" {
		return r.Say(off, nil)
	}
	return r.Say(set, args{"Channel": channelMention(channel)})
}

func mentions(ids []string, mention func(string) string) (made []string) {
	for _, id := range ids {
		made = append(made, mention(id))
	}
	return made
}

func channelMention(id string) string { return "<#" + id + ">" }

func memberMention(id string) string { return "<@" + id + ">" }

// roleMention is a role as Discord shows it to a reader; that of everyone has the server's id.
func (r *request) roleMention(id string) string {
	if id == r.in.Server {
		return r.Say("SettingsEveryone", nil)
	}
	return "<@&" + id + ">"
}

// writable is a channel that was given for an option and in which the bot can do what it is to do there.
func (r *request) writable(option string) (wire.Place, error) {
	place, _ := r.in.Place(option)
	if place.ID == "" {
		return place, errNoPlace
	}
	if !place.Told {
		return place, nil // Discord's refusal is soon enough
	}
	lacks := &placeError{Channel: place.ID}
	for _, name := range wire.MissingPermissions(place.App, place.Thread) {
		lacks.Missing = append(lacks.Missing, r.permissionWord(name))
	}
	if len(lacks.Missing) > 0 {
		return place, lacks
	}
	return place, nil
}

// errNoPlace: no channel came with the request.
var errNoPlace = errors.New("no channel is named")

// placeError refuses a channel in which the bot lacks something.
type placeError struct {
	Channel string
	Missing []string
}

func (e *placeError) Error() string {
	return "missing in " + e.Channel + ": " + strings.Join(e.Missing, ", ")
}

// channelError refuses to begin a game in a channel that the server does not allow.
type channelError struct{ Allowed []string }

func (e *channelError) Error() string {
	return "games begin in " + strings.Join(e.Allowed, ", ") + " alone"
}

// checkChannel refuses a channel in which no games begin. A thread counts as the channel that it belongs to.
func (r *request) checkChannel(s storage.Server) error {
	allowed := func(id string) bool { return id != "" && slices.Contains(s.Channels, id) }
	if len(s.Channels) == 0 || allowed(r.in.Channel) || allowed(r.in.Above) {
		return nil
	}
	return &channelError{Allowed: s.Channels}
}
