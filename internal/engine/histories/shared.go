package histories

import (
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// Shared is what other servers are told of a history: its id, and what is new in it.
type Shared struct {
	Run       string
	ID        string     // of the answer that it ends with, or its own
	Continues string     // the id of the history to which the items are added, or "" if there is none
	Items     []wire.Raw // nil: only what is kept besides items is new
	Output    int        // how many of them are the model's
	About     wire.Raw   // what is kept besides items
	Lasts     bool       // it has an id of its own
	Gone      bool       // it is kept no longer
}

// Share returns what other servers are told of a conversation that is kept under an id, and of an
// earlier history, under an id of its own, from which it may go on. It returns nil for one whose
// history cannot be made.
func (c *Conversation) Share(id string, earlier *wire.History, continues string) *Shared {
	history := c.turn.History()
	if history == nil {
		return nil
	}
	added, goesOn := history.Differs(earlier)
	if !goesOn {
		added, continues = history.All(), ""
	}
	return &Shared{ID: id, Continues: continues, Items: added, Output: history.Output, About: history.About, Lasts: c.lasts}
}

// Apply keeps what another server kept, if what it continues is known here, too.
func (h *Keeper) Apply(s *Shared, now time.Duration) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if s.Gone {
		h.drop(s.ID)
		return
	}
	var before *Conversation
	var history *wire.History
	if s.Continues != "" {
		if before = h.kept[s.Continues]; before == nil {
			return
		}
		history = before.turn.History()
	}
	kept := replacement(before, history.Then(s.Items, s.Output, s.About))
	kept.used, kept.lasts = now, s.Lasts
	h.put(s.ID, kept)
}
