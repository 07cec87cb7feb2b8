package storage_test

import (
	"bytes"
	"reflect"
	"testing"

	"kraal/rules"
	"kraal/storage"
)

// TestRenamed: nothing in the record leads to whoever left, everything of the other stays, and the original is untouched.
func TestRenamed(t *testing.T) {
	m := kept()["match"].(storage.Match)
	m.Quitter = "13"
	m.Changes = append(m.Changes, storage.Change{Pool: storage.GlobalPool, Member: "14", Before: 1500, After: 1480})
	before, err := storage.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	got := m.Renamed("13", storage.Alias("x"))
	row, err := storage.Encode(got)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(row.Data, []byte(`"13"`)) || bytes.Contains(row.Data, []byte("Anna")) {
		t.Errorf("they are still in it: %s", row.Data)
	}
	left := storage.Person{ID: storage.Alias("x")}
	if got.Challenger != left || got.Seats[rules.Black].Person != left || got.Opponent != m.Opponent || len(got.Offers) != 0 {
		t.Errorf("got %+v", got)
	}
	if !got.SomebodyLeft() || m.SomebodyLeft() || !left.Left() || m.Challenger.Left() {
		t.Error("it is not told apart from a match in which all stay")
	}
	if got.Changes[0].Member != left.ID || got.Changes[1] != m.Changes[1] {
		t.Errorf("changes: %+v", got.Changes)
	}
	if after, err := storage.Encode(m); err != nil || !bytes.Equal(after.Data, before.Data) {
		t.Errorf("the original has changed: %s, %v", after.Data, err)
	}
	if again := got.Renamed("13", storage.Alias("y")); !reflect.DeepEqual(again, got) {
		t.Errorf("somebody who is not in it: got %+v", again)
	}
}

// TestLogRenamed: a log names whoever left no more, and says when they are not in it.
func TestLogRenamed(t *testing.T) {
	l := kept()["log"].(storage.Log)
	got, changed := l.Renamed("15", storage.Alias("x"))
	left := storage.Person{ID: storage.Alias("x")}
	if !changed || got.Acts[0].By != left || got.Acts[1].By != left || got.Acts[1].Member != l.Acts[1].Member {
		t.Errorf("changed %v: %+v", changed, got)
	}
	if l.Acts[0].By.ID != "15" {
		t.Error("the original has changed")
	}
	if _, changed := got.Renamed("15", storage.Alias("y")); changed {
		t.Error("somebody who is not in it")
	}
}
