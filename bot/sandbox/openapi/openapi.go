// Package openapi judges one request of a Discord bot against Discord's own description of its HTTP API, an OpenAPI 3.1
// document. What that description cannot say (clocks, permissions, totals over a message) is the sandbox's to judge.
package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// documentURL is the name under which the compiler knows the description.
const documentURL = "discord.json"

// ErrUnknownRoute is returned for a path that the description does not have.
var ErrUnknownRoute = errors.New("no such route in Discord's description")

// ErrUnknownMethod is returned for a known path with a method that it does not have.
var ErrUnknownMethod = errors.New("no such method on this route in Discord's description")

// Spec is Discord's description, ready to check requests. It may be used by several goroutines at once.
type Spec struct {
	routes []*route

	compiling sync.Mutex // the compiler is not safe for concurrent use; compiled schemas are
	compiler  *jsonschema.Compiler
}

// document is what this package reads of the description itself; schemas stay in their general form.
type document struct {
	OpenAPI string                                `json:"openapi"`
	Paths   map[string]map[string]json.RawMessage `json:"paths"`
}

// Load reads the description in the file path. It fails if the file cannot be read, or is not a description of
// Discord that this package understands.
func Load(path string) (*Spec, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading Discord's description: %w", err)
	}
	s, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading Discord's description in %s: %w", path, err)
	}
	return s, nil
}

func parse(text []byte) (*Spec, error) {
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		return nil, fmt.Errorf("wants OpenAPI 3.1, is %q", doc.OpenAPI)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if err := loosen(tree); err != nil {
		return nil, err
	}
	routes, err := newRoutes(doc.Paths)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020) // what OpenAPI 3.1 schemas are
	c.AssertFormat()
	if err := c.AddResource(documentURL, tree); err != nil {
		return nil, err
	}
	return &Spec{routes: routes, compiler: c}, nil
}

// Check says what Discord's description finds wrong with a request, or nil. The path is as sent: /api/v9 or /api/v10 in
// front, perhaps a query behind (which is not judged). For a multipart request body is its payload_json and files the
// number of its files. Errors: ErrUnknownRoute and ErrUnknownMethod (wrapped), or *RequestError.
func (s *Spec) Check(method, path string, body []byte, files int) error {
	op, err := s.find(method, path)
	if err != nil {
		return err
	}
	if files > 0 && !op.multipart {
		return op.refuse("", "takes no files")
	}
	if files > op.maxFiles() {
		return op.refuse("", fmt.Sprintf("takes %d files, not %d", op.maxFiles(), files))
	}
	if len(bytes.TrimSpace(body)) == 0 {
		if op.required && files == 0 {
			return op.refuse("", "needs a JSON body")
		}
		return nil
	}
	if op.schemaAt == "" {
		return op.refuse("", "takes no JSON body")
	}
	return s.checkBody(op, body)
}

func (s *Spec) checkBody(op *operation, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return op.refuse("", "body is not JSON: "+err.Error())
	}
	schema, err := s.schema(op)
	if err != nil {
		return fmt.Errorf("%s: %w", op.name, err)
	}
	err = schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return &RequestError{Operation: op.name, Problems: explain(invalid)}
	}
	return err
}

// schema compiles an operation's schema when it is first asked for: compiling all of them would take seconds.
func (s *Spec) schema(op *operation) (*jsonschema.Schema, error) {
	op.once.Do(func() {
		s.compiling.Lock()
		defer s.compiling.Unlock()
		op.schema, op.schemaErr = s.compiler.Compile(documentURL + "#" + op.schemaAt)
	})
	return op.schema, op.schemaErr
}
