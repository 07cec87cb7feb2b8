package discord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/storage"
)

// Why a season is refused.
var (
	errNoSeasons    = errors.New("the server has no seasons")
	errSeasonLength = errors.New("no such length of a season")
	errEveryone     = errors.New("the role that everyone has")
)

func seasonSentences() []sentence {
	return []sentence{
		{errNoSeasons, "RefuseNoSeasons"},
		{errSeasonLength, "RefuseSeasonLength"},
		{errEveryone, "RefuseEveryone"},
	}
}

// seasonLengths are the choices for how long seasons last; the first is none.
func seasonLengths() []string {
	return []string{
		"off", string(storage.SeasonMonth), string(storage.SeasonQuarter), string(storage.SeasonHalfYear), string(storage.SeasonYear),
	}
}

// setSeason is /settings season.
func (r *request) setSeason(ctx context.Context) error {
	length, _ := r.in.Text("length")
	role, _ := r.in.RoleID("role")
	games, _ := r.in.Int("games")
	switch {
	case !slices.Contains(seasonLengths(), length):
		return errSeasonLength
	case role == r.in.Server:
		return errEveryone
	}
	if length == seasonLengths()[0] {
		length = ""
	}
	err := r.app.SetSeason(ctx, r.in.Server, storage.Seasons{Length: storage.SeasonLength(length), Role: role, Games: int(games)})
	if err != nil {
		return err
	}
	r.chosen = nil // it has changed
	s, err := r.house(ctx)
	if err != nil {
		return err
	}
	lines := r.seasonSettings(s)
	if role != "" && !r.in.MayManageRoles() {
		lines = append(lines, r.Say("SettingsSeasonUnable", args{"Role": r.roleMention(role)}))
	}
	return r.answer.Private(ctx, private(strings.Join(lines, "\n")))
}

// seasonSettings say what is chosen of a server's seasons, and what that means now.
func (r *request) seasonSettings(s storage.Server) []string {
	under, ok := r.app.Season(s)
	if !ok {
		return []string{r.Say("SettingsSeasonOff", nil)}
	}
	id := "SettingsSeason"
	if s.Season.Length == "" {
		id = "SettingsSeasonLast"
	}
	lines := []string{r.Say(id, args{
		"Length": r.seasonLength(s.Season.Length), "Number": under.Number, "Until": relative(under.To),
		"Count": bot.ChampionGames(s.Season),
	})}
	if s.Season.Role != "" {
		lines = append(lines, r.Say("SettingsSeasonRole", args{"Role": r.roleMention(s.Season.Role)}))
	}
	if s.Season.Trouble != "" {
		lines = append(lines, r.Say("SettingsSeasonTrouble"+title(s.Season.Trouble), args{"Role": r.roleMention(s.Season.Role)}))
	}
	return lines
}

func (r *request) seasonLength(length storage.SeasonLength) string {
	if length == "" {
		return ""
	}
	return r.Say("Choice"+title(string(length)), nil)
}

// hall lists who won the server's seasons, the last first.
func (r *request) hall(ctx context.Context) (wire.Message, error) {
	seasons, err := r.app.Hall(ctx, r.in.Server)
	if err != nil {
		return wire.Message{}, err
	}
	if len(seasons) == 0 {
		return private(r.Say("HallEmpty", nil)), nil
	}
	lines := []string{r.Say("HallTitle", nil)}
	for _, s := range seasons {
		lines = append(lines, r.hallLines(s)...)
	}
	return private(wholeLines(lines, r.phrases)), nil
}

func (r *request) hallLines(s storage.Season) []string {
	heading := args{"Number": s.Number, "From": date(s.From), "To": date(s.To.Add(-time.Second))}
	if len(s.Podiums) == 0 {
		return []string{r.Say("HallSeasonEmpty", heading)}
	}
	lines := []string{r.Say("HallSeason", heading)}
	for _, p := range s.Podiums {
		var places []string
		for _, place := range p.Places {
			places = append(places, r.Say("HallPlace", args{
				"Place": place.Place, "Name": r.nameOf(place.Person), "Points": whole(place.Points), "Count": place.Games,
			}))
		}
		lines = append(lines, r.Say("HallVariant", args{"Variant": r.podiumName(p), "Places": strings.Join(places, ", ")}))
	}
	return lines
}

// podiumName is what the game of a podium is called, or was when it could still be played here.
func (r *request) podiumName(p storage.Podium) string {
	if v, ok := r.app.Variant(storage.Server{}, p.Variant); ok {
		return variantName(v, r.phrases)
	}
	return words.Name(p.Name)
}

// date is a day as Discord shows it to each reader.
func date(at time.Time) string { return fmt.Sprintf("<t:%d:D>", at.Unix()) }
