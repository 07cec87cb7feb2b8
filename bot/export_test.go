package bot_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/rules"
	"kraal/storage"
)

// memberFile is what the file says, read as whoever gets it would.
type memberFile struct {
	Export, Member, About string
	Format                int
	Made                  time.Time
	Choices               []storage.Member
	Ratings               []storage.Rating
	Tallies               []storage.Tally
	Predictions           []storage.Prediction
	Servers               []struct {
		Server         string
		Herald, Banned bool
	}
	Acts []struct {
		Server string
		Act    storage.Act
	}
	Seasons []struct {
		Server  string
		Season  int
		Variant string
		Place   storage.Place
	}
	Matches []storage.Match
	LeftOut int `json:"matches_left_out"`
}

func (s *stage) export(who storage.Person) (bot.MemberFile, memberFile) {
	s.t.Helper()
	f, err := s.app.ExportMember(s.t.Context(), who.ID, "what <b> this is")
	s.must(err)
	data := f.Data
	if f.Packed {
		unpack, err := gzip.NewReader(bytes.NewReader(data))
		s.must(err)
		data, err = io.ReadAll(unpack)
		s.must(err)
	}
	var got memberFile
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&got); err != nil {
		s.t.Fatalf("%v in %.3000s", err, data)
	}
	return f, got
}

// TestExportMember: everything about the asker is in it, and nothing about others but what their games say.
func TestExportMember(t *testing.T) {
	onStage(t, func(s *stage) {
		matches, watched := s.eventful()
		f, got := s.export(zoe)
		if f.Packed || f.LeftOut != 0 || f.Matches != 3 || got.Export != "kraal member" || got.Format != bot.MemberFormat ||
			got.Member != zoe.ID || got.About != "what <b> this is" || !got.Made.Equal(time.Now()) {
			t.Errorf("got %+v, %+v", f.LeftOut, got)
		}
		if len(got.Choices) != 1 || !got.Choices[0].Words || !got.Choices[0].Blocks(cai.ID) {
			t.Errorf("choices: %+v", got.Choices)
		}
		if len(got.Ratings) != 2 || len(got.Tallies) != 2 || got.Ratings[0] != s.ratingOf(storage.GlobalPool, zoe) {
			t.Errorf("ratings: %+v", got.Ratings)
		}
		if len(got.Predictions) != 1 || got.Predictions[0].Game != watched || got.Predictions[0].Member != zoe.ID {
			t.Errorf("predictions: %+v", got.Predictions)
		}
		if here, there := got.Servers[0], got.Servers[1]; !here.Banned || here.Herald || there.Banned || !there.Herald {
			t.Errorf("servers: %+v", got.Servers)
		}
		if about, by := got.Acts[0].Act, got.Acts[1].Act; len(got.Acts) != 2 || about.By.ID != "" || about.Member != zoe || by.By != zoe {
			t.Errorf("acts: %+v", got.Acts)
		}
		if ids := gameIDs(got.Matches); !slices.Equal(ids, matches) || len(got.Matches[1].Deeds) != 2 {
			t.Errorf("matches: %v, want %v", ids, matches)
		}
		if strings.Contains(string(f.Data), ann.Name) {
			t.Error("somebody else's block is in it")
		}
		if f, got := s.export(storage.Person{ID: "nobody"}); f.Matches != 0 || len(got.Choices)+len(got.Ratings) != 0 {
			t.Errorf("of nobody: %+v", got)
		}
	})
}

// eventful has Zoë do something of everything. It gives her matches, as a file lists them, and the one that she predicted.
func (s *stage) eventful() (matches []string, watched string) {
	s.t.Helper()
	ctx := s.t.Context()
	id, watched := s.game(zoe, ben), s.game(ann, ben)
	s.play(id, "a7", "d7")
	s.do(id, ben, match.Resign{})
	waiting, err := s.app.Challenge(ctx, s.terms(zoe, ben), nil)
	s.must(err)
	off, err := s.app.Challenge(ctx, s.terms(cai, zoe), nil)
	s.must(err)
	s.do(off.Match.ID, zoe, match.Decline{})
	s.choose(zoe, func(m *storage.Member) { m.Words, m.Blocked = true, []storage.Person{cai} })
	s.must(s.app.Block(ctx, ann.ID, zoe))
	for _, who := range []storage.Person{zoe, cai} {
		_, err = s.app.Predict(ctx, watched, who, rules.Drawn)
		s.must(err)
	}
	for _, ban := range []struct {
		server  string
		by, who storage.Person
	}{{"s", cai, zoe}, {"t", zoe, ben}, {"t", cai, ann}} {
		_, err = s.app.Ban(ctx, ban.server, ban.by, ban.who, false)
		s.must(err)
	}
	s.must(s.app.SetSettings(ctx, "t", func(m *storage.Server) error { m.Herald = zoe.ID; return nil }))
	return []string{waiting.Match.ID, id, off.Match.ID}, watched
}

// TestExportOfVeryMuch: where the plain file would be too large it is packed, and where that would be too, the oldest
// games are left out and counted.
func TestExportOfVeryMuch(t *testing.T) {
	for games, leaves := range map[int]bool{6: false, 20: true} {
		onStage(t, func(s *stage) {
			noise := make([]byte, 500_000) // it packs to no less than that
			random := rand.NewChaCha8([32]byte{})
			for i := range games {
				random.Read(noise)
				text := base64.StdEncoding.EncodeToString(noise)
				s.past(fmt.Sprintf("g%05d", i), zoe, ben, i, func(m *storage.Match) { m.Handled = []string{text} })
			}
			f, got := s.export(zoe)
			if !f.Packed || len(f.Data) > 10<<20 || f.LeftOut != got.LeftOut || len(got.Matches)+got.LeftOut != games {
				t.Fatalf("packed %v, %d bytes, %d games and %d left out", f.Packed, len(f.Data), len(got.Matches), f.LeftOut)
			}
			if (f.LeftOut > 0) != leaves {
				t.Errorf("%d games left out of %d, in %d bytes", f.LeftOut, games, len(f.Data))
			}
			if newest := got.Matches[0].ID; newest != fmt.Sprintf("g%05d", games-1) {
				t.Errorf("the first is %s", newest)
			}
		})
	}
}
