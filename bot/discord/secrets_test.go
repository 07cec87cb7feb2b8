package discord_test

import (
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

// expectNoSecrets holds a log to tell neither the bot's token nor that of any interaction that was answered.
func expectNoSecrets(t testing.TB, log string, sb *sandbox.Sandbox) {
	t.Helper()
	if strings.Contains(log, sb.Token()) {
		t.Error("the bot's token stands in the log")
	}
	tokens := map[string]bool{}
	for _, r := range sb.Requests() {
		// /api/v9/interactions/ID/TOKEN/callback, /api/v9/webhooks/APPLICATION/TOKEN
		if parts := strings.Split(r.Path, "/"); len(parts) > 5 && (parts[3] == "interactions" || parts[3] == "webhooks") {
			token, _, _ := strings.Cut(parts[5], "?")
			tokens[token] = true
		}
	}
	// Tokens are found by how they begin, which is the same for all of them: a week's log is long, and so is the list.
	begin := ""
	for token := range tokens {
		if begin == "" {
			begin = token
		}
		for !strings.HasPrefix(token, begin) {
			begin = begin[:len(begin)-1]
		}
	}
	if len(tokens) > 0 && (len(begin) < 8 || strings.Contains(log, begin)) {
		t.Errorf("tokens of interactions, which begin with %q, stand in the log", begin)
	}
}
