package sandbox

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits of messages (resources/message; the API's description says 4000 characters, people get 2000).
const (
	maxContent     = 2000
	maxEmbeds      = 10
	maxEmbedSum    = 6000
	maxAttachments = 10
	maxAlt         = 1024
	maxNonce       = 25
	maxMentions    = 100
)

// checkMessage holds a request to the rules for messages that its schema does not tell.
func checkMessage(p payload, flagsAllowed int) error {
	b := p.body
	switch {
	case b.Content != nil && utf8.RuneCountInString(*b.Content) > maxContent:
		return invalid("content", "Must be %d or fewer in length.", maxContent)
	case b.Flags != nil && *b.Flags&^flagsAllowed != 0:
		return invalid("flags", "These flags cannot be set here: %d", *b.Flags&^flagsAllowed)
	}
	if err := checkEmbeds(b.Embeds); err != nil {
		return err
	}
	if err := checkFiles(p); err != nil {
		return err
	}
	if err := checkNonce(b); err != nil {
		return err
	}
	return checkAllowed(b.Allowed)
}

func checkNonce(b messageBody) error {
	if len(b.nonce()) > maxNonce {
		return invalid("nonce", "Must be %d or fewer in length.", maxNonce)
	}
	return nil
}

// checkFiles holds files and their list together.
func checkFiles(p payload) error {
	if len(p.files) > maxAttachments {
		return errTooManyFiles
	}
	for n, f := range p.files {
		if len(f.Data) > maxFile {
			return refuse(413, 40005, "Request entity too large")
		}
		if f.Name == "" {
			return invalid("files."+n, "A file needs a name")
		}
	}
	if p.body.Attachments == nil {
		return nil
	}
	for i, a := range *p.body.Attachments {
		if a.Description != nil && utf8.RuneCountInString(*a.Description) > maxAlt {
			return invalid("attachments."+strconv.Itoa(i)+".description", "Must be %d or fewer in length.", maxAlt)
		}
	}
	return nil
}

// checkAllowed: a kind cannot be both allowed as a whole and listed one by one.
func checkAllowed(a *allowedMentions) error {
	if a == nil {
		return nil
	}
	if len(a.Users) > maxMentions || len(a.Roles) > maxMentions {
		return invalid("allowed_mentions", "Must be %d or fewer in length.", maxMentions)
	}
	if a.Parse == nil {
		return nil
	}
	for _, kind := range *a.Parse {
		if !slices.Contains([]string{"users", "roles", "everyone"}, kind) {
			return invalid("allowed_mentions.parse", "Value must be one of {'users', 'roles', 'everyone'}.")
		}
	}
	for kind, ids := range map[string][]string{"users": a.Users, "roles": a.Roles} {
		if len(ids) > 0 && slices.Contains(*a.Parse, kind) {
			return invalid("allowed_mentions", "parse:[%q] and %s: [ids...] are mutually exclusive.", kind, kind)
		}
	}
	return nil
}

// checkWhole holds a message as it will stand: not empty, and of one layout.
func checkWhole(m message) error {
	if m.Flags&flagComponentsV2 != 0 {
		if m.Content != "" || len(m.Embeds) > 0 {
			return invalid("content", "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2")
		}
		if len(m.Raw) == 0 {
			return errEmptyMessage
		}
		return nil
	}
	if m.Content == "" && len(m.Embeds) == 0 && len(m.Attachments) == 0 && len(m.Raw) == 0 {
		return errEmptyMessage
	}
	return nil
}
