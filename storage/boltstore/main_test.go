package boltstore

import (
	"os"
	"testing"
)

// childVariable makes this test binary do one job in a process of its own, instead of running tests.
const childVariable = "BOLTSTORE_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
		os.Exit(m.Run())
	case "write":
		os.Exit(childWrite(os.Args[1], os.Args[2], os.Args[3]))
	case "open":
		os.Exit(childOpen(os.Args[1]))
	case "hold":
		os.Exit(childHold(os.Args[1]))
	}
	panic("no such job")
}
