package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"time"
	"unicode/utf8"
)

// Types of interactions and of answers (interactions/receiving-and-responding).
const (
	interactionCommand  = 2
	interactionControl  = 3
	interactionComplete = 4
	interactionForm     = 5

	answerMessage         = 4
	answerDeferred        = 5
	answerDeferredUpdate  = 6
	answerUpdate          = 7
	answerChoices         = 8
	answerModal           = 9
	callbackFlags         = flagSuppressEmbeds | flagEphemeral | flagSilent | flagComponentsV2
	firstAnswerWithin     = 3 * time.Second
	interactionTokenLives = 15 * time.Minute
)

// interaction is something a person did that the bot is to answer.
type interaction struct {
	id, token string
	kind      int
	by        string // a person
	channel   string
	label     string // what was done, "/place"
	created   time.Time
	began     time.Time     // by the machine's clock: nobody waits by any other
	payload   object        // the event, for delivering it again
	source    *message      // of a control, and of a form that one opened
	seen      uint64        // the revision of that message which was acted on
	form      *form         // that it was answered with, until it is sent
	opener    *interaction  // of a form that was sent
	answered  int           // the type of the first answer; 0: none yet
	original  *message      // what @original is
	choices   []Choice      // of an autocomplete
	done      chan struct{} // closed with the first answer
	followUps []*message
}

// Choice is a suggestion.
type Choice struct{ Name, Value string }

// firstAnswer is how long an interaction waits for its first answer. The lock is held.
func (s *Sandbox) firstAnswer() time.Duration { return cmp.Or(s.faults.patience, firstAnswerWithin) }

// callback is the first answer to an interaction.
func (s *Sandbox) callback(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.interactions[c.PathValue("interaction")]
	switch {
	case in == nil || in.token != c.PathValue("token"):
		return 0, nil, errUnknownInteraction
	case in.answered != 0:
		return 0, nil, errAcknowledged
	case s.now().Sub(in.created) > s.firstAnswer() || time.Since(in.began) > s.firstAnswer():
		return 0, nil, errUnknownInteraction
	}
	var told struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(c.payload.json, &told); err != nil {
		return 0, nil, invalid("_", "%v", err)
	}
	if err := fits(in, told.Type); err != nil {
		return 0, nil, err
	}
	if err := s.carryOut(c, in, told.Type, told.Data); err != nil {
		return 0, nil, err
	}
	in.answered = told.Type
	close(in.done)
	s.touch()
	if c.URL.Query().Get("with_response") != "true" {
		return http.StatusNoContent, nil, nil
	}
	return http.StatusOK, s.callbackResponse(in), nil
}

// fits refuses answers of a type that the interaction does not take.
func fits(in *interaction, kind int) error {
	ok := false
	switch in.kind {
	case interactionCommand:
		ok = kind == answerMessage || kind == answerDeferred || kind == answerModal
	case interactionControl:
		ok = kind >= answerMessage && kind <= answerUpdate || kind == answerModal
	case interactionForm:
		ok = kind == answerMessage || kind == answerDeferred
		if in.source != nil { // a control opened it, on a message that can be updated
			ok = ok || kind == answerDeferredUpdate || kind == answerUpdate
		}
	case interactionComplete:
		ok = kind == answerChoices
	}
	if !ok {
		return invalid("type", "This type cannot answer this interaction: %d", kind)
	}
	return nil
}

func (s *Sandbox) carryOut(c *call, in *interaction, kind int, data json.RawMessage) error {
	switch kind {
	case answerChoices:
		return in.readChoices(data)
	case answerDeferredUpdate:
		in.original = in.source
		return nil
	case answerModal:
		var err error
		in.form, err = readModal(data)
		return err
	}
	if err := c.payload.readMessage(data); err != nil {
		return err
	}
	allowed := callbackFlags
	if kind == answerDeferred {
		allowed = flagEphemeral
	}
	if err := checkMessage(c.payload, allowed); err != nil {
		return err
	}
	if kind == answerUpdate {
		if s.messages[in.source.ID] == nil {
			return errUnknownMessage
		}
		in.original = in.source
		if err := s.edit(in.source, c.payload, c.version); err != nil {
			return err
		}
		s.tellMessage("MESSAGE_UPDATE", in.source)
		return nil
	}
	return s.reply(in, kind, c.payload)
}

// reply is a new message in answer, or the place of one.
func (s *Sandbox) reply(in *interaction, kind int, told payload) error {
	if kind == answerDeferred {
		told = payload{body: messageBody{Flags: told.body.Flags}} // nothing else counts
	}
	m, err := s.answerOf(in, told)
	if err != nil {
		return err
	}
	if kind == answerDeferred {
		m.Loading = true
		m.Flags |= flagLoading
	} else if err := checkWhole(*m); err != nil {
		return err
	}
	s.add(m)
	in.original = m
	return nil
}

// answerOf is a new message in answer to an interaction. It needs no permission of the bot's.
func (s *Sandbox) answerOf(in *interaction, p payload) (*message, error) {
	m := &message{
		Message:     Message{Channel: in.channel, Author: botID, Command: in.label, By: in.by},
		interaction: in.id, kind: in.kind, opener: in.opener,
	}
	if in.source != nil {
		m.tapped = in.source.ID
	}
	if err := s.fill(m, p, true); err != nil {
		return nil, err
	}
	m.private(in)
	return m, nil
}

// private makes an ephemeral message one for the person alone; it pings nobody else.
func (m *message) private(in *interaction) {
	if m.Flags&flagEphemeral == 0 {
		return
	}
	m.Ephemeral, m.For, m.Mentions = true, in.by, nil
}

// callbackResponse is what with_response asks for; only a message that can be shown is a resource.
func (s *Sandbox) callbackResponse(in *interaction) object {
	o := object{"id": in.id, "type": in.kind}
	m := in.original
	if m == nil || in.answered != answerMessage && in.answered != answerUpdate && in.answered != answerDeferred {
		return object{"interaction": o}
	}
	o["response_message_id"], o["response_message_loading"], o["response_message_ephemeral"] = m.ID, m.Loading, m.Ephemeral
	if in.answered == answerDeferred {
		return object{"interaction": o}
	}
	return object{"interaction": o, "resource": object{"type": in.answered, "message": s.messageJSON(m)}}
}

func (in *interaction) readChoices(data json.RawMessage) error {
	var told struct {
		Choices []struct {
			Name  string          `json:"name"`
			Value json.RawMessage `json:"value"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(data, &told); err != nil {
		return invalid("data", "%v", err)
	}
	if len(told.Choices) > maxChoices {
		return invalid("data.choices", "Must be %d or fewer in length.", maxChoices)
	}
	in.choices = nil
	for _, c := range told.Choices {
		var value string
		if json.Unmarshal(c.Value, &value) != nil {
			value = string(c.Value)
		}
		if n := utf8.RuneCountInString(c.Name); n < 1 || n > 100 || utf8.RuneCountInString(value) > 100 {
			return invalid("data.choices", "Names and values must be between 1 and 100 in length.")
		}
		in.choices = append(in.choices, Choice{Name: c.Name, Value: value})
	}
	return nil
}
