package discord

import (
	"errors"

	"kraal/bot"
)

// notNow words why no game can be begun here, now, or with that person. Each limit is named. known is false for any
// other error.
func (r *request) notNow(err error) (text string, known bool) {
	var (
		busy      *bot.BusyError
		pace      *bot.PaceError
		full      *bot.FullError
		unwilling *bot.UnwillingError
	)
	switch {
	case errors.As(err, &busy):
		return r.Say("RefuseBusy", args{"Count": busy.Limit}), true
	case errors.As(err, &pace):
		return r.Say("RefusePace", args{"Count": pace.Limit, "When": relative(pace.When)}), true
	case errors.As(err, &full) && full.Server:
		return r.Say("RefuseFullServer", args{"Count": full.Limit}), true
	case errors.As(err, &full):
		return r.Say("RefuseFullChannel", args{"Count": full.Limit}), true
	case errors.As(err, &unwilling):
		return r.Say("RefuseUnwilling", args{"Name": r.nameOf(unwilling.Who)}), true
	}
	return "", false
}

// ownSentences are the refusals of what a member chooses for themselves.
func ownSentences() []sentence {
	return []sentence{
		{errNoServerHere, "RefuseNoServerHere"},
		{errBlockSelf, "RefuseBlockSelf"},
		{errBlockMe, "RefuseBlockMe"},
		{errBlockBot, "RefuseBlockBot"},
		{errNobody, "RefuseNobody"},
		{bot.ErrBlockedMany, "RefuseBlockedMany"},
		{errReplaced, "RefuseReplaced"},
	}
}
