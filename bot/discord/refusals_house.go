package discord

import (
	"errors"
	"strings"

	"kraal/bot"
	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/rules"
)

// houseSentences is the table of refusals about a server's settings and by its referees.
func houseSentences() []sentence {
	return []sentence{
		{match.ErrNotCounted, "RefuseNotCounted"},
		{match.ErrAnnulled, "RefuseAnnulled"},
		{bot.ErrBanned, "RefuseBanned"},
		{bot.ErrBannedOpponent, "RefuseBannedOpponent"},
		{bot.ErrHouseName, "RefuseHouseName"},
		{bot.ErrHouseTaken, "RefuseHouseTaken"},
		{bot.ErrHouseSame, "RefuseHouseSame"},
		{bot.ErrHouseUnknown, "RefuseHouseUnknown"},
		{bot.ErrTooMany, "RefuseTooMany"},
		{errNotManager, "RefuseNotManager"},
		{errNotReferee, "RefuseNotReferee"},
		{errNotListed, "RefuseNotListed"},
		{errNoPlace, "RefuseNoPlace"},
		{errUnknownResult, "RefuseUnknownResult"},
	}
}

// houseRefusal words what a server's settings forbid, and settings that cannot be.
func (r *request) houseRefusal(err error) (text string, ok bool) {
	var (
		channel *channelError
		board   *boardChannelError
		place   *placeError
		column  *rules.ColumnError
	)
	switch {
	case errors.As(err, &channel):
		return r.Say("RefuseChannel", args{"Channels": strings.Join(mentions(channel.Allowed, channelMention), ", ")}), true
	case errors.As(err, &board):
		return r.Say("RefuseBoardChannel", args{
			"Channels": strings.Join(mentions(board.Allowed, channelMention), ", "), "Link": boardLink(board.Match),
		}), true
	case errors.As(err, &place):
		return r.Say("RefusePlace", args{
			"Count": len(place.Missing), "Channel": channelMention(place.Channel), "Permissions": strings.Join(place.Missing, ", "),
		}), true
	case errors.As(err, &column):
		return r.columnRefusal(column), true
	}
	return "", false
}

// columnRefusal says which columns there are, or which values one takes.
func (r *request) columnRefusal(e *rules.ColumnError) string {
	values, known := rules.ColumnValues(e.Column)
	a := args{
		"Column": words.Name(e.Column), "Value": words.Name(e.Value), "Words": code(values.Words),
		"Min": values.Min, "Max": values.Max, "Except": values.Except,
	}
	switch {
	case !known:
		a["Words"] = code(rules.Columns())
		return r.Say("RefuseColumn", a)
	case len(values.Words) > 0:
		return r.Say("RefuseColumnWords", a)
	case values.Except >= 0:
		return r.Say("RefuseColumnNumberBut", a)
	}
	return r.Say("RefuseColumnNumber", a)
}

// code is a list of words to be typed as they are.
func code(list []string) string {
	var b strings.Builder
	for i, word := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("`" + word + "`")
	}
	return b.String()
}
