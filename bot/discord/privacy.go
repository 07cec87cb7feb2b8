package discord

import (
	"context"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
)

// deleteWithin is how long the question whether everything is to be deleted can be answered: somebody who finds it open
// on a screen days later may be somebody else, or in another mind.
const deleteWithin = 10 * time.Minute

// privacy is /privacy. All its answers are private.
func (r *request) privacy(ctx context.Context) error {
	switch r.in.Sub {
	case "show":
		return r.tellPrivately(ctx, "PrivacyShow", nil)
	case "export":
		return r.exportPrivacy(ctx)
	case "delete":
		return r.askToDelete(ctx)
	}
	return errUnknownCommand
}

// exportPrivacy gives the asker a file with all that is kept about them.
func (r *request) exportPrivacy(ctx context.Context) error {
	if err := r.answer.Defer(ctx); err != nil { // to read everything, and to send it, may take long
		return err
	}
	made, err := r.app.ExportMember(ctx, r.in.User.ID, r.Say("PrivacyAbout", nil))
	if err != nil {
		return err
	}
	file := wire.File{
		Name: "kraal-about-you.json", ContentType: "application/json", Data: made.Data, Description: r.Say("PrivacyFile", nil),
	}
	said := r.Say("PrivacyExport", args{"Count": made.Matches})
	if made.Packed {
		file.Name, file.ContentType = file.Name+".gz", "application/gzip"
		said += "\n" + r.Say("PrivacyPacked", nil)
	}
	if made.LeftOut > 0 {
		said += "\n" + r.Say("PrivacyLeftOut", args{"Count": made.LeftOut})
	}
	message := private(said)
	message.Files = []wire.File{file}
	return r.answer.Private(ctx, message)
}

// askToDelete says exactly what deleting means, and asks whether it is to be.
func (r *request) askToDelete(ctx context.Context) error {
	stakes, err := r.app.Stakes(ctx, r.in.User.ID)
	if err != nil {
		return err
	}
	message := private(strings.Join(append([]string{r.Say("PrivacyDelete", nil)}, r.stakes(stakes)...), "\n"))
	tap := func(verb string) string {
		return control{Revision: int(r.app.Clock.Now().Unix()), Verb: verb, Arg: r.in.User.ID}.String()
	}
	message.Components = row(
		button(r.Say("ButtonConfirm", nil), tap(verbLeave), discordgo.DangerButton),
		button(r.Say("ButtonCancel", nil), tap(verbStay), discordgo.SecondaryButton),
	)
	return r.answer.Private(ctx, message)
}

// stakes are a line for each sort of match that ends.
func (r *request) stakes(s bot.Stakes) (lines []string) {
	for _, sort := range []struct {
		id    string
		count int
	}{{"PrivacyDeleteLost", s.Lost}, {"PrivacyDeleteOff", s.CalledOff}, {"PrivacyDeleteWithdrawn", s.Withdrawn}} {
		if sort.count > 0 {
			lines = append(lines, r.Say(sort.id, args{"Count": sort.count}))
		}
	}
	if len(lines) == 0 {
		return []string{r.Say("PrivacyDeleteNone", nil)}
	}
	return lines
}

// tapLeave deletes everything, if it was this person who was asked, and lately.
func (r *request) tapLeave(ctx context.Context, c control) error {
	asked := time.Unix(int64(c.Revision), 0)
	if age := r.app.Clock.Now().Sub(asked); c.Arg != r.in.User.ID || age < -time.Minute || age > deleteWithin {
		return errNotAsked
	}
	if err := r.app.Leave(ctx, r.in.User.ID); err != nil {
		return err
	}
	return r.answer.Update(ctx, private(r.Say("PrivacyDeleted", nil)))
}

// tapStay leaves everything as it is.
func (r *request) tapStay(ctx context.Context, _ control) error {
	return r.answer.Update(ctx, private(r.Say("PrivacyKept", nil)))
}
