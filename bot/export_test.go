package bot_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
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
	Predictions           []storage.Prediction
	Servers               []struct {
		Server         string
		Herald, Banned bool
	}
	Acts []struct {
		Server string
		Act    storage.Act
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
		id, watched := s.game(zoe, ben), s.game(ann, ben)
		s.play(id, "a7", "d7")
		s.do(id, ben, match.Resign{})
		_, err := s.app.Predict(t.Context(), watched, zoe, rules.Drawn)
		s.must(err)
		_, err = s.app.Predict(t.Context(), watched, cai, rules.Drawn)
		s.must(err)
		waiting, err := s.app.Challenge(t.Context(), s.terms(zoe, ben), nil)
		s.must(err)
		off, err := s.app.Challenge(t.Context(), s.terms(cai, zoe), nil)
		s.must(err)
		s.do(off.Match.ID, zoe, match.Decline{})
		s.choose(zoe, func(m *storage.Member) { m.Words, m.Blocked = true, []storage.Person{cai} })
		s.must(s.app.Block(t.Context(), ann.ID, zoe))
		_, err = s.app.Ban(t.Context(), "s", cai, zoe, false)
		s.must(err)
		_, err = s.app.Ban(t.Context(), "t", zoe, ben, false)
		s.must(err)
		_, err = s.app.Ban(t.Context(), "t", cai, ben, true)
		s.must(err)
		s.must(s.app.SetSettings(t.Context(), "t", func(m *storage.Server) error { m.Herald = zoe.ID; return nil }))
		f, got := s.export(zoe)
		if f.Packed || f.LeftOut != 0 || f.Matches != 3 || got.Export != "kraal member" || got.Format != bot.MemberFormat ||
			got.Member != zoe.ID || got.About != "what <b> this is" || !got.Made.Equal(time.Now()) {
			t.Errorf("got %+v, %+v", f.LeftOut, got)
		}
		if len(got.Choices) != 1 || !got.Choices[0].Words || !got.Choices[0].Blocks(cai.ID) {
			t.Errorf("choices: %+v", got.Choices)
		}
		if len(got.Ratings) != 2 || got.Ratings[0] != s.ratingOf(storage.GlobalPool, zoe) {
			t.Errorf("ratings: %+v", got.Ratings)
		}
		if len(got.Predictions) != 1 || got.Predictions[0].Game != watched || got.Predictions[0].Member != zoe.ID {
			t.Errorf("predictions: %+v", got.Predictions)
		}
		if n := len(got.Servers); n != 2 || !got.Servers[0].Banned || got.Servers[0].Herald || !got.Servers[1].Herald || got.Servers[1].Banned {
			t.Errorf("servers: %+v", got.Servers)
		}
		if n := len(got.Acts); n != 2 || got.Acts[0].Act.By.ID != "" || got.Acts[0].Act.Member != zoe || got.Acts[1].Act.By != zoe {
			t.Errorf("acts: %+v", got.Acts)
		}
		ids := gameIDs(got.Matches)
		if fmt.Sprint(ids) != fmt.Sprint([]string{waiting.Match.ID, id, off.Match.ID}) || len(got.Matches[1].Deeds) != 2 {
			t.Errorf("matches: %v", ids)
		}
		if strings.Contains(string(f.Data), ann.Name) {
			t.Error("somebody else's block is in it")
		}
		if f, got := s.export(storage.Person{ID: "nobody"}); f.Matches != 0 || len(got.Choices)+len(got.Ratings) != 0 {
			t.Errorf("of nobody: %+v", got)
		}
	})
}

// TestExportOfVeryMuch: where the plain file would be too large it is packed, and where that would be too, the oldest
// games are left out and counted.
func TestExportOfVeryMuch(t *testing.T) {
	for _, size := range []struct {
		games, deeds int
		leaves       bool
	}{{35, 4000, false}, {55, 4000, true}} {
		onStage(t, func(s *stage) {
			random := rand.New(rand.NewPCG(1, 2))
			for i := range size.games {
				s.past(fmt.Sprintf("g%05d", i), zoe, ben, i, func(m *storage.Match) {
					for range size.deeds { // noise, which packs badly
						m.Deeds = append(m.Deeds, storage.Deed{Action: fmt.Sprintf("%x", random.Uint64()), At: opening})
						m.Handled = append(m.Handled, fmt.Sprintf("%x%x%x", random.Uint64(), random.Uint64(), random.Uint64()))
					}
				})
			}
			f, got := s.export(zoe)
			if !f.Packed || len(f.Data) > 10<<20 || f.LeftOut != got.LeftOut || len(got.Matches)+got.LeftOut != size.games {
				t.Fatalf("packed %v, %d bytes, %d games and %d left out", f.Packed, len(f.Data), len(got.Matches), f.LeftOut)
			}
			if (f.LeftOut > 0) != size.leaves {
				t.Errorf("%d games left out of %d, in %d bytes", f.LeftOut, size.games, len(f.Data))
			}
			if newest := got.Matches[0].ID; newest != fmt.Sprintf("g%05d", size.games-1) {
				t.Errorf("the first is %s", newest)
			}
		})
	}
}
