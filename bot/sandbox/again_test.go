package sandbox_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"kraal/bot/sandbox"
)

// TestAgain: an interaction that was altered is delivered as it was altered, with an id and a token of its own, and can be
// answered once.
func TestAgain(t *testing.T) {
	d := open(t)
	l, _ := d.ready()
	if _, err := d.Again("1", func(map[string]any) {}); err == nil {
		t.Error("something was made of nothing")
	}
	d.register(obj{"name": "help", "description": "say what there is"})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := d.As(naledi).Slash(d.ctx(), games, "help", nil); err != nil {
			t.Error(err)
		}
	}()
	first := told(t, l.event("INTERACTION_CREATE").Data)
	d.answerTo(first)
	<-done
	id, err := d.Again(first.ID, func(e map[string]any) { e["locale"] = 7 })
	if err != nil {
		t.Fatal(err)
	}
	event := l.event("INTERACTION_CREATE").Data
	again := told(t, event)
	if again.ID != id || again.ID == first.ID || again.Token == first.Token || !strings.Contains(string(event), `"locale":7`) {
		t.Errorf("delivered %s", event)
	}
	if status := d.answerTo(again); status != 204 {
		t.Errorf("the answer got status %d", status)
	}
	if status := d.answerTo(again); status != 400 {
		t.Errorf("a second answer got status %d", status)
	}
	d.Inject("NOTHING", obj{"x": 1})
	l.event("NOTHING")
}

// answerTo answers an interaction and gives the status of that.
func (d *desk) answerTo(in interactionTold) int {
	d.t.Helper()
	return d.send("POST", "/interactions/"+in.ID+"/"+in.Token+"/callback", obj{"type": 4, "data": obj{"content": "here"}}).status
}

type interactionTold struct{ ID, Token string }

func told(t *testing.T, raw json.RawMessage) (in interactionTold) {
	t.Helper()
	if err := json.Unmarshal(raw, &in); err != nil {
		t.Fatal(err)
	}
	return in
}

// TestShardsAreRecommended: as many as are set, and a shard of too many servers is closed.
func TestShardsAreRecommended(t *testing.T) {
	world := sandbox.World{}
	for n := range 2501 {
		id := strconv.Itoa((n + 1) << 22)
		world.Servers = append(world.Servers, sandbox.Server{ID: id, Name: id})
	}
	d := openWith(t, sandbox.Config{World: world, Allowance: 1000, Shards: 2})
	for _, shards := range []int{2, 3} {
		d.RecommendShards(shards)
		if got := d.send("GET", "/gateway/bot", nil).json()["shards"]; got != float64(shards) {
			t.Errorf("recommended are %v, want %d", got, shards)
		}
	}
	one := d.greeted()
	one.say(2, d.identity(1))
	one.closed(4011)
	half := d.greeted()
	half.say(2, with(d.identity(1), obj{"shard": []int{0, 2}}))
	half.event("READY")
}
