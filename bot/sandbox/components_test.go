package sandbox_test

import (
	"fmt"
	"strings"
	"testing"
)

func buttons(n int) []any {
	return repeat(n, func(i int) any { return button(fmt.Sprint("b", i), "x") })
}

func values(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint("v", i))
	}
	return all
}

func TestComponentLimits(t *testing.T) {
	d := open(t)
	link := obj{"type": 2, "style": 5, "label": "x", "url": "https://example.org"}
	for name, c := range map[string]struct {
		ok         bool
		components []any
	}{
		"five rows":              {true, repeat(5, func(i int) any { return row(button(fmt.Sprint(i), "x")) })},
		"six rows":               {false, repeat(6, func(i int) any { return row(button(fmt.Sprint(i), "x")) })},
		"five buttons":           {true, []any{row(buttons(5)...)}},
		"six buttons":            {false, []any{row(buttons(6)...)}},
		"an empty row":           {false, []any{row()}},
		"a menu":                 {true, []any{row(menu("m", "a"))}},
		"two menus in a row":     {false, []any{row(menu("m", "a"), menu("n", "a"))}},
		"a button and a menu":    {false, []any{row(button("b", "x"), menu("m", "a"))}},
		"a text input":           {false, []any{row(obj{"type": 4, "custom_id": "t", "style": 1, "label": "x"})}},
		"no row":                 {false, []any{button("b", "x")}},
		"a row in a row":         {false, []any{row(row(button("b", "x")))}},
		"a text without V2":      {false, []any{obj{"type": 10, "content": "x"}}},
		"a custom id twice":      {false, []any{row(button("b", "x")), row(button("b", "y"))}},
		"a menu's id twice":      {false, []any{row(button("b", "x")), row(menu("b", "y"))}},
		"custom id of 100":       {true, []any{row(button(strings.Repeat("ñ", 100), "x"))}},
		"custom id of 101":       {false, []any{row(button(strings.Repeat("x", 101), "x"))}},
		"no custom id":           {false, []any{row(button("", "x"))}},
		"label of 80":            {true, []any{row(button("b", strings.Repeat("ñ", 80)))}},
		"label of 81":            {false, []any{row(button("b", strings.Repeat("x", 81)))}},
		"no label":               {false, []any{row(button("b", ""))}},
		"an emoji for a label":   {true, []any{row(with(button("b", ""), obj{"emoji": obj{"name": "🐄"}}))}},
		"null for an emoji":      {false, []any{row(with(button("b", ""), obj{"emoji": nil}))}},
		"an unknown style":       {false, []any{row(with(button("b", "x"), obj{"style": 9}))}},
		"a link":                 {true, []any{row(link)}},
		"a link with an id":      {false, []any{row(with(link, obj{"custom_id": "b"}))}},
		"a link to nowhere":      {false, []any{row(with(link, obj{"url": ""}))}},
		"a long link":            {false, []any{row(with(link, obj{"url": "https://" + strings.Repeat("x", 505)}))}},
		"an address":             {false, []any{row(with(button("b", "x"), obj{"url": "https://example.org"}))}},
		"25 options":             {true, []any{row(menu("m", values(25)...))}},
		"26 options":             {false, []any{row(menu("m", values(26)...))}},
		"no options":             {false, []any{row(menu("m"))}},
		"an option's value 101":  {false, []any{row(menu("m", strings.Repeat("x", 101)))}},
		"an option twice":        {false, []any{row(menu("m", "a", "a"))}},
		"placeholder of 151":     {false, []any{row(with(menu("m", "a"), obj{"placeholder": strings.Repeat("x", 151)}))}},
		"no values at most":      {false, []any{row(with(menu("m", "a"), obj{"max_values": 0}))}},
		"more least than most":   {false, []any{row(with(menu("m", "a", "b"), obj{"min_values": 2, "max_values": 1}))}},
		"a menu of people":       {true, []any{row(obj{"type": 5, "custom_id": "m"})}},
		"an unknown type":        {false, []any{row(obj{"type": 99, "custom_id": "m"})}},
		"26 least":               {false, []any{row(with(menu("m", "a"), obj{"min_values": 26, "max_values": 26}))}},
		"option description 101": {false, []any{row(with(menu("m"), obj{"options": []obj{{"label": "x", "value": "x", "description": strings.Repeat("x", 101)}}}))}},
	} {
		t.Run(name, func(t *testing.T) {
			d := d.in(t)
			a := d.send("POST", written, obj{"components": c.components})
			if (a.status == 200) != c.ok || !c.ok && a.code() != 50035 {
				t.Errorf("got %v", a)
			}
		})
	}
}

const v2 = 1 << 15

func words(n int) obj { return obj{"type": 10, "content": strings.Repeat("ñ", n)} }

func container(inner ...any) obj { return obj{"type": 17, "components": inner} }

func section(accessory obj, texts ...any) obj {
	return obj{"type": 9, "components": texts, "accessory": accessory}
}

func gallery(n int, url string) obj {
	return obj{"type": 12, "items": repeat(n, func(int) any { return obj{"media": obj{"url": url}, "description": "a board"} })}
}

func TestV2Limits(t *testing.T) {
	d := open(t)
	some := "https://example.org/a.png"
	thumb := obj{"type": 11, "media": obj{"url": some}}
	for name, c := range map[string]struct {
		ok         bool
		components []any
	}{
		"a text":                         {true, []any{words(4000)}},
		"a long text":                    {false, []any{words(4001)}},
		"an empty text":                  {false, []any{words(0)}},
		"long texts":                     {false, []any{words(2000), container(words(2000), words(1))}},
		"long texts in sections":         {false, []any{section(thumb, words(2000), words(2000), words(1))}},
		"40 components":                  {true, []any{container(repeat(39, func(int) any { return words(1) })...)}},
		"41 components":                  {false, []any{container(repeat(40, func(int) any { return words(1) })...)}},
		"41 with the buttons of rows":    {false, append(repeat(36, func(int) any { return words(1) }), row(buttons(4)...))},
		"41 with an accessory":           {false, append(repeat(38, func(int) any { return words(1) }), section(thumb, words(1)))},
		"a container in a container":     {false, []any{container(container(words(1)))}},
		"an empty container":             {false, []any{container()}},
		"everything in a container":      {true, []any{container(words(1), row(button("b", "x")), obj{"type": 14}, gallery(1, some), section(thumb, words(1)))}},
		"a section with a button":        {true, []any{section(button("b", "x"), words(1))}},
		"a section without an accessory": {false, []any{obj{"type": 9, "components": []any{words(1)}}}},
		"a section with a menu":          {false, []any{section(menu("m", "a"), words(1))}},
		"a section of four texts":        {false, []any{section(thumb, words(1), words(1), words(1), words(1))}},
		"a section of rows":              {false, []any{section(thumb, row(button("b", "x")))}},
		"an id twice, deep":              {false, []any{row(button("b", "x")), container(section(button("b", "x"), words(1)))}},
		"a gallery of ten":               {true, []any{gallery(10, some)}},
		"a gallery of eleven":            {false, []any{gallery(11, some)}},
		"an empty gallery":               {false, []any{gallery(0, some)}},
		"a file from elsewhere":          {false, []any{obj{"type": 13, "file": obj{"url": some}}}},
		"a file that is not there":       {false, []any{obj{"type": 13, "file": obj{"url": "attachment://x.png"}}}},
		"a picture that is not there":    {false, []any{gallery(1, "attachment://x.png")}},
		"a thumbnail alone":              {false, []any{thumb}},
		"a button alone":                 {false, []any{button("b", "x")}},
		"a label of a modal":             {false, []any{obj{"type": 18, "label": "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := d.in(t)
			a := d.send("POST", written, obj{"flags": v2, "components": c.components})
			if (a.status == 200) != c.ok || !c.ok && a.code() != 50035 {
				t.Errorf("got %v", a)
			}
		})
	}
}

func TestV2IsForGood(t *testing.T) {
	d := open(t)
	d.expect(400, 50035, "POST", written, obj{"flags": v2, "content": "x", "components": []any{words(1)}})
	d.expect(400, 50035, "POST", written, obj{"flags": v2, "embeds": []obj{{"title": "x"}}, "components": []any{words(1)}})
	d.expect(400, 50006, "POST", written, obj{"flags": v2})
	id := d.post(obj{"content": "x", "components": []any{row(button("a", "A"))}})
	path := written + "/" + id
	d.expect(400, 50035, "PATCH", path, obj{"flags": v2, "components": []any{words(1)}}) // the content is still there
	d.expect(200, 0, "PATCH", path, obj{"flags": v2, "content": nil, "embeds": []any{}, "components": []any{words(1)}})
	d.expect(400, 50035, "PATCH", path, obj{"content": "x"})
	if got := d.expect(200, 0, "PATCH", path, obj{"flags": 0, "components": []any{words(2)}}).json(); got["flags"] != float64(v2) {
		t.Errorf("the flag went: %v", got)
	}
}

func TestV2ShowsUploads(t *testing.T) {
	d := open(t)
	a := d.upload("POST", d.API()+written, obj{"flags": v2, "components": []any{container(gallery(1, "attachment://0.png"), row(button("b", "Go")))}}, "0")
	d.was(a, 200, 0)
	m, _ := d.As(naledi).Message(a.id())
	if c, ok := m.Control("Go"); !ok || c.CustomID != "b" || len(m.Attachments) != 1 {
		t.Errorf("got %+v", m)
	}
}
