package bot

import (
	"context"
	"maps"

	"kraal/bot/match"
	"kraal/storage"
)

// climb notes, together with the end of a game, that its winner has come higher: who beats the engine at one level after
// another, in their order, climbs a camp for each, under each variant by itself.
func (a *App) climb(ctx context.Context, m storage.Match, changes *storage.Changes) (storage.Match, error) {
	id, level, ok := match.Ascent(m)
	if !ok {
		return m, nil
	}
	member, version, err := a.member(ctx, id)
	if err != nil || member.Climbed[m.Variant.Key]+1 != level {
		return m, err
	}
	climbed := map[string]int{}
	maps.Copy(climbed, member.Climbed)
	climbed[m.Variant.Key] = level
	member.Climbed, m.Camp = climbed, level
	changes.Expect = append(changes.Expect, storage.Expect{Key: member.Key(), Version: version})
	changes.Put = append(changes.Put, member)
	return m, nil
}
