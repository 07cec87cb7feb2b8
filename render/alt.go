package render

import (
	"strings"
	"unicode/utf8"

	"kraal/rules"
)

// Alt describes the scene in whole sentences, each a phrase of say's: the
// variant, the players, both sides' points, hands and losses, what happened
// last, and whose turn it is with what is owed, or the result. It is never
// longer than AltLimit runes: long names are cut first, then the sentences that
// tell least are left out. The points stay; where a catalogue is so wordy that
// even they would not fit, the position's notation is answered instead.
func Alt(s Scene, say Say) string {
	for _, fit := range fits {
		d := description{scene: s, say: say, fit: fit}
		if text := d.text(); utf8.RuneCountInString(text) <= AltLimit {
			return text
		}
	}
	return s.Position.String()
}

// fit is one attempt to be short enough.
type fit struct {
	names int  // runes a name may have; 0: all
	brief bool // leaves out who plays what, and losses
	bare  bool // leaves out the last turn and what may be shot too
}

var fits = [...]fit{
	{}, {names: 32}, {names: 16}, {names: 8},
	{names: 8, brief: true}, {names: 8, brief: true, bare: true},
}

// description gathers the sentences.
type description struct {
	scene     Scene
	say       Say
	fit       fit
	sentences []string
}

func (d *description) text() string {
	if !d.fit.brief {
		d.board()
		d.seat(rules.White)
		d.seat(rules.Black)
	}
	d.pieces(rules.White)
	d.pieces(rules.Black)
	d.hand(rules.White)
	d.hand(rules.Black)
	if !d.fit.bare {
		d.last()
	}
	if d.scene.Status.Over {
		d.result()
	} else {
		d.owed()
	}
	if !d.fit.bare {
		d.dotted()
	}
	return strings.Join(d.sentences, " ")
}

// add asks for a phrase. Pairs are arg names and their values. A catalogue that
// answers nothing adds nothing.
func (d *description) add(id string, pairs ...any) {
	args := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	if text := strings.TrimSpace(d.say(id, args)); text != "" {
		d.sentences = append(d.sentences, text)
	}
}

// name is a name as the words show it: cleaned, and cut where it must be.
func (d *description) name(s string) string {
	s = clean(s)
	runes := []rune(s)
	if d.fit.names == 0 || len(runes) <= d.fit.names {
		return s
	}
	return strings.TrimSpace(string(runes[:d.fit.names-1])) + ellipsis
}

func (d *description) board() {
	variant := d.name(d.scene.Variant.Name)
	if d.scene.ID == "" {
		d.add("AltBoard", argVariant, variant)
		return
	}
	d.add("AltGame", argVariant, variant, argID, d.name(d.scene.ID))
}

func (d *description) seat(side rules.Side) {
	if !d.scene.named() {
		return
	}
	seat := d.scene.Seats[side]
	name, rating := d.name(seat.Name), d.name(seat.Rating)
	if name == "" {
		name = substitute
	}
	if rating == "" {
		d.add(sideID(side, "Seat"), argName, name)
	} else {
		d.add(sideID(side, "SeatRated"), argName, name, argRating, rating)
	}
	if left := d.name(seat.Clock); left != "" {
		d.add(sideID(side, "Clock"), argLeft, left)
	}
}

func (d *description) pieces(side rules.Side) {
	points := d.scene.Position.Pieces[side]
	if points == 0 {
		d.add(sideID(side, "NoPieces"))
		return
	}
	d.add(sideID(side, "Pieces"), argPoints, points.String(), argCount, points.Len())
}

func (d *description) hand(side rules.Side) {
	if n := int(d.scene.Position.Hand[side]); n > 0 {
		d.add(sideID(side, "Hand"), argCount, n)
	} else {
		d.add(sideID(side, "NoHand"))
	}
	if n := d.scene.lost(side); n > 0 && !d.fit.brief {
		d.add(sideID(side, "Lost"), argCount, n)
	}
}

func (d *description) last() {
	by, h := d.scene.LastBy, d.scene.happened()
	switch {
	case h.moved:
		d.add(sideID(by, "Moved"), argFrom, h.from.String(), argTo, h.to.String())
	case h.arrived:
		d.add(sideID(by, "Placed"), argPoint, h.to.String())
	case h.passed:
		d.add(sideID(by, "Passed"))
	}
	for _, l := range d.scene.closed() {
		mill := rules.Points(0).With(l[0]).With(l[1]).With(l[2])
		d.add(sideID(by, "Closed"), argPoints, mill.String())
	}
	if h.shot != 0 {
		d.add(sideID(by, "Shot"), argPoints, h.shot.String(), argCount, h.shot.Len())
	}
}

func (d *description) result() {
	status := d.scene.Status
	winner, won := status.Result.Winner()
	switch {
	case won:
		id, ok := wonIDs[status.Reason]
		if !ok {
			id = "Won"
		}
		d.add(sideID(winner, id))
	case status.Result == rules.Drawn:
		id, ok := drawnIDs[status.Reason]
		if !ok {
			id = "AltDrawn"
		}
		d.add(id)
	default:
		d.add("AltEnded")
	}
}

// owed says whose turn it is and what for.
func (d *description) owed() {
	v, p := d.scene.Variant, d.scene.Position
	if p.Pending > 0 {
		d.add(sideID(p.Turn, "ToShoot"), argCount, int(p.Pending))
		if targets := d.scene.targets(); targets != 0 && !d.fit.bare {
			d.add("AltTargets", argPoints, targets.String(), argCount, targets.Len())
		}
		return
	}
	d.add(sideID(p.Turn, task(v, p)))
}

// dotted says which piece is picked and which points are dotted.
func (d *description) dotted() {
	occupied := d.scene.Position.Occupied()
	if picked := d.scene.Picked & occupied; picked != 0 {
		d.add("AltPicked", argPoints, picked.String(), argCount, picked.Len())
	}
	if free := d.scene.Hints &^ occupied; free != 0 {
		d.add("AltHints", argPoints, free.String(), argCount, free.Len())
	}
}

// task names the phrase for what the side to move, which owes no shot, has to do.
func task(v rules.Variant, p rules.Position) string {
	switch {
	case p.Hand[p.Turn] > 0:
		return "ToPlace"
	case p.Placing():
		return "Stuck"
	case passes(v, p):
		return "ToPass"
	case v.Flies && p.Pieces[p.Turn].Len() == 3:
		return "ToFly"
	}
	return "ToMove"
}

// passes reports whether passing is all that the side to move can do.
func passes(v rules.Variant, p rules.Position) bool {
	legal := v.Legal(p)
	return len(legal) == 1 && legal[0].Kind == rules.Pass
}
