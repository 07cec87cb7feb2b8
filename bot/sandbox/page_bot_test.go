package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"testing"

	"github.com/gorilla/websocket"
)

// pageBot is a bot of a few lines over the raw wire: it answers each interaction with what a test says.
type pageBot struct {
	t      *testing.T
	s      *Sandbox
	answer func(in pageInteraction) any // the callback
}

// pageInteraction is what the bot reads of one.
type pageInteraction struct {
	ID, Token string
	Type      int
	Member    struct {
		User struct{ ID string }
	}
	Data struct {
		Name     string
		CustomID string `json:"custom_id"`
		TargetID string `json:"target_id"`
		Values   []string
		Options  []struct {
			Name    string
			Value   any
			Focused bool
			Options []struct {
				Name  string
				Value any
			}
		}
	}
}

// startPageBot connects a bot and registers commands.
func startPageBot(t *testing.T, s *Sandbox, commands string, answer func(in pageInteraction) any) *pageBot {
	t.Helper()
	b := &pageBot{t: t, s: s, answer: answer}
	ws, response, err := websocket.DefaultDialer.Dial(s.gatewayURL()+"/?v=9&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	identify := object{"op": opIdentify, "d": object{"token": s.Token(), "intents": 1, "properties": object{}}}
	if err := ws.WriteJSON(identify); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.listen(ws)
	}()
	t.Cleanup(func() {
		_ = ws.Close()
		<-ended
	})
	b.send("PUT", "/applications/"+botID+"/commands", "application/json", []byte(commands))
	if err := s.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *pageBot) listen(ws *websocket.Conn) {
	for {
		var f frame
		if ws.ReadJSON(&f) != nil {
			return
		}
		if f.Type == nil || *f.Type != "INTERACTION_CREATE" {
			continue
		}
		var in pageInteraction
		if err := json.Unmarshal(f.Data, &in); err != nil {
			b.t.Error(err)
			return
		}
		if callback := b.answer(in); callback != nil {
			body, err := json.Marshal(callback)
			if err != nil {
				b.t.Error(err)
			}
			b.send("POST", "/interactions/"+in.ID+"/"+in.Token+"/callback", "application/json", body)
		}
	}
}

// post puts a message with a picture into a channel.
func (b *pageBot) post(channel string, message any, picture []byte) {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	text, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := form.WriteField("payload_json", string(text)); err != nil {
		b.t.Fatal(err)
	}
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="files[0]"; filename="board.png"`}, "Content-Type": {"image/png"},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := part.Write(picture); err != nil {
		b.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.send("POST", "/channels/"+channel+"/messages", form.FormDataContentType(), body.Bytes())
}

func (b *pageBot) send(method, path, kind string, body []byte) {
	r, err := http.NewRequest(method, b.s.API()+path, bytes.NewReader(body))
	if err != nil {
		b.t.Error(err)
		return
	}
	r.Header.Set("Authorization", "Bot "+b.s.Token())
	r.Header.Set("Content-Type", kind)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Error(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	if answer, _ := io.ReadAll(response.Body); response.StatusCode >= 300 {
		b.t.Error(fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, answer))
	}
}
