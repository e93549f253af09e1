package engine

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// keptHistories are the conversations that a provider keeps for clients which send only what is
// new. How a request says so, and what is kept of it, is for the dialect to say; see
// [wire.KeptHistory].
type keptHistories struct {
	once bool // an answer is continued once, where the provider wants that; outside of runs a conversation is held by many
	room *historyRoom

	// What follows is locked by the room.
	kept   map[string]*keptHistory // by the id of the answer that they end with, or by their own
	closed bool                    // the run has ended: nothing more is kept

	stored []func() *wire.Node // the answers of the run to whose items a request may refer
}

// keptHistory is a conversation as the provider keeps it.
type keptHistory struct {
	turn      *journal.Turn // its latest
	used      time.Duration
	continued bool
	forgotten bool // as if it had expired
	fetched   bool // its answer is made in the background, and fetched from there also after it is forgotten
	lasts     bool // a conversation with an id of its own: it is kept until it is deleted, and not for a time

	of    *keptHistories
	id    string
	place *list.Element // in the room
}

// expired reports whether a conversation is kept no longer, at a time.
func (k *keptHistory) expired(now, life time.Duration) bool {
	return !k.lasts && (k.forgotten || now-k.used > life)
}

// gone reports whether nothing can be fetched of it any more, at a time.
func (k *keptHistory) gone(now, life time.Duration) bool {
	return !k.lasts && (k.forgotten && !k.fetched || now-k.used > life)
}

// historyRoom holds the histories that all runs of a provider keep. Where they become too many,
// those are lost that were not used for the longest time.
type historyRoom struct {
	budget *journal.Budget

	mu   sync.Mutex
	used list.List // of *keptHistory, the latest first
}

// maxKeptAtOnce is how many histories are kept; their bytes are bounded by the budget.
const maxKeptAtOnce = 10_000

func newKeptHistories(once bool, room *historyRoom) *keptHistories {
	return &keptHistories{once: once, room: room, kept: map[string]*keptHistory{}}
}

// close forgets all histories, and keeps none from now on.
func (h *keptHistories) close() {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.clear()
	h.closed = true
}

// resume puts the kept history before a request that continues it. A request that cannot be
// continued carries no conversation: then it has a problem.
func (h *keptHistories) resume(in *received, p *profiles.Profile) {
	form := in.request.Dialect.KeptHistory
	if form == nil {
		return
	}
	h.refer(in, form)
	in.sent = in.request
	continued := form.Continues(in.request)
	switch {
	case continued == nil, continued.ByDefault && !p.Traits.KeepsThreads:
		return
	case !p.Traits.KeepsThreads:
		// Clients that know of threads send the same again with its history and without a thread;
		// so the refused request is no part of the conversation, and nothing is lost that could be
		// judged.
		in.problem, in.unnoted = historyProblem(p, form, wire.HistoryUnsupported, continued.Previous), true
		return
	}
	in.kept, in.background, in.place = !continued.NotStored, continued.Background && !continued.NotStored, continued.Conversation
	if continued.ByDefault {
		return
	}
	in.thread = &trace.Thread{Previous: continued.Previous}
	if continued.Begins {
		return
	}
	before, why := h.before(in, form)
	whole, err := in.request, error(nil)
	if why == "" {
		if whole, err = before.Resume(in.request); err != nil {
			why = wire.HistoryNotFound
		}
	}
	if why == "" {
		in.thread.KeptMessages = len(whole.Messages) - listed(in.request)
		in.request, in.before = whole, before
		return
	}
	if continued.Ambiguous && !in.thread.Lost {
		return // that is why the provider refuses it, whatever it keeps
	}
	in.thread.Problem, in.thread.Code = why, form.Refusals[why].Code
	in.problem, in.request = historyProblem(p, form, why, cmp.Or(continued.Conversation, continued.Previous)), nil
}

// listed returns how many messages of a request are in its list, and not alongside it, as a system
// prompt may.
func listed(req *wire.Request) (count int) {
	for _, m := range req.Messages {
		if m.Node.IsBelow(req.Dialect.Request.Messages) {
			count++
		}
	}
	return count
}

// historyProblem returns why a history is not continued as the answer to a request.
func historyProblem(p *profiles.Profile, form *wire.KeptHistory, why wire.HistoryProblem, id string) *problem {
	refusal := form.Refusals[why]
	refusal.Message = strings.ReplaceAll(refusal.Message, "{id}", id)
	resp := errorResponse(p, refusal.Status, p.WordsFor(refusal.Status))
	resp.body = form.ErrorBody(refusal).JSON()
	return &problem{refusal.Message, resp}
}

// before returns the turn that a request continues, or why it cannot be continued.
func (h *keptHistories) before(in *received, form *wire.KeptHistory) (*journal.Turn, wire.HistoryProblem) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	known, lost := h.known(cmp.Or(in.place, in.thread.Previous), in.place != ""), wire.HistoryNotFound
	if local := h.local(in); known == nil && local != nil {
		known = local.kept[in.thread.Previous]
	}
	if in.place != "" {
		lost = wire.HistoryNoConversation
	}
	switch {
	case known == nil || known.expired(in.start, form.Life):
		in.thread.Lost = known != nil
		return nil, lost
	case h.once && form.Once && known.continued:
		return nil, wire.HistoryContinued
	case form.Repeats != nil && form.Repeats(in.request):
		return nil, wire.HistoryRepeated
	case known.turn.History() == nil:
		return nil, lost
	}
	known.used = in.start
	h.room.used.MoveToFront(known.place)
	return known.turn, ""
}

// keep keeps a conversation with the answer that is given to it, under the id of that answer, and
// returns it.
func (h *keptHistories) keep(in *received, p *profiles.Profile, resp *response) *keptHistory {
	compact, before, form := compactOf(in, p, resp), in.before, in.request.Dialect.KeptHistory
	turn := journal.NewTurn(before, len(in.sent.Body.Raw)+resp.size(), sync.OnceValue(func() *wire.History {
		req, answer := compact.expand()
		if answer == nil {
			return nil // it cannot be continued, as if it had expired
		}
		return form.Keep(before.History(), req, wire.Given{Answer: answer, Events: func() []wire.Event {
			return p.Shape.Stream(compact.said, compact.reply(req))
		}})
	}))
	kept := &keptHistory{turn: turn, used: in.start, fetched: in.background}

	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if in.thread != nil {
		if before := h.kept[in.thread.Previous]; before != nil {
			before.continued = true
		}
	}
	h.put(resp.id, kept)
	return kept
}

// extend puts a request and its answer to the conversation in which the request is, and returns
// that.
func (h *keptHistories) extend(in *received, p *profiles.Profile, resp *response) *keptHistory {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	known := h.known(in.place, true)
	if known == nil {
		return nil // it was deleted meanwhile
	}
	compact, before, form := compactOf(in, p, resp), known.turn, in.request.Dialect.KeptHistory
	turn := journal.NewTurn(before, len(in.sent.Body.Raw)+resp.size(), sync.OnceValue(func() *wire.History {
		history := before.History()
		req, answer := compact.expand()
		if history == nil || answer == nil {
			return nil
		}
		return form.Extend(history, req, answer)
	}))
	extended := &keptHistory{turn: turn, used: in.start, lasts: true}
	h.put(in.place, extended)
	return extended
}

// only forgets all but one of the histories.
func (h *keptHistories) only(id string) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	for other := range h.kept {
		if other != id {
			h.drop(other)
		}
	}
}

// put puts a conversation to the others, in the place of the one with the same id.
func (h *keptHistories) put(id string, kept *keptHistory) {
	if h.closed {
		return
	}
	kept.of, kept.id, kept.place = h, id, h.room.used.PushFront(kept)
	h.room.budget.Keep(kept.turn) // before the other one is dropped, which it may continue
	h.drop(id)
	h.kept[id] = kept
	for h.room.used.Len() > maxKeptAtOnce || h.room.used.Len() > 0 && h.room.budget.Full() {
		oldest := h.room.used.Back().Value.(*keptHistory)
		oldest.of.drop(oldest.id)
	}
}

// drop forgets what is kept under an id.
func (h *keptHistories) drop(id string) {
	if known := h.kept[id]; known != nil {
		delete(h.kept, id)
		h.room.used.Remove(known.place)
		h.room.budget.Drop(known.turn)
	}
}

// clear forgets all that is kept.
func (h *keptHistories) clear() {
	for id := range h.kept {
		h.drop(id)
	}
	h.stored = nil
}

// known returns what is kept under an id: of an answer, or of a conversation that lasts; nil: there
// is none of that kind.
func (h *keptHistories) known(id string, lasts bool) *keptHistory {
	if known := h.kept[id]; known != nil && known.lasts == lasts {
		return known
	}
	return nil
}

// find returns what is kept under an id, and is no older than it may be, and says the same as a
// history, or nil if there is none of that kind.
func (h *keptHistories) find(id string, lasts bool, now, life time.Duration) (*keptHistory, *wire.History) {
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

// remove forgets what is kept under the id of an answer.
func (h *keptHistories) remove(id string) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.drop(id)
}

// forget lets all histories be lost, as those are that have not been used for long. None can be
// continued, but an answer that is made in the background can still be fetched.
func (h *keptHistories) forget() {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	for _, k := range h.kept {
		k.forgotten = true
	}
}

// historyID returns where the id of an answer comes from under which a history is kept, and ""
// where none is. Outside of runs it depends on the whole history, so that clients only share a
// history if theirs are equal.
func historyID(in *received) string {
	if !in.kept {
		return ""
	}
	sum := sha256.New()
	key := in.conversation()
	sum.Write(key[:])
	for _, tool := range in.request.Tools {
		sum.Write(tool.Node.Raw)
	}
	return fmt.Sprint("thread ", hex.EncodeToString(sum.Sum(nil)[:8]))
}
