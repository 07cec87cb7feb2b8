package storage_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kraal/storage"
)

const header = `{"export":"kraal","format":1,"record":1}` + "\n"

// member is a line of an export.
func member(id string, version int) string {
	return fmt.Sprintf(`{"kind":"member","key":%q,"version":%d,"data":{"id":%q}}`+"\n", id, version, id)
}

// TestImportInOrder: everything is handed over once, in its order, with its version, in pages that one commit can take.
func TestImportInOrder(t *testing.T) {
	const all = 1234
	text := header
	for i := range all {
		text += member(fmt.Sprintf("m%04d", i), i+1)
	}
	n := 0
	err := storage.Import(t.Context(), strings.NewReader(text), func(_ context.Context, page []storage.Stored) error {
		if len(page) == 0 || len(page) > storage.MaxChanges {
			t.Errorf("a page of %d", len(page))
		}
		for _, s := range page {
			if want := storage.MemberKey(fmt.Sprintf("m%04d", n)); s.Record.Key() != want || s.Version != storage.Version(n+1) {
				t.Errorf("got %v as version %d, want %v as version %d", s.Record.Key(), s.Version, want, n+1)
			}
			n++
		}
		return nil
	})
	if err != nil || n != all {
		t.Errorf("got %d records and error %v, want %d", n, err, all)
	}
}

func TestImportRefuses(t *testing.T) {
	for _, test := range []struct {
		name, text string
		line       int
		want       error
	}{
		{"nothing", "", 1, nil},
		{"no export", "hello\n", 1, nil},
		{"another's", `{"export":"other","format":1,"record":1}`, 1, nil},
		{"newer", `{"export":"kraal","format":2,"record":1}`, 1, storage.ErrNewer},
		{"newer records", `{"export":"kraal","format":1,"record":99}`, 1, storage.ErrNewer},
		{"cut short", header + member("a", 1) + `{"kind":"member","ke`, 3, storage.ErrDamaged},
		{"an unknown kind", header + `{"kind":"spoon","key":"a","version":1,"data":{}}`, 2, storage.ErrDamaged},
		{"an unknown field", header + `{"kind":"member","key":"a","version":1,"data":{"id":"a","mood":"good"}}`, 2, storage.ErrDamaged},
		{"another key", header + strings.Replace(member("a", 1), `"id":"a"`, `"id":"b"`, 1), 2, storage.ErrDamaged},
		{"no version", header + member("a", 0), 2, storage.ErrDamaged},
		{"no record", header + `{"kind":"member","key":"a","version":1}`, 2, storage.ErrDamaged},
		{"two in a line", header + strings.TrimSpace(member("a", 1)) + member("b", 1), 2, storage.ErrDamaged},
		{"an endless line", header + strings.Repeat("x", 2<<20), 2, nil},
	} {
		err := storage.Import(t.Context(), strings.NewReader(test.text), func(context.Context, []storage.Stored) error { return nil })
		var at *storage.ImportError
		if !errors.As(err, &at) || at.Line != test.line || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: got error %v, want %v of line %d", test.name, err, test.want, test.line)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q is more than a line", test.name, err)
		}
	}
	err := storage.Import(t.Context(), strings.NewReader(header+member("a", 1)), func(context.Context, []storage.Stored) error { return errFull })
	if !errors.Is(err, errFull) {
		t.Errorf("got error %v, want the keeper's", err)
	}
}
