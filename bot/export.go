package bot

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"kraal/storage"
)

// MemberFormat is the format of what ExportMember writes.
const MemberFormat = 1

const (
	maxPlain   = 2 << 20 // bytes of a file that is not packed
	maxPacked  = 6 << 20 // bytes of a packed one after which no more matches are added; Discord takes ten MiB, and lines are slow
	exportStep = 100     // records that are read at once
)

// MemberFile is everything that is kept about one member, as JSON.
type MemberFile struct {
	Data    []byte
	Packed  bool // with gzip
	Matches int  // how many are in it
	LeftOut int  // how many there was no room for: the oldest
}

// ExportMember writes what is kept about a member. about is for whoever reads it. Records are read some at a time, and
// one file is made at a time, so that it takes little memory however much there is. What others have decided about the
// member in secret, their blocks, is not in it, nor who of the referees did what.
func (a *App) ExportMember(ctx context.Context, member, about string) (MemberFile, error) {
	unlock, err := a.locks.lockUntil(ctx, "export")
	if err != nil {
		return MemberFile{}, err
	}
	defer unlock()
	e := exporter{App: a, who: member, sheet: newSheet()}
	e.line("{\n  %q: %q,\n  %q: %d,\n  %q: %q,\n  %q: %q,\n  %q: ", "export", "kraal member", "format", MemberFormat,
		"made", a.Clock.Now().UTC().Format(time.RFC3339), "member", member, "about")
	e.value(about)
	for _, part := range []struct {
		name  string
		write func(context.Context) error
	}{
		{"choices", e.choices}, {"ratings", e.ratings}, {"tallies", e.tallies}, {"predictions", e.predictions}, {"servers", e.servers}, {"acts", e.acts},
		{"seasons", e.seasons}, {"matches", e.matches},
	} {
		e.line(",\n  %q: [", part.name)
		e.items = 0
		if err := part.write(ctx); err != nil {
			return MemberFile{}, fmt.Errorf("export %s: %w", part.name, err)
		}
		e.line("\n  ]")
	}
	e.line(",\n  %q: %d\n}\n", "matches_left_out", e.leftOut)
	data, packed, err := e.close()
	return MemberFile{Data: data, Packed: packed, Matches: e.items, LeftOut: e.leftOut}, err
}

// exporter writes one file.
type exporter struct {
	*App
	*sheet
	who     string
	items   int // of the part being written
	leftOut int
}

// item adds one to the part being written, on a line of its own.
func (e *exporter) item(v any) {
	if e.items++; e.items > 1 {
		e.line(",")
	}
	e.line("\n    ")
	e.value(v)
}

// each reads the records of an index, some in each view, until read says that it is enough.
func (e *exporter) each(ctx context.Context, ix storage.Index, from storage.Cursor, read func(storage.Record) (more bool)) error {
	for more := true; more; {
		err := e.Store.View(ctx, func(r storage.Reader) error {
			hits, err := r.Range(ix, from, exportStep)
			more = len(hits) == exportStep
			for _, h := range hits {
				stored, ok, err := e.get(r, h.Key)
				if err != nil {
					return err
				}
				if ok && !read(stored.Record) {
					more = false
					break
				}
				from = h.Cursor
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) choices(ctx context.Context) error {
	m, version, err := e.member(ctx, e.who)
	if version > 0 {
		e.item(m)
	}
	return err
}

func (e *exporter) ratings(ctx context.Context) error {
	return e.each(ctx, storage.RatingsOf(e.who), "", func(r storage.Record) bool {
		e.item(r)
		return true
	})
}

func (e *exporter) tallies(ctx context.Context) error {
	return e.each(ctx, storage.TalliesOf(e.who), "", func(r storage.Record) bool {
		e.item(r)
		return true
	})
}

func (e *exporter) predictions(ctx context.Context) error {
	from := storage.PredictionsBy(e.who)
	return e.each(ctx, storage.All(storage.KindPrediction), from, func(r storage.Record) bool {
		own := strings.HasPrefix(r.Key().ID, string(from))
		if own {
			e.item(r)
		}
		return own
	})
}

// mention is where a server's settings name the member.
type mention struct {
	Server string `json:"server"`
	Herald bool   `json:"herald,omitempty"` // they chose the channel for announcements, and hear if it takes none
	Banned bool   `json:"banned,omitempty"`
}

func (e *exporter) servers(ctx context.Context) error {
	return e.each(ctx, storage.All(storage.KindServer), "", func(r storage.Record) bool {
		s := r.(storage.Server)
		m := mention{s.ID, s.Herald == e.who, slices.Contains(s.Banned, e.who)}
		if m.Herald || m.Banned {
			e.item(m)
		}
		return true
	})
}

// honour is a place of the member's in a season that is over.
type honour struct {
	Server  string        `json:"server"`
	Season  int           `json:"season"`
	Variant string        `json:"variant"`
	Place   storage.Place `json:"place"`
}

func (e *exporter) seasons(ctx context.Context) error {
	return e.each(ctx, storage.All(storage.KindSeason), "", func(r storage.Record) bool {
		s := r.(storage.Season)
		for _, p := range s.Podiums {
			for _, place := range p.Places {
				if place.ID == e.who {
					e.item(honour{s.Server, s.Number, p.Variant, place})
				}
			}
		}
		return true
	})
}

// acted is one act of referees by the member, or about them.
type acted struct {
	Server string      `json:"server"`
	Act    storage.Act `json:"act"`
}

func (e *exporter) acts(ctx context.Context) error {
	return e.each(ctx, storage.All(storage.KindLog), "", func(r storage.Record) bool {
		l := r.(storage.Log)
		for _, act := range l.Acts {
			switch e.who {
			case act.By.ID:
			case act.Member.ID:
				act.By = storage.Person{} // the server's referees are answerable to the server
			default:
				continue
			}
			e.item(acted{l.Server, act})
		}
		return true
	})
}

// matches are those going on, then those that are over, the newest first, then what came to nothing.
func (e *exporter) matches(ctx context.Context) error {
	for _, ix := range []storage.Index{storage.OfMember(e.who), storage.FinishedOf(e.who), storage.WithdrawnOf(e.who)} {
		err := e.each(ctx, ix, "", func(r storage.Record) bool {
			if e.full() {
				e.leftOut++
				return true
			}
			e.item(r)
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sheet is a file that becomes too large for the plain form only now and then: it is written in both until it does.
type sheet struct {
	plain, packed bytes.Buffer
	pack          *gzip.Writer
	large         bool
	err           error // the first
}

func newSheet() *sheet {
	s := &sheet{}
	s.pack = gzip.NewWriter(&s.packed)
	return s
}

// full tells whether there is room for no more than an end.
func (s *sheet) full() bool { return s.packed.Len() > maxPacked }

func (s *sheet) line(format string, args ...any) { s.write(fmt.Appendf(nil, format, args...)) }

func (s *sheet) value(v any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil && s.err == nil {
		s.err = err
	}
	s.write(bytes.TrimSpace(text.Bytes()))
}

func (s *sheet) write(text []byte) {
	if _, err := s.pack.Write(text); err != nil && s.err == nil {
		s.err = err
	}
	if s.large {
		return
	}
	if s.large = s.plain.Len()+len(text) > maxPlain; s.large {
		s.plain = bytes.Buffer{}
		return
	}
	s.plain.Write(text)
}

// close gives the file in the plain form where that is small enough.
func (s *sheet) close() (data []byte, packed bool, err error) {
	if err := s.pack.Close(); err != nil && s.err == nil {
		s.err = err
	}
	if s.large {
		return s.packed.Bytes(), true, s.err
	}
	return s.plain.Bytes(), false, s.err
}
