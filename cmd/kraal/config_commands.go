package main

import (
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Tell everything that is wrong with the config; nothing is started."`
	Dump  configDumpCmd  `cmd:"" help:"Print every key with the value that holds, from the file, the environment or the defaults. The token is hidden."`
}

type configCheckCmd struct{}

// Run reads the config as a start would.
func (configCheckCmd) Run(p *program) error {
	_, warnings, err := loadConfig(p.config, p.environ)
	for _, w := range warnings {
		fmt.Fprintln(p.err, w)
	}
	var unknown unknownKeys
	if errors.As(err, &unknown) && len(unknown) > 1 {
		for _, one := range unknown {
			fmt.Fprintln(p.err, one)
		}
		return fmt.Errorf("%d keys mean nothing", len(unknown))
	}
	if err != nil {
		return err
	}
	path, err := configPath(p.config)
	if err != nil {
		return err
	}
	if path == "" {
		path = "the environment alone (there is no config.toml here)"
	}
	_, err = fmt.Fprintf(p.out, "The config is good: %s.\n", path)
	return err
}

type configDumpCmd struct{}

// hiddenToken stands where there is a token that must not be shown.
const hiddenToken = "(set, and not shown)"

// Run prints the config as a file that could be read again, but for the token.
func (configDumpCmd) Run(p *program) error {
	c, _, err := loadConfig(p.config, p.environ)
	if err != nil {
		return err
	}
	switch {
	case c.Discord.TokenFile != "":
		c.Discord.Token = "" // read from there
	case c.Discord.Token != "":
		c.Discord.Token = hiddenToken
	}
	text, err := toml.Marshal(c)
	if err != nil {
		return err
	}
	_, err = p.out.Write(text)
	return err
}
