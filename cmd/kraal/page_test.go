package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kraal/bot/sandbox"
	"kraal/rules"
)

// person is one of the sandbox's with their window.
type person struct {
	*window
	id, name string
}

// beside opens the sandbox as somebody, in a window of their own.
func (b *chromium) beside(sb *sandbox.Sandbox, id, name string, width, height int64) person {
	b.t.Helper()
	w := b.open(sb.Page()+"&as="+id, width, height)
	w.until("being "+name, `document.title.includes(`+quoted(" as "+name+" ")+`)`)
	return person{w, id, name}
}

// taps makes an action by taps on the newest board.
func (p person) taps(a rules.Action) {
	p.t.Helper()
	point := a.To.String()
	if a.Kind == rules.Move {
		p.tap("button.menu", p.name+": move")
		p.tap(".picker [role=option]", a.From.String())
		p.tap("li.private button.menu", "")
	} else {
		p.tap("button.menu", p.name+": ")
	}
	p.tap(".picker [role=option]", point)
}

// types makes an action by commands.
func (p person) types(a rules.Action) {
	p.t.Helper()
	switch a.Kind {
	case rules.Move:
		p.command("move", "from "+a.From.String(), "to "+a.To.String())
	case rules.Shoot:
		p.command("shoot", "point "+a.To.String())
	default:
		p.command("place", "point "+a.To.String())
	}
}

// TestPageTwoPeoplePlay is a whole game in two windows: one plays by taps, the other by the composer. In its midst an
// outsider's tap is refused to them alone, and the bot is killed and started again.
func TestPageTwoPeoplePlay(t *testing.T) {
	v := newVictim(t)
	b := newChromium(t)
	members := sandbox.DefaultWorld().Servers[0].Members
	white := b.beside(v.sb, members[0], "Naledi", 1280, 800)
	black := b.beside(v.sb, members[1], "Thabo", 1280, 800)

	white.begin("challenge")
	white.option("opponent", "Thabo")
	white.option("variant", "Nine Men's Morris")
	white.option("colour", "White")
	white.send()
	black.shows("challenges you to a game")
	black.tap("button.button", "Accept")
	white.shows("Thabo: place a piece") // black begins

	white.tap("button.menu", "Thabo: place a piece")
	white.tap(".picker [role=option]", "a7")
	white.shows("Only you can see this")
	black.hasNot("Only you can see this")
	white.tap("[data-dismiss]", "")
	white.until("nothing private", `document.querySelector("li.private") === null`)

	actions, _ := recordedGame(t, "nine", rules.FewerThanThree)
	game := rules.NewGame(mustLookup(t, "nine"))
	for i, text := range actions {
		a, err := rules.ParseAction(text)
		if err != nil {
			t.Fatal(err)
		}
		turn := game.Position().Turn
		if err := game.Play(a); err != nil {
			t.Fatal(err)
		}
		if turn == rules.White {
			white.taps(a)
		} else {
			black.types(a)
		}
		awaitBoard(t, []person{white, black}, game)
		if i == len(actions)/2 {
			v.kill()
			v.start()
		}
	}
	winner, _ := game.Status().Result.Winner()
	for _, p := range []person{white, black} {
		p.shows(" wins against " + [2]person{white, black}[winner.Opponent()].name)
	}
	white.tap("button.button", "Rematch")
	black.shows("Naledi would like a rematch")
	black.tap("button.button", "Rematch")
	white.shows("place a piece")
}

// awaitBoard waits until everybody's newest board tells of a position: whose turn it is, what is owed, and in the words of
// the picture where the pieces are.
func awaitBoard(t *testing.T, people []person, game *rules.Game) {
	t.Helper()
	if game.Status().Over {
		return
	}
	pos := game.Position()
	owed := "move"
	switch {
	case pos.Pending > 0:
		owed = "shoot"
	case pos.Placing():
		owed = "place"
	}
	board := `[...document.querySelectorAll("button.menu")].filter((m) => !m.closest(".private") && m.textContent.includes(` +
		quoted(people[pos.Turn].name+": "+owed) + `)).at(-1).closest("li").querySelector("img").alt`
	for _, p := range people {
		for side, name := range map[rules.Side]string{rules.White: "White", rules.Black: "Black"} {
			p.until(fmt.Sprint("the board after ", game.Actions()),
				`(`+board+`.match(/`+name+` (?:has|stands)[^.:]*: ([a-g1-7 ]+)\./)?.[1] ?? "").split(" ").sort().join(" ") === `+quoted(sorted(pos.Pieces[side])))
		}
	}
}

// sorted lists points by name.
func sorted(s rules.Points) string {
	var names []string
	for p := range s.All() {
		names = append(names, p.String())
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
