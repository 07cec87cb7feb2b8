package wire

import "testing"

// TestPlace: a channel that was named comes with what may be done there, and is none where Discord did not describe it.
func TestPlace(t *testing.T) {
	t.Parallel()
	in := parsed(t, event(1, 2, map[string]any{
		"name": "watch", "options": []any{
			map[string]any{"name": "thread", "type": 7, "value": "13"},
			map[string]any{"name": "silent", "type": 7, "value": "14"},
			map[string]any{"name": "unknown", "type": 7, "value": "15"},
			map[string]any{"name": "text", "type": 3, "value": "13"},
		},
		"resolved": map[string]any{"channels": map[string]any{
			"13": map[string]any{"id": "13", "type": 11, "permissions": "274877907968", "app_permissions": "3072"},
			"14": map[string]any{"id": "14", "type": 0, "permissions": "1024"},
		}},
	}, nil))
	thread, ok := in.Place("thread")
	if want := (Place{ID: "13", Thread: true, Told: true, App: 3072, Member: 1<<38 | 1<<10}); !ok || thread != want || !thread.MayWrite() {
		t.Errorf("thread: got %+v, %v, may write %v", thread, ok, thread.MayWrite())
	}
	if silent, ok := in.Place("silent"); !ok || silent.Thread || silent.MayWrite() {
		t.Errorf("silent: got %+v, %v", silent, ok)
	}
	if unknown, ok := in.Place("unknown"); !ok || unknown.Told || unknown.MayWrite() {
		t.Errorf("unknown: got %+v, %v", unknown, ok)
	}
	for _, name := range []string{"text", "missing"} {
		if p, ok := in.Place(name); ok || p != (Place{}) {
			t.Errorf("%s: got %+v", name, p)
		}
	}
}

// TestAbove: a thread says what it hangs below; what another channel says there is its category.
func TestAbove(t *testing.T) {
	t.Parallel()
	for kind, want := range map[int]string{0: "", 5: "", 10: "77", 11: "77", 12: "77"} {
		in := parsed(t, event(1, 2, map[string]any{"name": "board"}, map[string]any{
			"channel": map[string]any{"id": channelID, "type": kind, "parent_id": "77"},
		}))
		if in.Above != want || in.Thread != (want != "") {
			t.Errorf("type %d: below %q, a thread %v, want %q", kind, in.Above, in.Thread, want)
		}
	}
}
