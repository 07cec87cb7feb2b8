package boltstore

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"

	"kraal/storage"
)

// A match that is over is kept packed: its actions and times repeat much, and a page holds four such matches instead of
// one. A match in play is not, for it is written with every move and packing costs more than encoding. An encoded record
// begins with a brace; packed begins the packed ones.
const packed = 'z'

// packer packs with DEFLATE. What it needs for that is large, and kept for the next time. The zero value is for use.
type packer struct {
	writers, readers sync.Pool
}

// pack gives data packed, or as it is if that is not smaller.
func (p *packer) pack(data []byte) []byte {
	out := bytes.NewBuffer(make([]byte, 0, len(data)/2))
	out.WriteByte(packed)
	w, ok := p.writers.Get().(*flate.Writer)
	if ok {
		w.Reset(out)
	} else {
		w, _ = flate.NewWriter(out, flate.BestSpeed) // a level that there is
	}
	defer p.writers.Put(w)
	w.Write(data) // a Buffer takes everything
	w.Close()
	if out.Len() >= len(data) {
		return data
	}
	return out.Bytes()
}

// unpack gives back what was packed. Error: ErrDamaged.
func (p *packer) unpack(data []byte) ([]byte, error) {
	if len(data) == 0 || data[0] != packed {
		return data, nil
	}
	in := bytes.NewReader(data[1:])
	r, ok := p.readers.Get().(io.ReadCloser)
	if !ok {
		r = flate.NewReader(in)
	} else if err := r.(flate.Resetter).Reset(in, nil); err != nil {
		return nil, err
	}
	defer p.readers.Put(r)
	plain, err := io.ReadAll(io.LimitReader(r, storage.MaxRecord+1))
	if err != nil || len(plain) > storage.MaxRecord {
		return nil, fmt.Errorf("%w: it cannot be unpacked: %d bytes, %v", storage.ErrDamaged, len(plain), err)
	}
	return plain, nil
}
