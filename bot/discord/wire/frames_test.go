package wire

import (
	"bytes"
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

// FuzzFrames: whatever a server sends, in whatever pieces it arrives, the tap neither panics nor keeps much of it, and sees
// the same however it is cut.
//
//	go test ./bot/discord/wire -run '^$' -fuzz FuzzFrames -fuzztime 1000000x
func FuzzFrames(f *testing.F) {
	const head = "HTTP/1.1 101 Switching Protocols\r\n\r\n"
	hello := `{"op":10,"d":{"heartbeat_interval":41250}}`
	for _, frames := range [][]byte{
		framed(wholeText, []byte(hello)), framed(0x82, []byte(hello)), framed(0x01, []byte(`{"t":"GUILD`)), framed(0x80, []byte(`_CREATE","d":{"channels":[null]}}`)), framed(wholeText, []byte(`{"op":9,"d":true}`)),
		framed(wholeText, []byte(`{"op":0,"t":"READY","d":{"x":"`+strings.Repeat("y", maxInspected)+`"}}`)),
		framed(closing, []byte{0x0f, 0xa4}), framed(wholeText, []byte("null")), {wholeText, 127, 255, 255, 255, 255, 255, 255, 255, 255},
	} {
		f.Add([]byte(head+string(frames)+string(framed(wholeText, []byte(`{"op":11}`)))), uint8(7))
	}
	f.Fuzz(func(t *testing.T, sent []byte, piece uint8) {
		whole, cut := newTap(nil, time.Second), newTap(nil, time.Second)
		errWhole := whole.feed(bytes.Clone(sent))
		var once, pieces disguise
		var seen []byte
		covered := bytes.Clone(sent)
		once.cover(covered)
		var errCut error
		for rest := bytes.Clone(sent); len(rest) > 0 && errCut == nil; {
			n := min(int(piece)+1, len(rest))
			errCut = cut.feed(rest[:n])
			pieces.cover(rest[:n])
			seen = append(seen, rest[:n]...)
			rest = rest[n:]
			if !cut.head && len(cut.pending) > maxInspected+int(piece)+16 {
				t.Fatalf("%d bytes are kept", len(cut.pending))
			}
		}
		if !bytes.HasPrefix(covered, seen) || len(covered) != len(sent) {
			t.Errorf("names changed to %q at once and to %q in pieces", covered, seen)
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

// TestDisguise: discordgo does not know the names of events, however they are written and cut, but for those that tell it
// of its session.
func TestDisguise(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sent, want string }{
		"an event":         {`{"t":"GUILD_CREATE","op":0,"d":{"t":"GUILD_CREATE"}}`, `{"t":"gUILD_CREATE","op":0,"d":{"t":"GUILD_CREATE"}}`},
		"at the end":       {`{"op":0,"d":{"a":["]\"}"]},"s":1,"t":"INTERACTION_CREATE"}`, `{"op":0,"d":{"a":["]\"}"]},"s":1,"t":"iNTERACTION_CREATE"}`},
		"with blanks":      {"{ \"t\" :\n \"TYPING_START\" }", "{ \"t\" :\n \"tYPING_START\" }"},
		"a large key":      {`{"T":"GUILD_CREATE"}`, `{"T":"gUILD_CREATE"}`},
		"a hidden key":     {`{"\u0074":"GUILD_CREATE"}`, `{"\u0074":"gUILD_CREATE"}`},
		"a hidden name":    {`{"t":"\u0047UILD_CREATE"}`, `{"t":"|u0047UILD_CREATE"}`},
		"the beginning":    {`{"t":"READY","d":{}}`, `{"t":"READY","d":{}}`},
		"going on":         {`{"t":"RESUMED"}`, `{"t":"RESUMED"}`},
		"no event":         {`{"t":null,"op":11,"token":"SECRET"}`, `{"t":null,"op":11,"token":"SECRET"}`},
		"a name elsewhere": {`{"op":0,"d":"t","x":["t","GUILD_CREATE"]}`, `{"op":0,"d":"t","x":["t","GUILD_CREATE"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const head = "HTTP/1.1 101 Switching Protocols\r\nT: \"t\":\r\n\r\n"
			half := len(c.sent) / 2
			ping := framed(0x89, []byte(`{"t":"X"}`))
			for _, frames := range [][2][]byte{
				{framed(wholeText, []byte(c.sent)), framed(wholeText, []byte(c.want))},
				{
					append(append(framed(0x01, []byte(c.sent[:half])), ping...), framed(0x80, []byte(c.sent[half:]))...),
					append(append(framed(0x01, []byte(c.want[:half])), ping...), framed(0x80, []byte(c.want[half:]))...),
				},
			} {
				for _, size := range []int{1, 3, 1000} {
					var d disguise
					got := []byte(head + string(frames[0]) + string(frames[0]))
					for at := 0; at < len(got); at += size {
						d.cover(got[at:min(at+size, len(got))])
					}
					if want := head + string(frames[1]) + string(frames[1]); string(got) != want {
						t.Errorf("in pieces of %d: %q, want %q", size, got, want)
					}
				}
			}
		})
	}
}
