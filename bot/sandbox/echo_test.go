package sandbox_test

import (
	"fmt"
	"testing"
)

// TestComponentsAreNumbered: Discord shows each with a number and with what was left out, and pictures with an address.
func TestComponentsAreNumbered(t *testing.T) {
	d := open(t)
	a := d.upload("POST", d.API()+written, obj{"flags": 1 << 15, "components": []any{
		obj{"type": 12, "items": []any{obj{"media": obj{"url": "attachment://0.png"}}}},
		row(menu("m", "x")),
	}}, "0")
	d.was(a, 200, 0)
	shown := a.json()["components"].([]any)
	gallery, menus := shown[0].(obj), shown[1].(obj)
	choice := menus["components"].([]any)[0].(obj)
	if got := fmt.Sprint(gallery["id"], menus["id"], choice["id"], choice["min_values"], choice["max_values"]); got != "1 2 3 1 1" {
		t.Errorf("got %s", got)
	}
	attachment := a.json()["attachments"].([]any)[0].(obj)
	item := gallery["items"].([]any)[0].(obj)
	if media := item["media"].(obj); media["url"] != attachment["url"] || media["attachment_id"] != attachment["id"] || item["spoiler"] != false {
		t.Errorf("the picture is %v of %v", item, attachment)
	}
	m, _ := d.As(naledi).Message(a.id())
	if got := string(m.Raw[0]); got != `{"items":[{"media":{"url":"attachment://0.png"}}],"type":12}` {
		t.Errorf("kept as it came: %s", got)
	}
}
