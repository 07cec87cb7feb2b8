package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"

	bolt "go.etcd.io/bbolt"

	"kraal/rules"
	"kraal/storage"
)

// agedRecord is number i of a file that was in use: now a game that is over, now a rating.
func agedRecord(i int) storage.Record {
	if i%2 == 0 {
		return agedMatch(fmt.Sprintf("%08d", i), fmt.Sprint(i%7), fmt.Sprint(i%5))
	}
	return storage.Rating{
		Pool: storage.GlobalPool, Variant: "nine", Member: fmt.Sprintf("%08d", i), Points: float64(i%900) / 2, Deviation: 80, Volatility: 0.06,
	}
}

func agedMatch(id, white, black string) storage.Match {
	m := sample(id)
	m.State, m.Ended, m.Result = storage.Finished, m.Created, rules.WhiteWins
	m.Seats[rules.White].ID, m.Seats[rules.Black].ID = white, black
	return m
}

// aged makes a file of schema 2 with so many records: their entries are those of that time, and nothing is counted.
func aged(t testing.TB, records int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "kraal.db")
	if err := create(path); err != nil {
		t.Fatal(err)
	}
	db, _, err := openFile(path, boltOptions(0))
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		err := errors.Join(tx.DeleteBucket(countsBucket), tx.DeleteBucket([]byte(storage.KindSeason)), tx.DeleteBucket([]byte(storage.KindTally)),
			tx.Bucket(metaBucket).Put(schemaKey, []byte("2")))
		var p packer
		for i := range records {
			row, encodeErr := storage.Encode(agedRecord(i))
			if row.Settled {
				row.Data = p.pack(row.Data)
			}
			old := storage.Entry(fmt.Sprintf("b\x00old\x00%s\x00", row.Key.ID))
			v := value{3, []storage.Entry{old}, row.Data}
			err = errors.Join(err, encodeErr, tx.Bucket(indexBucket).Put([]byte(old), nil),
				tx.Bucket([]byte(row.Key.Kind)).Put([]byte(row.Key.ID), v.bytes()))
		}
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestForwardGoesOn: where bringing a file forward was interrupted, at any transaction, the next opening goes on with it,
// and no version changes.
func TestForwardGoesOn(t *testing.T) {
	const records = 3*refileAtOnce + 10
	path := aged(t, records)
	for done := range 4 {
		db, _, err := openFile(path, boltOptions(0))
		if err != nil {
			t.Fatal(err)
		}
		if done == 0 {
			err = db.Update(beginForward)
		} else {
			err = db.Update(func(tx *bolt.Tx) error {
				_, err := refileSome(tx, &packer{})
				return err
			})
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	checkFile(t, s)
	err = s.View(t.Context(), func(r storage.Reader) error {
		stored, err := r.Get(agedRecord(records - 1).Key())
		if err != nil || stored.Version != 3 {
			t.Errorf("got version %d and error %v, want 3", stored.Version, err)
		}
		counts, err := r.Counts(storage.Below(storage.GlobalPool, "nine"))
		if counts.All() != records/2 {
			t.Errorf("%d ratings are counted, want %d", counts.All(), records/2)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestForwardPassesByWhatIsDamaged: one record that cannot be read keeps no file from being opened.
func TestForwardPassesByWhatIsDamaged(t *testing.T) {
	path := aged(t, 10)
	db, _, err := openFile(path, boltOptions(0))
	if err != nil {
		t.Fatal(err)
	}
	bad := agedRecord(4).Key()
	err = db.Update(func(tx *bolt.Tx) error {
		v := value{3, nil, []byte("{")}
		return tx.Bucket([]byte(bad.Kind)).Put([]byte(bad.ID), v.bytes())
	})
	if err != nil {
		t.Fatal(err)
	}
	was, unread, err := bringForward(db)
	if was != 2 || unread != 1 || err != nil {
		t.Errorf("from schema %d, %d unread, error %v; want schema 2 and one", was, unread, err)
	}
	err = db.View(func(tx *bolt.Tx) error {
		schema, err := schemaOf(tx)
		if schema != Schema || tx.Bucket(metaBucket).Get(refileKey) != nil {
			t.Errorf("schema %d, and not to its end", schema)
		}
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Error(err)
	}
}

// TestCountsRefuseDamage: a count that makes no sense is damage, not a place.
func TestCountsRefuseDamage(t *testing.T) {
	rating := agedRecord(1).(storage.Rating)
	index := storage.Below(rating.Pool, rating.Variant)
	for name, damage := range map[string]func(b *bolt.Bucket, key []byte) error{
		"a key cut short": func(b *bolt.Bucket, key []byte) error { return b.Put(key[:len(key)-1], []byte{1}) },
		"no number":       func(b *bolt.Bucket, key []byte) error { return b.Put(key, []byte{0x80}) },
		"zero":            func(b *bolt.Bucket, key []byte) error { return b.Put(key, binary.AppendUvarint(nil, 0)) },
	} {
		s := openTemp(t).(*Store)
		if err := commitOne(t, s, rating); err != nil {
			t.Fatal(err)
		}
		err := s.db.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket(countsBucket)
			key, _ := b.Cursor().First()
			return damage(b, append([]byte(nil), key...))
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.View(t.Context(), func(r storage.Reader) error {
			_, err := r.Counts(index)
			return err
		})
		if !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("%s: got error %v, want ErrDamaged", name, err)
		}
	}
}

// BenchmarkForward brings files of schema 2 forward.
func BenchmarkForward(b *testing.B) {
	for _, records := range []int{10_000, 100_000} {
		b.Run(strconv.Itoa(records), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				path := aged(b, records)
				b.StartTimer()
				s, err := Open(path, Options{})
				if err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
		})
	}
}
