package endgame

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"kraal/rules"
)

// build builds the tables of a variant in a directory.
func build(t testing.TB, dir string, v rules.Variant, upto int) *Tables {
	t.Helper()
	tables, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := tables.Plan(v, upto)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if err := tables.Build(context.Background(), v, s, BuildOptions{Dir: dir}); err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

// reopened opens a directory again and wants nothing wrong in it.
func reopened(t testing.TB, dir string) *Tables {
	t.Helper()
	tables, err := Open(dir)
	if err == nil {
		err = tables.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	return tables
}

// TestBuild wants tables that were built, closed and opened again to say what they did, of the game they were built for and
// of another with the same rules of moving, and nothing of others.
func TestBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	nine, thinhama := variant(t, "nine"), variant(t, "thinhama")
	built := build(t, dir, nine, 6)
	again := reopened(t, dir)
	r := rand.New(rand.NewPCG(1, 2))
	wins := 0
	for range 2000 {
		p := randomStand(r, subspace{3, 3}).position(rules.Side(r.IntN(2)))
		want, turns, ok := built.Probe(nine, p)
		value, n, found := again.Probe(thinhama, p)
		if !ok || !found || value != want || n != turns {
			t.Fatalf("%s: %s in %d, %t; before %s in %d, %t", p, value, n, found, want, turns, ok)
		}
		if want == Win {
			wins++
		}
		if _, _, found := again.Probe(variant(t, "nine flies=false"), p); found {
			t.Fatal("found a game that was not built")
		}
	}
	if wins < 1000 {
		t.Errorf("%d wins of 2000, want five in six", wins)
	}
	if s := again.Summaries(nine); len(s) != 1 || s[0].Wins != 140_621 || s[0].LongestLoss != 26 || s[0].Positions != 169_626 {
		t.Errorf("summaries: %+v", s)
	}
	if err := built.Close(); err != nil {
		t.Error(err)
	}
}

// TestLimitFiles wants a variant whose draw comes soon to keep the turns to the next shot too, beside those to the end that it
// shares.
func TestLimitFiles(t *testing.T) {
	dir := t.TempDir()
	quick, nine := variant(t, "nine no_shot=10"), variant(t, "nine")
	tables := build(t, dir, nine, 6)
	steps, err := tables.Plan(quick, 6)
	if err != nil || len(steps) != 1 || steps[0].Built {
		t.Fatalf("%+v, %v: want the limit's tables missing", steps, err)
	}
	if err := tables.Build(context.Background(), quick, steps[0], BuildOptions{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	again := reopened(t, dir)
	if steps, err = again.Plan(quick, 6); err != nil || !steps[0].Built {
		t.Errorf("%+v, %v: want all built", steps, err)
	}
	// A win in 25 turns.
	fits, late := again.For(nine), again.For(quick)
	differ := 0
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		p := randomStand(r, subspace{3, 3}).position(rules.White)
		f, ok := fits.Probe(&p)
		g, found := late.Probe(&p)
		if !ok || !found || f.Turns <= 10 && g.Value != f.Value || f.Turns > 10 && g.Value != Draw {
			t.Fatalf("%s: %+v %t, with the limit %+v %t", p, f, ok, g, found)
		}
		if f.Turns > 10 {
			differ++
		}
	}
	if differ == 0 {
		t.Error("no position with a long win was met")
	}
}

// TestLateCount wants a win not claimed when the count is too far gone for it and no table tells whether a shot comes first.
func TestLateCount(t *testing.T) {
	dir := t.TempDir()
	r := build(t, dir, variant(t, "nine"), 6).For(variant(t, "nine"))
	p, err := variant(t, "nine").ParsePosition("ww./.../.../.....w/b../.../b.b w 0,0 0 99,0 -,-")
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := r.Probe(&p); !ok || f.Value != Win || f.Turns != 1 {
		t.Errorf("%+v %t, want a win in 1: the shot comes in time", f, ok)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		p := randomStand(random, subspace{3, 3}).position(rules.White)
		p.Counts.NoShot = uint16(random.IntN(100))
		f, ok := r.Probe(&p)
		if ok && f.Value != Draw && f.Turns+int(p.Counts.NoShot) > 100 {
			t.Fatalf("%s: %+v is claimed", p, f)
		}
	}
}

// TestInterrupted wants an interrupted step to leave nothing that counts, and to be built when it is tried again.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	v := variant(t, "tournament")
	tables, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := tables.Plan(v, 7)
	if err != nil || len(steps) != 2 {
		t.Fatalf("%+v, %v", steps, err)
	}
	if err := tables.Build(context.Background(), v, steps[1], BuildOptions{Dir: dir}); !errors.Is(err, ErrOrder) {
		t.Errorf("the second step first: %v, want %v", err, ErrOrder)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopping := BuildOptions{Dir: dir, Progress: func(p Progress) {
		if p.Phase == "backwards" && p.Done > 2 {
			cancel()
		}
	}}
	if err := tables.Build(ctx, v, steps[0], stopping); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, want %v", err, context.Canceled)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("an interrupted step left %v", left)
	}
	if err := tables.Build(context.Background(), v, steps[0], BuildOptions{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	again := reopened(t, dir)
	if steps, err = again.Plan(v, 7); err != nil || !steps[0].Built || steps[1].Built {
		t.Errorf("%+v, %v: want the first of two built", steps, err)
	}
}

func TestOpenNothing(t *testing.T) {
	tables, err := Open(filepath.Join(t.TempDir(), "nowhere"))
	if err != nil {
		t.Fatal(err)
	}
	p := stand{7, 7 << 9}.position(rules.White)
	for _, none := range []*Tables{tables, nil, {}} {
		if _, _, ok := none.Probe(variant(t, "nine"), p); ok || none.For(variant(t, "nine")).Pieces() != 0 {
			t.Error("no tables say something")
		}
	}
	if _, err := tables.Plan(variant(t, "mhele"), 6); !errors.Is(err, ErrNoReturn) {
		t.Errorf("mhele: %v, want %v", err, ErrNoReturn)
	}
	step := Step{Own: 3, Other: 3}
	if err := tables.Build(context.Background(), variant(t, "mhele"), step, BuildOptions{}); !errors.Is(err, ErrNoReturn) {
		t.Errorf("mhele: %v, want %v", err, ErrNoReturn)
	}
}

// damage is something that happens to a table's file.
type damage struct {
	name string
	to   func([]byte) []byte
	want error
}

func damages() []damage {
	return []damage{
		{"empty", func([]byte) []byte { return nil }, ErrNotATable},
		{"text", func([]byte) []byte { return bytes.Repeat([]byte("Dear reader. "), 100) }, ErrNotATable},
		{"cut short", func(b []byte) []byte { return b[:len(b)-1] }, ErrCutShort},
		{"longer", func(b []byte) []byte { return append(b, 0) }, ErrCutShort},
		{"another version", func(b []byte) []byte { b[8]++; return b }, ErrVersion},
		{"another subspace", func(b []byte) []byte { b[12]++; return b }, ErrDamaged},
		{"a slot", func(b []byte) []byte { b[len(b)/2] ^= 4; return b }, ErrDamaged},
	}
}

// TestDamage wants every kind of damage named with its file, and the other files to be good all the same.
func TestDamage(t *testing.T) {
	whole := t.TempDir()
	build(t, whole, variant(t, "tournament flies=true no_shot=0 three_against_three=0"), 6)
	names, err := filepath.Glob(filepath.Join(whole, "*"+extension))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range damages() {
		dir := t.TempDir()
		path := filepath.Join(dir, "x"+extension)
		if err := os.WriteFile(path, test.to(bytes.Clone(good)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "good"+extension), good, 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := Open(dir)
		var wrong *FileError
		if !errors.Is(err, test.want) || !errors.As(err, &wrong) || wrong.Path != path || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: %v, want %v with the file's name", test.name, err, test.want)
		}
		if tables.For(variant(t, "morabaraba")).Pieces() != 6 {
			t.Errorf("%s: the good file is not used", test.name)
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestProbeAnything asks for positions that no table has, malformed ones too.
func TestProbeAnything(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, variant(t, "nine"), 6)
	r := reopened(t, dir).For(variant(t, "nine"))
	p := stand{7, 7 << 9}.position(rules.White)
	if _, ok := r.Probe(&p); !ok {
		t.Errorf("%s is not found", p)
	}
	for name, change := range map[string]func(*rules.Position){
		"placing":         func(p *rules.Position) { p.Hand[1] = 1 },
		"a shot due":      func(p *rules.Position) { p.Pending = 1 },
		"forbidden move":  func(p *rules.Position) { p.Forbidden[1].Set = true },
		"four":            func(p *rules.Position) { p.Pieces[0] |= 8 },
		"two":             func(p *rules.Position) { p.Pieces[0] &^= 1 },
		"none":            func(p *rules.Position) { p.Pieces = [2]rules.Points{} },
		"all":             func(p *rules.Position) { p.Pieces = [2]rules.Points{1<<32 - 1, 1<<32 - 1} },
		"one point twice": func(p *rules.Position) { p.Pieces[1] = 7 },
		"off the board":   func(p *rules.Position) { p.Pieces[1] = 7 << 24 },
	} {
		q := p
		change(&q)
		if f, ok := r.Probe(&q); ok {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestTogether probes from many goroutines; the race detector watches.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, variant(t, "nine"), 6)
	tables := reopened(t, dir)
	var done sync.WaitGroup
	for i := range 4 {
		done.Go(func() {
			r, random := tables.For(variant(t, "nine")), rand.New(rand.NewPCG(uint64(i), 1))
			for range 1000 {
				p := randomStand(random, subspace{3, 3}).position(rules.White)
				if _, ok := r.Probe(&p); !ok {
					t.Errorf("%s is not found", p)
				}
			}
		})
	}
	done.Wait()
}

// BenchmarkProbe asks for random positions, the worst case for the machine's caches.
func BenchmarkProbe(b *testing.B) {
	dir := b.TempDir()
	v := variant(b, "nine")
	r := build(b, dir, v, 8).For(v)
	random := rand.New(rand.NewPCG(1, 1))
	positions := make([]rules.Position, 1<<14)
	for i := range positions {
		own := 3 + random.IntN(3)
		positions[i] = randomStand(random, subspace{own, 3 + random.IntN(6-own)}).position(rules.White)
	}
	at, found := 0, 0
	for b.Loop() {
		if _, ok := r.Probe(&positions[at&(1<<14-1)]); ok {
			found++
		}
		at++
	}
	if found != at {
		b.Fatalf("%d of %d found", found, at)
	}
}

// BenchmarkBuild builds 3-3 to 4-4.
func BenchmarkBuild(b *testing.B) {
	v := variant(b, "nine")
	for b.Loop() {
		solveAll(b, v, 8, runtime.NumCPU(), limits{})
	}
}
