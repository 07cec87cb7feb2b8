package openapi

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// route is one path of the description, cut at its slashes.
type route struct {
	segments   []segment
	literals   int // how many segments are literal: /messages/@original wins over /messages/{message_id}
	operations map[string]*operation
}

// segment is a literal text or a parameter.
type segment struct {
	literal   string
	parameter string
	snowflake bool // the parameter is an id: digits only
}

// operation is one method of a route.
type operation struct {
	name      string // "PATCH /channels/{channel_id}"
	schemaAt  string // JSON pointer, percent-encoded, to the schema of the JSON body; empty: no body
	required  bool
	multipart bool

	once      sync.Once
	schema    *jsonschema.Schema
	schemaErr error
}

// maxFiles is what the documentation allows on one message.
func (o *operation) maxFiles() int {
	if o.multipart {
		return 10
	}
	return 0
}

func (o *operation) refuse(at, what string) error {
	return &RequestError{Operation: o.name, Problems: []Problem{{At: at, What: what}}}
}

// parameter is a path's parameter as the description declares it.
type parameter struct {
	Name   string `json:"name"`
	In     string `json:"in"`
	Schema struct {
		Ref string `json:"$ref"`
	} `json:"schema"`
}

func newRoutes(paths map[string]map[string]json.RawMessage) ([]*route, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("has no paths")
	}
	var routes []*route
	for template, item := range paths {
		r, err := newRoute(template, item)
		if err != nil {
			return nil, fmt.Errorf("path %s: %w", template, err)
		}
		routes = append(routes, r)
	}
	slices.SortFunc(routes, func(a, b *route) int { return b.literals - a.literals })
	return routes, nil
}

func newRoute(template string, item map[string]json.RawMessage) (*route, error) {
	var declared []parameter
	r := &route{operations: map[string]*operation{}}
	for key, text := range item {
		if key == "parameters" {
			if err := json.Unmarshal(text, &declared); err != nil {
				return nil, err
			}
			continue
		}
		op, err := newOperation(strings.ToUpper(key), template, text)
		if err != nil {
			return nil, err
		}
		r.operations[strings.ToUpper(key)] = op
	}
	for _, part := range strings.Split(strings.TrimPrefix(template, "/"), "/") {
		name, ok := strings.CutPrefix(part, "{")
		if !ok {
			r.segments = append(r.segments, segment{literal: part})
			r.literals++
			continue
		}
		name = strings.TrimSuffix(name, "}")
		isID := slices.ContainsFunc(declared, func(p parameter) bool {
			return p.Name == name && p.In == "path" && strings.HasSuffix(p.Schema.Ref, "/SnowflakeType")
		})
		r.segments = append(r.segments, segment{parameter: name, snowflake: isID})
	}
	return r, nil
}

func newOperation(method, template string, text json.RawMessage) (*operation, error) {
	var read struct {
		RequestBody struct {
			Required bool                       `json:"required"`
			Content  map[string]json.RawMessage `json:"content"`
		} `json:"requestBody"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	op := &operation{name: method + " " + template, required: read.RequestBody.Required}
	_, op.multipart = read.RequestBody.Content["multipart/form-data"]
	if _, ok := read.RequestBody.Content["application/json"]; ok {
		pointer := strings.ReplaceAll(strings.ReplaceAll(template, "~", "~0"), "/", "~1")
		op.schemaAt = "/paths/" + url.PathEscape(pointer) + "/" + strings.ToLower(method) +
			"/requestBody/content/application~1json/schema"
	}
	return op, nil
}

// find looks up the operation of a request by its path as sent.
func (s *Spec) find(method, sent string) (*operation, error) {
	path, _, _ := strings.Cut(sent, "?")
	rest, ok := strings.CutPrefix(path, "/api/v9/")
	if !ok {
		rest, ok = strings.CutPrefix(path, "/api/v10/")
	}
	if !ok {
		return nil, fmt.Errorf("%s %s: %w (wants /api/v9 or /api/v10 in front)", method, path, ErrUnknownRoute)
	}
	parts := strings.Split(rest, "/")
	err := fmt.Errorf("%s %s: %w", method, path, ErrUnknownRoute)
	for _, r := range s.routes {
		wrong, matches := r.match(parts)
		if !matches {
			continue
		}
		op := r.operations[method]
		switch {
		case op == nil:
			err = fmt.Errorf("%s %s: %w", method, path, ErrUnknownMethod)
		case wrong != "":
			err = op.refuse("", wrong)
		default:
			return op, nil
		}
	}
	return nil, err
}

// match compares a path's parts with the route. The first result says which parameter is no id, if one is.
func (r *route) match(parts []string) (wrong string, matches bool) {
	if len(parts) != len(r.segments) {
		return "", false
	}
	for i, s := range r.segments {
		switch {
		case s.literal != "" && s.literal != parts[i]:
			return "", false
		case s.parameter != "" && parts[i] == "":
			wrong = s.parameter + " in the path is empty"
		case s.snowflake && !isSnowflake(parts[i]):
			wrong = fmt.Sprintf("%s in the path is %q, not an id", s.parameter, shorten(parts[i]))
		}
	}
	return wrong, true
}

func isSnowflake(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != "" && (s == "0" || s[0] != '0')
}
