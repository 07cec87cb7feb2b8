// Package render shows one moment of a game twice, as a picture and in words,
// from the same Scene, so that the two cannot disagree. It draws and describes
// what it is given; it has no words of its own, knows no player and takes
// nothing from the machine it runs on: the fonts are compiled in.
package render

import "kraal/rules"

// Scene is what a reader is to see: a position, who sits where, and what
// happened last. The zero value of a field leaves its mark out.
type Scene struct {
	Variant  rules.Variant  // decides which lines are drawn and what may be shot
	Position rules.Position // the moment
	Seats    [2]Seat        // by side; when both are empty no name bars are drawn, unless Bars wants them
	Last     rules.Turn     // the last turn, complete or running; empty: none
	LastBy   rules.Side     // whose turn Last was
	Status   rules.Status   // the result, endings that the match decides included
	ID       string         // the game's id
	Pieces   Pieces         // what they look like in this picture; "": as the Renderer's options say
	Hints    rules.Points   // free points to be dotted, as legal destinations are
	Picked   rules.Points   // pieces to be marked, as the one whose destinations are dotted is
	Quiet    bool           // what may be shot is not marked
	Caption  string         // a line under the picture, at the left
	Corner   string         // and at the right
	Turned   bool           // the picture is as black sees it; the words are the same
	Bars     bool           // bars are drawn though nobody sits at the board: who is to play, and hands
}

// Seat is one player as shown. In the picture both texts are cut to the room
// there is, what cannot be seen is left out, and a character that the font lacks
// becomes its plain form (𝓐 becomes A) or, with those beside it, a question mark
// in a diamond. The words keep every script.
type Seat struct {
	Name   string
	Rating string
	Clock  string // the time that was left when the turn under way began
}

// Say is a phrase from a catalogue: the text of id in the reader's language with
// args filled in. AltIDs lists the ids asked for and their args.
type Say func(id string, args map[string]any) string

// named reports whether anyone sits at the board.
func (s Scene) named() bool {
	return s.Seats[0] != Seat{} || s.Seats[1] != Seat{}
}

// barred reports whether bars are drawn.
func (s Scene) barred() bool { return s.Bars || s.named() }

// lost is how many pieces a side has had shot. A position that holds more
// pieces than the variant has lost none.
func (s Scene) lost(side rules.Side) int {
	n := s.Variant.Pieces - int(s.Position.Hand[side]) - s.Position.Pieces[side].Len()
	return max(n, 0)
}

// targets is what may be shot now: nothing in a game that is over.
func (s Scene) targets() rules.Points {
	if s.Status.Over {
		return 0
	}
	return s.Variant.Targets(s.Position)
}

// happened is the last turn taken apart.
type happened struct {
	arrived  bool // a piece came to To
	moved    bool // from From
	passed   bool
	from, to rules.Point
	shot     rules.Points
}

func (s Scene) happened() happened {
	var h happened
	for _, a := range s.Last {
		switch a.Kind {
		case rules.Place:
			h.arrived, h.to = true, a.To
		case rules.Move:
			h.arrived, h.moved, h.from, h.to = true, true, a.From, a.To
		case rules.Shoot:
			h.shot = h.shot.With(a.To)
		case rules.Pass:
			h.passed = true
		}
	}
	return h
}

// closed lists the mills that the last turn closed: those of its side that
// stand through the point where its piece arrived.
func (s Scene) closed() []rules.Line {
	h := s.happened()
	if !h.arrived {
		return nil
	}
	var lines []rules.Line
	for _, l := range s.Variant.Mills(s.Position, s.LastBy) {
		if l[0] == h.to || l[1] == h.to || l[2] == h.to {
			lines = append(lines, l)
		}
	}
	return lines
}
