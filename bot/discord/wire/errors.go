package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strings"
)

// Codes of Discord's that are told apart here (topics/opcodes-and-status-codes).
const (
	codeUnknownChannel     = 10003
	codeUnknownGuild       = 10004
	codeUnknownMember      = 10007
	codeUnknownMessage     = 10008
	codeUnknownUser        = 10013
	codeUnknownWebhook     = 10015
	codeUnknownInteraction = 10062
	codeOldMessage         = 30046
	codeAcknowledged       = 40060
	codeMissingAccess      = 50001
	codeMissingPermissions = 50013
	codeInvalidToken       = 50027
	codeArchived           = 50083
	codeHasThread          = 160004
)

// Error is a request that Discord refused, or that did not reach it.
type Error struct {
	Status  int    // of HTTP; 0 when no answer came
	Code    int    // Discord's own; 0 when it gave none
	Message string // Discord's words with the fields it names, or why no answer came
	Route   string // method and path, interaction tokens left out
	cause   error
}

func (e *Error) Error() string {
	switch {
	case e.Status == 0:
		return fmt.Sprintf("%s: %s", e.Route, e.Message)
	case e.Code == 0:
		return fmt.Sprintf("%s: status %d: %s", e.Route, e.Status, e.Message)
	}
	return fmt.Sprintf("%s: status %d, code %d: %s", e.Route, e.Status, e.Code, e.Message)
}

// Unwrap is why no answer came: a context's end, or the network's error.
func (e *Error) Unwrap() error { return e.cause }

// IsGone reports that the channel, server or message a request named is not there (any more).
func IsGone(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	known := []int{codeUnknownChannel, codeUnknownGuild, codeUnknownMessage}
	return slices.Contains(known, e.Code) || e.Status == http.StatusNotFound && !IsLate(err)
}

// IsForbidden reports that the bot lacks the permission.
func IsForbidden(err error) bool { return hasCode(err, codeMissingAccess, codeMissingPermissions) }

// IsLate reports that the interaction can no longer be answered so: its three seconds or fifteen minutes are over, or it
// has had its first answer.
func IsLate(err error) bool {
	return hasCode(err, codeUnknownInteraction, codeAcknowledged, codeInvalidToken)
}

// IsOld reports that Discord limits the edits of a message because it is older than an hour.
func IsOld(err error) bool { return hasCode(err, codeOldMessage) }

// IsTemporary reports that the same request may well succeed later: rate limits, trouble at Discord's, the network.
func IsTemporary(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code != codeOldMessage && !errors.Is(err, context.Canceled) &&
		(e.Status == 0 || e.Status == http.StatusTooManyRequests || e.Status >= 500)
}

func hasCode(err error, codes ...int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(codes, e.Code)
}

// UnfitError is an answer of a kind that its interaction does not take: choices for a tap, an update of a command.
type UnfitError struct {
	Kind Kind   // of the interaction
	What string // the answer
}

func (e *UnfitError) Error() string { return fmt.Sprintf("%s is no answer to a %s", e.What, e.Kind) }

// AddressError is an address that the token must not be sent to.
type AddressError struct {
	Address string
	Why     string
}

func (e *AddressError) Error() string { return fmt.Sprintf("address %s: %s", e.Address, e.Why) }

// FatalError is a refusal that no reconnecting mends: the process should stop and say so.
type FatalError struct {
	Code int    // the gateway's close code; 4004 also when REST refuses the token
	Why  string // what Discord said no to
	Do   string // what the person who runs the bot can do
}

func (e *FatalError) Error() string { return fmt.Sprintf("%s (code %d): %s", e.Why, e.Code, e.Do) }

// codeShardsNeeded closes a shard that would serve too many servers.
const codeShardsNeeded = 4011

// fatalCodes are the gateway's close codes after which there must be no reconnect.
var fatalCodes = map[int]FatalError{
	4004: {4004, "Discord does not accept the bot token", "set discord.token to the token the developer portal shows now"},
	4010: {4010, "Discord does not accept the shard number", "set discord.shards and discord.shard_count to what fits together, or leave both out"},
	4011: {4011, "the bot is in too many servers for its shards", "raise discord.shard_count, or leave it out: Discord then says how many"},
	4012: {4012, "Discord no longer speaks this gateway version", "update the bot"},
	4013: {4013, "Discord does not know the intents asked for", "update the bot"},
	4014: {4014, "Discord does not grant the intents asked for", "check the bot's intents in the developer portal"},
}

// refusal makes an Error of an answer that is no success. Only Discord's code and words are kept: a request or its
// address would carry tokens into logs.
func refusal(route string, status int, body []byte) *Error {
	var told struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Errors  json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(body, &told) != nil || told.Message == "" {
		told.Message = http.StatusText(status)
	}
	if fields := fieldErrors(told.Errors); fields != "" {
		told.Message += " (" + fields + ")"
	}
	return &Error{Status: status, Code: told.Code, Message: told.Message, Route: route}
}

// fieldErrors flattens Discord's nested errors: "data.components.0: BASE_TYPE_REQUIRED".
func fieldErrors(raw json.RawMessage) string {
	var tree any
	if len(raw) == 0 || json.Unmarshal(raw, &tree) != nil {
		return ""
	}
	var found []string
	var walk func(path []string, node any)
	walk = func(path []string, node any) {
		fields, _ := node.(map[string]any)
		for name, below := range fields {
			if name != "_errors" {
				walk(append(slices.Clone(path), name), below)
				continue
			}
			list, _ := below.([]any)
			for _, one := range list {
				told, _ := one.(map[string]any)
				found = append(found, fmt.Sprintf("%s: %v", strings.Join(path, "."), told["code"]))
			}
		}
	}
	walk(nil, tree)
	sort.Strings(found)
	return strings.Join(found[:min(len(found), 10)], ", ")
}

// unreached makes an Error of a request without an answer. What http.Client returns quotes the address, so only what
// lies beneath is kept.
func unreached(route string, err error) *Error {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	return &Error{Message: err.Error(), Route: route, cause: err}
}
