package sandbox_test

import (
	"strings"
	"testing"
)

func TestModals(t *testing.T) {
	d := open(t)
	d.register(slash("report"))
	b := d.connect()
	input := func(id string) obj { return obj{"type": 4, "custom_id": id, "style": 1, "label": "Why"} }
	label := func(more obj) obj { return with(obj{"type": 18, "label": "Why", "component": input("a")}, more) }
	form := func(components ...any) obj { return obj{"custom_id": "m", "title": "Report", "components": components} }
	for name, c := range map[string]struct {
		ok   bool
		data obj
	}{
		"a label":              {true, form(label(nil))},
		"a row":                {true, form(row(input("a")))},
		"a menu":               {true, form(label(obj{"component": menu("m", "x")}))},
		"a text beside":        {true, form(obj{"type": 10, "content": "x"}, label(nil))},
		"no title":             {false, with(form(label(nil)), obj{"title": ""})},
		"a title of 46":        {false, with(form(label(nil)), obj{"title": strings.Repeat("x", 46)})},
		"no id":                {false, with(form(label(nil)), obj{"custom_id": ""})},
		"nothing in it":        {false, form()},
		"six parts":            {false, form(repeat(6, func(i int) any { return row(input(strings.Repeat("x", i+1))) })...)},
		"a field twice":        {false, form(label(nil), label(nil))},
		"a button":             {false, form(row(button("a", "A")))},
		"two inputs in a row":  {false, form(row(input("a"), input("b")))},
		"a label of nothing":   {false, form(label(obj{"component": nil}))},
		"a label with no text": {false, form(label(obj{"label": ""}))},
		"a style unknown":      {false, form(row(with(input("a"), obj{"style": 3})))},
		"bounds the wrong way": {false, form(row(with(input("a"), obj{"min_length": 5, "max_length": 4})))},
		"a container":          {false, form(obj{"type": 17})},
	} {
		t.Run(name, func(t *testing.T) {
			b := &bot{b.in(t), b.events}
			f := b.slash(naledi, games, "report", nil)
			if !c.ok {
				f.answer(400, 50035, 9, c.data)
				f.answer(204, 0, 4, obj{"content": "x"})
			} else {
				f.answer(204, 0, 9, c.data)
			}
			f.done()
		})
	}
}
