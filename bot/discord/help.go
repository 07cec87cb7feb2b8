package discord

import "context"

// help is /help: a short way in.
func (r *request) help(ctx context.Context) error { return r.tellPrivately(ctx, "Help", nil) }
