package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kraal/storage/boltstore"
)

// asKraal makes the test's own binary be the bot, for tests that kill it.
const asKraal = "TEST_AS_KRAAL"

// TestMain lets the scripts call the binary by its name, and lets the binary be another program.
func TestMain(m *testing.M) {
	if os.Getenv(asKraal) != "" {
		main()
	}
	if kind := os.Getenv(asOpponent); kind != "" {
		fakeProgram(kind, os.Stdin)
		return
	}
	testscript.Main(m, map[string]func(){
		"kraal": func() {
			os.Exit(run(program{ctx: context.Background(), in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ()}, os.Args[1:]))
		},
	})
}

// TestScripts is the command line's manual: see testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"hold-store": holdStore,
		},
	})
}

// holdStore opens a store for as long as the script runs, as another process would.
func holdStore(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold-store FILE")
	}
	store, err := boltstore.Open(ts.MkAbs(args[0]), boltstore.Options{})
	ts.Check(err)
	ts.Defer(func() { _ = store.Close() })
}
