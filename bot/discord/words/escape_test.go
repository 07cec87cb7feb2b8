package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"kraal/bot/discord/words"
)

func TestName(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Ada", "Ada"},
		{"markdown", "_x_ *y* ||z||", `\_x\_ \*y\* \|\|z\|\|`},
		{"fence and mention", "```@everyone", "\\`\\`\\`\\@everyone"},
		{"role mention", "<@&1>", `\<\@&1\>`},
		{"right-to-left mark", "\u202eabc\u200f", "abc"},
		{"isolates", "a\u2067b\u2069c", "abc"},
		{"nothing to be seen", "\u200b\u200d\ufeff\u3164", ""},
		{"lines", "a\nb\t\tc  ", "a b c"},
		{"other scripts", "Šeboléla Ωμέγα 木", "Šeboléla Ωμέγα 木"},
		{"emoji", strings.Repeat("🐄", 40), strings.Repeat("🐄", 32) + "…"},
		{"list", "1. x", `1\. x`},
		{"heading", "# x", `\# x`},
		{"link", "[a](http://b)", `\[a\]\(http\://b\)`},
		{"right to left", "محمد *", "\u2068محمد \\*\u2069"},
		{"both ways", "\u2067אבג\u2069 Ada", "\u2068אבג Ada\u2069"},
		{"right to left, cut", strings.Repeat("م", 33), "\u2068" + strings.Repeat("م", 32) + "…\u2069"},
		{"combining", "e\u0301", "e\u0301"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := words.Name(tt.in); got != tt.want {
				t.Errorf("Name(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"Ada", "_x_", "```@everyone", "<@&1>", "\u202e", "\\", "a\nb", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := words.Name(in)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\u202e\u200f\u200b") {
			t.Fatalf("Name(%q) = %q", in, got)
		}
		bare := strings.NewReplacer(`\\`, "", `\@`, "", "\\`", "", `\<`, "", `\*`, "", `\_`, "").Replace(got)
		if strings.ContainsAny(bare, "@`<*_") {
			t.Fatalf("Name(%q) = %q leaves a mark that means something", in, got)
		}
	})
}
