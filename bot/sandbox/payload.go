package sandbox

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Sizes of requests (reference, Uploading Files).
const (
	maxRequest = 25 << 20
	maxFile    = 10 << 20
)

// payload is a request's body: JSON, and the files of a multipart form by their number.
type payload struct {
	json  []byte
	files map[string]File // "0" for files[0]
	body  messageBody
}

// messageBody is what a request says of a message. A nil field was left out; the lists of pointers tell null and absent
// from empty.
type messageBody struct {
	Content     *string           `json:"content"`
	Embeds      []json.RawMessage `json:"embeds"`
	Components  []json.RawMessage `json:"components"`
	Attachments *[]attachmentBody `json:"attachments"`
	Allowed     *allowedMentions  `json:"allowed_mentions"`
	Flags       *int              `json:"flags"`
	Nonce       json.RawMessage   `json:"nonce"`
	Enforce     bool              `json:"enforce_nonce"`
	Reference   *referenceBody    `json:"message_reference"`
	given       map[string]json.RawMessage
}

type attachmentBody struct {
	ID          json.RawMessage `json:"id"`
	Filename    string          `json:"filename"`
	Description *string         `json:"description"`
}

// referenceBody names the message that a new one replies to.
type referenceBody struct {
	Message string `json:"message_id"`
	Channel string `json:"channel_id"`
	Must    *bool  `json:"fail_if_not_exists"` // true where it is left out
}

type allowedMentions struct {
	Parse   *[]string `json:"parse"`
	Users   []string  `json:"users"`
	Roles   []string  `json:"roles"`
	Replied *bool     `json:"replied_user"`
}

// has tells whether the request names a field at all.
func (b *messageBody) has(field string) bool {
	_, ok := b.given[field]
	return ok
}

// nonce is the request's, or "".
func (b *messageBody) nonce() string {
	if absent(b.Nonce) {
		return ""
	}
	return strings.Trim(string(b.Nonce), `"`)
}

func (p payload) embeds() []json.RawMessage { return p.body.Embeds }

func (p payload) fileList() (files []File) {
	for _, f := range p.files {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// readPayload reads a request's body, whatever its form, within Discord's bounds.
func readPayload(r *http.Request) (p payload, err error) {
	arriving := &arrival{ReadCloser: r.Body}
	r.Body = http.MaxBytesReader(nil, arriving, maxRequest)
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		err = p.readForm(r)
	} else {
		p.json, err = io.ReadAll(r.Body)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return p, errTooLarge
	case arriving.cut:
		return p, errCutOff
	case err != nil:
		return p, errBadJSON
	case len(p.json) == 0:
		return p, nil
	case kind != "multipart/form-data" && kind != "application/json":
		return p, invalid("_", "Content type must be application/json or multipart/form-data")
	case !json.Valid(p.json):
		return p, errBadJSON
	}
	return p, nil
}

// arrival is a body on its way.
type arrival struct {
	io.ReadCloser
	cut bool // the connection ended before the body did: whoever sent it may have died meanwhile, and has not misspoken
}

// Read is the body's.
func (a *arrival) Read(b []byte) (int, error) {
	n, err := a.ReadCloser.Read(b)
	a.cut = a.cut || err != nil && !errors.Is(err, io.EOF)
	return n, err
}

func (p *payload) readForm(r *http.Request) error {
	form, err := r.MultipartReader()
	if err != nil {
		return err
	}
	p.files = map[string]File{}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.readPart(part); err != nil {
			return err
		}
	}
}

func (p *payload) readPart(part *multipart.Part) error {
	raw, err := io.ReadAll(part)
	if err != nil {
		return err
	}
	name := part.FormName()
	if name == "payload_json" {
		p.json = raw
		return nil
	}
	number, ok := strings.CutPrefix(name, "files[")
	number, closed := strings.CutSuffix(number, "]")
	if _, err := strconv.Atoi(number); !ok || !closed || err != nil {
		return nil // a field that Discord ignores too
	}
	p.files[number] = File{Name: part.FileName(), ContentType: part.Header.Get("Content-Type"), Data: raw}
	return nil
}

// readMessage reads the JSON as a message, or as the data of an interaction's callback.
func (p *payload) readMessage(raw []byte) error {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	if err := json.Unmarshal(raw, &p.body); err != nil {
		return invalid("_", "%v", err)
	}
	if err := json.Unmarshal(raw, &p.body.given); err != nil {
		return invalid("_", "%v", err)
	}
	return nil
}
