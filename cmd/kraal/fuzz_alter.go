package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// alterer changes events of interactions into what no app would send.
type alterer struct {
	random *rand.Rand
	words  []string // ids, points, custom ids: what makes sense somewhere
	seated []string // people in whose name nothing is done
	self   string   // in whose name everything is
}

// spot is a place in an event that holds a value.
type spot struct {
	set    func(any)
	remove func() // nil in a list
	value  any
}

// spots lists every place in a value, of maps and lists within it too.
func spots(value any) (all []spot) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, spot{set: func(x any) { v[key] = x }, remove: func() { delete(v, key) }, value: v[key]})
			all = append(all, spots(v[key])...)
		}
	case []any:
		for i := range v {
			all = append(all, spot{set: func(x any) { v[i] = x }, value: v[i]})
			all = append(all, spots(v[i])...)
		}
	}
	return all
}

// alter changes up to four places. Whoever sits at a table is kept out: what is done in their name counts. So is what
// Discord vouches for, the permissions of whoever acts.
func (a *alterer) alter(event map[string]any) {
	permissions := permissionsOf(event)
	for range 1 + a.random.IntN(4) {
		if all := spots(event); len(all) > 0 {
			a.change(all[a.random.IntN(len(all))])
		}
	}
	if member, ok := event["member"].(map[string]any); ok {
		member["permissions"] = permissions
		a.disown(member)
	}
	a.disown(event)
}

func permissionsOf(event map[string]any) any {
	member, _ := event["member"].(map[string]any)
	return member["permissions"]
}

// disown takes a seated person's name off.
func (a *alterer) disown(of map[string]any) {
	user, ok := of["user"].(map[string]any)
	if id, _ := user["id"].(string); ok && slices.Contains(a.seated, id) {
		user["id"] = a.self
	}
}

func (a *alterer) change(s spot) {
	switch n := a.random.IntN(12); {
	case n < 2 && s.remove != nil:
		s.remove()
	case n < 6:
		s.set(a.words[a.random.IntN(len(a.words))])
	case n < 8:
		s.set(a.spoilt(s.value))
	default:
		s.set(a.strange())
	}
}

// spoilt is a text with a piece of it changed, or a number a little off.
func (a *alterer) spoilt(value any) any {
	switch v := value.(type) {
	case string:
		if v == "" {
			return "x"
		}
		at := a.random.IntN(len(v))
		return v[:at] + string(rune(a.random.IntN(0x300))) + v[min(at+a.random.IntN(3), len(v)):]
	case float64:
		return v + float64(a.random.IntN(7)-3)
	case []any:
		return append(slices.Clone(v), v...)
	}
	return value
}

// strange is a value of any kind.
func (a *alterer) strange() any {
	all := []any{
		nil, true, false, 0, -1, 1.5, 1e300, int64(9007199254740993), "", " ", "0", "-1", "null", "\x00", "\u202e", "@everyone", "<@&1>",
		strings.Repeat("x", 5000), strings.Repeat("é", 200), []any{}, []any{nil}, []any{map[string]any{}}, map[string]any{},
		map[string]any{"id": nil}, deep(200),
	}
	return all[a.random.IntN(len(all))]
}

// deep is a list in a list in a list.
func deep(levels int) any {
	var v any
	for range levels {
		v = []any{v}
	}
	return v
}
