package bot_test

import (
	"fmt"
	"testing"

	"kraal/storage"
)

// TestPuzzlePostsPassByWhatIsDamaged: a server whose record cannot be read keeps no other from its puzzle, on whatever
// page it stands.
func TestPuzzlePostsPassByWhatIsDamaged(t *testing.T) {
	const servers = 410 // more than two pages
	onTrouble(t, func(s *stage, store *trouble) {
		for i := range servers {
			s.keep(storage.Server{ID: fmt.Sprintf("%04d", i), Puzzles: "c"})
		}
		for _, bad := range []string{"0000", "0199", "0200", "0409"} {
			key := storage.ServerKey(bad)
			store.damage.Store(&key)
			due, err := s.app.PuzzlePosts(t.Context())
			if err != nil || len(due) != servers-1 {
				t.Errorf("without %s: %d servers want a puzzle, error %v; want %d", bad, len(due), err, servers-1)
			}
		}
	})
}
