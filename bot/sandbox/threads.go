package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"unicode/utf8"
)

// threadBody is what is asked of a thread, new or not.
type threadBody struct {
	Name     *string `json:"name"`
	Type     *int    `json:"type"`
	Archived *bool   `json:"archived"`
	Hide     *int    `json:"auto_archive_duration"`
}

func readThread(raw []byte) (asked threadBody, err error) {
	if err := json.Unmarshal(raw, &asked); err != nil {
		return asked, invalid("_", "%v", err)
	}
	if asked.Name != nil {
		if n := utf8.RuneCountInString(*asked.Name); n < 1 || n > 100 {
			return asked, invalid("name", "Must be between 1 and 100 in length.")
		}
	}
	if asked.Hide != nil && !slices.Contains([]int{60, 1440, 4320, 10080}, *asked.Hide) {
		return asked, invalid("auto_archive_duration", "Value must be one of {60, 1440, 4320, 10080}.")
	}
	return asked, nil
}

// editChannel serves what bots do to their threads: archive and rename.
func (s *Sandbox) editChannel(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	if ch.Parent == "" {
		return 0, nil, errMissingPermissions
	}
	asked, err := readThread(c.payload.json)
	if err != nil {
		return 0, nil, err
	}
	if ch.archived && (asked.Archived == nil || *asked.Archived) {
		return 0, nil, errArchived
	}
	if asked.Archived != nil {
		ch.archived = *asked.Archived
	}
	if asked.Name != nil {
		ch.Name = *asked.Name
	}
	s.dispatchAll(intentGuilds, "THREAD_UPDATE", channelJSON(ch))
	s.touch()
	return http.StatusOK, channelJSON(ch), nil
}

// startThread serves both routes: from a message, whose id the thread then has, and without one.
func (s *Sandbox) startThread(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	asked, err := readThread(c.payload.json)
	switch {
	case err != nil:
		return 0, nil, err
	case asked.Name == nil:
		return 0, nil, invalid("name", "This field is required")
	case ch.server == nil || ch.Parent != "":
		return 0, nil, refuse(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	}
	thread := &channel{Channel: Channel{ID: s.newID(), Name: *asked.Name, Type: PrivateThread, Parent: ch.ID}, server: ch.server, allow: ch.allow}
	if c.PathValue("message") != "" {
		m, _, err := s.messageOf(c)
		if err != nil {
			return 0, nil, err
		}
		if s.channels[m.ID] != nil {
			return 0, nil, refuse(http.StatusBadRequest, 160004, "A thread has already been created for this message")
		}
		thread.ID, thread.Type = m.ID, PublicThread
	} else if asked.Type != nil {
		thread.Type = *asked.Type
	}
	if err := ch.mayThread(thread.Type); err != nil {
		return 0, nil, err
	}
	s.channels[thread.ID] = thread
	thread.server.Channels = append(thread.server.Channels, thread.Channel)
	s.dispatchAll(intentGuilds, "THREAD_CREATE", channelJSON(thread))
	s.touch()
	return http.StatusCreated, channelJSON(thread), nil
}

// mayThread refuses threads that the bot may not start in a channel.
func (c *channel) mayThread(kind int) error {
	need := permPublicThreads
	switch kind {
	case PublicThread:
	case PrivateThread:
		need = permPrivateThreads
	default:
		return invalid("type", "Value must be one of {11, 12}.")
	}
	if c.effective()&need == 0 {
		return errMissingPermissions
	}
	return nil
}
