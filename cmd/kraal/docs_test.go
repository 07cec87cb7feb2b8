package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kraal/storage"
)

func docsPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTroubles: every message that docs/troubles.md explains is one that the code says.
func TestTroubles(t *testing.T) {
	var code strings.Builder
	for _, room := range []string{"cmd", "bot", "storage"} {
		err := filepath.WalkDir(filepath.Join("..", "..", room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			code.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	for _, line := range strings.Split(docsPage(t, "troubles.md"), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.Contains(cells[1], "`") {
			continue
		}
		for _, message := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			found++
			if said := strings.ReplaceAll(message[1], " N ", " %d "); !strings.Contains(code.String(), said) {
				t.Errorf("nothing says %q", said)
			}
		}
	}
	if found == 0 {
		t.Error("docs/troubles.md explains nothing")
	}
}

// TestPrivacyListsRecords: docs/privacy.md tells of every kind of record.
func TestPrivacyListsRecords(t *testing.T) {
	text := docsPage(t, "privacy.md")
	for _, kind := range storage.Kinds() {
		if !strings.Contains(text, "\n| "+string(kind)+" |") {
			t.Errorf("docs/privacy.md does not tell of %s", kind)
		}
	}
}

// TestDocsLinks: what the pages point to is there, and the README leads to the first of them.
func TestDocsLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	pages = append(pages, filepath.Join("..", "..", "README.md"))
	links := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	led := false
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), link[1])); err != nil {
				t.Errorf("%s points to %s: %v", name, link[1], err)
			}
			led = led || link[1] == "docs/hosting.md"
		}
	}
	if !led {
		t.Error("the README does not lead to docs/hosting.md")
	}
}
