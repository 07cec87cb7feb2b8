package discord_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kraal/bot/discord/words"
	"kraal/render"
)

// source is every literal of the code that speaks to people: bot/discord without wire, and render.
type source struct {
	whole    map[string]token.Position // literals
	prefixes []string                  // literals to which something is added
}

// sentenceLike is two words with a space between them.
var sentenceLike = regexp.MustCompile(`\pL{2,}[,:]? \pL{2,}`)

// forPeopleOfTheTrade are calls whose texts go to logs and to whoever reads errors, never to players.
var forPeopleOfTheTrade = map[string]bool{
	"New": true, "Errorf": true, "Error": true, "Warn": true, "Info": true, "Debug": true,
}

func readSource(t *testing.T) (s source, sentences []string) {
	t.Helper()
	s.whole = map[string]token.Position{}
	fset := token.NewFileSet()
	for _, root := range []string{".", filepath.Join("..", "..", "render")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "wire" {
				return fs.SkipDir
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			sentences = append(sentences, s.read(fset, file)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s, sentences
}

// read takes the literals of a file in, and returns where sentences stand that people could see.
func (s *source) read(fset *token.FileSet, file *ast.File) (sentences []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CompositeLit:
			if array, ok := n.Type.(*ast.ArrayType); ok && isPhrase(array.Elt) { // notes for translators
				return false
			}
		case *ast.FuncDecl:
			if n.Name.Name == "Error" && n.Recv != nil { // an error's text
				return false
			}
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && forPeopleOfTheTrade[sel.Sel.Name] {
				return false
			}
		case *ast.BinaryExpr:
			if lit, ok := n.X.(*ast.BasicLit); ok && n.Op == token.ADD {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					s.prefixes = append(s.prefixes, text)
				}
			}
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(n.Value)
			if err != nil {
				return true
			}
			s.whole[text] = fset.Position(n.Pos())
			if sentenceLike.MatchString(text) {
				sentences = append(sentences, fset.Position(n.Pos()).String()+": "+text)
			}
		}
		return true
	})
	return sentences
}

func isPhrase(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "Phrase"
}

// notSentences are literals of several words that are no sentences of ours: names by which games are found, which are
// the same in every language, and the name of a command.
var notSentences = regexp.MustCompile(`Twelve Men's Morris|South African|Generally Accepted Rules|Challenge to a game$|text/plain|bot applications.commands`)

// TestEverySentenceIsInTheCatalogue finds words for people outside it.
func TestEverySentenceIsInTheCatalogue(t *testing.T) {
	s, sentences := readSource(t)
	if len(s.whole) < 100 {
		t.Fatalf("only %d literals were looked at", len(s.whole))
	}
	for _, found := range sentences {
		if !notSentences.MatchString(found) {
			t.Errorf("a sentence outside the catalogue: %s", found)
		}
	}
}

// TestCatalogueIsUsed finds messages that nothing says any more.
func TestCatalogueIsUsed(t *testing.T) {
	s, _ := readSource(t)
	ids, err := words.IDs("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if _, ok := s.whole[id]; !ok && !hasPrefix(id, s.prefixes) && !strings.HasPrefix(id, "Alt") {
			t.Errorf("nothing says %s", id)
		}
	}
}

func hasPrefix(id string, prefixes []string) bool {
	for _, p := range prefixes {
		if len(p) >= 4 && strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}

// messageID is what an id looks like, by the words that ids begin with.
var messageID = regexp.MustCompile(`^(Agreed|Alt|Analysis|Announced|Ask|Ban|Blocked|Board|Button|Challenge|Changed|Choice|Choose|Clock|Closes|Command|Confirm|Form|Game|Games|Help|Hint|History|House|Illegal|Kept|Leaderboard|Legal|List|Menu|Mirror|NoName|Name|Notice|Notices|Offered|Oops|Option|Predict|Preference|Preferences|Privacy|Profile|Puzzle|Rank|Rated|Rating|Reason|Referee|Refereed|Refuse|Replay|Resigned|Result|Rules|Seers|Settings|Side|Their|They|Thread|Unblocked|Unrated|Variant|View|Watch|Welcome|You)[A-Z][A-Za-z]+$`)

// TestEveryMessageIsThere finds ids that the code says and the catalogue lacks.
func TestEveryMessageIsThere(t *testing.T) {
	s, _ := readSource(t)
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	say := catalogue.In("en")
	looked := 0
	for literal, at := range s.whole {
		if !messageID.MatchString(literal) || isPrefix(literal, s.prefixes) {
			continue
		}
		if looked++; !say.Has(literal) {
			t.Errorf("%s: the catalogue lacks %s", at, literal)
		}
	}
	for _, phrase := range render.AltIDs() {
		if !say.Has(phrase.ID) {
			t.Errorf("the catalogue lacks %s, %s", phrase.ID, phrase.When)
		}
	}
	if looked < 100 {
		t.Fatalf("only %d ids were looked at", looked)
	}
}

func isPrefix(literal string, prefixes []string) bool {
	for _, p := range prefixes {
		if p == literal {
			return true
		}
	}
	return false
}
