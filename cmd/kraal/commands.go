package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"kraal/bot/discord"
	"kraal/rules/engine/ugi"
	"kraal/storage"
	"kraal/storage/boltstore"
)

type ugiCmd struct{}

// Run speaks UGI until the input ends or says quit.
func (ugiCmd) Run(p *program) error { return ugi.Serve(p.ctx, p.in, p.out, ugi.Options{}) }

type exportCmd struct {
	File    string `arg:"" help:"Where to write to; - is standard output."`
	Sandbox bool   `help:"Export what the sandbox keeps."`
}

// Run writes every record of the store. A file appears whole or not at all.
func (e exportCmd) Run(p *program) error {
	path, err := p.storeToRead(e.Sandbox)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%s: there is no store to export; storage.path names it", path)
	}
	store, err := boltstore.Open(path, boltstore.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	if e.File == "-" {
		return storage.Export(p.ctx, store, p.out)
	}
	return exportTo(p.ctx, store, e.File)
}

func exportTo(ctx context.Context, store storage.Store, path string) (err error) {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
		}
	}()
	if err := storage.Export(ctx, store, f); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(part, path)
}

type versionCmd struct{}

// Run prints the version, and the commit that the binary was built from.
func (versionCmd) Run(p *program) error {
	_, err := fmt.Fprintln(p.out, "kraal", version())
	return err
}

// version is the module's version, with the commit and its date where the build knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	said := []string{info.Main.Version}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.time" {
			said = append(said, s.Value)
		}
	}
	return strings.Join(said, " ")
}

type inviteCmd struct {
	App string `arg:"" help:"The application's id, from Discord's developer portal."`
}

// Run prints the link.
func (i inviteCmd) Run(p *program) error {
	link, err := discord.InviteLink(i.App)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.out, link)
	return err
}
