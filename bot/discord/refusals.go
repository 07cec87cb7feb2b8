package discord

import (
	"context"
	"errors"
	"slices"
	"strings"

	"kraal/bot"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// refuse tells the person, and nobody else, why not, and what would be possible. What is no refusal but a fault is
// logged, and the person gets an apology.
func (r *request) refuse(ctx context.Context, err error) {
	text, known := r.refusal(err)
	r.answer.Count(wire.Refused)
	if !known {
		r.answer.Count(wire.Failed)
		r.logger().Error("request failed", "command", r.in.Name, "error", err)
	}
	if r.in.Kind == wire.Autocomplete {
		return
	}
	if err := r.answer.Private(ctx, private(text)); err != nil {
		r.logger().Warn("refusal not delivered", "error", err)
	}
}

// sentence is the message for an error.
type sentence struct {
	err error
	id  string
}

// sentences is the table of refusals that need no more than the game's names.
func sentences() []sentence {
	return []sentence{
		{match.ErrStale, "RefuseStale"},
		{match.ErrStranger, "RefuseStranger"},
		{match.ErrNotYourTurn, "RefuseNotYourTurn"},
		{match.ErrOwnChallenge, "RefuseOwnChallenge"},
		{match.ErrNotChallenged, "RefuseNotChallenged"},
		{match.ErrNotChallenger, "RefuseNotChallenger"},
		{match.ErrNotWaiting, "RefuseNotWaiting"},
		{match.ErrNotPlaying, "RefuseNotPlaying"},
		{match.ErrOffered, "RefuseOffered"},
		{match.ErrNoTurn, "RefuseNoTurn"},
		{match.ErrNotFinished, "RefuseNotFinished"},
		{match.ErrRematched, "RefuseRematched"},
		{match.ErrTimeUp, "RefuseTimeUp"},
		{match.ErrNoAdjourning, "RefuseNoAdjourning"},
		{match.ErrAdjourned, "RefuseAdjourned"},
		{match.ErrNotAdjourned, "RefuseNotAdjourned"},
		{match.ErrHasClock, "RefuseHasClock"},
		{match.ErrYourTurn, "RefuseYourTurn"},
		{match.ErrNoCount, "RefuseNoCount"},
		{match.ErrCounted, "RefuseCounted"},
		{match.ErrAbsent, "RefuseAbsent"},
		{bot.ErrUnknownGame, "RefuseUnknownGame"},
		{bot.ErrNoGame, "RefuseNoGame"},
		{bot.ErrDirect, "RefuseDirect"},
		{bot.ErrCut, "RefuseCut"},
		{bot.ErrNoPlayer, "RefuseNoEngine"},
		{match.ErrEngine, "RefuseEngine"},
		{match.ErrDrawRefused, "RefuseDrawRefused"},
		{errLevelAndHuman, "RefuseLevelAndHuman"},
		{errBotOpponent, "RefuseBotOpponent"},
		{errNotHere, "RefuseNotHere"},
		{errCannotSee, "RefuseCannotSee"},
		{errNoServer, "RefuseNoServer"},
		{errUnknownColour, "RefuseUnknownColour"},
		{errUnknownClock, "RefuseUnknownClock"},
		{errUnknownCommand, "RefuseUnknownCommand"},
		{errOutdated, "RefuseOutdated"},
	}
}

// refusal words an error. known is false for one that is a fault of ours.
func (r *request) refusal(err error) (text string, known bool) {
	var (
		illegal    *rules.IllegalError
		typed      *PointError
		which      *bot.WhichError
		permission *permissionError
		variant    *VariantError
		early      *match.EarlyError
		level      *match.LevelError
	)
	switch {
	case errors.As(err, &level):
		return r.Say("RefuseLevel", args{"Level": level.Level, "Of": match.Levels}), true
	case errors.As(err, &illegal):
		return r.illegal(illegal), true
	case errors.As(err, &typed):
		return r.Say("RefuseNotAPoint", args{"Typed": words.Name(typed.Typed)}), true
	case errors.As(err, &which):
		return r.which(which.Matches), true
	case errors.As(err, &early):
		return r.Say("RefuseEarly", args{"When": relative(early.When)}), true
	case errors.As(err, &permission):
		return r.Say("RefusePermissions", args{"Count": len(permission.Missing), "Permissions": strings.Join(permission.Missing, ", ")}), true
	case errors.As(err, &variant):
		return r.Say("RefuseVariant", args{"Typed": words.Name(variant.Typed), "Variants": r.variantList(variant.Offered)}), true
	}
	if text, known := r.notNow(err); known {
		return text, true
	}
	if text, ok := r.houseRefusal(err); ok {
		return text, true
	}
	all := slices.Concat(
		sentences(), ownSentences(), watchRefusals(), predictRefusals(), houseSentences(), seasonSentences(), recordSentences(), studyRefusals(),
	)
	for _, s := range all {
		if errors.Is(err, s.err) {
			return r.Say(s.id, r.gameArgs()), true
		}
	}
	return r.Say("Oops", nil), false
}

// gameArgs names the people of the match that the request is about.
func (r *request) gameArgs() args {
	m := r.game
	a := args{
		"Game": m.ID, "Link": boardLink(m),
		"White": r.nameOf(m.Seats[rules.White].Person), "Black": r.nameOf(m.Seats[rules.Black].Person),
		"Challenger": r.nameOf(m.Challenger), "Opponent": r.nameOf(m.Opponent),
	}
	t, err := match.Look(m)
	if err != nil || m.State != storage.Playing {
		return a
	}
	a["Turn"], a["Side"] = r.nameOf(m.Seats[t.ToMove()].Person), sideWord(t.ToMove(), r.phrases)
	return a
}

// which asks which game is meant, naming each.
func (r *request) which(ms []storage.Match) string {
	lines := []string{r.Say("AskWhich", args{"Count": len(ms)})}
	for _, m := range ms {
		lines = append(lines, r.gameLine(m))
	}
	return wholeLines(lines, r.phrases)
}

func (r *request) variantList(offered []rules.Variant) string {
	var names []string
	for _, v := range offered {
		names = append(names, variantName(v, r.phrases))
	}
	return strings.Join(names, "; ")
}

// illegal words a refusal by the rules: what is wrong, then what would be legal.
func (r *request) illegal(e *rules.IllegalError) string {
	return r.Say(whyID(e.Reason), args{
		"From": e.Action.From.String(), "To": e.Action.To.String(),
	}) + " " + r.wouldBeLegal(e)
}

// whyID is the message for a reason of the rules.
func whyID(reason error) string {
	for _, s := range []sentence{
		{rules.ErrGameOver, "IllegalGameOver"},
		{rules.ErrShotRequired, "IllegalShotRequired"},
		{rules.ErrNoShotPending, "IllegalNoShotPending"},
		{rules.ErrOwnPiece, "IllegalOwnPiece"},
		{rules.ErrEmptyTarget, "IllegalEmptyTarget"},
		{rules.ErrProtected, "IllegalProtected"},
		{rules.ErrWrongPhase, "IllegalWrongPhase"},
		{rules.ErrNothingInHand, "IllegalNothingInHand"},
		{rules.ErrOccupied, "IllegalOccupied"},
		{rules.ErrEmptyOrigin, "IllegalEmptyOrigin"},
		{rules.ErrNotYourPiece, "IllegalNotYourPiece"},
		{rules.ErrNotAdjacent, "IllegalNotAdjacent"},
		{rules.ErrNoReturn, "IllegalNoReturn"},
		{rules.ErrPassNotAllowed, "IllegalPass"},
		{errNoWay, "IllegalNoWay"},
	} {
		if errors.Is(reason, s.err) {
			return s.id
		}
	}
	return "IllegalOther"
}

// wouldBeLegal lists what can be done instead, as closely as it can: where the piece named can go, which pieces can go
// where it was sent, or whatever is legal.
func (r *request) wouldBeLegal(e *rules.IllegalError) string {
	var place, shoot, from, goes, reach rules.Points
	for _, a := range e.Legal {
		switch a.Kind {
		case rules.Place:
			place = place.With(a.To)
		case rules.Shoot:
			shoot = shoot.With(a.To)
		case rules.Move:
			from = from.With(a.From)
			if a.From == e.Action.From {
				goes = goes.With(a.To)
			}
			if a.To == e.Action.To {
				reach = reach.With(a.From)
			}
		}
	}
	moved := e.Action.Kind == rules.Move
	switch {
	case shoot != 0:
		return r.Say("LegalShots", args{"Points": pointList(shoot)})
	case place != 0:
		return r.Say("LegalPlaces", args{"Points": pointList(place)})
	case moved && goes != 0:
		return r.Say("LegalGoes", args{"From": e.Action.From.String(), "Points": pointList(goes)})
	case moved && reach != 0:
		return r.Say("LegalReach", args{"To": e.Action.To.String(), "Points": pointList(reach)})
	case from != 0:
		return r.Say("LegalMoves", args{"Points": pointList(from)})
	}
	return ""
}
