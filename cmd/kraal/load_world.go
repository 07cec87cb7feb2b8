package main

import (
	"fmt"

	"kraal/bot/sandbox"
)

// tableWorld is a world with a channel for each table, and two people who sit at it and nowhere else.
type tableWorld struct {
	sandbox.World
	tables []seats
}

// seats are where a table stands and who sits at it.
type seats struct {
	channel string
	people  [2]string
}

// Ids of what is in the world count up from these. Servers differ in the bits by which Discord deals them out to shards.
const (
	firstPerson  int64 = 110_000_000_000_000_000
	firstServer  int64 = 310_000_000_000_000_000
	firstChannel int64 = 410_000_000_000_000_000
)

// newTableWorld deals tables out to servers evenly.
func newTableWorld(servers, tables int) tableWorld {
	w := tableWorld{}
	for n := range servers {
		w.Servers = append(w.Servers, sandbox.Server{ID: fmt.Sprint(firstServer + int64(n)<<22), Name: fmt.Sprintf("Server %d", n+1)})
	}
	for n := range tables {
		t := seats{channel: fmt.Sprint(firstChannel + int64(n))}
		server := &w.Servers[n%servers]
		server.Channels = append(server.Channels, sandbox.Channel{ID: t.channel, Name: fmt.Sprintf("table-%d", n+1)})
		for side := range t.people {
			number := 2*n + side
			t.people[side] = fmt.Sprint(firstPerson + int64(number))
			w.People = append(w.People, sandbox.Person{ID: t.people[side], Username: fmt.Sprintf("player%d", number), Name: fmt.Sprintf("Player %d", number)})
			server.Members = append(server.Members, t.people[side])
		}
		w.tables = append(w.tables, t)
	}
	for n := range w.Servers {
		if len(w.Servers[n].Channels) == 0 {
			w.Servers[n].Channels = []sandbox.Channel{{ID: fmt.Sprint(firstChannel + int64(tables+n)), Name: "general"}}
		}
		w.Servers[n].Owner = fmt.Sprint(firstPerson)
	}
	return w
}
