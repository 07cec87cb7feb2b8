package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kraal/bot/discord/wire"
)

// duration is a time span as Go writes it: "15s", "24h".
type duration time.Duration

// UnmarshalText reads a span above zero.
func (d *duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if err != nil || span <= 0 {
		return fmt.Errorf("%q is no time span above zero; write it like 15s or 24h", text)
	}
	*d = duration(span)
	return nil
}

// MarshalText writes what UnmarshalText reads.
func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// checked is a value that can be of the right kind and wrong all the same.
type checked interface{ valid() error }

// level is how much is logged.
type level string

func (l level) valid() error { return oneOf(string(l), "debug", "info", "warn", "error") }

// format is the form of the log.
type format string

func (f format) valid() error { return oneOf(string(f), "auto", "text", "json") }

func oneOf(value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
}

// api is the REST base of another server than Discord's; empty: Discord's own.
type api string

func (a api) valid() error {
	if a == "" {
		return nil
	}
	return wire.CheckAPI(string(a))
}

// serverID is the number that Discord knows a server by; empty: none.
type serverID string

func (id serverID) valid() error {
	if id == "" {
		return nil
	}
	if _, err := strconv.ParseUint(string(id), 10, 64); err != nil {
		return fmt.Errorf("%q is no server's id, which is a long number: Discord's developer mode copies it from the server's menu", string(id))
	}
	return nil
}

// count is a whole number above zero.
type count int

func (c count) valid() error {
	if c < 1 {
		return fmt.Errorf("%d is not above zero", c)
	}
	return nil
}

// limit is a whole number; 0 is no limit.
type limit int

func (l limit) valid() error {
	if l < 0 {
		return fmt.Errorf("%d is below zero; 0 is no limit", l)
	}
	return nil
}

// days is a number of them; 0 is for ever.
type days int

func (d days) valid() error {
	const most = 36500 // a hundred years: more would not fit into a time span for long
	if d < 0 || d > most {
		return fmt.Errorf("%d is not from 0 to %d days; 0 is for ever", d, most)
	}
	return nil
}

func (d days) span() time.Duration { return time.Duration(d) * 24 * time.Hour }
