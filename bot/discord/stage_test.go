package discord_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kraal/bot"
	"kraal/bot/discord"
	"kraal/bot/discord/wire"
	"kraal/bot/discord/words"
	"kraal/bot/rating"
	"kraal/bot/sandbox"
	"kraal/bot/sandbox/openapi"
	"kraal/render"
	"kraal/rules"
	"kraal/storage"
	"kraal/storage/boltstore"
)

// stage is the whole product on loopback: the sandbox's Discord, a store on disk, the bot between them, and the people
// of the sandbox who play.
type stage struct {
	t       testing.TB
	sb      *sandbox.Sandbox
	clock   *clock
	path    string // of the store
	store   storage.Store
	slow    atomic.Int64 // nanoseconds that each commit takes longer
	commits bell
	app     *bot.App
	painter *painter
	log     *logBook
	limits  bot.Limits
	engine  bot.Engine
	themes  map[string]discord.Painter
	greet   bool          // the bot greets servers
	only    string        // server that gets the commands
	study   discord.Study // bounds of thinking; the usual if zero
	hasty   time.Duration // a lost connection is taken up again after this; 0: as usual
	mortal  *atomic.Bool  // true: the bot has been killed, and reaches the disk no more
	stop    func()        // the bot
	ended   chan error    // what its Run returns
	off     atomic.Int64  // nanoseconds by which the clock of the bot's connection is wrong
	server  sandbox.Server
	other   sandbox.Server // which the players are members of too
	channel string
	white   *sandbox.Actor
	black   *sandbox.Actor
	people  []sandbox.Person
}

// village is the sandbox's own world with a few more channels.
func village() sandbox.World {
	world := sandbox.DefaultWorld()
	world.Servers[0].Channels = append(world.Servers[0].Channels,
		sandbox.Channel{ID: "400000000000000006", Name: "market"},
		sandbox.Channel{ID: "400000000000000007", Name: "well"},
		sandbox.Channel{ID: "400000000000000008", Name: "gate"},
		sandbox.Channel{ID: "400000000000000009", Name: "a thread", Type: sandbox.PublicThread, Parent: world.Servers[0].Channels[0].ID},
	)
	return world
}

// newStage sets everything up in a server of the sandbox, then whatever a test wants, and starts the bot.
func newStage(t testing.TB, first ...func(*stage)) *stage {
	t.Helper()
	return newStageIn(t, village(), first...)
}

// standard is a Renderer for all stages: its first picture takes longer than all that follow.
var standard = sync.OnceValues(func() (*render.Renderer, error) {
	r, err := render.New(render.Options{})
	if err == nil {
		err = r.PNG(io.Discard, render.Scene{})
	}
	return r, err
})

// newStageIn is newStage in another world, whose first server is played in.
func newStageIn(t testing.TB, world sandbox.World, first ...func(*stage)) *stage {
	t.Helper()
	s := &stage{
		t: t, clock: &clock{waiting: map[chan struct{}]struct{}{}}, log: &logBook{},
		path: filepath.Join(t.TempDir(), "kraal.db"), limits: bot.DefaultLimits(),
	}
	s.engine = bot.Engine{Player: newPlayer, Workers: 1, Time: time.Second}
	s.limits.ChallengesAMinute = 0 // a test makes more of them in a second than people do in an hour
	renderer, err := standard()
	s.must(err)
	s.painter = &painter{Renderer: renderer}
	world.Servers[0].Roles = []sandbox.Role{
		{ID: "500000000000000001", Name: "Elders", Members: world.Servers[0].Members[1:2]},
		{ID: "500000000000000002", Name: "Drummers", Members: world.Servers[0].Members[2:3]},
	}
	s.sb, err = sandbox.Start(sandbox.Config{
		Listen: "127.0.0.1:0", World: world, Now: s.clock.Now, Log: s.logger(), Check: describedBy(t), Allowance: 50,
	})
	s.must(err)
	t.Cleanup(func() { s.finish() })
	s.server, s.other, s.people = world.Servers[0], world.Servers[1], world.People
	s.channel = s.server.Channels[0].ID
	s.white, s.black = s.sb.As(s.server.Members[0]), s.sb.As(s.server.Members[1])
	for _, do := range first {
		do(s)
	}
	s.start()
	return s
}

// describedBy judges requests by Discord's own description, where that is present.
func describedBy(t testing.TB) func(method, path string, body []byte, files int) error {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "discord-openapi.json")
	spec, err := openapi.Load(path)
	if err != nil {
		t.Logf("NOT CHECKED against Discord's description: %v", err)
		return nil
	}
	return spec.Check
}

func (s *stage) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// start begins a bot on the stage's store, as after a restart.
func (s *stage) start() {
	s.t.Helper()
	store, err := boltstore.Open(s.path, boltstore.Options{})
	s.must(err)
	s.store = store
	s.app = bot.New(bot.Config{
		Store: slowStore{store, &s.slow, &s.commits, s.mortal}, Clock: s.clock, Random: rand.IntN, Log: s.logger(),
		Ratings: rating.Standard(), Limits: s.limits,
		Engine: s.engine,
	})
	catalogue, err := words.Load()
	s.must(err)
	b, err := discord.New(discord.Config{
		App: s.app, Words: catalogue, Painter: s.painter, Themes: s.themes, Log: s.logger(), Greet: s.greet, Study: s.study,
		TestServer: s.only,
		Wire: wire.Config{
			Token: s.sb.Token(), API: s.sb.API(), Log: s.logger(), Now: s.wrongClock, Version: "test", ReconnectAfter: s.hasty, ReconnectMost: s.hasty,
			AnswerWithin: s.firstAnswer(),
			DeferAfter:   1200 * time.Millisecond, // of taps too: which way an answer goes must not depend on how busy the machine is
		},
	})
	s.must(err)
	s.sb.BePatient(s.firstAnswer())
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	s.ended = ended
	go func() { ended <- b.Run(ctx) }()
	s.stop = func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			s.t.Errorf("the bot ended with %v", err)
		}
		s.must(store.Close())
	}
	soon, done := s.patience()
	defer done()
	s.must(s.sb.WaitReady(soon))
}

// firstAnswer is how long either side waits for the first answer to an interaction: so long that a machine has to be very
// slow to fail a test by it; where connections break, of which some go unanswered, as long as with Discord.
func (s *stage) firstAnswer() time.Duration {
	if s.hasty > 0 {
		return 0
	}
	return 20 * time.Second
}

// acknowledged counts the interactions that were acknowledged before there was an answer.
func (s *stage) acknowledged() (n int) {
	for _, r := range s.sb.Requests() {
		var told struct{ Type int }
		if strings.HasSuffix(strings.SplitN(r.Path, "?", 2)[0], "/callback") && json.Unmarshal(r.Body, &told) == nil &&
			(told.Type == 5 || told.Type == 6) {
			n++
		}
	}
	return n
}

// wrongClock is a clock that may be off.
func (s *stage) wrongClock() time.Time { return s.clock.Now().Add(time.Duration(s.off.Load())) }

// restart ends the bot and begins another on what is kept.
func (s *stage) restart() {
	s.t.Helper()
	s.stop()
	s.start()
}

// finish ends everything and holds the whole run to what must always be true.
func (s *stage) finish() {
	s.stop()
	for _, v := range s.sb.Violations() {
		s.t.Errorf("a request violates the platform's rules: %+v", v)
	}
	expectNoSecrets(s.t, s.log.String(), s.sb)
	for _, bad := range []string{"panicked", "[signal", "goroutine "} {
		if i := strings.Index(s.log.String(), bad); i >= 0 {
			s.t.Errorf("the log tells of a panic: %.2000s", s.log.String()[i:])
		}
	}
	s.must(s.sb.Close())
	if s.t.Failed() {
		log := s.log.String()
		s.t.Logf("the end of the log:\n%s", log[max(0, len(log)-6000):])
	}
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// patience bounds how long a test waits for something that should take milliseconds.
func (s *stage) patience() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.t.Context(), 30*time.Second)
}

// slash issues a command and gives what its issuer is answered.
func (s *stage) slash(who *sandbox.Actor, command string, options map[string]any) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	reply, err := who.Slash(ctx, s.channel, command, options)
	return s.answered(reply, err, "/"+command)
}

func (s *stage) press(who *sandbox.Actor, message, control string) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	reply, err := who.Press(ctx, message, control)
	return s.answered(reply, err, "press of "+control)
}

func (s *stage) choose(who *sandbox.Actor, message, value string) sandbox.Message {
	s.t.Helper()
	ctx, done := s.patience()
	defer done()
	reply, err := who.Select(ctx, message, "", value)
	return s.answered(reply, err, "choice of "+value)
}

// answered is the message of an answer, once it is there.
func (s *stage) answered(reply *sandbox.Reply, err error, what string) sandbox.Message {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
	if reply.Failed {
		s.t.Fatalf("%s: this interaction failed", what)
	}
	ctx, done := s.patience()
	defer done()
	m, err := reply.Wait(ctx)
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
	if unsaid.MatchString(m.Content) {
		s.t.Errorf("%s: a message that the catalogue lacks: %s", what, m.Content)
	}
	return m
}

// unsaid is how a missing message shows.
var unsaid = regexp.MustCompile(`\[[A-Z][A-Za-z]+\]`)

// begin has white challenge black, black accept, and gives the board message.
func (s *stage) begin(variant string, options map[string]any) sandbox.Message {
	s.t.Helper()
	all := map[string]any{"opponent": s.server.Members[1], "variant": variant, "colour": "white"}
	for k, v := range options {
		all[k] = v
	}
	challenge := s.slash(s.white, "challenge", all)
	return s.press(s.black, challenge.ID, "Accept")
}

func (s *stage) player(side rules.Side) *sandbox.Actor {
	if side == rules.White {
		return s.white
	}
	return s.black
}

// expect is a short way to say that a text holds another.
func (s *stage) expect(m sandbox.Message, want string) {
	s.t.Helper()
	if !strings.Contains(m.Content, want) {
		s.t.Errorf("got %q, want %q in it", m.Content, want)
	}
}

// expectPrivate demands a message that only its reader sees.
func (s *stage) expectPrivate(m sandbox.Message, want string) {
	s.t.Helper()
	s.expect(m, want)
	if !m.Ephemeral {
		s.t.Errorf("%q is public", m.Content)
	}
}
