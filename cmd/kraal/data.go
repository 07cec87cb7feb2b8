package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kraal/storage"
	"kraal/storage/boltstore"
)

// storePath is where the config has the store, or the sandbox's.
func (p *program) storePath(ofSandbox bool) (string, error) {
	c, _, err := loadConfig(p.config, p.environ)
	if err != nil {
		return "", err
	}
	if ofSandbox {
		return c.Sandbox.Storage, nil
	}
	return c.Storage.Path, nil
}

// storeToRead is storePath for what reads a store that has to be there. Who has only played in the sandbox is told where
// their games are.
func (p *program) storeToRead(ofSandbox bool) (string, error) {
	path, err := p.storePath(ofSandbox)
	if err != nil || ofSandbox || !missing(path) {
		return path, err
	}
	if played, err := p.storePath(true); err == nil && !missing(played) {
		return "", fmt.Errorf("there is no store %s; the sandbox keeps its games in %s: add --sandbox", path, played)
	}
	return path, nil
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

type backupCmd struct {
	File    string `arg:"" help:"Where to; a folder gets a file with the date in its name."`
	Sandbox bool   `help:"Copy the games that the sandbox keeps."`
}

// Run makes the copy: the bot hands it over where one runs, for it alone can read its file then.
func (b backupCmd) Run(p *program) error {
	path, err := p.storeToRead(b.Sandbox)
	if err != nil {
		return err
	}
	target := b.File
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		target = filepath.Join(target, "kraal-"+time.Now().UTC().Format("20060102-150405")+".db")
	}
	if samePlace(path, target) {
		return fmt.Errorf("%s: this is the store itself; name another file for its copy", target)
	}
	report, err := boltstore.Deliver(p.ctx, target, func(w io.Writer) error {
		asked, err := askForCopy(p.ctx, path, w)
		if asked {
			return err
		}
		err = boltstore.Copy(p.ctx, path, w)
		if boltstore.Locked(err) {
			err = fmt.Errorf("the store %s is in use by a program that hands over no copy: stop it, or see what its log says of backup", path)
		}
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s: %d records, %s, opened and checked.\n", target, report.All(), size(report.Size))
	return err
}

type restoreCmd struct {
	File    string `arg:"" help:"The backup."`
	Sandbox bool   `help:"Restore what the sandbox keeps."`
}

// Run puts the backup in the store's place.
func (r restoreCmd) Run(p *program) error {
	path, err := p.storePath(r.Sandbox)
	if err != nil {
		return err
	}
	if samePlace(path, r.File) {
		return fmt.Errorf("%s: this is the store itself, not a backup of it", r.File)
	}
	if err := p.looked(boltstore.Check(p.ctx, r.File, p.progress)); err != nil {
		return err
	}
	done, err := boltstore.Restore(p.ctx, path, time.Now(), func(w io.Writer) error { return boltstore.Copy(p.ctx, r.File, w) })
	if err != nil {
		return err
	}
	return p.tellPlaced(path, done)
}

func (p *program) tellPlaced(path string, done boltstore.Restored) error {
	if done.Kept != "" {
		fmt.Fprintf(p.out, "What stood there is now %s.\n", done.Kept)
	}
	_, err := fmt.Fprintf(p.out, "%s: %d records, %s.\n", path, done.Report.All(), size(done.Report.Size))
	return err
}

type checkCmd struct {
	File    string `arg:"" optional:"" help:"Another file than the store, such as a backup."`
	Sandbox bool   `help:"Check what the sandbox keeps."`
}

// Run tells whether the store is whole, and what is in it.
func (c checkCmd) Run(p *program) error {
	path := c.File
	if path == "" {
		var err error
		if path, err = p.storeToRead(c.Sandbox); err != nil {
			return err
		}
	}
	report, err := boltstore.Check(p.ctx, path, p.progress)
	if boltstore.Locked(err) {
		return fmt.Errorf("%s is in use: kraal backup checks the copy that it makes, or stop the bot first", path)
	}
	if err := p.looked(report, err); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s is whole: schema %d, %s, %d index entries.\n", path, report.Schema, size(report.Size), report.Entries)
	for _, kind := range storage.Kinds() {
		fmt.Fprintf(p.out, "%10d %s\n", report.Records[kind], kind)
	}
	return nil
}

// looked tells of the faults that a check found; its error says the rest.
func (p *program) looked(report boltstore.Report, err error) error {
	if err != nil {
		for _, fault := range report.Faults {
			fmt.Fprintln(p.out, fault)
		}
	}
	return err
}

// progress shows that a long command is at work.
func (p *program) progress(records int) { fmt.Fprintf(p.err, "%d records\n", records) }

type compactCmd struct {
	Sandbox bool `help:"Compact what the sandbox keeps."`
}

// Run makes the file as small as what is in it.
func (c compactCmd) Run(p *program) error {
	path, err := p.storeToRead(c.Sandbox)
	if err != nil {
		return err
	}
	before, after, err := boltstore.Compact(p.ctx, path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s: was %s, is %s.\n", path, size(before), size(after))
	return err
}

type importCmd struct {
	File    string `arg:"" help:"What export wrote; - is standard input."`
	Replace bool   `help:"Also where there is a store with something in it, which is kept under a name with the date."`
	Sandbox bool   `help:"Import as what the sandbox keeps."`
}

// Run makes a store of an export; it takes its place whole or not at all.
func (i importCmd) Run(p *program) error {
	path, err := p.storePath(i.Sandbox)
	if err != nil {
		return err
	}
	if !i.Replace {
		if err := p.expectEmpty(path); err != nil {
			return err
		}
	}
	in := p.in
	if i.File != "-" {
		f, err := os.Open(i.File)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	done, err := boltstore.Fresh(p.ctx, path, time.Now(), func(s *boltstore.Store) error {
		return storage.Import(p.ctx, in, s.Load)
	})
	if err != nil {
		return err
	}
	return p.tellPlaced(path, done)
}

// expectEmpty refuses a store that holds something.
func (p *program) expectEmpty(path string) error {
	if _, err := os.Stat(path); err != nil {
		return nil // what else is wrong with it shows when it is made
	}
	report, err := boltstore.Check(p.ctx, path, p.progress)
	if err != nil {
		return err
	}
	if n := report.All(); n > 0 {
		return fmt.Errorf("%s holds %d records already; with --replace it is kept under another name and the import takes its place", path, n)
	}
	return nil
}

// size is a number of bytes for people.
func size(bytes int64) string {
	const kilo, mega, giga = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes < mega:
		return fmt.Sprintf("%d KiB", (bytes+kilo-1)/kilo)
	case bytes < giga:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/mega)
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/giga)
}
