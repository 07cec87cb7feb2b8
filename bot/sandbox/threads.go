package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"unicode/utf8"
)

// oneDay is how long Discord lets a quiet thread stand unless told otherwise, in minutes.
const oneDay = 1440

// threadBody is what is asked of a thread, new or not.
type threadBody struct {
	Name     *string `json:"name"`
	Type     *int    `json:"type"`
	Archived *bool   `json:"archived"`
	Locked   *bool   `json:"locked"`
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

// editChannel serves what bots do to threads: rename, archive, lock.
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
	if err := ch.mayEdit(asked); err != nil {
		return 0, nil, err
	}
	ch.change(asked)
	s.names++
	s.dispatchAll(intentGuilds, "THREAD_UPDATE", channelJSON(ch))
	s.touch()
	return http.StatusOK, channelJSON(ch), nil
}

// mayEdit refuses what the bot may not change of a thread: its own it may rename and archive, a quiet one anybody who may
// write in it opens again, all else is for who may manage threads (resources/channel, Modify Channel).
func (c *channel) mayEdit(asked threadBody) error {
	opens := asked.Archived != nil && !*asked.Archived
	has := c.effective()
	switch {
	case c.archived && !opens:
		return errArchived
	case has&permManageThreads != 0:
		return nil
	case asked.Locked != nil && *asked.Locked != c.locked, opens && c.locked:
		return errMissingPermissions
	case c.owner == botID:
		return nil
	case opens && asked.Name == nil && asked.Hide == nil && has&permSendInThreads != 0:
		return nil
	}
	return errMissingPermissions
}

func (c *channel) change(asked threadBody) {
	if asked.Archived != nil {
		c.archived = *asked.Archived
	}
	if asked.Locked != nil {
		c.locked = *asked.Locked
	}
	if asked.Hide != nil {
		c.hide = *asked.Hide
	}
	if asked.Name != nil {
		c.Name = *asked.Name
	}
}

// deleteChannel serves what bots may do to threads alone, and only who may manage them: starting one is not enough.
func (s *Sandbox) deleteChannel(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, err := s.channelOf(c)
	if err != nil {
		return 0, nil, err
	}
	if ch.Parent == "" || ch.effective()&permManageThreads == 0 {
		return 0, nil, errMissingPermissions
	}
	gone := channelJSON(ch)
	s.forget(ch)
	return http.StatusOK, gone, nil
}

// forget takes a channel away with its threads and all that is in them. Only the channel itself is told of
// (events/gateway-events). The lock is held.
func (s *Sandbox) forget(ch *channel) {
	for _, one := range s.channels {
		if one == ch || one.above == ch {
			for _, id := range one.order {
				s.revise(s.messages[id])
				delete(s.messages, id)
			}
			delete(s.channels, one.ID)
			ch.server.Channels = slices.DeleteFunc(ch.server.Channels, func(c Channel) bool { return c.ID == one.ID })
		}
	}
	kind, told := "CHANNEL_DELETE", channelJSON(ch)
	if ch.Parent != "" {
		kind, told = "THREAD_DELETE", object{"id": ch.ID, "guild_id": ch.server.ID, "parent_id": ch.Parent, "type": ch.Type}
	}
	s.names++
	s.dispatchAll(intentGuilds, kind, told)
	s.touch()
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
	thread := s.newThread(ch, botID, PrivateThread)
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
	thread.change(asked)
	s.begun(thread)
	return http.StatusCreated, channelJSON(thread), nil
}

// newThread is a thread that nobody knows of yet. The lock is held.
func (s *Sandbox) newThread(in *channel, owner string, kind int) *channel {
	return &channel{
		Channel: Channel{ID: s.newID(), Type: kind, Parent: in.ID}, server: in.server, above: in, owner: owner, hide: oneDay, created: s.now(),
	}
}

// begun puts a thread where everybody sees it. The lock is held.
func (s *Sandbox) begun(thread *channel) {
	s.channels[thread.ID] = thread
	thread.server.Channels = append(thread.server.Channels, thread.Channel)
	made := channelJSON(thread)
	made["newly_created"] = true
	s.dispatchAll(intentGuilds, "THREAD_CREATE", made)
	if m := s.messages[thread.ID]; m != nil {
		s.tellMessage("MESSAGE_UPDATE", m)
	}
	s.touch()
}

// StartThread starts a public thread as a person, and gives its id.
func (s *Sandbox) StartThread(person, channel, name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, p := s.channels[channel], s.people[person]
	switch {
	case ch == nil || ch.server == nil || ch.Parent != "":
		return "", errUnknownChannel
	case p == nil || !s.sees(person, ch):
		return "", errUnknownUser
	}
	thread := s.newThread(ch, person, PublicThread)
	thread.Name = name
	s.begun(thread)
	return thread.ID, nil
}

// ArchiveThread archives a thread, as a moderator or as time does; locked, only who may manage threads opens it again.
func (s *Sandbox) ArchiveThread(thread string, locked bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[thread]
	if ch == nil || ch.Parent == "" {
		return errUnknownChannel
	}
	ch.archived, ch.locked = true, locked
	s.dispatchAll(intentGuilds, "THREAD_UPDATE", channelJSON(ch))
	s.touch()
	return nil
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
