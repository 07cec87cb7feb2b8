package discord_test

import (
	"context"
	"slices"
	"time"

	"kraal/storage"
)

// fault makes trouble, some of it for a while.
func (w *week) fault() {
	channel := pick(w, w.channels)
	w.counts["faults"]++
	last := func(undo func()) {
		w.troubled = max(w.troubled, 3+w.random.IntN(8))
		w.undo = append(w.undo, undo)
	}
	switch w.random.IntN(10) {
	case 0:
		w.sb.DropGateway()
		w.ready()
	case 1:
		w.sb.Reconnect()
		w.lost()
		w.ready()
	case 2:
		w.sb.InvalidSession(false)
		w.ready()
	case 3:
		w.sb.FailNext("PATCH", "/channels/", 500, 0, 1+w.random.IntN(6))
		last(func() {})
	case 4:
		w.sb.FailNext("POST", "/channels/", 503, 0, 1+w.random.IntN(4))
		last(func() {})
	case 5:
		w.sb.FailNext("PATCH", "/channels/", 429, 0, 1)
		last(func() {})
	case 6:
		w.must(w.sb.SetPermissions(channel, 1<<10|1<<16))
		last(func() { w.must(w.sb.SetPermissions(channel, 1<<10|1<<11|1<<14|1<<15|1<<16|1<<35|1<<38)) })
	case 7:
		if all := w.sb.As(w.members[0]).Messages(channel); len(all) > 0 {
			if m := pick(w, all); !m.Ephemeral {
				w.must(w.sb.DeleteMessage(m.ID))
			}
		}
	case 8:
		who := pick(w, w.members[1:])
		w.must(w.sb.RemoveMember(w.server.ID, who))
		last(func() { w.must(w.sb.AddMember(w.server.ID, who)) })
		w.members = slices.DeleteFunc(slices.Clone(w.members), func(id string) bool { return id == who })
		w.undo = append(w.undo, func() { w.members = append(w.members, who) })
	case 9:
		w.must(w.sb.Kick(w.server.ID))
		last(func() { w.must(w.sb.Invite(w.server.ID)) })
	}
}

// mend ends the trouble.
func (w *week) mend() {
	for _, undo := range slices.Backward(w.undo) {
		undo()
	}
	w.undo = nil
}

// lost waits until the bot has closed its connection.
func (w *week) lost() {
	w.t.Helper()
	ctx, done := w.patience()
	defer done()
	w.must(w.sb.Wait(ctx, func() bool { return !w.sb.Connected() }))
}

// ready waits until the bot is connected again.
func (w *week) ready() {
	w.t.Helper()
	ctx, done := w.patience()
	defer done()
	w.must(w.sb.Wait(ctx, w.sb.Connected))
}

// kill ends the bot without a word, now and then in the midst of an action, and starts it again after a while.
func (w *week) kill() {
	w.t.Helper()
	w.counts["kills"]++
	if live := w.matches(storage.Live()); len(live) > 0 && w.random.IntN(2) == 0 {
		m, who := pick(w, live), pick(w, w.members)
		asked := make(chan struct{})
		go func() {
			defer close(asked)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_, _ = w.sb.As(who).Slash(ctx, m.Channel, "board", map[string]any{"game": m.ID})
		}()
		w.dead.Store(true)
		<-asked
	}
	w.dead.Store(true)
	w.stop()
	w.clock.Advance(time.Duration(w.random.Int64N(int64(3 * time.Hour))))
	w.dead.Store(false)
	w.start()
	w.look()
}
