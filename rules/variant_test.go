package rules_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"kraal/rules"
)

func TestTableRowsAreValidAndUnchanged(t *testing.T) {
	for _, v := range rules.Variants() {
		if err := v.Validate(); err != nil || v.Changes() != "" || v.Base != v.Key {
			t.Errorf("%s: %v, changes %q, base %q", v.Key, err, v.Changes(), v.Base)
		}
	}
	if err := (rules.Variant{}).Validate(); err == nil {
		t.Error("the zero value is a variant")
	}
	if _, known := rules.Lookup("Nine"); known {
		t.Error("keys are found in another case")
	}
}

func TestSetAndChanges(t *testing.T) {
	v, _ := rules.Lookup("thinhama")
	var err error
	for _, change := range []string{"no_shot=30", "flies=false", "first=black", "shots= each "} {
		name, value, _ := strings.Cut(change, "=")
		if v, err = v.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := v.Changes(), "flies=false shots=each no_shot=30 first=black"; got != want {
		t.Errorf("changes %q, want %q", got, want)
	}
	if v.Opening().Turn != rules.Black {
		t.Errorf("opening %s", v.Opening())
	}
	if first, ok := v.Column("first"); !ok || first != "black" {
		t.Errorf("first is %q", first)
	}
	village := v
	village.Key, village.Name = "village", "Our Village"
	if village.Changes() != v.Changes() {
		t.Errorf("changes under a key of its own: %q", village.Changes())
	}
}

func TestSetRefuses(t *testing.T) {
	v, _ := rules.Lookup("koti")
	tests := []struct{ column, value, allowed string }{
		{"pieces", "2", "3 to 12"}, {"pieces", "13", "3 to 12"}, {"pieces", "many", "3 to 12"},
		{"repetition", "1", "0 to 65535 but 1"}, {"no_shot", "-1", "0 to 65535"}, {"no_shot", "65536", "0 to 65535"},
		{"flies", "yes", "true or false"}, {"shots", "two", "one or each"}, {"first", "w", "white or black"},
		{"blocked", "", "loses or passes"}, {"full_board", "draw", "plays or draws"}, {"wings", "2", "pieces, diagonals"},
	}
	for _, test := range tests {
		after, err := v.Set(test.column, test.value)
		var refused *rules.ColumnError
		if !errors.As(err, &refused) || refused.Column != test.column || refused.Value != test.value ||
			!strings.Contains(refused.Allowed, test.allowed) {
			t.Errorf("%s=%q: %v", test.column, test.value, err)
		}
		if after != v {
			t.Errorf("%s=%q: refused, yet changed", test.column, test.value)
		}
	}
}

func TestVariantJSONNamesEveryColumn(t *testing.T) {
	v, _ := rules.Lookup("tournament")
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"key":"tournament","name":"Morabaraba, Tournament (Classic South African)","base":"tournament",` +
		`"pieces":12,"diagonals":true,"flies":false,"protected":true,"no_return":false,"shots":"each","blocked":"loses",` +
		`"repetition":3,"no_shot":20,"three_against_three":20,"first":"white","full_board":"plays"}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	for _, column := range rules.Columns() {
		if _, ok := fields[column]; !ok {
			t.Errorf("no %s", column)
		}
	}
}

func TestVariantJSONFromAnotherTime(t *testing.T) {
	tests := []struct {
		name, in, changes string
		bad               bool
	}{
		{name: "columns missing come from the base", in: `{"key":"own","base":"koti","no_shot":7}`, changes: "no_shot=7"},
		{name: "or from the key", in: `{"key":"mhele"}`},
		{name: "no base", in: `{"key":"own","no_shot":7}`, bad: true},
		{name: "unknown column", in: `{"key":"koti","wings":2}`, bad: true},
		{name: "value it cannot have", in: `{"key":"koti","pieces":2}`, bad: true},
		{name: "word it cannot have", in: `{"key":"koti","shots":"all"}`, bad: true},
		{name: "null", in: `null`, bad: true},
	}
	for _, test := range tests {
		var v rules.Variant
		err := json.Unmarshal([]byte(test.in), &v)
		if (err != nil) != test.bad || err == nil && v.Changes() != test.changes || err != nil && v != (rules.Variant{}) {
			t.Errorf("%s: %+v, %v", test.name, v, err)
		}
	}
}

func TestColumnValuesAreThoseThatSetTakes(t *testing.T) {
	v, _ := rules.Lookup("mhele")
	for _, column := range rules.Columns() {
		allowed, known := rules.ColumnValues(column)
		if !known {
			t.Errorf("%s: no values", column)
		}
		words := allowed.Words
		if words == nil {
			words = []string{strconv.Itoa(allowed.Min), strconv.Itoa(allowed.Max)}
		}
		for _, value := range words {
			after, err := v.Set(column, value)
			if err != nil {
				t.Error(err)
			}
			if got, _ := after.Column(column); got != value {
				t.Errorf("%s set to %s is %s", column, value, got)
			}
		}
	}
	if _, known := rules.ColumnValues("wings"); known {
		t.Error("a column that is none has values")
	}
	if text, known := v.Column("wings"); known || text != "" {
		t.Errorf("a column that is none has the value %q", text)
	}
}
