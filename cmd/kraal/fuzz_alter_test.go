package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAlterer changes events, and never into something done in the name of those who play, or with permissions that nobody
// gave.
func TestAlterer(t *testing.T) {
	const event = `{"id":"1","type":3,"member":{"permissions":"1024","user":{"id":"stranger"}},"data":{"custom_id":"x","values":["a7"]}}`
	a := alterer{random: rand.New(rand.NewPCG(1, 1)), words: []string{"ann", "ben", "k1|g|3|draw|"}, seated: []string{"ann", "ben"}, self: "stranger"}
	changed := 0
	for range 2000 {
		var e map[string]any
		if err := json.Unmarshal([]byte(event), &e); err != nil {
			t.Fatal(err)
		}
		a.alter(e)
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if string(raw) != event {
			changed++
		}
		member, ok := e["member"].(map[string]any)
		if !ok {
			continue
		}
		user, _ := member["user"].(map[string]any)
		if id, _ := user["id"].(string); slices.Contains(a.seated, id) {
			t.Fatalf("in the name of %s: %s", id, raw)
		}
		if member["permissions"] != "1024" {
			t.Fatalf("with other permissions: %s", raw)
		}
	}
	if changed < 1900 {
		t.Errorf("only %d of 2000 were changed", changed)
	}
}
