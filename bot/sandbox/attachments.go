package sandbox

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// editedAttachments are those of a message that had some: ids that are listed stay, others go, new files come. Without a
// list version 9 keeps the old ones and adds the new, version 10 drops the old when there are new ones, and a list of
// version 10 must name the new ones too.
func (s *Sandbox) editedAttachments(had []Attachment, p payload, version int) ([]Attachment, error) {
	var stay []Attachment
	switch listed := p.body.Attachments; {
	case listed != nil:
		var err error
		if stay, err = retained(had, *listed, p.files); err != nil {
			return nil, err
		}
		if version >= 10 && len(*listed) != len(stay)+len(p.files) {
			return nil, invalid("attachments", "Every new file must be listed.")
		}
	case p.body.has("attachments") || version >= 10 && len(p.files) > 0:
	default:
		stay = slices.Clone(had)
	}
	all := append(stay, s.newAttachments(p)...)
	if len(all) > maxAttachments {
		return nil, errTooManyFiles
	}
	return all, nil
}

// retained are the attachments that a list names, with what it says of them. Whatever else it names must be a new file.
func retained(had []Attachment, listed []attachmentBody, files map[string]File) (stay []Attachment, err error) {
	seen := map[string]bool{}
	for i, l := range listed {
		at := slices.IndexFunc(had, func(a Attachment) bool { return a.ID == l.id() })
		_, isFile := files[l.id()]
		if seen[l.id()] || at < 0 && !isFile {
			return nil, invalid("attachments."+strconv.Itoa(i)+".id", "No file has this id")
		}
		seen[l.id()] = true
		if at < 0 {
			continue
		}
		a := had[at]
		if l.Description != nil {
			a.Description = *l.Description
		}
		stay = append(stay, a)
	}
	return stay, nil
}

// id is the attachment's, or the number of the file that comes with the request; it comes as a text or a number.
func (a attachmentBody) id() string { return strings.Trim(string(a.ID), `"`) }

func (a *Attachment) describe(as attachmentBody) {
	if as.Filename != "" {
		a.Filename = as.Filename
	}
	if as.Description != nil {
		a.Description = *as.Description
	}
}

// newAttachments are the files of a request, with what its list says of each.
func (s *Sandbox) newAttachments(p payload) (made []Attachment) {
	for _, number := range slices.Sorted(maps.Keys(p.files)) {
		f := p.files[number]
		a := Attachment{ID: s.newID(), Filename: f.Name, ContentType: f.ContentType, Data: f.Data}
		if p.body.Attachments != nil {
			for _, listed := range *p.body.Attachments {
				if listed.id() == number {
					a.describe(listed)
				}
			}
		}
		a.measure()
		a.URL = s.attachmentURL(a)
		made = append(made, a)
	}
	return made
}

// attachmentURL is where an attachment is served. What is exposed serves whoever has the key, or the whole address: it is
// signed, as Discord's are.
func (s *Sandbox) attachmentURL(a Attachment) string {
	address := "http://" + s.address() + "/cdn/attachments/" + a.ID + "/" + url.PathEscape(a.Filename)
	if s.doors.exposed {
		address += "?hm=" + s.signature(a.ID)
	}
	return address
}

func (s *Sandbox) signature(id string) string {
	h := hmac.New(sha256.New, []byte(s.key))
	h.Write([]byte(id))
	return hex.EncodeToString(h.Sum(nil))
}

// isSigned tells whether a request has an attachment's whole address.
func (s *Sandbox) isSigned(r *http.Request) bool {
	return hmac.Equal([]byte(r.URL.Query().Get("hm")), []byte(s.signature(r.PathValue("id"))))
}

// wire is an attachment as the API shows it; pictures tell their size in pixels.
func (a *Attachment) wire(ephemeral bool) object {
	o := object{
		"id": a.ID, "filename": a.Filename, "size": len(a.Data), "url": a.URL, "proxy_url": a.URL, "content_type": a.kind(),
	}
	if a.Description != "" {
		o["description"] = a.Description
	}
	if ephemeral {
		o["ephemeral"] = true
	}
	if a.width > 0 {
		o["width"], o["height"] = a.width, a.height
	}
	return o
}

// kind is the type that the file was sent as, or what it looks like.
func (a *Attachment) kind() string {
	if a.ContentType == "" || a.ContentType == "application/octet-stream" {
		return http.DetectContentType(a.Data)
	}
	return a.ContentType
}

// measure reads a picture's size; what is no picture has none.
func (a *Attachment) measure() {
	var c image.Config
	var err error
	switch r := bytes.NewReader(a.Data); a.kind() {
	case "image/png":
		c, err = png.DecodeConfig(r)
	case "image/gif":
		c, err = gif.DecodeConfig(r)
	case "image/jpeg":
		c, err = jpeg.DecodeConfig(r)
	}
	if err == nil {
		a.width, a.height = c.Width, c.Height
	}
}

// serveAttachment serves a file of a message.
func (s *Sandbox) serveAttachment(w http.ResponseWriter, r *http.Request) {
	if s.doors.exposed && !newGuard(s.address(), s.key).knows(r) && !s.isSigned(r) {
		http.Error(w, "The whole address of this file is needed, or the key of the sandbox's page.", http.StatusForbidden)
		return
	}
	s.mu.Lock()
	var found Attachment
	for _, m := range s.messages {
		for _, a := range m.Attachments {
			if a.ID == r.PathValue("id") {
				found = a
			}
		}
	}
	s.mu.Unlock()
	if found.ID == "" {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", found.kind())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(found.Data)
}
