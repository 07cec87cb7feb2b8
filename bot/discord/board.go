package discord

import (
	"context"
	"fmt"
	"strings"

	"kraal/bot/discord/wire"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// boardMessage is what a match's board message shows now: the challenge, the game, or how it ended. It mentions nobody
// but the person challenged.
func (b *Bot) boardMessage(ctx context.Context, m storage.Match, say phrases) (wire.Message, error) {
	switch m.State {
	case storage.Challenged:
		return b.challengeMessage(m, say), nil
	case storage.Withdrawn:
		return wire.Message{Content: b.withdrawnLines(m, say), Nonce: nonce("w", m), Suppress: true}, nil
	}
	t, err := match.Look(m)
	if err != nil {
		return wire.Message{}, err
	}
	painter, err := b.serverPainter(ctx, m.Server)
	if err != nil {
		return wire.Message{}, err
	}
	file, err := paint(painter, b.scene(t), say)
	if err != nil {
		return wire.Message{}, err
	}
	return wire.Message{
		Content:    b.boardLines(t, say),
		Files:      []wire.File{file},
		Components: b.boardControls(t, say),
		Nonce:      nonce("b", m),
		Suppress:   true,
	}, nil
}

// nonce makes a message that is sent again after a crash or a lost answer the same message. The message that it follows
// is part of it, so that a board asked for twice comes twice. At most 25 characters.
func nonce(kind string, m storage.Match) string {
	follows := m.Shown.Message
	return fmt.Sprintf("%s-%s-%d-%s", kind, m.ID, m.Revision%10_000, follows[max(0, len(follows)-6):])
}

// boardLines are the words of the board message.
func (b *Bot) boardLines(t match.Table, say phrases) string {
	m := t.Match
	lines := []string{b.titleLine(m, say)}
	if changes := changedRules(m.Variant, say); changes != "" && isBuiltin(m.Variant) { // house rules go by a name of their own
		lines = append(lines, say.Say("ChallengeRules", args{"Changes": changes}))
	}
	lines = append(lines,
		b.seatsLine(m, say),
		b.stateLine(t, say),
	)
	if series := seriesLine(t, say); series != "" {
		lines = append(lines, series)
	}
	if clock := clockLine(t, say); clock != "" {
		lines = append(lines, clock)
	}
	if last, ok := t.LastTurn(); ok {
		id := "BoardLast"
		if t.Passed() && m.State == storage.Playing {
			id = "BoardLastPassed"
		}
		lines = append(lines, say.Say(id, args{
			"Name": nameOf(m.Seats[last.Side].Person, say), "Turn": last.Turn.String(),
			"Other": nameOf(m.Seats[last.Side.Opponent()].Person, say),
		}))
	}
	if pos := t.Game.Position(); pos.Placing() {
		lines = append(lines, say.Say("BoardHands", args{"White": int(pos.Hand[rules.White]), "Black": int(pos.Hand[rules.Black])}))
	}
	for _, o := range m.Offers {
		if m.State == storage.Finished && o.Kind != storage.OfferRematch {
			continue // the offer that ended the game
		}
		lines = append(lines, say.Say("BoardOffer"+offerWord(o.Kind), args{"Name": nameOf(m.Seats[o.By].Person, say)}))
	}
	return strings.Join(append(lines, asides(m, say)...), "\n")
}

// offerWord ends the id of a message about an offer.
func offerWord(k storage.OfferKind) string {
	return map[storage.OfferKind]string{
		storage.OfferDraw: "Draw", storage.OfferTakeback: "Takeback", storage.OfferRematch: "Rematch",
		storage.OfferAdjourn: "Adjourn",
	}[k]
}

func (b *Bot) titleLine(m storage.Match, say phrases) string {
	return say.Say("BoardTitle", args{
		"Variant": variantName(m.Variant, say), "Game": m.ID, "Rated": ratedWord(m, say), "Clock": clockWord(m.Clock, say),
	})
}

func (b *Bot) seatsLine(m storage.Match, say phrases) string {
	white, black := m.Seats[rules.White], m.Seats[rules.Black]
	return say.Say("BoardSeats", args{
		"White": seatName(white, say), "WhiteRating": b.seatRating(white),
		"Black": seatName(black, say), "BlackRating": b.seatRating(black),
	})
}

// stateLine says whose turn it is and what is owed, or how the game ended.
func (b *Bot) stateLine(t match.Table, say phrases) string {
	m, pos := t.Match, t.Game.Position()
	if m.State == storage.Finished {
		return b.resultOf(m, say)
	}
	id := "BoardToMove"
	switch {
	case pos.Pending > 0:
		id = "BoardToShoot"
	case pos.Placing():
		id = "BoardToPlace"
	}
	return say.Say(id, args{
		"Name": nameOf(m.Seats[pos.Turn].Person, say), "Side": sideWord(pos.Turn, say), "Count": int(pos.Pending),
	})
}

// resultOf says how a match ended and what it did to the ratings, a line each.
func (b *Bot) resultOf(m storage.Match, say phrases) string {
	return strings.Join(append(endOf(m, say), changesOf(m, say)...), "\n")
}

// resultInOneLine says the same where a link follows.
func (b *Bot) resultInOneLine(m storage.Match, say phrases) string {
	said := strings.Join(endOf(m, say), " ")
	if changes := changesOf(m, say); len(changes) > 0 {
		said += " " + strings.Join(changes, ", ") + "."
	}
	return said
}

// endOf says how a match ended, and why the ratings stay as they are.
func endOf(m storage.Match, say phrases) []string {
	a := args{"Reason": reasonOf(m, say)}
	id := "ResultDraw"
	if winner, ok := m.Result.Winner(); ok {
		id = "ResultWin"
		a["Winner"] = nameOf(m.Seats[winner].Person, say)
		a["Loser"] = nameOf(m.Seats[winner.Opponent()].Person, say)
		a["Side"] = sideWord(winner, say)
	}
	said := []string{say.Say(id, a)}
	switch {
	case !m.Annulled.IsZero():
		said = append(said, say.Say("BoardAnnulled", nil))
	case m.Unrated != "":
		said = append(said, say.Say("ResultUnrated"+title(string(m.Unrated)), nil))
	}
	return said
}

// changesOf says what a match did to the ratings where it was played.
func changesOf(m storage.Match, say phrases) (said []string) {
	if !m.Annulled.IsZero() {
		return nil
	}
	pool := storage.GlobalPool
	if m.Server != "" {
		pool = storage.ServerPool(m.Server)
	}
	for _, c := range m.Changes {
		if c.Pool == pool {
			said = append(said, say.Say("RatingChange", args{
				"Name": nameOf(personOf(m, c.Member), say), "Before": whole(c.Before), "After": whole(c.After),
				"Change": fmt.Sprintf("%+d", whole(c.After)-whole(c.Before)),
			}))
		}
	}
	return said
}

func (r *request) result(m storage.Match) string { return r.resultOf(m, r.phrases) }

func personOf(m storage.Match, member string) storage.Person {
	for _, s := range m.Seats {
		if s.ID == member {
			return s.Person
		}
	}
	return storage.Person{ID: member}
}
