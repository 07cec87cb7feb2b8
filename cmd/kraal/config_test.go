package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestExampleConfig holds the example to the code: every key is in it, with its default.
func TestExampleConfig(t *testing.T) {
	got, _, err := loadConfig(filepath.Join("..", "..", "config.example.toml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := defaultConfig(); !reflect.DeepEqual(got, want) {
		t.Errorf("the example says %+v, the defaults are %+v", got, want)
	}
	raw, err := os.ReadFile(filepath.Join("..", "..", "config.example.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range got.fields() {
		_, name, _ := strings.Cut(f.key, ".")
		if !strings.Contains(string(raw), "\n"+name+" = ") {
			t.Errorf("the example lacks %s", f.key)
		}
	}
}

func TestEnvironmentWins(t *testing.T) {
	path := write(t, "[storage]\npath = \"from-file.db\"\n[bot]\nmax_games = 3\n")
	c, warnings, err := loadConfig(path, []string{
		"KRAAL_STORAGE_PATH=from-env.db", "KRAAL_BOT_NOTICE_AFTER=1m", "KRAAL_DISCORD_TOKN=x", "HOME=/root",
		"KRAAL_SANDBOX_EXPOSE=true",
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Storage.Path != "from-env.db" || c.Bot.MaxGames != 3 || !c.Sandbox.Expose || time.Duration(c.Bot.NoticeAfter) != time.Minute {
		t.Errorf("got %+v", c)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "KRAAL_DISCORD_TOKN") {
		t.Errorf("warnings: %q", warnings)
	}
}

func TestBadConfigNamesKeyAndLine(t *testing.T) {
	tests := []struct {
		name, text string
		env        []string
		want       []string // what the one line must hold
	}{
		{"unknown key", "[storage]\npath = \"a\"\npaht = \"b\"\n", nil, []string{"config.toml:3", "storage.paht"}},
		{"unknown table", "[discrod]\ntoken = \"a\"\n", nil, []string{"config.toml:1", "discrod"}},
		{"wrong type", "[bot]\nmax_games = \"many\"\n", nil, []string{"config.toml:2", "max_games"}},
		{"not TOML", "[bot\n", nil, []string{"config.toml:1"}},
		{"no time span", "[bot]\n\nnotice_after = \"soon\"\n", nil, []string{"notice_after", "soon"}},
		{"no number in a variable", "", []string{"KRAAL_BOT_MAX_GAMES=x"}, []string{"KRAAL_BOT_MAX_GAMES", "bot.max_games"}},
		{"level", "[log]\nlevel = \"loud\"\n", nil, []string{"config.toml:2", "log.level", "loud"}},
		{"format in a variable", "", []string{"KRAAL_LOG_FORMAT=xml"}, []string{"KRAAL_LOG_FORMAT", "log.format", "xml"}},
		{"API in the clear", "[discord]\napi = \"http://example.org/api/v9\"\n", nil, []string{"config.toml:2", "discord.api", "this machine"}},
		{"neither true nor false", "", []string{"KRAAL_SANDBOX_EXPOSE=maybe"}, []string{"KRAAL_SANDBOX_EXPOSE", "sandbox.expose", "maybe"}},
		{"a text for a truth", "[sandbox]\nexpose = \"yes\"\n", nil, []string{"config.toml:2", "sandbox.expose"}},
		{"house rules with an unknown column", "[variants.ours]\nname = \"Ours\"\nbase = \"nine\"\nflys = false\n", nil, []string{"config.toml:4", "variants.ours.flys", "flies"}},
		{"house rules out of range", "[bot]\nmax_games = 3\n[variants.ours]\nname = \"Ours\"\nbase = \"nine\"\npieces = 13\n", nil, []string{"config.toml:6", "variants.ours.pieces", "3 to 12"}},
		{"house rules with a word too many", "[variants.ours]\nname = \"Ours\"\nbase = \"nine\"\nshots = \"two\"\n", nil, []string{"config.toml:4", "variants.ours.shots", "one or each"}},
		{"house rules of nothing", "[variants.ours]\nname = \"Ours\"\nbase = \"ten\"\npieces = 7\n", nil, []string{"config.toml:3", "variants.ours.base", "morabaraba"}},
		{"house rules without a name", "[storage]\npath = \"a\"\n[variants.ours]\nbase = \"nine\"\npieces = 7\n", nil, []string{"config.toml:3", "variants.ours.name"}},
		{"house rules under a key of the six", "[variants.nine]\nname = \"Ours\"\nbase = \"nine\"\npieces = 7\n", nil, []string{"config.toml:1", "variants.nine", "six"}},
		{"house rules under a key with a slash", "[variants.\"a/b\"]\nname = \"Ours\"\nbase = \"nine\"\npieces = 7\n", nil, []string{"config.toml:1", "variants.a/b", "hyphens"}},
		{"house rules that change nothing", "[variants.ours]\nname = \"Ours\"\nbase = \"nine\"\npieces = 9\n", nil, []string{"config.toml:1", "variants.ours", "nothing"}},
		{"an engine without memory", "[engine]\nhash = 0\n", nil, []string{"config.toml:2", "engine.hash"}},
		{"an engine that takes no time", "", []string{"KRAAL_ENGINE_TIME=0s"}, []string{"KRAAL_ENGINE_TIME", "engine.time"}},
		{"fewer than no workers", "[engine]\nworkers = -1\n", nil, []string{"config.toml:2", "engine.workers"}},
		{"days that are none", "[storage]\nkeep_games = -1\n", nil, []string{"config.toml:2", "storage.keep_games", "for ever"}},
		{"no games", "[bot]\nmax_games = 0\n", nil, []string{"bot.max_games"}},
		{"token twice", "[discord]\ntoken = \"a\"\ntoken_file = \"b\"\n", nil, []string{"discord.token_file"}},
		{"token file missing", "[discord]\ntoken_file = \"/nowhere/token\"\n", nil, []string{"/nowhere/token"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := loadConfig(write(t, tt.text), tt.env)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %q, want one line with %q", err, want)
				}
			}
		})
	}
}

func TestTokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := loadConfig(write(t, ""), []string{"KRAAL_DISCORD_TOKEN_FILE=" + path})
	if err != nil || c.Discord.Token != "secret" {
		t.Errorf("token %q, error %v", c.Discord.Token, err)
	}
}

// TestHouseRules: what the file offers everywhere, in the order of the keys, with the columns that it changes.
func TestHouseRules(t *testing.T) {
	c, _, err := loadConfig(write(t, `
[variants.quick]
name = "Quick Nine"
base = "nine"
pieces = 7
flies = false
[variants.free]
name = "Free"
base = "koti"
blocked = "loses"
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Variants.list()
	if err != nil || len(got) != 2 {
		t.Fatalf("got %v and error %v", got, err)
	}
	for i, want := range []struct{ key, name, base, changes string }{
		{"free", "Free", "koti", "blocked=loses"}, {"quick", "Quick Nine", "nine", "pieces=7 flies=false"},
	} {
		if v := got[i]; v.Key != want.key || v.Name != want.name || v.Base != want.base || v.Changes() != want.changes {
			t.Errorf("got %+v, want %+v", v, want)
		}
	}
}
