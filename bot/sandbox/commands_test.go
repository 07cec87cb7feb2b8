package sandbox_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kraal/bot/sandbox"
)

func slash(name string, options ...any) obj {
	return obj{"name": name, "description": "d", "options": options}
}

func option(kind int, name string, more obj) obj {
	return with(obj{"type": kind, "name": name, "description": "d"}, more)
}

func TestCommandRules(t *testing.T) {
	d := open(t)
	long := func(n int) string { return strings.Repeat("ñ", n) }
	required := obj{"required": true}
	sub := func(name string, inner ...any) obj { return option(1, name, obj{"options": inner}) }
	group := func(name string, inner ...any) obj { return option(2, name, obj{"options": inner}) }
	choice := func(name string, value any) obj {
		return option(3, "o", obj{"choices": []any{obj{"name": name, "value": value}}})
	}
	big := repeat(25, func(i int) any {
		return option(3, fmt.Sprint("o", i), obj{"choices": repeat(25, func(j int) any {
			return obj{"name": fmt.Sprint(j), "value": long(12)}
		})})
	})
	for name, c := range map[string]struct {
		ok      bool
		command obj
	}{
		"plain":                     {true, slash("place")},
		"another script":            {true, slash("खेल")},
		"Thai":                      {true, slash("เกม")},
		"marks":                     {true, slash("a-b_c'd9")},
		"32":                        {true, slash(long(32))},
		"33":                        {false, slash(long(33))},
		"no name":                   {false, slash("")},
		"capitals":                  {false, slash("Place")},
		"capitals elsewhere":        {false, slash("ÉTÉ")},
		"a space":                   {false, slash("place it")},
		"a full stop":               {false, slash("place.")},
		"no description":            {false, with(slash("place"), obj{"description": ""})},
		"description of 101":        {false, with(slash("place"), obj{"description": long(101)})},
		"an unknown type":           {false, with(slash("place"), obj{"type": 7})},
		"options":                   {true, slash("place", option(6, "who", required), option(3, "where", nil))},
		"required after optional":   {false, slash("place", option(3, "where", nil), option(6, "who", required))},
		"an option twice":           {false, slash("place", option(3, "who", nil), option(6, "who", nil))},
		"an option's name":          {false, slash("place", option(3, "Who", nil))},
		"an option undescribed":     {false, slash("place", option(3, "who", obj{"description": ""}))},
		"an option of no type":      {false, slash("place", option(0, "who", nil))},
		"26 options":                {false, slash("place", repeat(26, func(i int) any { return option(3, fmt.Sprint(i), nil) })...)},
		"nested":                    {true, slash("a", group("b", sub("c", option(3, "d", nil))), sub("e"))},
		"a group in a group":        {false, slash("a", group("b", group("c")))},
		"a sub in a sub":            {false, slash("a", sub("b", sub("c")))},
		"a text in a group":         {false, slash("a", group("b", option(3, "c", nil)))},
		"a sub beside a text":       {false, slash("a", sub("b"), option(3, "c", nil))},
		"a text that holds others":  {false, slash("a", option(3, "b", obj{"options": []any{option(3, "c", nil)}}))},
		"a choice":                  {true, slash("a", choice("one", "1"))},
		"choice of 101":             {false, slash("a", choice(long(101), "1"))},
		"value of 101":              {false, slash("a", choice("one", long(101)))},
		"value of another type":     {false, slash("a", choice("one", 1))},
		"choices of a person":       {false, slash("a", option(6, "o", obj{"choices": []any{obj{"name": "x", "value": "x"}}}))},
		"choices and autocomplete":  {false, slash("a", with(choice("one", "1"), obj{"autocomplete": true}))},
		"26 choices":                {false, slash("a", option(3, "o", obj{"choices": repeat(26, func(i int) any { return obj{"name": fmt.Sprint(i), "value": "x"} })}))},
		"more than 8000":            {false, slash("a", big...)},
		"about 8000":                {true, slash("a", big[:20]...)},
		"a locale":                  {true, with(slash("a"), obj{"name_localizations": obj{"id": "b", "es-419": "c", "zh-TW": "d"}})},
		"Setswana":                  {false, with(slash("a"), obj{"name_localizations": obj{"tn": "b"}})},
		"part of a locale":          {false, with(slash("a"), obj{"description_localizations": obj{"en": "b"}})},
		"a bad name in another":     {false, with(slash("a"), obj{"name_localizations": obj{"de": "B"}})},
		"a long description in one": {false, with(slash("a"), obj{"description_localizations": obj{"de": long(101)}})},
		"an option's locale":        {false, slash("a", option(3, "o", obj{"name_localizations": obj{"af": "b"}}))},
		"a choice's locale":         {false, slash("a", option(3, "o", obj{"choices": []any{obj{"name": "x", "value": "x", "name_localizations": obj{"zu": "b"}}}}))},
		"clash in one language":     {false, slash("a", option(3, "o", obj{"name_localizations": obj{"de": "x"}}), option(3, "p", obj{"name_localizations": obj{"de": "x"}}))},
		"clash with a default":      {false, slash("a", option(3, "o", obj{"name_localizations": obj{"de": "p"}}), option(3, "p", nil))},
		"a person's menu":           {true, obj{"type": 2, "name": "Challenge to a game"}},
		"a menu described":          {false, obj{"type": 2, "name": "Challenge", "description": "d"}},
		"a menu with options":       {false, obj{"type": 2, "name": "Challenge", "options": []any{option(3, "o", nil)}}},
		"a menu's long name":        {false, obj{"type": 2, "name": long(33)}},
	} {
		t.Run(name, func(t *testing.T) {
			d := d.in(t)
			a := d.send("PUT", "/applications/"+d.AppID()+"/commands", []obj{c.command})
			if (a.status == 200) != c.ok || !c.ok && (a.code() != 50035 || a.json()["errors"] == nil) {
				t.Errorf("got %v", a)
			}
		})
	}
}

func TestLongestLanguageCounts(t *testing.T) {
	d := open(t)
	options := repeat(25, func(i int) any {
		return option(3, fmt.Sprint("o", i), obj{"choices": repeat(25, func(j int) any {
			return obj{"name": fmt.Sprint(j), "value": "x", "name_localizations": obj{"de": strings.Repeat("y", 12), "fr": "z"}}
		})})
	})
	d.expect(400, 50035, "POST", "/applications/"+d.AppID()+"/commands", slash("a", options...))
}

func TestCommandsAreReplaced(t *testing.T) {
	d := open(t)
	path := "/applications/" + d.AppID() + "/commands"
	first := d.register(slash("a"), slash("b"), obj{"type": 2, "name": "a"})
	d.expect(400, 50035, "PUT", path, []obj{slash("a"), slash("a")})
	if got := d.expect(200, 0, "GET", path, nil).list(); len(got) != 3 {
		t.Errorf("a refused list changed the commands: %v", got)
	}
	second := d.register(slash("c"), with(slash("a"), obj{"description": "changed"}))
	if len(second) != 2 || text(second[1], "id") != text(first[0], "id") || text(second[1], "description") != "changed" {
		t.Errorf("got %v after %v", second, first)
	}
	for _, gone := range []obj{first[1], first[2]} {
		d.expect(404, 10063, "DELETE", path+"/"+text(gone, "id"), nil)
	}
	fresh := d.expect(201, 0, "POST", path, slash("d"))
	again := d.expect(200, 0, "POST", path, with(slash("d"), obj{"description": "changed"}))
	if fresh.id() != again.id() || again.id() == "" {
		t.Errorf("%v and %v", fresh, again)
	}
	d.expect(204, 0, "DELETE", path+"/"+fresh.id(), nil)
	if got := d.expect(200, 0, "GET", path, nil).list(); len(got) != 2 {
		t.Errorf("left are %v", got)
	}
	d.expect(200, 0, "PUT", path, []obj{})
	if got := d.expect(200, 0, "GET", path, nil); string(got.raw) != "[]\n" {
		t.Errorf("left are %v", got)
	}
}

func TestCommandsAreFew(t *testing.T) {
	d := open(t)
	path := "/applications/" + d.AppID() + "/commands"
	menus := func(n int) []any {
		return repeat(n, func(i int) any { return obj{"type": 2, "name": fmt.Sprint("Menu ", i)} })
	}
	slashes := func(n int) []any { return repeat(n, func(i int) any { return slash(fmt.Sprint("c", i)) }) }
	d.expect(400, 30032, "PUT", path, menus(16))
	d.expect(400, 30032, "PUT", path, slashes(101))
	d.expect(200, 0, "PUT", path, append(slashes(100), menus(15)...))
	d.expect(400, 30032, "POST", path, slash("one-more"))
	d.expect(200, 0, "POST", path, slash("c7"))
}

func TestListsLeaveDictionariesOut(t *testing.T) {
	d := open(t)
	path := "/applications/" + d.AppID() + "/commands"
	d.register(with(slash("a", option(3, "o", obj{"name_localizations": obj{"de": "p"}})), obj{"name_localizations": obj{"de": "b"}}))
	if got := d.expect(200, 0, "GET", path, nil); strings.Contains(string(got.raw), "localizations") {
		t.Errorf("got %v", got)
	}
	got := d.expect(200, 0, "GET", path+"?with_localizations=true", nil)
	if strings.Count(string(got.raw), "name_localizations") != 2 {
		t.Errorf("got %v", got)
	}
}

func TestWhereCommandsAreOffered(t *testing.T) {
	d := open(t).connect()
	d.register(with(slash("here"), obj{"contexts": []int{0}}), with(slash("there"), obj{"contexts": []int{1}}), slash("everywhere"),
		with(slash("owner"), obj{"default_member_permissions": "0"}), with(slash("manage"), obj{"default_member_permissions": "32"}))
	d.expect(200, 0, "PUT", "/applications/"+d.AppID()+"/guilds/"+village+"/commands", []obj{slash("village")})
	d.expect(403, 50001, "PUT", "/applications/"+d.AppID()+"/guilds/1/commands", []obj{slash("nowhere")})
	club := "400000000000000004"
	for _, c := range []struct {
		who, channel, name string
		ok                 bool
	}{
		{thabo, games, "here", true}, {thabo, d.As(thabo).Direct(), "here", false},
		{thabo, games, "there", false}, {thabo, d.As(thabo).Direct(), "there", true},
		{thabo, games, "everywhere", true}, {thabo, d.As(thabo).Direct(), "everywhere", true},
		{thabo, games, "village", true}, {thabo, club, "village", false}, {thabo, d.As(thabo).Direct(), "village", false},
		{thabo, games, "owner", false}, {naledi, games, "owner", true},
		{thabo, games, "manage", false}, {naledi, games, "manage", true},
	} {
		_, refused := d.start(func(ctx context.Context) (*sandbox.Reply, error) {
			return d.As(c.who).Slash(ctx, c.channel, c.name, nil)
		})
		if (refused == nil) != c.ok {
			t.Errorf("/%s by %s in %s: %v", c.name, c.who, c.channel, refused)
		}
	}
}

func TestCreatesOfADay(t *testing.T) {
	d := open(t)
	path := "/applications/" + d.AppID() + "/commands"
	some := func(prefix string) []any {
		return repeat(100, func(i int) any { return slash(fmt.Sprint(prefix, i)) })
	}
	d.expect(200, 0, "PUT", path, some("a"))
	d.expect(200, 0, "PUT", path, some("a")) // the same names are not new
	d.expect(200, 0, "PUT", path, some("b"))
	d.expect(429, 30034, "PUT", path, []obj{slash("c")})
	d.expect(200, 0, "PUT", path, []obj{slash("b1")})
	d.expect(200, 0, "PUT", "/applications/"+d.AppID()+"/guilds/"+village+"/commands", []obj{slash("c")}) // has its own count
	d.clock.pass(24 * time.Hour)
	d.expect(200, 0, "PUT", path, []obj{slash("c")})
}
