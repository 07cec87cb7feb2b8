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

// TestTwoMinuteRule: it belongs to one game, and to house rules made from that.
func TestTwoMinuteRule(t *testing.T) {
	for _, v := range rules.Variants() {
		house := v
		house.Key = "club"
		if want := v.Key == "tournament"; v.TwoMinuteRule() != want || house.TwoMinuteRule() != want {
			t.Errorf("%s: %v, and house rules made from it: %v, want %v", v.Key, v.TwoMinuteRule(), house.TwoMinuteRule(), want)
		}
	}
	if (rules.Variant{}).TwoMinuteRule() {
		t.Error("no variant has a two-minute rule")
	}
}
