// Command kraal is the bot: it reads the config, wires the rooms together and runs them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/cli/browser"
)

// cli is the command line. The first sentence of each help text stands in the list of commands.
type cli struct {
	Config string `help:"The config file. Without it ./config.toml is read, if it is there." type:"path" placeholder:"FILE"`

	Run      runCmd     `cmd:"" default:"1" help:"Run the bot. Without a Discord token it runs in the sandbox and prints the address of its page."`
	Sandbox  sandboxCmd `cmd:"" help:"Run in the sandbox, a Discord of its own on this machine, whatever the config says. Its servers, messages and games outlive a restart."`
	Invite   inviteCmd  `cmd:"" help:"Print the link that adds the bot to a server, with the permissions it needs and no more."`
	UGI      ugiCmd     `cmd:"" name:"ugi" help:"Speak the rules and the engine over standard input and output (Universal Game Interface)."`
	Settings configCmd  `cmd:"" name:"config" help:"Look at the config: check it, or print what holds."`
	Health   healthCmd  `cmd:"" name:"healthcheck" help:"Ask the bot that runs whether it is well, at http.listen."`
	Backup   backupCmd  `cmd:"" help:"Copy the store, also while the bot runs. The copy is opened and checked."`
	Restore  restoreCmd `cmd:"" help:"Put a backup in the store's place. What stood there is kept under a name with the date."`
	Check    checkCmd   `cmd:"" help:"Look through the whole store, without changing it."`
	Compact  compactCmd `cmd:"" help:"Write the store anew without the room that was given up."`
	Export   exportCmd  `cmd:"" help:"Write everything that is kept to a file, as JSON Lines."`
	Import   importCmd  `cmd:"" help:"Make a store of what export wrote."`
	Render   renderCmd  `cmd:"" help:"Draw a position or a game: a .png, or a film as a .gif."`
	Puzzles  puzzlesCmd `cmd:"" help:"Find puzzles in games of the engine with itself, prove them and write them as JSON Lines."`
	Tables   tablesCmd  `cmd:"" help:"Build endgame tables, with which the engine plays the end of a game without a fault."`
	Dev      devCmd     `cmd:"" help:"Commands for those who work on Kraal."`
	Version  versionCmd `cmd:"" help:"Print the version."`
}

// program is what a command is given: the world around the process.
type program struct {
	ctx     context.Context
	in      io.Reader
	out     io.Writer
	err     io.Writer
	environ []string
	open    func(address string) error // shows an address in a browser
	config  string                     // the path given, "" if none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(program{ctx: ctx, in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ(), open: browser.OpenURL}, os.Args[1:])
	stop()
	os.Exit(code)
}

// exitRefused is the exit code when Discord refuses the bot for good: whatever starts programs again must leave this one
// alone until somebody has changed something (EX_CONFIG of sysexits.h).
const exitRefused = 78

// run carries out one command line and returns the exit code: 0, 1 for a failure said in one line, 2 for a command line
// that cannot be understood, exitRefused.
func run(p program, args []string) (code int) {
	var c cli
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("kraal"),
		kong.Description("A Discord bot that plays matches of the mill family."),
		kong.Writers(p.out, p.err),
		kong.Exit(func(code int) { exited = code }),
		kong.UsageOnError(),
	)
	if err != nil {
		fmt.Fprintln(p.err, "kraal:", err)
		return 2
	}
	command, err := parser.Parse(args)
	if exited >= 0 { // --help has been answered
		return exited
	}
	if err != nil {
		fmt.Fprintf(p.err, "kraal: %v (kraal --help lists what there is)\n", err)
		return 2
	}
	p.config = c.Config
	if err := command.Run(&p); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(p.err, "kraal:", err)
		if errors.As(err, &usageError{}) {
			return 2
		}
		var refused *refusedError
		if errors.As(err, &refused) {
			return exitRefused
		}
		return 1
	}
	return 0
}
