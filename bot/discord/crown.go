package discord

import (
	"context"
	"strconv"

	"kraal/bot/discord/wire"
	"kraal/storage"
)

// Uncrowned tells whoever chose the channel for announcements, in it, why champions are not given their role.
func (s screen) Uncrowned(ctx context.Context, server storage.Server) error {
	say, mentions := s.words.In(), []string(nil)
	said := say.Say("SettingsSeasonTrouble"+title(server.Season.Trouble), args{"Role": "<@&" + server.Season.Role + ">"})
	if server.Herald != "" {
		mentions = []string{server.Herald}
		said = say.Say("NoticeUncrowned", args{"Mention": memberMention(server.Herald), "Said": said})
	}
	_, err := s.wire.Post(ctx, server.Announce, wire.Message{
		Content: said, Mentions: mentions, Nonce: s.refusalNonce(server), Suppress: true,
	})
	return err
}

// refusalNonce is of this moment: what is told twice has been chosen anew in between, perhaps minutes ago. At most 25
// characters.
func (s screen) refusalNonce(server storage.Server) string {
	return "nu-" + ending(server.ID, 8) + "-" + strconv.FormatInt(s.app.Clock.Now().UnixMilli(), 10)
}

// Crown gives the champions of a season its role, and takes it from those before. First it is taken, so that in no moment
// more people have it than are to.
func (s screen) Crown(ctx context.Context, season storage.Season) (done int, err error) {
	say, at := s.words.In(), 0
	for _, step := range []struct {
		who    []string
		reason string
		do     func(ctx context.Context, server, member, role, reason string) error
	}{
		{season.Former, "ReasonUncrowned", s.wire.TakeRole},
		{season.Champions(), "ReasonCrowned", s.wire.GiveRole},
	} {
		for _, member := range step.who {
			if at++; at <= season.Crowned {
				continue
			}
			err := step.do(ctx, season.Server, member, season.Role, say.Say(step.reason, args{"Number": season.Number}))
			if err != nil && !wire.IsNoMember(err) {
				return at - 1, troubled(err)
			}
		}
	}
	return at, nil
}
