package bot

import (
	"context"
	"errors"

	"kraal/storage"
)

// Past says which finished games are looked for.
type Past struct {
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

	historyStep = 100  // entries of an index read at once
	historyMost = 2000 // games of which a record is read to find out whether they are meant
)

// History finds a member's finished games. It reads the records of the page alone, unless what is looked for is narrower
// than any index: then also those that it leaves out, up to a bound.
func (a *App) History(ctx context.Context, p Past) (h History, err error) {
	p.Page = min(max(p.Page, 1), MaxHistoryPage)
	index, meant := p.index()
	err = a.Store.View(ctx, func(r storage.Reader) error {
		found, unread, err := a.past(r, index, meant, p.Page*HistoryPage+1)
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

// index is the narrowest there is, and what of it is meant; nil: all.
func (p Past) index() (storage.Index, func(storage.Match) bool) {
	here := func(m storage.Match) bool { return p.Anywhere || m.Server == p.Server }
	under := func(m storage.Match) bool { return p.Variant == "" || m.Variant.Key == p.Variant }
	switch {
	case p.Opponent != "" && p.Anywhere && p.Variant == "":
		return storage.FinishedAgainst(p.Member, p.Opponent), nil
	case p.Opponent != "":
		return storage.FinishedAgainst(p.Member, p.Opponent), func(m storage.Match) bool { return here(m) && under(m) }
	case p.Anywhere && p.Variant != "":
		return storage.FinishedUnder(p.Member, p.Variant), nil
	case p.Anywhere:
		return storage.FinishedOf(p.Member), nil
	case p.Variant != "":
		return storage.FinishedHere(p.Server, p.Member), under
	}
	return storage.FinishedHere(p.Server, p.Member), nil
}

// past lists the first so many matches of an index that are meant. unread is true where it gave up before the end.
func (a *App) past(r storage.Reader, ix storage.Index, meant func(storage.Match) bool, most int) (found []storage.Key, unread bool, err error) {
	var from storage.Cursor
	for looked := 0; len(found) < most; {
		if meant != nil && looked >= historyMost {
			return found, true, nil
		}
		hits, err := r.Range(ix, from, historyStep)
		if err != nil {
			return nil, false, err
		}
		for _, h := range hits {
			from = h.Cursor
			if meant != nil {
				m, ok, err := a.readable(r, h.Key)
				if err != nil {
					return nil, false, err
				}
				if !ok || !meant(m) {
					continue
				}
			}
			found = append(found, h.Key)
		}
		looked += len(hits)
		if len(hits) < historyStep {
			break
		}
	}
	return found[:min(len(found), most)], false, nil
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
