package endgame

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kraal/rules"
)

// Tables is the tables in a directory. It is safe for concurrent use; nil and the zero value hold none.
type Tables struct {
	ix    *index
	files map[fileKey]*file
}

// file is a table that lies on disk. Its contents come into memory when they are asked for.
type file struct {
	path    string
	head    header
	body    []byte
	release func() error
}

// Open opens every table in a directory; where there is no directory there are none. The error joins a *FileError for
// each file that cannot be used; the tables are good for the others all the same. Contents up to 64 MiB are checked
// here, larger ones by Check.
func Open(dir string) (*Tables, error) {
	t := &Tables{ix: newIndex(), files: make(map[fileKey]*file)}
	entries, err := os.ReadDir(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return t, err
	}
	var wrong []error
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), extension) && !entry.IsDir() {
			wrong = append(wrong, t.open(filepath.Join(dir, entry.Name())))
		}
	}
	return t, errors.Join(wrong...)
}

// open takes one file in.
func (t *Tables) open(path string) error {
	f, err := t.read(path)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return &FileError{Path: path, Reason: err}
	}
	if old := t.files[f.head.key()]; old != nil {
		return errors.Join(f.release())
	}
	t.files[f.head.key()] = f
	return nil
}

// read maps a file and judges it.
func (t *Tables) read(path string) (*file, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	about, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if about.Size() < headerSize {
		return nil, ErrNotATable
	}
	mapped, release, err := mapFile(in, int(about.Size()))
	if err != nil {
		return nil, err
	}
	f := &file{path: path, body: mapped[headerSize:], release: release}
	if f.head, err = decode(mapped); err == nil {
		err = t.judge(f)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return f, nil
}

// judge holds a file's contents against its header.
func (t *Tables) judge(f *file) error {
	s := newSpace(t.ix, f.head.key().subspace)
	switch {
	case f.head.Slots != uint64(s.slots()):
		return ErrDamaged
	case uint64(len(f.body)) != f.head.Slots:
		return ErrCutShort
	case len(f.body) <= checkedAtOnce:
		return f.check()
	}
	return nil
}

// check reads everything.
func (f *file) check() error {
	if checksum(f.body) != f.head.Body {
		return ErrDamaged
	}
	return nil
}

// Check reads every table to its last byte. The error joins a *FileError for each that is damaged.
func (t *Tables) Check() error {
	if t == nil {
		return nil
	}
	var wrong []error
	for _, f := range t.sorted() {
		if err := f.check(); err != nil {
			wrong = append(wrong, &FileError{Path: f.path, Reason: err})
		}
	}
	return errors.Join(wrong...)
}

// sorted is the files by path.
func (t *Tables) sorted() []*file {
	files := make([]*file, 0, len(t.files))
	for _, f := range t.files {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return files
}

// Close gives the files back. No Reader of these tables may be used after that.
func (t *Tables) Close() error {
	if t == nil {
		return nil
	}
	var wrong []error
	for key, f := range t.files {
		wrong = append(wrong, f.release())
		delete(t.files, key)
	}
	return errors.Join(wrong...)
}

// For is a reader of a variant's tables, nil if there are none: of another game with the same rules of moving they are the
// same.
func (t *Tables) For(v rules.Variant) *Reader {
	if t == nil || v.NoReturn {
		return nil
	}
	r := &Reader{limits: limitsOf(v)}
	for key := range t.files {
		if key.columns == columnsOf(v) && key.limits == (limits{}) {
			r.add(t.known(key, r.limits))
			r.longest = max(r.longest, int(t.files[key].head.LongestWin), int(t.files[key].head.LongestLoss))
		}
	}
	if r.most == 0 {
		return nil
	}
	return r
}

// known is a table with the turns to the next shot under the limits, where those are kept; nil where there is none.
func (t *Tables) known(key fileKey, l limits) *known {
	f := t.files[key]
	if f == nil {
		return nil
	}
	k := &known{space: newSpace(t.ix, key.subspace), codes: f.body}
	if l != (limits{}) {
		key.limits = l
		if shots := t.files[key]; shots != nil {
			k.shots = shots.body
		}
	}
	return k
}

// Probe is Reader.Probe for a single question; the number is Finding.Turns. To ask more than once, For is quicker.
func (t *Tables) Probe(v rules.Variant, p rules.Position) (Value, int, bool) {
	f, ok := t.For(v).Probe(&p)
	return f.Value, f.Turns, ok
}

// Summary is what a table holds.
type Summary struct {
	Own, Other              int // pieces of the side to move, and of the other
	Positions, Wins, Losses int // symmetric positions are one
	LongestWin, LongestLoss int // turns
	Bytes                   int // on disk
}

// Summaries tells what the tables of a variant hold, those with fewer pieces first.
func (t *Tables) Summaries(v rules.Variant) []Summary {
	var all []Summary
	if t == nil {
		return nil
	}
	for key, f := range t.files {
		if key.columns != columnsOf(v) || key.limits != (limits{}) {
			continue
		}
		h := f.head
		all = append(all, Summary{
			Own: key.own, Other: key.other, Positions: int(h.Positions), Wins: int(h.Wins), Losses: int(h.Losses),
			LongestWin: int(h.LongestWin), LongestLoss: int(h.LongestLoss), Bytes: len(f.body) + headerSize,
		})
	}
	slices.SortFunc(all, func(a, b Summary) int {
		return 1000*(a.Own+a.Other-b.Own-b.Other) + b.Own - a.Own
	})
	return all
}

// Empty tells whether there are no tables at all.
func (t *Tables) Empty() bool { return t == nil || len(t.files) == 0 }
