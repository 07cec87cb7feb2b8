package sandbox

import (
	"fmt"
	"net/http"
)

// apiError is a refusal as Discord words it (topics/opcodes-and-status-codes).
type apiError struct {
	status  int
	code    int
	message string
	fields  map[string]string // path of a field: what is wrong with it
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%d %d %s %v", e.status, e.code, e.message, e.fields)
}

// body is the refusal's JSON; field errors are nested by the parts of their paths.
func (e *apiError) body() object {
	o := object{"code": e.code, "message": e.message}
	if len(e.fields) == 0 {
		return o
	}
	tree := object{}
	for path, what := range e.fields {
		node := tree
		for _, part := range splitPath(path) {
			next, ok := node[part].(object)
			if !ok {
				next = object{}
				node[part] = next
			}
			node = next
		}
		node["_errors"] = []object{{"code": "INVALID", "message": what}}
	}
	o["errors"] = tree
	return o
}

func refuse(status, code int, message string) *apiError {
	return &apiError{status: status, code: code, message: message}
}

// The refusals that the sandbox makes.
var (
	errUnauthorized       = refuse(http.StatusUnauthorized, 0, "401: Unauthorized")
	errNotFound           = refuse(http.StatusNotFound, 0, "404: Not Found")
	errUnknownChannel     = refuse(http.StatusNotFound, 10003, "Unknown Channel")
	errUnknownServer      = refuse(http.StatusNotFound, 10004, "Unknown Guild")
	errUnknownMember      = refuse(http.StatusNotFound, 10007, "Unknown Member")
	errUnknownMessage     = refuse(http.StatusNotFound, 10008, "Unknown Message")
	errUnknownRole        = refuse(http.StatusNotFound, 10011, "Unknown Role")
	errUnknownUser        = refuse(http.StatusNotFound, 10013, "Unknown User")
	errUnknownWebhook     = refuse(http.StatusNotFound, 10015, "Unknown Webhook")
	errUnknownInteraction = refuse(http.StatusNotFound, 10062, "Unknown interaction")
	errUnknownCommand     = refuse(http.StatusNotFound, 10063, "Unknown application command")
	errAcknowledged       = refuse(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	errTooLarge           = refuse(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	errMissingAccess      = refuse(http.StatusForbidden, 50001, "Missing Access")
	errEmptyMessage       = refuse(http.StatusBadRequest, 50006, "Cannot send an empty message")
	errNotAuthor          = refuse(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	errMissingPermissions = refuse(http.StatusForbidden, 50013, "Missing Permissions")
	errInvalidToken       = refuse(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	errInvalidRole        = refuse(http.StatusBadRequest, 50028, "Invalid Role")
	errTooManyFiles       = refuse(http.StatusBadRequest, 30015, "Maximum number of attachments in a message reached (10)")
	errNoDirect           = refuse(http.StatusForbidden, 50007, "Cannot send messages to this user")
	errArchived           = refuse(http.StatusBadRequest, 50083, "Thread is archived")
	errCutOff             = refuse(http.StatusBadRequest, 0, "The request ended before its body did.")
	errBadJSON            = refuse(http.StatusBadRequest, 50109, "The request body contains invalid JSON.")
	errOldEdit            = refuse(http.StatusTooManyRequests, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later.")
)

// invalid refuses a form because of one field.
func invalid(path, what string, args ...any) *apiError {
	return &apiError{
		status: http.StatusBadRequest, code: 50035, message: "Invalid Form Body",
		fields: map[string]string{path: fmt.Sprintf(what, args...)},
	}
}
