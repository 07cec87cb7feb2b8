package sandbox

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
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
	case len(b.Embeds) > maxEmbeds:
		return invalid("embeds", "Must be %d or fewer in length.", maxEmbeds)
	case embedSum(b.Embeds) > maxEmbedSum:
		return invalid("embeds", "Embed size exceeds maximum size of %d", maxEmbedSum)
	case b.Flags != nil && *b.Flags&^flagsAllowed != 0:
		return invalid("flags", "These flags cannot be set here: %d", *b.Flags&^flagsAllowed)
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
	nonce := strings.Trim(string(b.Nonce), `"`)
	if len(nonce) > maxNonce {
		return invalid("nonce", "Must be %d or fewer in length.", maxNonce)
	}
	return nil
}

// checkFiles holds files and their list together.
func checkFiles(p payload) error {
	if len(p.files) > maxAttachments {
		return invalid("files", "Maximum number of attachments in a message reached (%d)", maxAttachments)
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
		id := strings.Trim(string(a.ID), `"`)
		if _, isFile := p.files[id]; !isFile && len(id) < 17 {
			return invalid("attachments."+strconv.Itoa(i)+".id", "No file has this id")
		}
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
	if len(a.Users) > 0 && slices.Contains(*a.Parse, "users") {
		return invalid("allowed_mentions", `parse:["users"] and users: [ids...] are mutually exclusive.`)
	}
	return nil
}

// embedSum counts the characters of all embeds.
func embedSum(embeds []json.RawMessage) (n int) {
	for _, raw := range embeds {
		var e struct {
			Title, Description string
			Footer             struct{ Text string }
			Author             struct{ Name string }
			Fields             []struct{ Name, Value string }
		}
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		texts := []string{e.Title, e.Description, e.Footer.Text, e.Author.Name}
		for _, f := range e.Fields {
			texts = append(texts, f.Name, f.Value)
		}
		for _, t := range texts {
			n += utf8.RuneCountInString(t)
		}
	}
	return n
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
