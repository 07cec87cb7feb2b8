package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Request is one request of the bot's, as it came, and how it was answered.
type Request struct {
	Method string
	Path   string // with the query
	Status int
	Code   int    // Discord's, of a refusal
	Body   []byte // the JSON; of a multipart form its payload_json
	Files  []File
	Auth   bool // carried the bot's token
	At     time.Time
	Reason string // for the audit log
}

// File is what came with a request.
type File struct {
	Name, ContentType string
	Data              []byte
}

// rulesBroken tells the refusals that only a bot's own mistake can earn; others tell of a state that it may not know of.
func (e *apiError) rulesBroken() bool {
	switch e.code {
	case 40005, 50006, 50035, 50045, 50109:
		return true
	}
	return false
}

// Violation is a request that breaks the platform's rules.
type Violation struct {
	Request Request
	Why     string
}

// call is a request on its way to an answer.
type call struct {
	*http.Request
	version  int // of the API
	payload  payload
	troubled bool // a fault answers it
}

// route is one of the REST routes that the sandbox serves.
type route struct {
	pattern     string // of http.ServeMux, below the version
	limit       limit
	major       string // the path value that has a bucket of its own
	interaction bool   // authorised by the token in the path
	handle      func(*Sandbox, *call) (status int, body any, err error)
}

// fiveInFive is the usual limit of a channel's writes.
var (
	fiveInFive = limit{5, 5 * time.Second}
	many       = limit{20, 5 * time.Second}
	deletes    = limit{5, time.Second}
)

// routes lists them all.
func routes() []route {
	return []route{
		{"GET /gateway", many, "", true, (*Sandbox).getGateway},
		{"GET /gateway/bot", many, "", false, (*Sandbox).getGatewayBot},
		{"GET /users/@me", many, "", false, (*Sandbox).getMe},
		{"GET /applications/@me", many, "", false, (*Sandbox).getApplication},
		{"GET /oauth2/applications/@me", many, "", false, (*Sandbox).getApplication},
		{"POST /users/@me/channels", many, "", false, (*Sandbox).openDirect},
		{"GET /users/{user}", many, "", false, (*Sandbox).getUser},
		{"GET /guilds/{guild}", many, "guild", false, (*Sandbox).getServer},
		{"GET /guilds/{guild}/roles", many, "guild", false, (*Sandbox).getRoles},
		{"GET /guilds/{guild}/channels", many, "guild", false, (*Sandbox).getChannels},
		{"GET /guilds/{guild}/members/{user}", many, "guild", false, (*Sandbox).getMember},
		{"PUT /guilds/{guild}/members/{user}/roles/{role}", many, "guild", false, (*Sandbox).addRole},
		{"DELETE /guilds/{guild}/members/{user}/roles/{role}", many, "guild", false, (*Sandbox).removeRole},
		{"GET /applications/{app}/commands", many, "", false, (*Sandbox).getCommands},
		{"PUT /applications/{app}/commands", many, "", false, (*Sandbox).putCommands},
		{"POST /applications/{app}/commands", many, "", false, (*Sandbox).postCommand},
		{"GET /applications/{app}/commands/{command}", many, "", false, (*Sandbox).getCommand},
		{"PATCH /applications/{app}/commands/{command}", many, "", false, (*Sandbox).patchCommand},
		{"DELETE /applications/{app}/commands/{command}", many, "", false, (*Sandbox).deleteCommand},
		{"GET /applications/{app}/guilds/{guild}/commands", many, "guild", false, (*Sandbox).getCommands},
		{"PUT /applications/{app}/guilds/{guild}/commands", many, "guild", false, (*Sandbox).putCommands},
		{"POST /applications/{app}/guilds/{guild}/commands", many, "guild", false, (*Sandbox).postCommand},
		{"GET /applications/{app}/guilds/{guild}/commands/{command}", many, "guild", false, (*Sandbox).getCommand},
		{"PATCH /applications/{app}/guilds/{guild}/commands/{command}", many, "guild", false, (*Sandbox).patchCommand},
		{"DELETE /applications/{app}/guilds/{guild}/commands/{command}", many, "guild", false, (*Sandbox).deleteCommand},
		{"POST /interactions/{interaction}/{token}/callback", many, "token", true, (*Sandbox).callback},
		{"POST /webhooks/{app}/{token}", fiveInFive, "token", true, (*Sandbox).followUp},
		{"GET /webhooks/{app}/{token}/messages/{message}", fiveInFive, "token", true, (*Sandbox).getAnswer},
		{"PATCH /webhooks/{app}/{token}/messages/{message}", fiveInFive, "token", true, (*Sandbox).editAnswer},
		{"DELETE /webhooks/{app}/{token}/messages/{message}", fiveInFive, "token", true, (*Sandbox).deleteAnswer},
		{"GET /channels/{channel}", many, "channel", false, (*Sandbox).getChannel},
		{"PATCH /channels/{channel}", fiveInFive, "channel", false, (*Sandbox).editChannel},
		{"DELETE /channels/{channel}", fiveInFive, "channel", false, (*Sandbox).deleteChannel},
		{"GET /channels/{channel}/messages", many, "channel", false, (*Sandbox).getMessages},
		{"POST /channels/{channel}/messages", fiveInFive, "channel", false, (*Sandbox).postMessage},
		{"GET /channels/{channel}/messages/{message}", many, "channel", false, (*Sandbox).getMessage},
		{"PATCH /channels/{channel}/messages/{message}", fiveInFive, "channel", false, (*Sandbox).editMessage},
		{"DELETE /channels/{channel}/messages/{message}", deletes, "channel", false, (*Sandbox).deleteMessage},
		{"POST /channels/{channel}/typing", fiveInFive, "channel", false, (*Sandbox).showTyping},
		{"POST /channels/{channel}/messages/{message}/threads", fiveInFive, "channel", false, (*Sandbox).startThread},
		{"POST /channels/{channel}/threads", fiveInFive, "channel", false, (*Sandbox).startThread},
	}
}

// handler serves everything: the API in both versions, the gateway, attachments and the page.
func (s *Sandbox) handler() http.Handler {
	mux := http.NewServeMux()
	for _, version := range []string{"9", "10"} {
		for _, rt := range routes() {
			method, path, _ := strings.Cut(rt.pattern, " ")
			mux.HandleFunc(method+" /api/v"+version+path, s.serve(rt, int(version[0]-'0')+9*(len(version)-1)))
		}
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		s.noteRequest(&call{Request: r}, errNotFound.status, errNotFound)
		writeJSON(w, errNotFound.status, errNotFound.body())
	})
	mux.HandleFunc("/gateway", s.serveGateway)
	mux.HandleFunc("/gateway/", s.serveGateway)
	mux.HandleFunc("GET /cdn/attachments/{id}/{name}", s.serveAttachment)
	mux.Handle(toolsPath, s.toolsHandler())
	mux.Handle("/", s.pageHandler())
	return mux
}

// serve is one route: authorise, read, limit, judge, carry out, answer, note.
func (s *Sandbox) serve(rt route, version int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, version: version}
		w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat)) // the sandbox's time, not the machine's
		if !rt.interaction && !(strings.HasPrefix(r.Header.Get("Authorization"), "Bot ") && s.isToken(r.Header.Get("Authorization"))) {
			s.answer(w, c, 0, nil, errUnauthorized)
			return
		}
		var err error
		if c.payload, err = readPayload(r); err != nil {
			s.answer(w, c, 0, nil, err)
			return
		}
		if refused := s.throttle(w.Header(), rt, r.PathValue(rt.major)); refused != nil {
			s.noteRequest(c, http.StatusTooManyRequests, nil)
			refused.answer(w)
			return
		}
		s.judge(c)
		if err := s.fault(c); err != nil {
			c.troubled = true
			s.answer(w, c, 0, nil, err)
			return
		}
		status, body, err := rt.handle(s, c)
		s.answer(w, c, status, body, err)
	}
}

// answer writes the answer and notes the request.
func (s *Sandbox) answer(w http.ResponseWriter, c *call, status int, body any, err error) {
	var refused *apiError
	if errors.As(err, &refused) {
		status, body = refused.status, refused.body()
		if refused.status == http.StatusTooManyRequests {
			w.Header().Set("X-RateLimit-Scope", "user")
			w.Header().Set("Retry-After", "1")
			body.(object)["retry_after"] = 0.05
			body.(object)["global"] = false
		}
	} else if err != nil {
		status, body = http.StatusInternalServerError, object{"code": 0, "message": "500: Internal Server Error"}
		s.config.Log.Error("the sandbox failed", "method", c.Method, "error", err)
	}
	s.noteRequest(c, status, refused)
	writeJSON(w, status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	if status == http.StatusNoContent || body == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// noteRequest keeps a request for whoever asks what the bot did.
func (s *Sandbox) noteRequest(c *call, status int, refused *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := c.request(status, refused, s.now())
	s.keep(r)
	if refused != nil && !c.troubled && refused.rulesBroken() {
		s.violations = append(s.violations, Violation{Request: r, Why: refused.Error()})
	}
	s.touch()
}

// reasonOf is the reason for the audit log, which comes percent-encoded.
func reasonOf(c *call) string {
	said := c.Header.Get("X-Audit-Log-Reason")
	if plain, err := url.PathUnescape(said); err == nil {
		return plain
	}
	return said
}

func (c *call) request(status int, refused *apiError, at time.Time) Request {
	r := Request{
		Method: c.Method, Path: c.URL.RequestURI(), Status: status, Body: c.payload.json, Files: c.payload.fileList(),
		Auth: c.Header.Get("Authorization") != "", At: at,
		Reason: reasonOf(c),
	}
	if refused != nil {
		r.Code = refused.code
	}
	return r
}

// judge lets Config.Check look at a request.
func (s *Sandbox) judge(c *call) {
	if s.config.Check == nil {
		return
	}
	if err := s.config.Check(c.Method, c.URL.RequestURI(), c.payload.json, len(c.payload.files)); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.violations = append(s.violations, Violation{Request: c.request(0, nil, s.now()), Why: err.Error()})
	}
}

// violation notes something that the platform refuses whatever the schema says. The lock is held.
func (s *Sandbox) violation(c *call, why string) {
	s.violations = append(s.violations, Violation{Request: c.request(0, nil, s.now()), Why: why})
}

// Requests lists what the bot has asked for, oldest first.
func (s *Sandbox) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Violations lists the requests that break the platform's rules.
func (s *Sandbox) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// isToken knows the bot's token, with or without the word that says whose kind it is: the gateway takes both.
func (s *Sandbox) isToken(token string) bool {
	return strings.TrimPrefix(token, "Bot ") == s.config.Token
}

func (s *Sandbox) getGateway(c *call) (int, any, error) {
	return http.StatusOK, object{"url": s.gatewayFor(c.Host)}, nil
}

func (s *Sandbox) getGatewayBot(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.StatusOK, object{"url": s.gatewayFor(c.Host), "shards": s.config.Shards, "session_start_limit": s.sessionLimit()}, nil
}

func (s *Sandbox) getUser(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.people[c.PathValue("user")]
	if p == nil {
		return 0, nil, errUnknownUser
	}
	return http.StatusOK, userJSON(p), nil
}

func (s *Sandbox) getMember(c *call) (int, any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	srv, p := s.serverByID(c.PathValue("guild")), s.people[c.PathValue("user")]
	switch {
	case srv == nil || !srv.here:
		return 0, nil, errUnknownServer
	case p == nil || !srv.hasMember(p.ID):
		return 0, nil, errUnknownMember
	}
	return http.StatusOK, wholeMember(p), nil
}
