package discord

import (
	"context"
	"errors"
	"slices"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// errNotReferee: somebody who decides nothing here.
var errNotReferee = errors.New("not a referee of this server")

// referee is /referee.
func (r *request) referee(ctx context.Context) error {
	h := refereeHandlers()[r.in.Sub]
	switch {
	case r.in.Server == "":
		return errNoServer
	case h == nil:
		return errUnknownCommand
	}
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	if !r.isReferee(s) {
		return errNotReferee
	}
	return h(r, ctx)
}

// isReferee tells whether the person has one of the roles that the server has named, or may manage it.
func (r *request) isReferee(s storage.Server) bool {
	return r.in.MayManage() || slices.ContainsFunc(s.Referees, func(role string) bool {
		return role == r.in.Server || slices.Contains(r.in.Roles, role) // the first is that of everyone
	})
}

// endGame is /referee end.
func (r *request) endGame(ctx context.Context) error {
	asked, _ := r.in.Text("result")
	result, ok := map[string]rules.Result{
		"white": rules.WhiteWins, "black": rules.BlackWins, "draw": rules.Drawn, "none": rules.Undecided,
	}[asked]
	if !ok {
		return errUnknownResult
	}
	return r.decide(ctx, match.End{Result: result}, "RefereeEnded", nil)
}

// errUnknownResult: a result that is none of the choices.
var errUnknownResult = errors.New("no such result")

// annulGame is /referee annul.
func (r *request) annulGame(ctx context.Context) error {
	return r.decide(ctx, match.Annul{}, "RefereeAnnulled", nil)
}

// moveGame is /referee move.
func (r *request) moveGame(ctx context.Context) error {
	place, err := r.writable("channel")
	if err != nil {
		return err
	}
	return r.decide(ctx, match.Relocate{Channel: place.ID}, "RefereeMoved", args{"Channel": channelMention(place.ID)})
}

// orderCount is /referee standing.
func (r *request) orderCount(ctx context.Context) error {
	id := "RefereeStanding"
	off, _ := r.in.Bool("remove")
	if off {
		id = "RefereeStandingOff"
	}
	return r.decide(ctx, match.Standing{On: !off}, id, nil)
}

// decide carries out what a referee decided about a game of this server, and says so privately. A referee who plays in
// another server is a player there, and no more.
func (r *request) decide(ctx context.Context, do match.Deed, id string, a args) error {
	asked, _ := r.in.Text("game")
	m, err := r.app.Visible(ctx, r.asker(), asked)
	r.game = m
	if err != nil {
		return err
	}
	if m.Server != r.in.Server {
		return bot.ErrUnknownGame
	}
	done, err := r.app.Do(ctx, m.ID, r.act(do), nil)
	if err != nil {
		return err
	}
	r.game = done.Match
	r.await(ctx, done.Told)
	if r.game, err = r.app.Visible(ctx, r.asker(), m.ID); err != nil {
		return err
	}
	all := args{"Game": m.ID, "Link": boardLink(r.game)}
	for name, value := range a {
		all[name] = value
	}
	return r.answer.Private(ctx, wire.Message{Content: r.Say(id, all), Ephemeral: true, Suppress: true})
}

// ban is /referee ban.
func (r *request) ban(ctx context.Context) error {
	user, ok := r.in.Person("user")
	if !ok {
		return errNotHere
	}
	lift, _ := r.in.Bool("remove")
	member := storage.Person{ID: user.ID, Name: user.Name}
	changed, err := r.app.Ban(ctx, r.in.Server, r.person(), member, lift)
	if err != nil {
		return err
	}
	id := either(lift, "RefereeUnbanned", "RefereeBanned")
	if !changed {
		id = either(lift, "RefereeNotBanned", "RefereeBannedAlready")
	}
	return r.tellPrivately(ctx, id, args{"Name": r.nameOf(member)})
}

// refereeLog is /referee log: the last acts first.
func (r *request) refereeLog(ctx context.Context) error {
	acts, err := r.app.Acts(ctx, r.in.Server)
	if err != nil {
		return err
	}
	if len(acts) == 0 {
		return r.tellPrivately(ctx, "RefereeLogNone", nil)
	}
	lines := []string{r.Say("RefereeLogTitle", args{"Count": len(acts)})}
	for _, a := range acts {
		lines = append(lines, r.actLine(a))
	}
	return r.answer.Private(ctx, private(wholeLines(lines, r.phrases)))
}

func (r *request) actLine(a storage.Act) string {
	result := ""
	if a.Kind == storage.ActEnd {
		result = r.Say(resultID(rules.Result(a.Said)), nil)
	}
	return r.Say("Refereed"+title(string(a.Kind)), args{
		"When": clockTime(a.At), "Name": r.nameOf(a.By), "Game": a.Match, "Member": r.nameOf(a.Member),
		"Channel": channelMention(a.Said), "Result": result,
	})
}

// resultID is the message for a result in a list.
func resultID(result rules.Result) string {
	winner, won := result.Winner()
	switch {
	case won && winner == rules.White:
		return "RefereedResultWhite"
	case won:
		return "RefereedResultBlack"
	case result == rules.Drawn:
		return "RefereedResultDraw"
	}
	return "RefereedResultNone"
}

// completeRefereed lists the games of the server that a referee may decide about: those in play, then the last to end.
func (r *request) completeRefereed(ctx context.Context, typed string) ([]wire.Choice, error) {
	games, err := r.serverGames(ctx)
	if err != nil {
		return nil, err
	}
	if r.in.Sub == "annul" {
		if games, err = r.app.FinishedIn(ctx, r.in.Server, maxChoices); err != nil {
			return nil, err
		}
	}
	return r.gameChoices(games, typed), nil
}
