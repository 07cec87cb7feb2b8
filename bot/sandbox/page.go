package sandbox

import "net/http"

// pageHandler serves the page for people.
func (s *Sandbox) pageHandler() http.Handler { return http.NotFoundHandler() }
