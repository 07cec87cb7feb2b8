package discord_test

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// TestMain runs more tests at once than there are processors: on a stage they mostly wait for one another's answers.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked && stagesAtOnce > 0 {
		if err := flag.Set("test.parallel", strconv.Itoa(stagesAtOnce)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
