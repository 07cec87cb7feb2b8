package bot

import (
	"context"
	"errors"

	"kraal/storage"
)

// Search says which finished games are looked for.
type Search struct {
	Member   string // whose
	Opponent string // only those with them; "": with anyone
	Variant  string // only those under that key; "": under any
	Server   string // only those played there; "" is direct messages
	Anywhere bool   // in all servers, whatever Server is
	Page     int    // 1 is the newest
}

// History is one page of finished games, the last to end first.
type History struct {
	Matches []storage.Match
	Page    int  // which it is: the last where fewer were found than were asked for
	More    bool // there are older ones behind it
	Unread  bool // there may be older ones that were not looked through
}

const (
	// HistoryPage is how many games a page of history has.
	HistoryPage = 10
	// MaxHistoryPage is the last page that can be turned to.
	MaxHistoryPage = 200

	historyMost = 5000 // entries of each index that are compared where no single one says what is meant
)

// History finds a member's finished games. It reads the records of the page alone: what is looked for is what all the
// indexes that say a part of it have in common.
func (a *App) History(ctx context.Context, p Search) (h History, err error) {
	p.Page = min(max(p.Page, 1), MaxHistoryPage)
	err = a.Store.View(ctx, func(r storage.Reader) error {
		found, unread, err := inAll(r, p.indexes(), p.Page*HistoryPage+1)
		if err != nil {
			return err
		}
		h.Page = min(p.Page, max(1, (len(found)+HistoryPage-1)/HistoryPage))
		from := (h.Page - 1) * HistoryPage
		to := min(from+HistoryPage, len(found))
		h.More, h.Unread = to < len(found), unread
		for _, k := range found[from:to] {
			if m, ok, err := a.readable(r, k); err != nil {
				return err
			} else if ok {
				h.Matches = append(h.Matches, m)
			}
		}
		return nil
	})
	return h, err
}

// indexes are those that each say a part of what is looked for. All have the last to end first.
func (p Search) indexes() (parts []storage.Index) {
	if p.Opponent != "" {
		parts = append(parts, storage.FinishedAgainst(p.Member, p.Opponent))
	}
	if p.Variant != "" {
		parts = append(parts, storage.FinishedUnder(p.Member, p.Variant))
	}
	if !p.Anywhere {
		parts = append(parts, storage.FinishedHere(p.Server, p.Member))
	}
	if len(parts) == 0 {
		parts = append(parts, storage.FinishedOf(p.Member))
	}
	return parts
}

// inAll lists the first so many records that all the indexes lead to, in the order of the first. unread is true where an
// index had more than were compared.
func inAll(r storage.Reader, parts []storage.Index, most int) (found []storage.Key, unread bool, err error) {
	look := historyMost
	if len(parts) == 1 {
		look = most
	}
	in := map[storage.Key]int{}
	var first []storage.Hit
	for i, part := range parts {
		hits, err := r.Range(part, "", look)
		if err != nil {
			return nil, false, err
		}
		if i == 0 {
			first = hits
		}
		unread = unread || len(hits) == look && look > most
		for _, h := range hits {
			in[h.Key]++
		}
	}
	for _, h := range first {
		if in[h.Key] == len(parts) && len(found) < most {
			found = append(found, h.Key)
		}
	}
	return found, unread, nil
}

// readable reads a match; ok is false for one that cannot be read, which is logged.
func (a *App) readable(r storage.Reader, k storage.Key) (m storage.Match, ok bool, err error) {
	stored, ok, err := a.get(r, k)
	if ok {
		m = stored.Record.(storage.Match)
	}
	return m, ok, err
}

// get reads a record; ok is false for one that is not there, and for one that cannot be read, which is logged.
func (a *App) get(r storage.Reader, k storage.Key) (stored storage.Stored, ok bool, err error) {
	stored, err = r.Get(k)
	var unreadable *storage.RecordError
	switch {
	case err == nil:
		return stored, true, nil
	case errors.Is(err, storage.ErrNotFound):
		return stored, false, nil
	case errors.As(err, &unreadable):
		a.Log.Error("a record is left out", "error", err)
		return stored, false, nil
	}
	return stored, false, err
}
