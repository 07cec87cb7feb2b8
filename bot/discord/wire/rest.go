package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Bounds of one request with its retries.
const (
	callbackTime = 2500 * time.Millisecond // for a first response: Discord waits three seconds for one
	requestTime  = 10 * time.Second
	maxTries     = 5
	maxBody      = 8 << 20
)

// rest sends requests. It is its own client rather than discordgo's: the dozen routes used here need alt text, nonces,
// with_response, deadlines that bound the retries too, and limits that neither keep tokens nor queue unlike requests
// behind each other; through discordgo each of those would be a way around something.
type rest struct {
	base    string // up to and including the version
	token   string
	agent   string
	http    *http.Client
	limits  *limits
	clock   *discordTime  // learns from every answer
	backoff time.Duration // before the second try; doubles
	random  func() float64
	sent    func(Sent)
}

// request is one call.
type request struct {
	method, path string // the path below the base
	name         string // the path without secrets, for errors; empty: path itself
	key          string // of its rate limit; empty: none
	body         any
	files        []File
	interaction  bool // authorised by the token in the path, exempt from the overall limit
	repeatable   bool // sent twice it does no more than sent once
	spare        bool // sent only where nobody else has to wait for that; else it fails with errNoRoom
	within       time.Duration
	reason       string // for the server's audit log
}

func newRest(cfg Config, clock *discordTime) (*rest, error) {
	l, err := newLimits()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	return &rest{
		base:  cfg.API,
		token: cfg.Token,
		agent: "DiscordBot (https://github.com/bwmarrin/discordgo, v" + discordgo.VERSION + ") Kraal/" + cfg.Version,
		http: &http.Client{
			Transport: transport,
			// A redirect would carry the token to somewhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		limits:  l,
		clock:   clock,
		backoff: cfg.Backoff,
		random:  cfg.Random,
		sent:    cfg.Sent,
	}, nil
}

// reply is Discord's answer.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request, again where that can help and time is left, and reads the answer into out unless that is nil. It
// returns how many times it was sent.
func (r *rest) do(ctx context.Context, q request, out any) (tries int, err error) {
	if q.name == "" {
		q.name = q.path
	}
	route := q.method + " " + q.name
	body, err := encode(q.body, q.files)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", route, err)
	}
	ctx, cancel := context.WithTimeout(ctx, q.within)
	defer cancel()
	for tries = 1; ; tries++ {
		got, err := r.once(ctx, q, body)
		failed := judge(route, got, err)
		if failed == nil {
			return tries, read(route, got, out)
		}
		wait, again := r.again(q, got, failed, tries)
		if !again || pauseWithin(ctx, wait) != nil {
			return tries, failed
		}
	}
}

// once sends a request once, when the limits allow it.
func (r *rest) once(ctx context.Context, q request, body encoded) (reply, error) {
	if q.key == "" {
		return r.send(ctx, q, body)
	}
	if q.spare && !r.limits.spare() {
		return reply{}, errNoRoom
	}
	b := r.limits.bucket(q.key)
	if err := b.take(ctx); err != nil {
		return reply{}, err
	}
	if err := r.limits.pass(ctx, q.interaction); err != nil {
		b.give(nil)
		return reply{}, err
	}
	got, err := r.send(ctx, q, body)
	b.give(got.header)
	if got.status == http.StatusTooManyRequests {
		if no := refusedFor(got); no.global {
			r.limits.holdAll(no.wait)
		} else if no.code != codeOldMessage { // which is about one message, not the route
			b.hold(no.wait)
		}
	}
	return got, err
}

func (r *rest) send(ctx context.Context, q request, body encoded) (reply, error) {
	began := time.Now()
	got, err := r.exchange(ctx, q, body)
	if r.sent != nil {
		r.sent(Sent{Method: q.method, Status: got.status, Took: time.Since(began)})
	}
	return got, err
}

func (r *rest) exchange(ctx context.Context, q request, body encoded) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, q.method, r.base+q.path, bytes.NewReader(body.bytes))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("User-Agent", r.agent)
	if body.contentType != "" {
		req.Header.Set("Content-Type", body.contentType)
	}
	if q.reason != "" {
		req.Header.Set("X-Audit-Log-Reason", header(q.reason))
	}
	if !q.interaction {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	resp, err := r.http.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	r.clock.learn(resp.Header)
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	return reply{status: resp.StatusCode, header: resp.Header, body: text}, err
}

// judge is nil for a success.
func judge(route string, got reply, err error) *Error {
	switch {
	case err != nil:
		return unreached(route, err)
	case got.status < 200 || got.status > 299:
		return refusal(route, got.status, got.body)
	}
	return nil
}

func read(route string, got reply, out any) error {
	if out == nil || len(got.body) == 0 {
		return nil
	}
	if err := json.Unmarshal(got.body, out); err != nil {
		return &Error{Status: got.status, Message: "answer cannot be read", Route: route, cause: err}
	}
	return nil
}

// again decides whether another try can help, and how long to wait for it. A limit refuses before anything is done, so
// that is always tried again; trouble at Discord's or on the way may come after it.
func (r *rest) again(q request, got reply, failed *Error, tries int) (time.Duration, bool) {
	if tries >= maxTries || failed.Code == codeOldMessage || errors.Is(failed, errNoRoom) {
		return 0, false
	}
	if failed.Status == http.StatusTooManyRequests {
		return refusedFor(got).wait, true
	}
	if failed.Status != 0 && failed.Status < 500 || !q.repeatable {
		return 0, false
	}
	return time.Duration(float64(r.backoff<<(tries-1)) * (0.5 + r.random())), true
}

// refused is a refusal by limit.
type refused struct {
	wait   time.Duration
	global bool // every route waits
	code   int
}

// refusedFor reads how long a refusal by limit lasts. A ban by Discord's front answers in HTML, with a header at best.
func refusedFor(got reply) refused {
	var told struct {
		After  float64 `json:"retry_after"`
		Global bool    `json:"global"`
		Code   int     `json:"code"`
	}
	if json.Unmarshal(got.body, &told) == nil && told.After > 0 {
		return refused{seconds(told.After), told.Global || got.header.Get("X-RateLimit-Global") == "true", told.Code}
	}
	if after, err := strconv.ParseFloat(got.header.Get("Retry-After"), 64); err == nil && after > 0 {
		return refused{seconds(after), true, told.Code}
	}
	return refused{5 * time.Second, true, told.Code}
}

// path joins pieces, none of which can reach out of its place.
func path(pieces ...string) string {
	var b strings.Builder
	for _, piece := range pieces {
		b.WriteString("/" + url.PathEscape(piece))
	}
	return b.String()
}

// messages is the path of a channel's messages, or of one of them.
func messages(channel string, id ...string) string {
	return path(append([]string{"channels", channel, "messages"}, id...)...)
}

// Post sends a message to a channel and returns its id. With a nonce it is sent again after trouble without being
// posted twice.
func (c *Client) Post(ctx context.Context, channel string, m Message) (id string, err error) {
	p := m.payload()
	p.Nonce, p.EnforceNonce = m.Nonce, m.Nonce != ""
	var posted struct {
		ID string `json:"id"`
	}
	_, err = c.rest.do(ctx, request{
		method: http.MethodPost, path: messages(channel), key: "post " + channel,
		body: p, files: m.Files, repeatable: m.Nonce != "", within: requestTime,
	}, &posted)
	return posted.ID, err
}

// Edit replaces all that a message of the bot's shows. Edits of one message must not overlap: which of two arrives
// last is the network's choice.
func (c *Client) Edit(ctx context.Context, channel, id string, m Message) error {
	_, err := c.rest.do(ctx, request{
		method: http.MethodPatch, path: messages(channel, id), key: "edit " + channel,
		body: m.payload(), files: m.Files, repeatable: true, within: requestTime,
	}, nil)
	return err
}

// StripControls takes a message's controls away and leaves everything else.
func (c *Client) StripControls(ctx context.Context, channel, id string) error {
	_, err := c.rest.do(ctx, request{
		method: http.MethodPatch, path: messages(channel, id), key: "edit " + channel, repeatable: true, within: requestTime,
		body: struct {
			Components []discordgo.MessageComponent `json:"components"`
			Allowed    allowances                   `json:"allowed_mentions"`
		}{[]discordgo.MessageComponent{}, noMentions},
	}, nil)
	return err
}

// Delete deletes a message of the bot's.
func (c *Client) Delete(ctx context.Context, channel, id string) error {
	tries, err := c.rest.do(ctx, request{
		method: http.MethodDelete, path: messages(channel, id), key: "delete " + channel, repeatable: true, within: requestTime,
	}, nil)
	if tries > 1 && hasCode(err, codeUnknownMessage) {
		return nil // an earlier try did it
	}
	return err
}

// CountAfter counts the messages in a channel after one, up to most (at most 100). Where the bot may not read the
// history there are none. While much else is to be sent it fails at once: what is only looked at must not hold up what
// people wait for.
func (c *Client) CountAfter(ctx context.Context, channel, id string, most int) (int, error) {
	var after []json.RawMessage
	query := "?after=" + url.QueryEscape(id) + "&limit=" + strconv.Itoa(min(max(most, 1), 100))
	_, err := c.rest.do(ctx, request{
		method: http.MethodGet, path: messages(channel) + query, key: "read " + channel, repeatable: true, spare: true, within: requestTime,
	}, &after)
	return len(after), err
}
