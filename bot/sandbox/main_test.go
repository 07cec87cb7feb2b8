package sandbox

import (
	"os"
	"testing"
)

// childVariable makes this test binary keep a world, instead of running tests, until it is killed.
const childVariable = "SANDBOX_TEST_KEEPS"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		os.Exit(childKeep(path))
	}
	os.Exit(m.Run())
}
