package sandbox_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"slices"
	"testing"
)

func TestReplies(t *testing.T) {
	d := open(t)
	asked, err := d.Say(naledi, games, "a game?")
	if err != nil {
		t.Fatal(err)
	}
	to := func(id string, more obj) obj {
		return obj{"content": "yes", "message_reference": with(obj{"message_id": id}, more)}
	}
	a := d.expect(200, 0, "POST", written, to(asked, nil))
	if a.json()["type"] != 19.0 || text(a.json(), "message_reference", "message_id") != asked {
		t.Errorf("the reply is %v", a)
	}
	pinged := func(id string) []string {
		m, _ := d.As(naledi).Message(id)
		if m.ReplyTo != asked {
			t.Errorf("it replies to %q", m.ReplyTo)
		}
		return m.Mentions
	}
	if got := pinged(a.id()); !slices.Equal(got, []string{naledi}) {
		t.Errorf("by default %v is pinged", got)
	}
	quiet := with(to(asked, nil), obj{"allowed_mentions": obj{"parse": []string{}}})
	if got := pinged(d.post(quiet)); got != nil {
		t.Errorf("%v is pinged though nobody may be", got)
	}
	loud := with(to(asked, nil), obj{"allowed_mentions": obj{"parse": []string{}, "replied_user": true}})
	if got := pinged(d.post(loud)); !slices.Equal(got, []string{naledi}) {
		t.Errorf("%v is pinged though the one replied to may be", got)
	}
	d.expect(400, 50035, "POST", written, to("1", nil))
	d.expect(400, 50035, "POST", "/channels/"+general+"/messages", to(asked, nil))
	d.expect(200, 0, "POST", written, to("1", obj{"fail_if_not_exists": false}))
	d.allow(games, view|write)
	d.expect(400, 160002, "POST", written, to(asked, nil))
}

func TestMessagesAroundAnother(t *testing.T) {
	d := open(t)
	var ids []string
	for range 6 {
		ids = append(ids, d.post(obj{"content": "x"}))
	}
	for query, want := range map[string][]int{
		"?limit=2":                    {5, 4},
		"?limit=2&after=" + ids[1]:    {3, 2},
		"?after=" + ids[4]:            {5},
		"?after=" + ids[5]:            {},
		"?after=1":                    {5, 4, 3, 2, 1, 0},
		"?limit=2&before=" + ids[4]:   {3, 2},
		"?before=" + ids[0]:           {},
		"?limit=3&around=" + ids[2]:   {3, 2, 1},
		"?limit=100&around=" + ids[2]: {5, 4, 3, 2, 1, 0},
	} {
		got := []int{}
		for _, m := range d.expect(200, 0, "GET", written+query, nil).list() {
			got = append(got, slices.Index(ids, text(m, "id")))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v; want %v", query, got, want)
		}
	}
}

// TestTextsOfLayoutsPing: a mention in a text component is one like any other.
func TestTextsOfLayoutsPing(t *testing.T) {
	d := open(t)
	layout := obj{"flags": 1 << 15, "components": []any{obj{"type": 10, "content": "<@" + naledi + "> <@" + thabo + ">"}}}
	id := d.post(with(layout, obj{"allowed_mentions": obj{"users": []string{thabo}}}))
	if m, _ := d.As(naledi).Message(id); !slices.Equal(m.Mentions, []string{thabo}) {
		t.Errorf("pinged %v", m.Mentions)
	}
}

// TestPicturesTellTheirSize: and their words, and that only one person sees them.
func TestPicturesTellTheirSize(t *testing.T) {
	d := open(t)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.WriteField("payload_json", `{"attachments":[{"id":0,"description":"all white"}]}`)
	part, err := w.CreateFormFile("files[0]", "board.png")
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(part, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	a := d.ask("POST", d.API()+written, w.FormDataContentType(), &form)
	d.was(a, 200, 0)
	got := a.json()["attachments"].([]any)[0].(obj)
	if got["width"] != 30.0 || got["height"] != 20.0 || got["description"] != "all white" || got["filename"] != "board.png" || got["ephemeral"] != nil {
		t.Errorf("the picture is %v", got)
	}
}
