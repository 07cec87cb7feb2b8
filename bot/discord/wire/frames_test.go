package wire

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
)

// framed makes a websocket frame of a server's.
func framed(first byte, body []byte) []byte {
	f := []byte{first}
	switch n := len(body); {
	case n < 126:
		f = append(f, byte(n))
	case n < 1<<16:
		f = binary.BigEndian.AppendUint16(append(f, 126), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, 127), uint64(n))
	}
	return append(f, body...)
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// FuzzFrames: whatever a server sends, in whatever pieces it arrives, the tap neither panics nor keeps much of it, and sees
// the same however it is cut.
//
//	go test ./bot/discord/wire -run '^$' -fuzz FuzzFrames -fuzztime 1000000x
func FuzzFrames(f *testing.F) {
	const head = "HTTP/1.1 101 Switching Protocols\r\n\r\n"
	hello := `{"op":10,"d":{"heartbeat_interval":41250}}`
	for _, frames := range [][]byte{
		framed(wholeText, []byte(hello)), framed(wholeBinary, zipped(hello)), framed(wholeText, []byte(`{"op":9,"d":true}`)),
		framed(wholeText, []byte(`{"op":0,"t":"READY","d":{"x":"`+strings.Repeat("y", maxInspected)+`"}}`)),
		framed(closing, []byte{0x0f, 0xa4}), framed(wholeText, []byte("null")), {wholeText, 127, 255, 255, 255, 255, 255, 255, 255, 255},
	} {
		f.Add([]byte(head+string(frames)+string(framed(wholeText, []byte(`{"op":11}`)))), uint8(7))
	}
	f.Fuzz(func(t *testing.T, sent []byte, piece uint8) {
		whole, cut := newTap(nil, time.Second), newTap(nil, time.Second)
		errWhole := whole.feed(bytes.Clone(sent))
		var errCut error
		for rest := bytes.Clone(sent); len(rest) > 0 && errCut == nil; {
			n := min(int(piece)+1, len(rest))
			errCut = cut.feed(rest[:n])
			rest = rest[n:]
			if !cut.head && len(cut.pending) > maxInspected+int(piece)+16 {
				t.Fatalf("%d bytes are kept", len(cut.pending))
			}
		}
		if (errWhole == nil) != (errCut == nil) || whole.code != cut.code || whole.invalid != cut.invalid || whole.interval != cut.interval {
			t.Errorf("at once %v, code %d; in pieces %v, code %d", errWhole, whole.code, errCut, cut.code)
		}
	})
}

// FuzzEvents: whatever an event says, nothing panics, and nobody but a server with an id arrives or leaves.
//
//	go test ./bot/discord/wire -run '^$' -fuzz FuzzEvents -fuzztime 1000000x
func FuzzEvents(f *testing.F) {
	for _, kind := range []string{"READY", "GUILD_CREATE", "GUILD_DELETE", "RESUMED", "INTERACTION_CREATE", "OTHER"} {
		f.Add(kind, []byte(`{"id":"1","unavailable":false,"user":{"id":"2"},"channels":[{"id":"3","type":0,"permission_overwrites":[{"id":"1","allow":"1"}]}],`+
			`"roles":[{"id":"1","permissions":"3072"}],"members":[{"user":{"id":"2"},"roles":["1"]}],"joined_at":"2026-01-01T00:00:00Z"}`))
	}
	f.Fuzz(func(t *testing.T, kind string, raw []byte) {
		seen := func(id string) {
			if id == "" {
				t.Error("a server without an id")
			}
		}
		c, err := New(Config{
			Token: botToken, API: "http://" + net.JoinHostPort("127.0.0.1", "1"), Handle: func(context.Context, Interaction, *Answer) {},
			Arrived: func(s Server) { seen(s.ID) }, Left: seen,
		})
		if err != nil {
			t.Fatal(err)
		}
		if kind == "INTERACTION_CREATE" {
			return // FuzzInteraction's
		}
		c.on(&shard{c: c}, &discordgo.Event{Type: kind, RawData: raw})
		c.cancel()
	})
}
