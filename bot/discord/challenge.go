package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// challengeUser is the command in a person's context menu.
const challengeUser = "Challenge to a game"

// Why a challenge is refused before anything is kept.
var (
	errLevelAndHuman = errors.New("a level and a human opponent exclude each other")
	errBotOpponent   = errors.New("the opponent is another bot")
	errNotHere       = errors.New("the opponent is not in this server")
	errCannotSee     = errors.New("the opponent cannot see the channel")
	errNoServer      = errors.New("a challenge needs a server")
	errUnknownColour = errors.New("no such colour")
	errUnknownClock  = errors.New("no such clock")
)

// defaultVariant is played where nobody says which.
const defaultVariant = "morabaraba"

// clocks are the values of the option.
func clocks() (words []string) {
	for _, c := range match.Controls() {
		words = append(words, c.Word)
	}
	return words
}

// challenge is /challenge, and the command in a person's menu.
func (r *request) challenge(ctx context.Context) error {
	if err := r.issue(ctx, r.opponent, postScreen{r}); err != nil {
		return err
	}
	return r.answer.Done(ctx)
}

// issue makes a challenge, and returns when showing it has been tried: through via, or in the channel.
func (r *request) issue(ctx context.Context, opponent opponent, via bot.Shower) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	if err := r.checkChannel(s); err != nil {
		return err
	}
	terms, err := r.terms(ctx, s, opponent)
	if err != nil {
		return err
	}
	if missing := r.missingPermissions(); len(missing) > 0 {
		return &permissionError{Missing: missing}
	}
	done, err := r.app.Challenge(ctx, terms, via)
	if err != nil {
		return err
	}
	r.game = done.Match
	r.await(ctx, done.Told)
	return nil
}

// opponent finds out who is challenged; a person without an id is anyone who likes.
type opponent func() (rival, error)

// terms reads what is proposed, and takes the defaults for what is left out.
func (r *request) terms(ctx context.Context, s storage.Server, opponent opponent) (match.Terms, error) {
	t := match.Terms{
		Request: r.in.ID, Server: r.in.Server, Channel: r.in.Channel, Above: r.in.Above, Challenger: r.person(),
		Colour: "random", Clock: cmp.Or(s.Clock, "none"),
	}
	against, err := opponent()
	if err != nil {
		return t, err
	}
	if t.Opponent, t.Level = against.Person, against.Level; t.Level > 0 {
		t.Clock = "none" // a server's own clock is meant for two people
	} else if r.in.Server == "" {
		return t, errNoServer
	}
	if t.Variant, err = r.variantOption(ctx); err != nil {
		return t, err
	}
	if colour, ok := r.in.Text("colour"); ok {
		if !slices.Contains([]string{"white", "black", "random"}, colour) {
			return t, errUnknownColour
		}
		t.Colour = colour
	}
	if clock, ok := r.in.Text("clock"); ok {
		if !slices.Contains(clocks(), clock) {
			return t, errUnknownClock
		}
		t.Clock = clock
	}
	return t, r.ratedTerms(&t)
}

// opponent is who is challenged: nobody in particular where the option is left out, the bot at a level where one is given.
// In direct messages there is nobody else.
func (r *request) opponent() (rival, error) {
	user, named := r.in.Person("opponent")
	if r.in.Name == challengeUser {
		user, named = r.in.TargetUser()
	}
	n, level := r.in.Int("level")
	switch {
	case level && named && user.ID != r.wire.SelfID():
		return rival{}, errLevelAndHuman
	case level:
		return r.atLevel(n)
	case !named && r.in.Name == challengeUser:
		return rival{}, errNotHere // the menu's person did not come with the request
	case !named && r.in.Server == "":
		return r.itself(usualLevel, r.phrases), nil
	case !named:
		return rival{}, nil
	}
	return r.against(user)
}

// atLevel is the bot at the level that somebody named.
func (r *request) atLevel(n int64) (rival, error) {
	if n < 1 || n > match.Levels {
		return rival{}, &match.LevelError{Level: int(n)}
	}
	return r.itself(int(n), r.phrases), nil
}

// against makes an opponent of somebody who was named, the bot itself included.
func (r *request) against(user wire.User) (rival, error) {
	switch {
	case user.ID == r.wire.SelfID():
		return r.itself(usualLevel, r.phrases), nil
	case r.in.Server == "":
		return rival{}, errNoServer
	case user.Bot:
		return rival{}, errBotOpponent
	case !user.Member:
		return rival{}, errNotHere
	case user.Blind:
		return rival{}, errCannotSee
	}
	return rival{Person: storage.Person{ID: user.ID, Name: user.Name}}, nil
}

// ratedTerms settles whether the game counts: as asked, but never with rules that are not those of its ladder.
func (r *request) ratedTerms(t *match.Terms) error {
	asked, said := r.in.Bool("rated")
	t.Rated = asked || !said
	flying, ok := r.in.Bool("flying")
	if !ok || flying == t.Variant.Flies {
		return nil
	}
	changed, err := t.Variant.Set("flies", fmt.Sprint(flying))
	if err != nil {
		return err
	}
	t.Variant = changed
	t.Rated = t.Rated && isBuiltin(changed) && changed.LeavesOpen("flies")
	return nil
}

// postScreen shows a new challenge as the public answer to the command.
type postScreen struct{ *request }

// Show answers with the challenge; where the command could not be answered in time, or the match has gone on, the
// channel is used instead.
func (s postScreen) Show(ctx context.Context, m storage.Match) (storage.Shown, error) {
	if m.Shown.Message != "" {
		return storage.Shown{}, errOtherMessage
	}
	inThread := m.State == storage.Playing && m.Shown.ToThread // a game that begins without an answer
	message := wire.Message{Content: (screen{s.Bot}).anchorLines(m, "", s.words.In()), Suppress: true}
	if !inThread {
		var err error
		if message, err = s.boardMessage(ctx, m, s.words.In()); err != nil {
			return storage.Shown{}, err
		}
	}
	id, err := s.answer.Public(ctx, message)
	if err != nil {
		return storage.Shown{}, err
	}
	if inThread {
		m.Shown.Channel, m.Shown.Message, m.Shown.Posted = s.in.Channel, id, s.app.Clock.Now().UTC()
		return screen{s.Bot}.Show(ctx, m)
	}
	return storage.Shown{Channel: s.in.Channel, Message: id, Revision: m.Revision, Posted: s.app.Clock.Now().UTC()}, nil
}

// challengeMessage is a challenge that waits. It mentions the person challenged.
func (b *Bot) challengeMessage(m storage.Match, say phrases) wire.Message {
	tap := func(verb string) string { return control{Game: m.ID, Revision: m.Revision, Verb: verb}.String() }
	message := wire.Message{Content: b.challengeLines(m, say), Nonce: nonce("c", m), Suppress: true}
	controls := []discordgo.MessageComponent{button(say.Say("ButtonAccept", nil), tap(verbAccept), discordgo.SuccessButton)}
	if m.Opponent.ID != "" {
		if m.Shown.Message == "" { // shown anew, it calls nobody again
			message.Mentions = []string{m.Opponent.ID}
		}
		controls = append(controls, button(say.Say("ButtonDecline", nil), tap(verbDecline), discordgo.DangerButton))
	}
	message.Components = row(append(controls,
		button(say.Say("ButtonCancel", nil), tap(verbCancel), discordgo.SecondaryButton),
		button(say.Say("ButtonHowTo", nil), tap(verbHowTo), discordgo.SecondaryButton),
	)...)
	return message
}

// challengeLines are the words of a challenge: who, what, how.
func (b *Bot) challengeLines(m storage.Match, say phrases) string {
	a := args{"Challenger": nameOf(m.Challenger, say)}
	id := "ChallengeOpen"
	if m.Opponent.ID != "" {
		id, a["Opponent"] = "ChallengePerson", mentionOf(m.Opponent)
	}
	lines := []string{say.Say(id, a), b.titleLine(m, say), say.Say("ChallengeColour"+colourWord(m.Colour), a)}
	if changes := changedRules(m.Variant, say); changes != "" {
		lines = append(lines, say.Say("ChallengeRules", args{"Changes": changes}))
	}
	if m.Variant.TwoMinuteRule() && !match.HasClock(m) {
		lines = append(lines, say.Say("ChallengeProtest", nil))
	}
	if m.State == storage.Challenged {
		lines = append(lines, say.Say("ChallengeExpires", args{"When": relative(m.Expires)}))
	}
	return strings.Join(lines, "\n")
}

// colourWord ends the id of a message about the challenger's colour.
func colourWord(colour string) string {
	switch colour {
	case rules.White.String():
		return "White"
	case rules.Black.String():
		return "Black"
	}
	return "Random"
}

// withdrawnLines are the words of a match that came to nothing: what it was, and why.
func (b *Bot) withdrawnLines(m storage.Match, say phrases) string {
	if m.Ending == storage.Aborted || m.Ending == storage.CalledOff || m.Ending == storage.Voided && !m.Started.IsZero() {
		return strings.Join([]string{b.titleLine(m, say), b.seatsLine(m, say), b.withdrawn(m, say)}, "\n")
	}
	return b.challengeLines(m, say) + "\n" + b.withdrawn(m, say)
}

// withdrawn says how a match came to nothing.
func (b *Bot) withdrawn(m storage.Match, say phrases) string {
	return say.Say(map[storage.Ending]string{
		storage.Declined: "ChallengeDeclined", storage.Cancelled: "ChallengeCancelled", storage.Expired: "ChallengeExpired",
		storage.Aborted: "ChallengeAborted", storage.CalledOff: "ChallengeCalledOff", storage.Voided: "ChallengeVoided",
	}[m.Ending], args{
		"Challenger": nameOf(m.Challenger, say), "Opponent": nameOf(m.Opponent, say), "Absent": nameOf(absent(m), say),
		"Name": nameOf(m.Seats[match.CalledOffBy(m)].Person, say),
	})
}

// absent is who did not make a first turn in time.
func absent(m storage.Match) storage.Person {
	t, err := match.Look(m)
	if err != nil {
		return storage.Person{}
	}
	return m.Seats[t.ToMove()].Person
}
