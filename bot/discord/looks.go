package discord

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"kraal/render"
	"kraal/storage"
)

// look is how pictures look: what a server chose for its boards, or a member for what they alone see. What is empty was
// not chosen.
type look struct {
	theme  string
	pieces string
}

// or fills what was not chosen with another look.
func (l look) or(other look) look {
	return look{cmp.Or(l.theme, other.theme), cmp.Or(l.pieces, other.pieces)}
}

// serverLook is what a server has chosen for its channels.
func (b *Bot) serverLook(ctx context.Context, server string) (look, error) {
	if server == "" {
		return look{}, nil
	}
	s, err := b.app.Settings(ctx, server)
	if damaged := new(storage.RecordError); errors.As(err, &damaged) {
		return look{}, nil // a board that looks otherwise is better than none
	}
	return look{s.Theme, s.Pieces}, err
}

// serverPainter draws as a server has chosen for its channels.
func (b *Bot) serverPainter(ctx context.Context, server string) (Painter, error) {
	chosen, err := b.serverLook(ctx, server)
	if err != nil {
		return nil, err
	}
	return b.painterOf(ctx, chosen), nil
}

// ownPainter draws as whoever asks chose, and where they chose nothing as their server did.
func (r *request) ownPainter(ctx context.Context) (Painter, error) {
	member, err := r.app.Member(ctx, r.in.User.ID)
	if err != nil {
		return nil, err
	}
	server, err := r.serverLook(ctx, r.in.Server)
	if err != nil {
		return nil, err
	}
	return r.painterOf(ctx, look{member.Theme, member.Pieces}.or(server)), nil
}

// painterOf draws in a look, for one request. A theme that there is no more is the usual one.
func (b *Bot) painterOf(ctx context.Context, l look) Painter {
	painter := b.painter
	if own, ok := b.themes[l.theme]; ok {
		painter = own
	}
	painter = inQueue(ctx, painter)
	if l.pieces == "" {
		return painter
	}
	return withPieces{painter, render.Pieces(l.pieces)}
}

// withPieces is a painter whose boards and films have pieces that were chosen. The painters of all themes know all pieces, so
// that a choice of them takes no memory.
type withPieces struct {
	Painter
	pieces render.Pieces
}

// PNG is the painter's.
func (p withPieces) PNG(w io.Writer, s render.Scene) error {
	s.Pieces = p.pieces
	return p.Painter.PNG(w, s)
}

// GIF is the painter's.
func (p withPieces) GIF(w io.Writer, of render.Replay) (render.Film, error) {
	of.Pieces = p.pieces
	return p.Painter.GIF(w, of)
}

// piecesSuited is the choice of what suits the game. As the usual theme it is not noted: whoever has it has what all others
// have.
const piecesSuited = "suited"

// piecesNames lists the pieces that can be chosen.
func piecesNames() []string {
	return []string{piecesSuited, string(render.Cows), string(render.Stones)}
}

// chosenPieces is the option with that name: as it is called and as it is kept.
func (r *request) chosenPieces() (name, kept string, err error) {
	name, _ = r.in.Text("pieces")
	switch {
	case !slices.Contains(piecesNames(), name):
		return "", "", errUnknownCommand
	case name == piecesSuited:
		return name, "", nil
	}
	return name, name, nil
}

// choosePieces is /preferences pieces.
func (r *request) choosePieces(ctx context.Context) error {
	name, kept, err := r.chosenPieces()
	if err != nil {
		return err
	}
	err = r.app.SetMember(ctx, r.in.User.ID, func(m *storage.Member) error { m.Pieces = kept; return nil })
	if err != nil {
		return err
	}
	return r.tellPrivately(ctx, "PreferencePieces"+title(name), nil)
}

// setPieces is /settings pieces.
func (r *request) setPieces(ctx context.Context) error {
	name, kept, err := r.chosenPieces()
	if err != nil {
		return err
	}
	return r.change(ctx, "SettingsPiecesSet", args{"Pieces": r.piecesWord(name)}, func(s *storage.Server) error {
		s.Pieces = kept
		return nil
	})
}

// piecesWord is what pieces are called; "" is what suits the game.
func (r *request) piecesWord(name string) string {
	return r.Say("Choice"+title(cmp.Or(name, piecesSuited)), nil)
}
