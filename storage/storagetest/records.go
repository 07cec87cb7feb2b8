package storagetest

import (
	"fmt"
	"time"

	"kraal/rules"
	"kraal/storage"
)

// noon is a time to count from.
func noon() time.Time { return time.Date(2026, time.March, 1, 12, 0, 0, 123456789, time.UTC) }

// minute is noon and n minutes.
func minute(n int) time.Time { return noon().Add(time.Duration(n) * time.Minute) }

// challenge is a challenge of anna to ben in server kgotla, made in that minute.
func challenge(id string, made int) storage.Match {
	variant, _ := rules.Lookup("morabaraba")
	return storage.Match{
		ID: id, State: storage.Challenged, Server: "kgotla", Channel: "games", Variant: variant, Clock: "5+3", Rated: true,
		Challenger: storage.Person{ID: "anna", Name: "Anna"}, Opponent: storage.Person{ID: "ben", Name: "Ben"},
		Colour: "random", Created: minute(made), Expires: minute(made + 60), Revision: 1,
	}
}

// accepted is the match that a challenge becomes in that minute.
func accepted(m storage.Match, at int) storage.Match {
	m.State, m.Started, m.Expires = storage.Playing, minute(at), time.Time{}
	m.Seats = [2]storage.Seat{{Person: m.Opponent, Points: 1500, Deviation: 500}, {Person: m.Challenger}}
	m.Revision++
	return m
}

// moved is the match after one more action.
func moved(m storage.Match, action string, at int) storage.Match {
	m.Deeds = append(m.Deeds[:len(m.Deeds):len(m.Deeds)], storage.Deed{Action: action, At: minute(at)})
	m.Revision++
	return m
}

// finished is the match after white has won it in that minute.
func finished(m storage.Match, at int) storage.Match {
	m.State, m.Ended, m.NoticeAt = storage.Finished, minute(at), time.Time{}
	m.Result, m.Reason = rules.WhiteWins, rules.Resignation
	m.Revision++
	return m
}

// told is the match when people see its newest revision.
func told(m storage.Match) storage.Match {
	m.Shown = storage.Shown{Channel: m.Channel, Message: "m-" + m.ID, Revision: m.Revision, Posted: m.Created}
	return m
}

// rated is a member's rating under morabaraba among all.
func rated(member string, points float64) storage.Rating {
	return storage.Rating{
		Pool: storage.GlobalPool, Variant: "morabaraba", Member: member, Name: "The " + member,
		Points: points, Deviation: 80.25, Volatility: 0.09, Wins: 3, Losses: 1, At: noon(), Weighed: true, Lapses: minute(90),
		Monday: 1480.5, White: 3, Black: 1, Best: storage.Win{Match: "a1", Over: storage.Person{ID: "ben", Name: "Ben"}, Points: 1700},
	}
}

// played is a member's tally among all, with so many wins.
func played(member string, wins int) storage.Tally {
	return storage.Tally{
		Pool: storage.GlobalPool, Member: member, Name: "The " + member, Wins: wins, Draws: 2, Losses: 1, At: noon(),
	}
}

// unranked is such a rating that is too uncertain to be ranked.
func unranked(member string, points float64) storage.Rating {
	r := rated(member, points)
	r.Lapses = time.Time{}
	return r
}

// season is one of server kgotla's that is over.
func season(number int) storage.Season {
	return storage.Season{
		Server: "kgotla", Number: number, From: noon(), To: minute(number), Role: "crown", Former: []string{"ben"}, Uncrowned: true,
		Crowned: 1,
		Podiums: []storage.Podium{{Variant: "nine", Name: "Nine", Places: []storage.Place{
			{Person: storage.Person{ID: "anna", Name: "Anna"}, Place: 1, Points: 1650.5, Games: 12},
		}}},
	}
}

// mirror follows a game in a channel of server kgotla.
func mirror(game, channel string) storage.Watch {
	return storage.Watch{
		Server: "kgotla", Channel: channel, Game: game, Message: "m-" + channel, Posted: noon(), Shows: "3", Over: true, Trouble: "gone",
	}
}

// said is what a member said of a game, and what came of it.
func said(member, game string, what, came rules.Result) storage.Prediction {
	return storage.Prediction{
		Game: game, Server: "kgotla", Member: member, Name: "The " + member, Said: what, At: noon(), Came: came,
	}
}

// ratingID is the id of rated(member, ...).
func ratingID(member string) string { return rated(member, 0).Key().ID }

// full is a match in which every field says something.
func full(id string) storage.Match {
	m := told(finished(moved(moved(accepted(challenge(id, 1), 2), "d7", 3), "a7-d7", 4), 5))
	m.Ending, m.Position, m.NoticeAt = storage.Expired, "w", minute(6)
	m.Offers = []storage.Offer{{Kind: storage.OfferRematch, By: rules.Black, Deed: 2, At: minute(6)}}
	m.Changes = []storage.Change{{Pool: storage.GlobalPool, Member: "ben", Before: 1500, After: 1511.123456789}}
	m.Annulled, m.Announced, m.Unrated = minute(7), true, storage.UnratedPair
	m.Next, m.Last, m.Handled = "next", "last", []string{"tap-1", "tap-2"}
	m.Pauses = []storage.Pause{{Why: storage.PauseDowntime, From: minute(3), To: minute(4), Untold: true}}
	m.Protests, m.Standing = []storage.Protest{{Turn: 1, At: minute(3)}}, minute(3)
	m.Seats[rules.White].Acted, m.WarnAt, m.FlagAt = minute(4), minute(5), minute(6)
	m.Shown.Notice, m.Shown.Trouble = "n-1", "it was forbidden"
	m.Above = "above"
	m.Seats[rules.Black].Level, m.EngineDue, m.DrawRefused, m.Camp = 5, true, 3, 5
	m.Shown.ToThread, m.Shown.Thread, m.Foretold = true, "t-1", storage.Forecast{White: 3, Black: 2, Draw: 1}
	return m
}

// settled is a server in which everything is chosen.
func settled(id string) storage.Server {
	own := challenge("", 0).Variant
	own.Key, own.Name, own.Flies = "ours", "Ours", false
	return storage.Server{
		ID: id, Greeted: noon(), Variant: "ours", Clock: "3d", Channels: []string{"games", "more"}, Threads: true, Theme: "slate", Pieces: "stones", TV: "tv",
		Announce: "news", Herald: "anna", Referees: []string{"elders"}, House: []storage.HouseRule{{Key: own.Key, Variant: own}},
		Banned: []string{"carl"}, Season: storage.Seasons{
			Length: storage.SeasonMonth, Games: 7, Role: "crown", Trouble: "forbidden", Number: 3, From: noon(), To: minute(5),
		},
	}
}

// noted is a server's log with so many acts.
func noted(server string, acts int) storage.Log {
	l := storage.Log{Server: server}
	for i := range acts {
		l.Acts = append(l.Acts, storage.Act{
			Kind: storage.ActBan, At: minute(i), By: storage.Person{ID: "anna", Name: "Anna"}, Match: "a1",
			Member: storage.Person{ID: "carl", Name: "Carl"}, Said: "1-0",
		})
	}
	return l
}

// numbered gives n records of a kind, whose ids sort by number.
func numbered[R storage.Record](n int, one func(id string, i int) R) (records []storage.Record) {
	for i := range n {
		records = append(records, one(fmt.Sprintf("id%05d", i), i))
	}
	return records
}
