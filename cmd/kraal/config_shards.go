package main

import (
	"fmt"
	"strconv"
	"strings"

	"kraal/bot/discord/wire"
)

// shards is a range of shards, "0-3" or "2"; empty: all of them.
type shards string

func (s shards) valid() error {
	_, _, err := s.ends()
	return err
}

// ends are the first and the last of the range; none are 0 and -1.
func (s shards) ends() (first, last int, err error) {
	if s == "" {
		return 0, -1, nil
	}
	from, to, ranged := strings.Cut(string(s), "-")
	if !ranged {
		to = from
	}
	first, err1 := strconv.Atoi(strings.TrimSpace(from))
	last, err2 := strconv.Atoi(strings.TrimSpace(to))
	if err1 != nil || err2 != nil || first < 0 || last < first {
		return 0, -1, fmt.Errorf("%q is no range of shards; write it like 0-3", string(s))
	}
	return first, last, nil
}

// served is which shards the process serves.
func (c discordConfig) served() wire.Shards {
	first, last, _ := c.Shards.ends() // checked where it was read
	if last < 0 {
		last = max(int(c.ShardCount)-1, 0)
	}
	return wire.Shards{Count: int(c.ShardCount), First: first, Last: last}
}

// checkShards refuses a range that does not fit the number of shards, wherever the two were set.
func (c discordConfig) checkShards() error {
	if err := c.served().Valid(); err != nil {
		return &configError{Where: "config", Key: "discord.shards", Why: err.Error()}
	}
	return nil
}
