package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be drawn is told in one line, with the exit code of a command line that cannot be understood.
func TestRenderRefuses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.png")
	for _, args := range [][]string{
		{"--position", "www/.../.../....../.../.../bbb w 13,9 0 0,0 -,-", "-o", out}, {"--theme", "plaid", "-o", out},
		{"--size", "0", "-o", out}, {"--size", "100000", "-o", out}, {"--size", "many", "-o", out}, {"--variant", "go", "-o", out},
		{"-o", out + ".bmp"}, {"--marks", "none,last", "-o", out}, {"--record", out, "-o", out}, {},
	} {
		var said, wrong bytes.Buffer
		code := run(program{ctx: context.Background(), out: &said, err: &wrong}, append([]string{"render"}, args...))
		if code != 2 {
			t.Errorf("%v: exit code %d, want 2", args, code)
		}
		if n := strings.Count(wrong.String(), "\n"); n != 1 || !strings.HasPrefix(wrong.String(), "kraal: ") {
			t.Errorf("%v: %d lines: %s", args, n, wrong.String())
		}
	}
}
