package discord

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"kraal/bot"
	"kraal/bot/discord/wire"
)

// tapPuzzleAnswer shows the solution. Who sees it has missed the puzzle: where that would be counted, it asks first.
func (r *request) tapPuzzleAnswer(ctx context.Context, c control) error {
	q, err := r.quest(ctx, c)
	if err != nil {
		return err
	}
	if q.kind == puzzleMine {
		return r.showSolution(ctx, q)
	}
	stake, err := r.app.PuzzleStake(ctx, r.in.User.ID, q.attempt(bot.PuzzleShown))
	if err != nil {
		return err
	}
	if !stake.Counts {
		return r.showSolution(ctx, q)
	}
	message, err := r.puzzleMessage(ctx, q)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, r.askToShow(message, q, stake))
}

// askToShow puts the question whether the solution is to be shown in the place of a puzzle's controls.
func (r *request) askToShow(message wire.Message, q quest, stake bot.PuzzleStake) wire.Message {
	asked := r.Say("PuzzleAsk", nil)
	if stake.Streak > 0 {
		asked = r.Say("PuzzleAskStreak", args{"Count": stake.Streak})
	}
	message.Content = cut(asked+"\n"+message.Content, maxContent) // first, so that it is there whatever is cut
	message.Components = row(
		button(r.Say("ButtonConfirm", nil), q.control(verbPuzzleShow).String(), discordgo.DangerButton),
		button(r.Say("ButtonCancel", nil), q.control(verbPuzzleBack).String(), discordgo.SecondaryButton),
	)
	return message
}

// tapPuzzleBack goes on where the question came between.
func (r *request) tapPuzzleBack(ctx context.Context, c control) error {
	q, err := r.quest(ctx, c)
	if err != nil {
		return err
	}
	return r.showQuest(ctx, q)
}

// tapPuzzleShow shows the solution to whoever has been told what that means.
func (r *request) tapPuzzleShow(ctx context.Context, c control) error {
	q, err := r.quest(ctx, c)
	if err != nil {
		return err
	}
	return r.showSolution(ctx, q)
}

func (r *request) showSolution(ctx context.Context, q quest) error {
	solution, err := q.puzzle.Solution(ctx)
	if err != nil {
		return err
	}
	if q.kind != puzzleMine {
		if err := r.countPuzzle(ctx, q, bot.PuzzleShown); err != nil {
			return err
		}
	}
	q.played, q.from = nil, ""
	message, err := r.solutionMessage(ctx, q, solution)
	if err != nil {
		return err
	}
	return r.answer.Update(ctx, message)
}
