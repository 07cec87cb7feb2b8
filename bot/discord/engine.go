package discord

import (
	"context"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// usualLevel is at which level the bot plays where nobody says which.
const usualLevel = 3

// rival is who is challenged: a person, nobody in particular, or the bot at a level.
type rival struct {
	storage.Person
	Level int
}

// itself is the bot as an opponent.
func (b *Bot) itself(level int, say phrases) rival {
	return rival{storage.Person{ID: b.wire.SelfID(), Name: say.Say("BotName", nil)}, level}
}

// levelName is what a level is called.
func levelName(level int, say phrases) string { return say.Say("Level"+strconv.Itoa(level), nil) }

// seatName is who sits at the board; the engine with its level.
func seatName(s storage.Seat, say phrases) string {
	if s.Level == 0 {
		return nameOf(s.Person, say)
	}
	return engineName(s, nameOf(s.Person, say), say)
}

// plainSeatName is seatName where markdown does not count.
func plainSeatName(s storage.Seat, say phrases) string {
	if s.Level == 0 {
		return plainNameOf(s.Person, say)
	}
	return engineName(s, plainNameOf(s.Person, say), say)
}

func engineName(s storage.Seat, name string, say phrases) string {
	return say.Say("EngineSeat", args{"Name": name, "Level": levelName(s.Level, say), "Number": s.Level})
}

// tapEngine asks at which level the bot shall play, privately, where a game may begin. Where it does not play, whoever asks
// is offered the nearest to it.
func (r *request) tapEngine(ctx context.Context, _ control) error {
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	if err := r.checkChannel(s); err != nil {
		return err
	}
	if !r.app.Plays() {
		return r.answer.Private(ctx, wire.Message{
			Content:    r.Say("WelcomeNoEngine", nil),
			Components: row(button(r.Say("ButtonBothSides", nil), control{Verb: verbBoth}.String(), discordgo.PrimaryButton)),
			Ephemeral:  true,
		})
	}
	return r.answer.Private(ctx, wire.Message{
		Content: r.Say("WelcomeLevel", nil), Components: levelMenu(control{Verb: verbLevel}.String(), r.phrases), Ephemeral: true,
	})
}

// levelMenu offers the levels, the weakest first.
func levelMenu(id string, say phrases) []discordgo.MessageComponent {
	var options []discordgo.SelectMenuOption
	for level := 1; level <= match.Levels; level++ {
		options = append(options, discordgo.SelectMenuOption{
			Label: say.Say("LevelChoice", args{"Level": levelName(level, say), "Number": level}), Value: strconv.Itoa(level),
			Description: say.Say("LevelAbout"+strconv.Itoa(level), nil),
		})
	}
	return menu(id, say.Say("MenuLevel", nil), options)
}

// tapLevel begins a game with the bot at the level chosen, as the command does where everything else is left out.
func (r *request) tapLevel(ctx context.Context, _ control) error {
	level, err := strconv.Atoi(strings.Join(r.in.Values, ""))
	if err != nil {
		return errOutdated
	}
	return r.issueByTap(ctx, func() (rival, error) { return r.itself(level, r.phrases), nil })
}

// asides are what a board says besides of the game that it is, not of how it stands.
func asides(m storage.Match, say phrases) []string {
	lines := engineLines(m, say)
	if hints := hintsLine(m, say); hints != "" {
		lines = append(lines, hints)
	}
	if foretold := foretoldLine(m, say); foretold != "" {
		lines = append(lines, foretold)
	}
	return lines
}

// engineLines are what a board says of the engine besides: a draw refused, and how high whoever beat it has come.
func engineLines(m storage.Match, say phrases) (lines []string) {
	side, ok := match.EngineSide(m)
	if !ok {
		return nil
	}
	if match.DrawRefused(m) {
		lines = append(lines, say.Say("BoardDrawRefused", args{"Name": nameOf(m.Seats[side].Person, say)}))
	}
	if m.Camp > 0 && m.Annulled.IsZero() {
		lines = append(lines, campLine(m.Seats[side.Opponent()].Person, m.Camp, say))
	}
	return lines
}

// campLine congratulates somebody on the camp that they have reached.
func campLine(who storage.Person, camp int, say phrases) string {
	a := args{"Name": nameOf(who, say), "Camp": camp, "Of": match.Levels}
	if camp >= match.Levels {
		return say.Say("AscentSummit", a)
	}
	a["Next"], a["Number"] = levelName(camp+1, say), camp+1
	return say.Say("AscentCamp", a)
}

// ascent tells how high a member has come on the mountain, under each of the variants.
func (r *request) ascent(ctx context.Context, id string, variants []rules.Variant) (lines []string, err error) {
	member, err := r.app.Member(ctx, id)
	for _, v := range variants {
		if camp := member.Climbed[v.Key]; camp > 0 {
			lines = append(lines, r.Say("ProfileAscent", args{
				"Variant": variantName(v, r.phrases), "Camp": camp, "Of": match.Levels, "Level": levelName(camp, r.phrases),
			}))
		}
	}
	return lines, err
}
