package wire

import (
	"context"
	"net/http"
)

// threadRests is how many minutes a thread may be silent before Discord archives it by itself: the longest it takes, for
// games are played over days.
const threadRests = 10080

// StartThread starts a public thread from a message of the bot's, and gives its id, which is the message's. Where the
// message has a thread already, that is it. The name is cut to 100 characters.
func (c *Client) StartThread(ctx context.Context, channel, message, name string) (id string, err error) {
	var made struct {
		ID string `json:"id"`
	}
	_, err = c.rest.do(ctx, request{
		method: http.MethodPost, path: messages(channel, message) + "/threads", key: "thread " + channel,
		body: struct {
			Name  string `json:"name"`
			Rests int    `json:"auto_archive_duration"`
		}{cut(name, maxThreadName), threadRests},
		repeatable: true, within: requestTime,
	}, &made)
	if hasCode(err, codeHasThread) {
		return message, nil // made by an earlier try
	}
	return made.ID, err
}

const maxThreadName = 100

// Archive archives a thread.
func (c *Client) Archive(ctx context.Context, thread string) error {
	return c.setArchived(ctx, thread, true)
}

// Open opens an archived thread again; a locked one only where the bot may manage threads.
func (c *Client) Open(ctx context.Context, thread string) error {
	return c.setArchived(ctx, thread, false)
}

func (c *Client) setArchived(ctx context.Context, thread string, archived bool) error {
	_, err := c.rest.do(ctx, request{
		method: http.MethodPatch, path: path("channels", thread), key: "channel " + thread,
		body: struct {
			Archived bool `json:"archived"`
		}{archived},
		repeatable: true, within: requestTime,
	}, nil)
	return err
}

// IsArchived reports that a thread is archived: what is in it cannot be edited, and where it is locked nothing can be
// written in it.
func IsArchived(err error) bool { return hasCode(err, codeArchived) }
