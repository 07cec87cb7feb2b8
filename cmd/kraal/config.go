package main

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"kraal/bot"
	"kraal/bot/discord"
)

// config is everything that can be set. Each key is also an environment variable, which wins: KRAAL_ and the path, in
// capitals, so that discord.token is KRAAL_DISCORD_TOKEN.
type config struct {
	Discord discordConfig `toml:"discord"`
	Storage storageConfig `toml:"storage"`
	Sandbox sandboxConfig `toml:"sandbox"`
	HTTP    httpConfig    `toml:"http"`
	Log     logConfig     `toml:"log"`
	Bot     botConfig     `toml:"bot"`
	Engine  engineConfig  `toml:"engine"`
	Study   studyConfig   `toml:"study"`

	Variants variantsConfig `toml:"variants"` // in the file alone: their keys are its own
}

type discordConfig struct {
	Token     string `toml:"token"`
	TokenFile string `toml:"token_file"`
	API       api    `toml:"api"`

	TestServer serverID `toml:"test_server"`

	ShardCount limit  `toml:"shard_count"`
	Shards     shards `toml:"shards"`
}

type storageConfig struct {
	Path           string `toml:"path"`
	KeepGames      days   `toml:"keep_games"`
	KeepChallenges days   `toml:"keep_challenges"`
}

type httpConfig struct {
	Listen string `toml:"listen"`
}

type sandboxConfig struct {
	Listen  string `toml:"listen"`
	Expose  bool   `toml:"expose"`
	Storage string `toml:"storage"`
}

// world is the file in which the sandbox's world lies, beside the store: kraal-sandbox-world.db beside kraal-sandbox.db.
func (c sandboxConfig) world() string {
	extension := filepath.Ext(c.Storage)
	return strings.TrimSuffix(c.Storage, extension) + "-world" + extension
}

type logConfig struct {
	Level  level  `toml:"level"`
	Format format `toml:"format"`
}

type botConfig struct {
	MaxGames            count    `toml:"max_games"`
	MaxGamesChannel     limit    `toml:"max_games_channel"`
	MaxGamesServer      limit    `toml:"max_games_server"`
	ChallengesPerMinute limit    `toml:"challenges_per_minute"`
	RatedGamesPerPair   limit    `toml:"rated_games_per_pair"`
	ChallengeExpires    duration `toml:"challenge_expires"`
	NoticeAfter         duration `toml:"notice_after"`
	FirstTurn           duration `toml:"first_turn"`
	AbandonedAfter      duration `toml:"abandoned_after"`
}

// studyConfig bounds the thinking for those who want to learn: hints, analyses, puzzles from one's own games.
type studyConfig struct {
	Workers       count    `toml:"workers"`
	Hash          count    `toml:"hash"` // MiB
	HintTime      duration `toml:"hint_time"`
	AnalysisTime  duration `toml:"analysis_time"`
	AnalysisNodes count    `toml:"analysis_nodes"`
	MineTime      duration `toml:"mine_time"`
}

// envPrefix begins the name of every environment variable of ours.
const envPrefix = "KRAAL_"

// defaultConfig is what stands where nothing is set.
func defaultConfig() config {
	limits, study := bot.DefaultLimits(), discord.DefaultStudy()
	return config{
		Storage: storageConfig{Path: "kraal.db"},
		Sandbox: sandboxConfig{Listen: "127.0.0.1:8017", Storage: "kraal-sandbox.db"},
		Log:     logConfig{Level: "info", Format: "auto"},
		Bot: botConfig{
			MaxGames: count(limits.Games), ChallengeExpires: duration(limits.ChallengeStays), NoticeAfter: duration(limits.NoticeAfter),
			MaxGamesChannel: limit(limits.GamesInChannel), MaxGamesServer: limit(limits.GamesInServer),
			ChallengesPerMinute: limit(limits.ChallengesAMinute),
			RatedGamesPerPair:   limit(limits.RatedPerPair),
			FirstTurn:           duration(limits.FirstTurn), AbandonedAfter: duration(limits.Abandoned),
		},
		Engine: engineConfig{Hash: 16, Threads: 1, Time: duration(2 * time.Second), Tables: "kraal-tables"},
		Study: studyConfig{
			Workers: count(study.Workers), Hash: count(study.Hash), HintTime: duration(study.HintTime),
			AnalysisTime: duration(study.AnalysisTime), AnalysisNodes: count(study.AnalysisNodes),
			MineTime: duration(study.MineTime),
		},
	}
}

// configError says what is wrong in one line that names the key, and where it stands.
type configError struct {
	Where string // "config.toml:3" or the name of a variable
	Key   string
	Why   string
}

func (e *configError) Error() string {
	if e.Key == "" {
		return e.Where + ": " + e.Why
	}
	return e.Where + ": " + e.Key + ": " + e.Why
}

// unknownKeys are the keys of a file that mean nothing. As an error it is one line about the first.
type unknownKeys []*configError

func (u unknownKeys) Error() string {
	if more := len(u) - 1; more > 0 {
		return fmt.Sprintf("%v (and %d more: kraal config check lists them)", u[0], more)
	}
	return u[0].Error()
}

func unknownIn(path string, met *toml.StrictMissingError) (all unknownKeys) {
	for _, one := range met.Errors {
		line, _ := one.Position()
		all = append(all, &configError{
			Where: at(path, line), Key: strings.Join(one.Key(), "."), Why: "there is no such key; config.example.toml lists them all",
		})
	}
	return all
}

// loadConfig reads the file, if there is one, then the environment. Warnings name variables that mean nothing.
func loadConfig(path string, environ []string) (c config, warnings []string, err error) {
	c = defaultConfig()
	if path, err = configPath(path); err != nil {
		return c, nil, err
	}
	if path != "" {
		if err := c.readFile(path); err != nil {
			return c, nil, err
		}
	}
	warnings, err = c.readEnv(environ)
	if err != nil {
		return c, warnings, err
	}
	if err := c.readTokenFile(); err != nil {
		return c, warnings, err
	}
	return c, warnings, c.Discord.checkShards()
}

// configPath is the file to read: the one named, else ./config.toml if it is there, else none.
func configPath(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	const usual = "config.toml"
	_, err := os.Stat(usual)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return usual, nil
}

func (c *config) readFile(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return &configError{Where: path, Why: "cannot be read: " + errors.Unwrap(err).Error()}
	}
	err = toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(c)
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		return unknownIn(path, unknown)
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return &configError{Where: at(path, line), Key: strings.Join(wrong.Key(), "."), Why: plainly(wrong)}
	}
	if err != nil {
		return &configError{Where: path, Why: err.Error()}
	}
	if err := c.Variants.check(path, string(raw)); err != nil {
		return err
	}
	for _, f := range c.fields() {
		if err := valid(f); err != nil {
			return &configError{Where: at(path, lineOf(string(raw), f.key)), Key: f.key, Why: err.Error()}
		}
	}
	return nil
}

// lineOf is the line of a file on which a key is set.
func lineOf(text, key string) int {
	dot := strings.LastIndexByte(key, '.')
	table, name := key[:max(dot, 0)], key[dot+1:]
	in := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if header, ok := strings.CutPrefix(line, "["); ok {
			in, _, _ = strings.Cut(header, "]")
		}
		set, _, _ := strings.Cut(line, "=")
		if in == table && strings.TrimSpace(set) == name || strings.TrimSpace(set) == key {
			return i + 1
		}
	}
	return 1
}

// valid asks a field's value whether it makes sense.
func valid(f field) error {
	if value, ok := f.value.Interface().(checked); ok {
		return value.valid()
	}
	return nil
}

// plainly is a decoder's complaint without the names of the code.
func plainly(wrong *toml.DecodeError) string {
	why := strings.TrimPrefix(wrong.Error(), "toml: ")
	if strings.Contains(why, "cannot decode") {
		return "a value of another kind is wanted here; config.example.toml shows it"
	}
	return why
}

func at(path string, line int) string { return path + ":" + strconv.Itoa(line) }

// readEnv lets the environment win.
func (c *config) readEnv(environ []string) (warnings []string, err error) {
	fields := c.fields()
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) {
			continue
		}
		field, ok := fields[name]
		if !ok {
			warnings = append(warnings, name+" means nothing to kraal; config.example.toml lists the keys")
			continue
		}
		if err := setField(field, value); err != nil {
			return warnings, &configError{Where: name, Key: field.key, Why: err.Error()}
		}
	}
	slices.Sort(warnings)
	return warnings, nil
}

// field is one key of the config.
type field struct {
	key   string // as in the file, with dots
	value reflect.Value
}

// fields lists every key by its variable's name.
func (c *config) fields() map[string]field {
	found := map[string]field{}
	root := reflect.ValueOf(c).Elem()
	for i := range root.NumField() {
		table, section := root.Type().Field(i).Tag.Get("toml"), root.Field(i)
		if section.Kind() != reflect.Struct {
			continue
		}
		for j := range section.NumField() {
			key := table + "." + section.Type().Field(j).Tag.Get("toml")
			name := envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
			found[name] = field{key: key, value: section.Field(j)}
		}
	}
	return found
}

func setField(f field, text string) error {
	if reader, ok := f.value.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return reader.UnmarshalText([]byte(text))
	}
	switch f.value.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no whole number", text)
		}
		f.value.SetInt(int64(n))
	case reflect.Bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		f.value.SetBool(text == "true")
	default:
		f.value.SetString(text)
	}
	return valid(f)
}

// readTokenFile takes the token from its file, where one is named.
func (c *config) readTokenFile() error {
	if c.Discord.TokenFile == "" {
		return nil
	}
	if c.Discord.Token != "" {
		return &configError{Where: "config", Key: "discord.token_file", Why: "set either this or discord.token, not both"}
	}
	raw, err := os.ReadFile(c.Discord.TokenFile)
	if err != nil {
		return &configError{Where: c.Discord.TokenFile, Key: "discord.token_file", Why: "cannot be read: " + errors.Unwrap(err).Error()}
	}
	c.Discord.Token = strings.TrimSpace(string(raw))
	if c.Discord.Token == "" {
		return &configError{Where: c.Discord.TokenFile, Key: "discord.token_file", Why: "the file is empty"}
	}
	return nil
}
