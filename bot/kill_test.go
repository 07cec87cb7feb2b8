package bot_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/match"
	"kraal/bot/rating"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/boltstore"
)

var killTrials = flag.Int("kill.trials", 12, "how many processes TestKilledAtTheEnd kills")

// pools is in how many the games of this test are rated: the server's, everybody's, the season's.
const pools = 3

// TestKilledAtTheEnd (O41) kills a process in which games end, at moments chosen by chance: of each game the result is
// there with every rating that it changes, in each pool, or nothing of it is; and what was acknowledged is there.
func TestKilledAtTheEnd(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, 0))
	ended := 0
	for trial := range *killTrials {
		path := filepath.Join(t.TempDir(), "kraal.db")
		acknowledged := killPlayers(t, path, time.Duration(chance.IntN(60))*time.Millisecond)
		ended += checkLadders(t, path, acknowledged)
		if t.Failed() {
			t.Fatalf("seed %d, trial %d", seed, trial)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if ended < *killTrials {
		t.Errorf("only %d games ended in %d lives: the moments were all too early", ended, *killTrials)
	}
	t.Logf("%d games ended in %d lives", ended, *killTrials)
}

// killPlayers lets a process play, kills it a while after its first game has ended, and gives the games whose end it
// acknowledged.
func killPlayers(t *testing.T, path string, later time.Duration) (acknowledged []string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), playsUntilKilled+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // what has no end of line was not acknowledged
		}
		if acknowledged = append(acknowledged, strings.TrimSpace(line)); len(acknowledged) == 1 {
			death := time.AfterFunc(later, func() { child.Process.Kill() })
			defer death.Stop()
		}
	}
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Errorf("the players ended by themselves: %v", err)
	}
	return acknowledged
}

// playOn plays games between six people, some at once, until it is killed, and prints the id of each when its end is
// durable.
func playOn(path string) int {
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	app := bot.New(bot.Config{
		Store: store, Clock: bot.SystemClock{}, Random: rand.IntN, Log: slog.New(slog.DiscardHandler), Ratings: rating.Standard(),
		Limits: bot.Limits{Games: 100, ChallengeStays: time.Hour, NoticeAfter: time.Hour, FirstTurn: time.Hour, Abandoned: time.Hour},
	})
	if err := app.SetSeason(context.Background(), "s", storage.Seasons{Length: storage.SeasonYear}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			var err error
			for err == nil {
				err = playToTheEnd(app)
			}
			fmt.Fprintln(os.Stderr, err)
		})
	}
	wait.Wait()
	return 1
}

func playToTheEnd(app *bot.App) error {
	person := func(i int) storage.Person { return storage.Person{ID: fmt.Sprint(i), Name: fmt.Sprint("Player ", i)} }
	one := rand.IntN(6)
	white, black := person(one), person((one+1+rand.IntN(5))%6)
	nine, _ := rules.Lookup("nine")
	begun, err := app.Challenge(context.Background(), match.Terms{
		Server: "s", Channel: "c", Variant: nine, Colour: "white", Rated: true, Challenger: white, Opponent: black,
	}, nil)
	if err != nil {
		return err
	}
	for _, act := range []match.Act{
		{By: black, Do: match.Accept{}},
		{By: black, Do: match.Play{Action: rules.Action{Kind: rules.Place, To: 0}}},
		{By: white, Do: match.Play{Action: rules.Action{Kind: rules.Place, To: 5}}},
		{By: white, Do: match.Resign{}},
	} {
		if _, err := app.Do(context.Background(), begun.Match.ID, act, nil); err != nil {
			return err
		}
	}
	_, err = fmt.Println(begun.Match.ID)
	return err
}

// seen is what the games that are over in a store say of its ratings and tallies.
type seen struct {
	t      *testing.T
	ended  int
	games  map[storage.Key]int             // that changed a rating, or a tally
	points map[storage.Key]map[float64]int // how often a rating had them after a game, less how often before one
}

func (s *seen) match(record storage.Record) {
	m := record.(storage.Match)
	want := 0
	if m.State == storage.Finished {
		s.ended, want = s.ended+1, 2*pools
	}
	if len(m.Changes) != want {
		s.t.Errorf("game %s is %s, with %d changes, want %d", m.ID, m.State, len(m.Changes), want)
	}
	for _, c := range m.Changes {
		k := storage.RatingKey(c.Pool, m.Variant.Key, c.Member)
		s.games[k]++
		s.games[storage.TallyKey(c.Pool, c.Member)]++
		if s.points[k] == nil {
			s.points[k] = map[float64]int{}
		}
		s.points[k][c.Before]-- // each game but the last leaves what the next one finds
		s.points[k][c.After]++
	}
}

// kept holds a rating or a tally to them.
func (s *seen) kept(record storage.Record) {
	counted := record.(interface{ Games() int })
	if k := record.Key(); counted.Games() != s.games[k] {
		s.t.Errorf("%v counts %d games, and %d changed it", k, counted.Games(), s.games[k])
	}
	if r, ok := record.(storage.Rating); ok && s.points[r.Key()][r.Points] != 1 {
		s.t.Errorf("%v has %v points, which no last game left", r.Key(), r.Points)
	}
	delete(s.games, record.Key())
}

// checkLadders holds every rating and tally in a store to the games that are over in it, and gives how many those are.
func checkLadders(t *testing.T, path string, acknowledged []string) (ended int) {
	t.Helper()
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s := &seen{t: t, games: map[storage.Key]int{}, points: map[storage.Key]map[float64]int{}}
	err = store.View(t.Context(), func(r storage.Reader) error {
		for _, id := range acknowledged {
			stored, err := r.Get(storage.MatchKey(id))
			if err != nil || stored.Record.(storage.Match).State != storage.Finished {
				t.Errorf("game %s was acknowledged, and is not over: %v", id, err)
			}
		}
		return errors.Join(eachRecord(r, storage.KindMatch, s.match), eachRecord(r, storage.KindRating, s.kept),
			eachRecord(r, storage.KindTally, s.kept))
	})
	if err != nil {
		t.Error(err)
	}
	if len(s.games) > 0 {
		t.Errorf("%d ratings and tallies are missing", len(s.games))
	}
	return s.ended
}

func eachRecord(r storage.Reader, kind storage.Kind, visit func(storage.Record)) error {
	hits, err := r.Range(storage.All(kind), "", 1_000_000)
	for _, h := range hits {
		stored, err := r.Get(h.Key)
		if err != nil {
			return err
		}
		visit(stored.Record)
	}
	return err
}
