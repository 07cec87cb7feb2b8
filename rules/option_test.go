package rules_test

import (
	"testing"

	"kraal/rules"
)

func TestLeavesOpen(t *testing.T) {
	for _, v := range rules.Variants() {
		for _, column := range rules.Columns() {
			want := v.Key == "thinhama" && (column == "flies" || column == "first")
			if got := v.LeavesOpen(column); got != want {
				t.Errorf("%s leaves %s open: %v", v.Key, column, got)
			}
		}
	}
}
