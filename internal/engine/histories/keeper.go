// Package histories keeps conversations as a provider does for clients that send only what is new:
// until they are too old, too many or forgotten.
//
//	keeper := histories.New(true, histories.NewRoom(budget))
//	in, refusal := keeper.Resume(request, profile, start, nil, nil)
//	// answer in.Whole, or send the refusal
//	keeper.Keep(&in, profile, answer)
//
// What is kept is told to other servers as a [Shared].
package histories

import (
	"cmp"
	"container/list"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Keeper keeps the conversations of a run, or of a connection, for clients which send only what is
// new. How a request says so, and what is kept of it, is for the dialect to say; see
// [wire.KeptHistory]. It is safe for use by many requests at a time.
type Keeper struct {
	once bool // an answer is continued once, where the provider wants that; outside of runs a conversation is held by many
	room *Room

	// What follows is locked by the room.
	kept   map[string]*Conversation // by the id of the answer that they end with, or by their own
	closed bool                     // the run has ended: nothing more is kept

	overSockets map[string]bool // the ids of answers that a connection of the run kept alone

	stored []func() *wire.Node // the answers of the run to whose items a request may refer
}

// Conversation is a conversation as the provider keeps it.
type Conversation struct {
	turn      *journal.Turn // its latest
	used      time.Duration
	continued bool
	forgotten bool // as if it had expired
	fetched   bool // its answer is made in the background, and fetched from there also after it is forgotten
	lasts     bool // a conversation with an id of its own: it is kept until it is deleted, and not for a time

	of    *Keeper
	id    string
	place *list.Element // in the room
}

// Before returns the history before its latest turn, or nil.
func (c *Conversation) Before() *wire.History { return c.turn.Before().History() }

// expired reports whether a conversation is kept no longer, at a time.
func (c *Conversation) expired(now, life time.Duration) bool {
	return !c.lasts && (c.forgotten || now-c.used > life)
}

// gone reports whether nothing can be fetched of it any more, at a time.
func (c *Conversation) gone(now, life time.Duration) bool {
	return !c.lasts && (c.forgotten && !c.fetched || now-c.used > life)
}

// Room holds the histories that all runs of a provider keep. Where they become too many,
// those are lost that were not used for the longest time.
type Room struct {
	budget *journal.Budget

	mu   sync.Mutex
	used list.List // of *Conversation, the latest first
}

// maxKeptAtOnce is how many histories are kept; their bytes are bounded by the budget.
const maxKeptAtOnce = 10_000

// NewRoom returns a room whose histories take no more memory than a budget allows.
func NewRoom(budget *journal.Budget) *Room { return &Room{budget: budget} }

// New returns a keeper without conversations. With once, an answer is continued once where the
// provider wants that.
func New(once bool, room *Room) *Keeper {
	return &Keeper{once: once, room: room, kept: map[string]*Conversation{}}
}

// Close forgets all histories, and keeps none from now on.
func (h *Keeper) Close() {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.clear()
	h.closed = true
}

// before returns the turn that a request continues, or why it cannot be continued.
func (h *Keeper) before(in *Request, form *wire.KeptHistory) (*journal.Turn, wire.HistoryProblem) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	known, lost := h.known(cmp.Or(in.Conversation, in.Thread.Previous), in.Conversation != ""), wire.HistoryNotFound
	if known == nil && in.connection != nil {
		known = in.connection.kept[in.Thread.Previous]
	}
	if in.Conversation != "" {
		lost = wire.HistoryNoConversation
	}
	switch {
	case known == nil || known.expired(in.Start, form.Life):
		in.Thread.Lost = known != nil || h.overSockets[in.Thread.Previous]
		return nil, lost
	case h.once && form.Once && known.continued:
		return nil, wire.HistoryContinued
	case form.Repeats != nil && form.Repeats(in.Sent):
		return nil, wire.HistoryRepeated
	case known.turn.History() == nil:
		return nil, lost
	}
	known.used = in.Start
	h.room.used.MoveToFront(known.place)
	return known.turn, ""
}

// Keep keeps a conversation with the answer that is given to it, under the id of that answer, and
// returns it.
func (h *Keeper) Keep(in *Request, p *profiles.Profile, a Answer) *Conversation {
	compact, before, form := compactOf(in, p, a), in.Before, in.Sent.Dialect.KeptHistory
	turn := journal.NewTurn(before, len(in.Sent.Body.Raw)+a.Size, sync.OnceValue(func() *wire.History {
		req, answer := compact.expand()
		if answer == nil {
			return nil // it cannot be continued, as if it had expired
		}
		return form.Keep(before.History(), req, wire.Given{Answer: answer, Broken: a.Broken, Events: func() []wire.Event {
			return p.Shape.Stream(compact.answer.Said, compact.reply(req))
		}})
	}))
	kept := &Conversation{turn: turn, used: in.Start, fetched: in.Background}

	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if in.Thread != nil {
		if before := h.kept[in.Thread.Previous]; before != nil {
			before.continued = true
		}
	}
	h.put(a.ID, kept)
	return kept
}

// KeptByConnection notes that a connection alone keeps an answer of the run, and so for no longer
// than it lasts. Outside of runs nobody asks what is lost.
func (h *Keeper) KeptByConnection(id string) {
	if !h.once {
		return
	}
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.overSockets == nil {
		h.overSockets = map[string]bool{}
	}
	h.overSockets[id] = true
}

// Extend puts a request and its answer to the conversation in which the request is, and returns
// that.
func (h *Keeper) Extend(in *Request, p *profiles.Profile, a Answer) *Conversation {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	known := h.known(in.Conversation, true)
	if known == nil {
		return nil // it was deleted meanwhile
	}
	compact, before, form := compactOf(in, p, a), known.turn, in.Sent.Dialect.KeptHistory
	turn := journal.NewTurn(before, len(in.Sent.Body.Raw)+a.Size, sync.OnceValue(func() *wire.History {
		history := before.History()
		req, answer := compact.expand()
		if history == nil || answer == nil {
			return nil
		}
		return form.Extend(history, req, answer)
	}))
	extended := &Conversation{turn: turn, used: in.Start, lasts: true}
	h.put(in.Conversation, extended)
	return extended
}

// put puts a conversation to the others, in the place of the one with the same id.
func (h *Keeper) put(id string, kept *Conversation) {
	if h.closed {
		return
	}
	kept.of, kept.id, kept.place = h, id, h.room.used.PushFront(kept)
	h.room.budget.Keep(kept.turn) // before the other one is dropped, which it may continue
	h.drop(id)
	h.kept[id] = kept
	for h.room.used.Len() > maxKeptAtOnce || h.room.used.Len() > 0 && h.room.budget.Full() {
		oldest := h.room.used.Back().Value.(*Conversation)
		oldest.of.drop(oldest.id)
	}
}

// drop forgets what is kept under an id.
func (h *Keeper) drop(id string) {
	if known := h.kept[id]; known != nil {
		delete(h.kept, id)
		h.room.used.Remove(known.place)
		h.room.budget.Drop(known.turn)
	}
}

// clear forgets all that is kept.
func (h *Keeper) clear() {
	for id := range h.kept {
		h.drop(id)
	}
	h.stored = nil
}

// known returns what is kept under an id: of an answer, or of a conversation that lasts; nil: there
// is none of that kind.
func (h *Keeper) known(id string, lasts bool) *Conversation {
	if known := h.kept[id]; known != nil && known.lasts == lasts {
		return known
	}
	return nil
}

// Find returns what is kept under an id, and is no older than it may be, and says the same as a
// history, or nil if there is none of that kind.
func (h *Keeper) Find(id string, lasts bool, now, life time.Duration) (*Conversation, *wire.History) {
	h.room.mu.Lock()
	known := h.known(id, lasts)
	if known != nil && known.gone(now, life) {
		known = nil
	}
	h.room.mu.Unlock()
	if known == nil {
		return nil, nil
	}
	history := known.turn.History()
	if history == nil {
		return nil, nil
	}
	return known, history
}

// Remove forgets what is kept under the id of an answer.
func (h *Keeper) Remove(id string) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.drop(id)
}

// Forget lets all histories be lost, as those are that have not been used for long. None can be
// continued, but an answer that is made in the background can still be fetched.
func (h *Keeper) Forget() {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	for _, k := range h.kept {
		k.forgotten = true
	}
}

// NewID returns an id that cannot be guessed.
func NewID(prefix string) string {
	b := make([]byte, 24)
	rand.Read(b) // never fails
	return prefix + hex.EncodeToString(b)
}

// Replace keeps a history under an id, instead of what was kept there before; nil: something else
// is by now.
func (h *Keeper) Replace(id string, before *Conversation, history *wire.History, lasts bool, now time.Duration) *Conversation {
	kept := replacement(before, history)
	kept.used, kept.lasts = now, lasts
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.kept[id] != before {
		return nil
	}
	if before != nil {
		kept.forgotten, kept.fetched = before.forgotten, before.fetched
	}
	h.put(id, kept)
	return kept
}

// replacement returns what keeps a history instead of an earlier one, which may be nil, and shares
// with it what both have.
func replacement(earlier *Conversation, history *wire.History) *Conversation {
	own, before := history.All(), (*journal.Turn)(nil)
	if earlier != nil {
		switch items, goesOn := history.Differs(earlier.turn.History()); {
		case goesOn && len(items) > 0:
			own, before = items, earlier.turn
		case goesOn: // only what is kept besides items is another
			own, before = history.Items, earlier.turn.Before()
		}
	}
	size := len(history.About)
	for _, item := range own {
		size += len(item)
	}
	return &Conversation{turn: journal.NewTurn(before, size, func() *wire.History { return history })}
}
