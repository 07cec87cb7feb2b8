package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows lists every room and the rooms that it may import. A folder below a room belongs to that room, unless it is a
// room itself.
func arrows() map[string][]string {
	return map[string][]string{
		"rules":             nil,
		"rules/endgame":     {"rules"},
		"rules/engine":      {"rules", "rules/endgame"},
		"rules/engine/ugi":  {"rules/engine", "rules"},
		"rules/engine/tune": {"rules/engine", "rules"},
		"rules/study":       {"rules/engine", "rules/endgame", "rules"},
		"render":            {"rules"},
		"storage":           {"rules"},
		"storage/boltstore": {"storage"},
		"bot/rating":        nil,
		"bot/fair":          nil,
		"bot/match":         {"rules", "bot/rating", "storage"},
		"bot":               {"bot/match", "bot/rating", "bot/fair", "storage", "rules"},
		"bot/discord":       {"bot", "bot/fair", "bot/match", "render", "rules", "storage", "rules/study"},
		"bot/sandbox":       nil,
	}
}

// TestImports holds the code to the floor plan: no arrow between rooms but those listed. Tests may look further, since a
// whole game needs every room.
func TestImports(t *testing.T) {
	allowed := arrows()
	seen := 0
	eachImport(t, func(file, room, imported string) {
		seen++
		if imported == "github.com/bwmarrin/discordgo" && room != "bot/discord" {
			t.Errorf("%s imports discordgo: its traps are dealt with in bot/discord alone", file)
		}
		inside, ok := strings.CutPrefix(imported, "kraal/")
		if !ok || room == "cmd" {
			return
		}
		to := roomOf(inside, allowed)
		if to == room || slices.Contains(allowed[room], to) {
			return
		}
		t.Errorf("%s: %s imports %s; the floor plan knows only these arrows from it: %v", file, room, to, allowed[room])
	})
	if seen == 0 {
		t.Fatal("no imports were looked at")
	}
}

// eachImport visits the imports of all code but tests.
func eachImport(t *testing.T, visit func(file, room, imported string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			visit(rel, roomOf(filepath.ToSlash(filepath.Dir(rel)), arrows()), imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// roomOf is the room that a folder belongs to; everything under cmd is the one binary.
func roomOf(folder string, rooms map[string][]string) string {
	for f := folder; f != "." && f != "/"; f = filepath.ToSlash(filepath.Dir(f)) {
		if _, ok := rooms[f]; ok {
			return f
		}
	}
	first, _, _ := strings.Cut(folder, "/")
	return first
}
