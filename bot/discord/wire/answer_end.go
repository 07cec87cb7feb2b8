package wire

import "context"

// finish is called when the handler has returned: what it left unsaid is made up for.
func (a *Answer) finish(ctx context.Context, panicked bool) {
	if !a.timer.Stop() {
		<-a.acknowledged
	}
	var err error
	switch {
	case a.in.Kind == Autocomplete:
		err = a.Choices(ctx, nil)
	case panicked:
		err = a.Private(ctx, a.client.cfg.Oops)
	case !a.owes():
		return
	case a.tap():
		err = a.Done(ctx)
	default:
		a.client.logOf(a.in).Error("a command was left without an answer")
		err = a.Private(ctx, a.client.cfg.Oops)
	}
	if err != nil && !IsLate(err) {
		a.client.logOf(a.in).Warn("interaction not answered", "error", err)
	}
}

func (a *Answer) owes() bool {
	<-a.turn
	defer func() { a.turn <- struct{}{} }()
	return a.state == silent || a.state == deferred
}
