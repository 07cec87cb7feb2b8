package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kraal/render"
	"kraal/rules"
)

// renderCmd draws a position or a game to a file, for articles and for messages elsewhere.
type renderCmd struct {
	Variant       string   `help:"The game's key, as in nine or morabaraba; a record knows its own." default:"morabaraba"`
	Position      string   `help:"The position to draw; without one and without --record, the beginning." xor:"what"`
	Record        string   `help:"A game's record, as /replay gives it: a .png shows its end, a .gif all of it." type:"path" xor:"what"`
	Output        string   `short:"o" required:"" type:"path" help:"Where to write to: a .png or a .gif."`
	Size          *int     `help:"Width in pixels, 200 to 2000: 800, or 720 for a .gif, where none is given."`
	Theme         string   `help:"wood, sand, slate, paper or contrast." default:"wood"`
	Pieces        string   `help:"cows or stones; without it what suits the game."`
	NoCoordinates bool     `help:"Leave the coordinates out."`
	Marks         []string `help:"What is marked in a .png: last (the last turn), targets (what may be shot), legal (where a piece may go); or none." default:"last,targets"`
	Transparent   bool     `help:"Leave the board's background out (.png alone)."`
	Turned        bool     `help:"As black sees it."`
}

// usageError is a command line that cannot be carried out, whoever tries it.
type usageError struct{ error }

// Run writes the file. It appears whole or not at all.
func (c renderCmd) Run(*program) error {
	kind, size, err := c.picture()
	if err != nil {
		return usageError{err}
	}
	r, err := render.New(render.Options{
		Size: size, Theme: render.Theme(c.Theme), Pieces: render.Pieces(c.Pieces),
		NoCoordinates: c.NoCoordinates, Transparent: c.Transparent,
	})
	if err != nil {
		return usageError{err}
	}
	rec, g, err := c.game()
	if err != nil {
		return usageError{err}
	}
	var paint func(w io.Writer) error
	if kind == ".gif" {
		film := replayOf(rec, g)
		film.Turned, film.Size = c.Turned, size
		paint = func(w io.Writer) error { _, err := r.GIF(w, film); return err }
	} else {
		s, err := c.scene(rec, g)
		if err != nil {
			return usageError{err}
		}
		paint = func(w io.Writer) error { return r.PNG(w, s) }
	}
	return writeWhole(c.Output, paint)
}

// picture is the sort of file that is wanted and its width, or why there can be none.
func (c renderCmd) picture() (kind string, size int, err error) {
	kind, size = strings.ToLower(filepath.Ext(c.Output)), render.DefaultSize
	switch {
	case kind != ".png" && kind != ".gif":
		return "", 0, fmt.Errorf("%s: a .png or a .gif can be written", c.Output)
	case kind == ".gif" && (c.Record == "" || c.Transparent):
		return "", 0, errors.New("a .gif shows a --record, and is never transparent")
	case c.Size != nil && *c.Size == 0: // which is the usual size for a Renderer
		return "", 0, errors.New("a picture 0 pixels wide cannot be drawn")
	case c.Size != nil:
		size = *c.Size
	case kind == ".gif":
		size = render.FilmSize
	}
	return kind, size, writableFile(c.Output)
}

// game is what is to be drawn: a record, or a game that begins at the position.
func (c renderCmd) game() (rules.Record, *rules.Game, error) {
	if c.Record != "" {
		data, err := os.ReadFile(c.Record)
		if err != nil {
			return rules.Record{}, nil, err
		}
		rec, err := rules.ParseRecord(string(data))
		if err != nil {
			return rec, nil, fmt.Errorf("%s: %w", c.Record, err)
		}
		g, err := rec.Game()
		if err != nil {
			return rec, nil, fmt.Errorf("%s: %w", c.Record, err)
		}
		return rec, g, nil
	}
	v, err := variantNamed(c.Variant)
	if err != nil {
		return rules.Record{}, nil, err
	}
	p := v.Opening()
	if c.Position != "" {
		var err error
		if p, err = v.ParsePosition(c.Position); err != nil {
			return rules.Record{}, nil, fmt.Errorf("position: %s", oneLine(err))
		}
	}
	return rules.Record{Variant: v, Start: p}, rules.NewGameAt(v, p), nil
}

// oneLine is an error that may have several reasons in one line.
func oneLine(err error) string { return strings.Join(strings.Split(err.Error(), "\n"), "; ") }

// replayOf is a record as a film.
func replayOf(rec rules.Record, g *rules.Game) render.Replay {
	status := g.Status()
	if !status.Over && rec.Result != "" && rec.Result != rules.Undecided {
		status = rules.Status{Over: true, Result: rec.Result, Reason: rec.Reason}
	}
	return render.Replay{Game: g, Status: status, Seats: [2]render.Seat{{Name: rec.White}, {Name: rec.Black}}}
}

// scene is the moment to which the game has come, with the marks that are wanted.
func (c renderCmd) scene(rec rules.Record, g *rules.Game) (render.Scene, error) {
	film := replayOf(rec, g)
	s := render.Scene{
		Variant: g.Variant(), Position: g.Position(), Status: film.Status, Seats: film.Seats, Turned: c.Turned, Quiet: true,
	}
	for _, mark := range c.Marks {
		switch mark {
		case "none":
		case "last":
			if turns := g.Turns(); len(turns) > 0 {
				s.Last, s.LastBy = turns[len(turns)-1].Turn, turns[len(turns)-1].Side
			}
		case "targets":
			s.Quiet = false
		case "legal":
			for _, a := range g.Legal() {
				if a.Kind != rules.Shoot && a.Kind != rules.Pass {
					s.Hints = s.Hints.With(a.To)
				}
			}
		default:
			return s, fmt.Errorf("marks %q: there are last, targets, legal and none", mark)
		}
	}
	if slices.Contains(c.Marks, "none") && len(c.Marks) > 1 {
		return s, errors.New("marks: none goes with no other")
	}
	return s, nil
}

// writableFile tells why a file cannot be there, before anything is drawn for it.
func writableFile(path string) error {
	if at, err := os.Stat(path); err == nil && at.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	at, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("the folder of %s: %w", filepath.Base(path), err)
	}
	if !at.IsDir() {
		return fmt.Errorf("%s is no folder", filepath.Dir(path))
	}
	return nil
}

// writeWhole writes a file that appears whole or not at all.
func writeWhole(path string, paint func(io.Writer) error) (err error) {
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part.Name())
		}
	}()
	if err := paint(part); err != nil {
		_ = part.Close()
		return err
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := os.Chmod(part.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// contactSheetCmd draws one picture of all themes.
type contactSheetCmd struct {
	Output string `short:"o" required:"" type:"path" help:"Where to write to: a .png."`
}

// Run writes the sheet.
func (c contactSheetCmd) Run(*program) error {
	return writeWhole(c.Output, render.ContactSheet)
}
