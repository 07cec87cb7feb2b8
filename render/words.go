package render

import "kraal/rules"

// AltLimit is the most runes that Alt answers, which is what Discord takes as
// the description of an attachment.
const AltLimit = 1024

// Phrase is one sentence that Alt asks a catalogue for.
type Phrase struct {
	ID   string
	Args []string // what the text may use, as in {{.Points}}
	When string   // what the sentence is for, told to translators
}

// The args. A phrase that has PluralCount has plural forms chosen by it.
const (
	argVariant = "Variant"     // the variant's name
	argID      = "ID"          // the game's id
	argName    = "Name"        // a player's name
	argRating  = "Rating"      // a player's rating as shown
	argPoints  = "Points"      // points in the order of the board: "a7 d7 g7"
	argPoint   = "Point"       // one point
	argFrom    = "From"        // the point a piece left
	argTo      = "To"          // the point it went to
	argLeft    = "Left"        // the time a player has left, as shown: "4:32"
	argCount   = "PluralCount" // an int
)

// sidePhrases are asked for with the side in their id: AltWhitePieces and
// AltBlackPieces for Pieces. One text a side leaves a translator free to
// inflect it, as a side's name put into a sentence would not.
var sidePhrases = [...]Phrase{
	{"Seat", []string{argName}, "who plays the side"},
	{"SeatRated", []string{argName, argRating}, "who plays the side, with a rating"},
	{"Clock", []string{argLeft}, "the time that the side had left when the turn under way began"},
	{"Pieces", []string{argPoints, argCount}, "where all the side's pieces stand, and how many they are"},
	{"NoPieces", nil, "the side has no piece on the board"},
	{"Hand", []string{argCount}, "pieces the side has still to place"},
	{"NoHand", nil, "the side has placed all its pieces"},
	{"Lost", []string{argCount}, "pieces of the side that have been shot"},
	{"Placed", []string{argPoint}, "the side's last turn placed a piece"},
	{"Moved", []string{argFrom, argTo}, "the side's last turn moved a piece, or flew"},
	{"Passed", nil, "the side's last turn was a pass"},
	{"Closed", []string{argPoints}, "a mill which that turn closed; once for each mill"},
	{"Shot", []string{argPoints, argCount}, "the pieces which that turn shot"},
	{"ToPlace", nil, "the side is to place"},
	{"ToMove", nil, "the side is to move a piece along a line"},
	{"ToFly", nil, "the side is to move a piece to any free point"},
	{"ToPass", nil, "the side is blocked and has to pass"},
	{"ToShoot", []string{argCount}, "the side has closed mills and owes so many shots"},
	{"Stuck", nil, "the side is to place and has nothing in hand"},
	{"Won", nil, "the side has won, why is not known"},
	{"WonFewerThanThree", nil, "the side has won: the other has fewer than three pieces"},
	{"WonBlocked", nil, "the side has won: the other cannot move"},
	{"WonResignation", nil, "the side has won: the other has resigned"},
	{"WonTimeout", nil, "the side has won: the other's time has run out"},
	{"WonAbandoned", nil, "the side has won: the other has left the game"},
}

// phrases are asked for as they are.
var phrases = [...]Phrase{
	{"AltBoard", []string{argVariant}, "the first sentence, of a board that is no game"},
	{"AltGame", []string{argVariant, argID}, "the first sentence, of a game"},
	{"AltTargets", []string{argPoints, argCount}, "what may be shot now"},
	{"AltPicked", []string{argPoints, argCount}, "the piece that is marked as picked"},
	{"AltHints", []string{argPoints, argCount}, "the points that are dotted: where a piece may go"},
	{"AltDrawn", nil, "the game is drawn, why is not known"},
	{"AltDrawnDeadlock", nil, "drawn: neither side can move"},
	{"AltDrawnFullBoard", nil, "drawn: no point is free after placing"},
	{"AltDrawnRepetition", nil, "drawn: the position has come back too often"},
	{"AltDrawnNoShot", nil, "drawn: too many turns without a shot"},
	{"AltDrawnThreeAgainstThree", nil, "drawn: three against three for too long"},
	{"AltDrawnAgreement", nil, "drawn: the players have agreed"},
	{"AltEnded", nil, "the game has ended without a result"},
}

// AltIDs lists every phrase that Alt may ask for, each once.
func AltIDs() []Phrase {
	list := append([]Phrase(nil), phrases[:]...)
	for _, side := range [...]rules.Side{rules.White, rules.Black} {
		for _, p := range sidePhrases {
			p.ID = sideID(side, p.ID)
			list = append(list, p)
		}
	}
	return list
}

// sideID is the id of a side's phrase.
func sideID(side rules.Side, id string) string {
	if side == rules.Black {
		return "AltBlack" + id
	}
	return "AltWhite" + id
}

// wonIDs and drawnIDs name the phrase of each way to end a game.
var (
	wonIDs = map[rules.Reason]string{
		rules.FewerThanThree: "WonFewerThanThree",
		rules.BlockedPlayer:  "WonBlocked",
		rules.Resignation:    "WonResignation",
		rules.Timeout:        "WonTimeout",
		rules.Abandoned:      "WonAbandoned",
	}
	drawnIDs = map[rules.Reason]string{
		rules.Deadlock:              "AltDrawnDeadlock",
		rules.FullBoardDraw:         "AltDrawnFullBoard",
		rules.RepetitionDraw:        "AltDrawnRepetition",
		rules.NoShotDraw:            "AltDrawnNoShot",
		rules.ThreeAgainstThreeDraw: "AltDrawnThreeAgainstThree",
		rules.Agreement:             "AltDrawnAgreement",
	}
)
