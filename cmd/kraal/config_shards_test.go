package main

import (
	"strings"
	"testing"

	"kraal/bot/discord/wire"
)

func TestShardsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		want    wire.Shards
		refused string
	}{
		"nothing set": {nil, wire.Shards{}, ""},
		"a number":    {[]string{"KRAAL_DISCORD_SHARD_COUNT=4"}, wire.Shards{Count: 4, Last: 3}, ""},
		"a range":     {[]string{"KRAAL_DISCORD_SHARD_COUNT=8", "KRAAL_DISCORD_SHARDS=2-5"}, wire.Shards{Count: 8, First: 2, Last: 5}, ""},
		"one":         {[]string{"KRAAL_DISCORD_SHARD_COUNT=8", "KRAAL_DISCORD_SHARDS=7"}, wire.Shards{Count: 8, First: 7, Last: 7}, ""},
		"beyond":      {[]string{"KRAAL_DISCORD_SHARD_COUNT=8", "KRAAL_DISCORD_SHARDS=2-8"}, wire.Shards{}, "discord.shards"},
		"no number":   {[]string{"KRAAL_DISCORD_SHARDS=2-5"}, wire.Shards{}, "discord.shards"},
		"no range":    {[]string{"KRAAL_DISCORD_SHARD_COUNT=8", "KRAAL_DISCORD_SHARDS=a-b"}, wire.Shards{}, "0-3"},
		"backwards":   {[]string{"KRAAL_DISCORD_SHARD_COUNT=8", "KRAAL_DISCORD_SHARDS=5-2"}, wire.Shards{}, "0-3"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := loadConfig("", c.environ)
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("got %v, want a refusal that names %s", err, c.refused)
				}
				return
			}
			if err != nil || got.Discord.served() != c.want {
				t.Errorf("got %+v, %v, want %+v", got.Discord.served(), err, c.want)
			}
		})
	}
}
