package render

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"kraal/rules"
)

// phrasebook is the English of pictures from the one catalogue that there is: by id, the plural forms.
type phrasebook map[string]map[string]*template.Template

func english(t testing.TB) phrasebook {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "bot", "discord", "words", "en.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := toml.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	book := make(phrasebook)
	for id, said := range texts {
		forms, ok := said.(map[string]any)
		if !ok || !strings.HasPrefix(id, "Alt") {
			continue
		}
		book[id] = make(map[string]*template.Template)
		for form, text := range forms {
			book[id][form] = template.Must(template.New(id).Option("missingkey=error").Parse(text.(string)))
		}
	}
	return book
}

// say panics where a phrase or an arg is missing, which fails the test that asked.
func (b phrasebook) say(id string, args map[string]any) string {
	form := "other"
	if args["PluralCount"] == 1 {
		form = "one"
	}
	text, ok := b[id][form]
	if !ok {
		panic(fmt.Sprintf("no %s form of %q", form, id))
	}
	var out strings.Builder
	if err := text.Execute(&out, args); err != nil {
		panic(err)
	}
	return out.String()
}

func TestAlt(t *testing.T) {
	book := english(t)
	stuck := at(t, "nine", ".../.../.../....../.../.../... w 0,9 0 0,0 -,-")
	timeout := moment(t, "nine", nineGame, 25)
	timeout.Status = rules.Status{Over: true, Result: rules.BlackWins, Reason: rules.Timeout}
	ended := at(t, "nine", ".../.../.../....../.../.../... b 9,9 0 0,0 -,-")
	ended.Status = rules.Status{Over: true, Result: rules.Undecided, Reason: rules.Abandoned}
	for _, c := range []struct {
		name  string
		scene Scene
		want  string
	}{
		{"opening", moment(t, "nine", nineGame, 0),
			"Game 0k7m2x9w, Nine Men's Morris. White is Naledi Mokoena, rated 1623. White had 4:32 left when this turn began. " +
				"Black is Thabo wa Ga-Ramaphošwane, rated 1500?. " +
				"White has no piece on the board. Black has no piece on the board. " +
				"White has 9 pieces in hand. Black has 9 pieces in hand. Black is to place a piece."},
		{"a shot owed", moment(t, "morabaraba", morabarabaGame, 20),
			"Game 0k7m2x9w, Morabaraba, Traditional. White is Naledi Mokoena, rated 1623. White had 4:32 left when this turn began. " +
				"Black is Thabo wa Ga-Ramaphošwane, rated 1500?. " +
				"White has 8 pieces on the board: g7 a4 e4 d3 e3 f2 d1 g1. " +
				"Black has 8 pieces on the board: b6 d5 b4 f4 g4 c3 b2 a1. " +
				"White has 3 pieces in hand. White has lost one piece. Black has 3 pieces in hand. Black has lost one piece. " +
				"Black placed a piece on c3. Black closed the mill c3 b2 a1. " +
				"Black is to shoot one piece. Any one of these may be shot: g7 a4 e4 d3 d1."},
		{"the end", moment(t, "nine", nineGame, 59),
			"Game 0k7m2x9w, Nine Men's Morris. White is Naledi Mokoena, rated 1623. White had 4:32 left when this turn began. " +
				"Black is Thabo wa Ga-Ramaphošwane, rated 1500?. " +
				"White has 5 pieces on the board: a7 f6 a4 c3 a1. Black has 2 pieces on the board: g7 g4. " +
				"White has nothing in hand. White has lost 4 pieces. Black has nothing in hand. Black has lost 7 pieces. " +
				"White moved from d1 to a1. White closed the mill a7 a4 a1. White shot the piece on g1. " +
				"White has won: black has fewer than three pieces."},
		{"nothing in hand", stuck, "White is to place and has nothing in hand."},
		{"a pass", blocked(t, rules.White), "White is blocked and must pass."},
		{"a piece picked", destined(t), "White is to move. The piece on b4 is marked. " +
			"The dotted points, to which a piece can go, are b6 a4 b2."},
		{"time", timeout, "Black has won: white has run out of time."},
		{"no result", ended, "The game has ended without a result."},
	} {
		if got := Alt(c.scene, book.say); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Every phrase is asked for with the args that AltIDs promises, and no other is.
func TestAltIDs(t *testing.T) {
	book := english(t)
	promised := make(map[string][]string)
	for _, p := range AltIDs() {
		if _, twice := promised[p.ID]; twice {
			t.Errorf("%s is listed twice", p.ID)
		}
		if !strings.HasPrefix(p.ID, "Alt") || p.When == "" {
			t.Errorf("%+v is not a phrase", p)
		}
		promised[p.ID] = p.Args
		if plural := slices.Contains(p.Args, argCount); plural != (book[p.ID]["one"] != nil) {
			t.Errorf("%s: counts %v, and has a text for one: %v", p.ID, plural, !plural)
		}
	}
	for id := range book {
		if _, ok := promised[id]; !ok {
			t.Errorf("the phrasebook has %s, which is never asked for", id)
		}
	}
	asked := make(map[string]bool)
	listen := func(id string, args map[string]any) string {
		asked[id] = true
		var names []string
		for name := range args {
			names = append(names, name)
		}
		slices.Sort(names)
		want := slices.Sorted(slices.Values(promised[id]))
		if _, ok := promised[id]; !ok || !slices.Equal(names, want) {
			t.Errorf("%s is asked for with %v, want %v", id, names, want)
		}
		return book.say(id, args)
	}
	for _, s := range everyScene(t) {
		Alt(s, listen)
	}
	for id := range promised {
		if !asked[id] {
			t.Errorf("%s is never asked for", id)
		}
	}
}

// everyScene is enough scenes to need every phrase, for either side.
func everyScene(t testing.TB) []Scene {
	var scenes []Scene
	for _, s := range pictured(t) {
		scenes = append(scenes, s)
	}
	for _, side := range []rules.Side{rules.White, rules.Black} {
		for _, line := range []string{
			"w.w/.../.../....../.../b.b/.b. %c 9,9 0 0,0 -,-", "w../.../.../....../.../b.b/.b. %c 0,0 0 0,0 -,-",
			"www/.../.../....../.../bbb/... %c 0,0 0 0,0 -,-", "www/w../.../....../.../bbb/b.. %c 0,0 1 0,0 -,-",
			"www/w../.../....../.../bbb/b.. %c 0,0 0 0,0 -,-",
		} {
			s := at(t, "koti", fmt.Sprintf(line, side.String()[0]))
			s.LastBy = side
			for _, turn := range []string{"pass", "a7", "a7-d7xb2", "a7xb2xd2", "b2-d2"} {
				last, err := rules.ParseTurn(turn)
				if err != nil {
					t.Fatal(err)
				}
				s.Last = last
				scenes = append(scenes, s)
			}
			s.Seats = [2]Seat{{Name: "A"}, {Name: "B", Clock: "1:05"}}
			scenes = append(scenes, s)
			for _, reason := range []rules.Reason{rules.NoReason, rules.FewerThanThree, rules.BlockedPlayer,
				rules.Deadlock, rules.FullBoardDraw, rules.RepetitionDraw, rules.NoShotDraw, rules.ThreeAgainstThreeDraw,
				rules.Resignation, rules.Agreement, rules.Timeout, rules.Abandoned} {
				for _, result := range []rules.Result{rules.Win(side), rules.Drawn, rules.Undecided} {
					s.Status = rules.Status{Over: true, Result: result, Reason: reason}
					scenes = append(scenes, s)
				}
			}
		}
		empty := at(t, "nine", fmt.Sprintf(".../.../.../....../.../.../... %c 9,9 0 0,0 -,-", side.String()[0]))
		stuck := empty
		stuck.Position.Hand[side] = 0
		scenes = append(scenes, empty, stuck, blocked(t, side), destined(t))
	}
	return scenes
}

// blocked is a scene in which a side of koti, on a7 d7 g7 b6, has nothing but a
// pass: the other side is everywhere else but on g1.
func blocked(t testing.TB, side rules.Side) Scene {
	t.Helper()
	v, ok := rules.Lookup("koti")
	if !ok {
		t.Fatal("no koti")
	}
	s := Scene{Variant: v, Position: rules.Position{Placement: rules.Placement{Turn: side}}}
	for p := range rules.Point(rules.PointCount - 1) {
		owner := side
		if p > 3 {
			owner = side.Opponent()
		}
		s.Position.Pieces[owner] = s.Position.Pieces[owner].With(p)
	}
	return s
}

// destined is a position in which white has picked a piece: the points to which it can go are dotted. Hints on pieces, and
// picks where there are none, are neither drawn nor told.
func destined(t testing.TB) Scene {
	t.Helper()
	s := at(t, "nine", "w../.../.../.wb.../.../..b/bww w 0,0 0 0,0 -,-")
	from := rulesPoint(t, "b4")
	s.Picked = rules.Points(0).With(from).With(rulesPoint(t, "d7"))
	s.Hints = s.Variant.Destinations(s.Position, from).With(rulesPoint(t, "a7"))
	return s
}

// A position, as another program reads it back from the words.
var (
	readPieces = regexp.MustCompile(`(White|Black) has (?:one piece|\d+ pieces) on the board: ([a-g1-7 ]+)\.`)
	readHand   = regexp.MustCompile(`(White|Black) has (one|\d+) pieces? in hand\.`)
	readTurn   = regexp.MustCompile(`(White|Black) is (?:to|blocked)`)
	readShots  = regexp.MustCompile(`is to shoot (one|\d+) pieces?\.`)
)

func readBack(t *rapid.T, text string) (p rules.Placement) {
	number := func(s string) uint8 {
		if s == "one" {
			return 1
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return uint8(n)
	}
	sides := map[string]rules.Side{"White": rules.White, "Black": rules.Black}
	for _, m := range readPieces.FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Fields(m[2]) {
			at, err := rules.ParsePoint(name)
			if err != nil {
				t.Fatal(err)
			}
			p.Pieces[sides[m[1]]] = p.Pieces[sides[m[1]]].With(at)
		}
	}
	for _, m := range readHand.FindAllStringSubmatch(text, -1) {
		p.Hand[sides[m[1]]] = number(m[2])
	}
	if m := readTurn.FindStringSubmatch(text); m != nil {
		p.Turn = sides[m[1]]
	}
	if m := readShots.FindStringSubmatch(text); m != nil {
		p.Pending = number(m[1])
	}
	return p
}

// reached draws a moment of a random game.
func reached(t *rapid.T) Scene {
	g := rules.NewGame(rapid.SampledFrom(rules.Variants()).Draw(t, "variant"))
	for range rapid.IntRange(0, 80).Draw(t, "actions") {
		legal := g.Legal()
		if len(legal) == 0 {
			break
		}
		if err := g.Play(rapid.SampledFrom(legal).Draw(t, "action")); err != nil {
			t.Fatal(err)
		}
	}
	return sceneOf(g)
}

func TestAltTellsThePosition(t *testing.T) {
	book := english(t)
	rapid.Check(t, func(t *rapid.T) {
		s := reached(t)
		s.Seats = [2]Seat{{Name: rapid.String().Draw(t, "white")}, {Name: rapid.String().Draw(t, "black")}}
		// A player may call themselves after a sentence; the reader below would believe them.
		for side := range s.Seats {
			s.Seats[side].Name = strings.NewReplacer("White", "", "Black", "").Replace(s.Seats[side].Name)
		}
		text := Alt(s, book.say)
		want := s.Position.Placement
		want.Forbidden = [2]rules.Step{}
		got := readBack(t, text)
		if s.Status.Over {
			got.Turn, got.Pending = want.Turn, want.Pending
		}
		if got != want {
			t.Fatalf("words tell another position\nwords %s\n got %+v\nwant %+v", text, got, want)
		}
		if n := utf8.RuneCountInString(text); n > AltLimit {
			t.Fatalf("%d runes", n)
		}
	})
}

func TestAltIsNeverTooLong(t *testing.T) {
	book := english(t)
	s := moment(t, "morabaraba", morabarabaGame, 29)
	s.Variant.Name = strings.Repeat("Village rules ", 100)
	s.Seats = [2]Seat{{strings.Repeat("ж", 900), strings.Repeat("9", 900), ""}, {strings.Repeat("語 ", 400), "1500", ""}}
	for _, wordy := range []int{0, 20, 50, 70, 100, 2000} {
		say := func(id string, args map[string]any) string {
			return book.say(id, args) + strings.Repeat("š", wordy)
		}
		text := Alt(s, say)
		if n := utf8.RuneCountInString(text); n > AltLimit {
			t.Errorf("%d more runes a sentence: %d runes", wordy, n)
		}
		if wordy == 2000 {
			if text != s.Position.String() {
				t.Errorf("a catalogue without end: got %q, want the position", text)
			}
			continue
		}
		for _, set := range s.Position.Pieces {
			if !strings.Contains(text, set.String()) {
				t.Errorf("%d more runes a sentence: %q is missing in %q", wordy, set, text)
			}
		}
	}
}
