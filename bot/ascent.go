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

// descend takes back, together with the annulment of a game, that its winner came higher by it. Who has come higher still
// stays there: later games stand.
func (a *App) descend(ctx context.Context, m storage.Match, changes *storage.Changes) error {
	winner, won := m.Result.Winner()
	if m.Camp == 0 || !won {
		return nil
	}
	member, version, err := a.member(ctx, m.Seats[winner].ID)
	if err != nil || member.Climbed[m.Variant.Key] != m.Camp {
		return err
	}
	climbed := maps.Clone(member.Climbed)
	if climbed[m.Variant.Key]--; climbed[m.Variant.Key] == 0 {
		delete(climbed, m.Variant.Key)
	}
	member.Climbed = climbed
	changes.Expect = append(changes.Expect, storage.Expect{Key: member.Key(), Version: version})
	changes.Put = append(changes.Put, member)
	return nil
}
