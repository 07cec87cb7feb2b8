package bot_test

import (
	"os"
	"testing"
)

// playsUntilKilled makes this test binary play games in a process of its own, instead of running tests: on the store that
// it names.
const playsUntilKilled = "KRAAL_BOT_TEST_STORE"

func TestMain(m *testing.M) {
	if path := os.Getenv(playsUntilKilled); path != "" {
		os.Exit(playOn(path))
	}
	os.Exit(m.Run())
}
