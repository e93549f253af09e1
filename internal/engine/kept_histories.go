package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// keptHistories are the conversations that a provider keeps for clients which send only what is new. How a request says
// so, and what is kept of it, is for the dialect to say; see [wire.KeptHistory].
type keptHistories struct {
	once bool // an answer is continued once, where the provider wants that; outside of runs a conversation is held by many

	mu   sync.Mutex
	kept map[string]*keptHistory // by the id of the answer that they end with, or by their own
	size int                     // of the requests that are kept, in bytes

	stored []func() *wire.Node // the answers of the run to whose items a request may refer
}

// keptHistory is a conversation as the provider keeps it.
type keptHistory struct {
	document  func() []byte // made when it is first asked for, since most are kept for nothing
	size      int           // of the request, in bytes
	used      time.Duration
	continued bool
	forgotten bool // as if it had expired
	lasts     bool // a conversation with an id of its own: it is kept until it is deleted, and not for a time
}

// expired reports whether a conversation is kept no longer, at a time.
func (k *keptHistory) expired(now, life time.Duration) bool {
	return !k.lasts && (k.forgotten || now-k.used > life)
}

const (
	maxKeptAtOnce = 10_000
	maxKeptBytes  = 64 << 20
)

func newKeptHistories(once bool) *keptHistories {
	return &keptHistories{once: once, kept: map[string]*keptHistory{}}
}

// resume puts the kept history before a request that continues it. A request that cannot be continued carries no
// conversation: then it has a problem.
func (h *keptHistories) resume(in *received, p *profiles.Profile) {
	form := in.request.Dialect.KeptHistory
	if form == nil {
		return
	}
	h.refer(in, form)
	asked := form.Asked(in.request)
	switch {
	case asked == nil, asked.Unasked && !p.Traits.KeepsThreads:
		return
	case !p.Traits.KeepsThreads:
		// Clients that know of threads send the same again with its history and without a thread; so the refused request is no
		// part of the conversation, and nothing is lost that could be judged.
		in.problem, in.unnoted = historyProblem(p, form, wire.HistoryUnsupported, asked.Previous), true
		return
	}
	in.kept, in.background, in.place = !asked.Unkept, asked.Background && !asked.Unkept, asked.Conversation
	if asked.Unasked {
		return
	}
	in.thread = &trace.Thread{Previous: asked.Previous}
	if asked.Begins {
		return
	}
	whole, why := h.whole(in, form)
	if why == "" {
		in.thread.KeptMessages = len(whole.Messages) - listed(in.request)
		in.request = whole
		return
	}
	if asked.Ambiguous && !in.thread.Lost {
		return // that is why the provider refuses it, whatever it keeps
	}
	in.thread.Problem, in.thread.Code = why, form.Refusals[why].Code
	in.problem, in.request = historyProblem(p, form, why, cmp.Or(asked.Conversation, asked.Previous)), nil
}

// listed returns how many messages of a request are in its list, and not alongside it, as a system prompt may.
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

// whole returns the request that says in full what a request means which continues a history, or why it cannot be continued.
func (h *keptHistories) whole(in *received, form *wire.KeptHistory) (*wire.Request, wire.HistoryProblem) {
	h.mu.Lock()
	defer h.mu.Unlock()
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
	}
	whole, err := form.Resume(known.document(), in.request)
	if err != nil {
		return nil, lost
	}
	known.used = in.start
	whole.TakeHTTP(in.request)
	return whole, ""
}

// keep keeps a conversation with the answer that is given to it, under the id of that answer, and returns it.
func (h *keptHistories) keep(in *received, p *profiles.Profile, resp *response) *keptHistory {
	compact := compactOf(in, p, resp)
	document := sync.OnceValue(func() []byte {
		req, answer := compact.expand()
		if answer == nil {
			return nil // it cannot be continued, as if it had expired
		}
		return req.Dialect.KeptHistory.Keep(req, wire.Given{Answer: answer, Events: func() []wire.Event {
			return p.Shape.Stream(compact.said, compact.reply(req))
		}})
	})
	kept := &keptHistory{document: document, size: len(in.request.Body.Raw), used: in.start}

	h.mu.Lock()
	defer h.mu.Unlock()
	if in.thread != nil {
		if before := h.kept[in.thread.Previous]; before != nil {
			before.continued = true
		}
	}
	h.put(resp.id, kept)
	return kept
}

// only forgets all but one of the histories.
func (h *keptHistories) only(id string, kept *keptHistory) {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.kept)
	h.size = 0
	h.put(id, kept)
}

// extend puts a request and its answer to the conversation in which the request is, and returns that.
func (h *keptHistories) extend(in *received, p *profiles.Profile, resp *response) *keptHistory {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.known(in.place, true)
	if before == nil {
		return nil // it was deleted meanwhile
	}
	compact := compactOf(in, p, resp)
	document := sync.OnceValue(func() []byte {
		kept, err := wire.ParseNode(before.document())
		req, answer := compact.expand()
		if err != nil || answer == nil {
			return nil
		}
		return req.Dialect.KeptHistory.Extend(kept, req, answer)
	})
	extended := &keptHistory{document: document, size: before.size + len(in.body), used: in.start, lasts: true}
	h.put(in.place, extended)
	return extended
}

// put puts a conversation to the others. Where they become too many, all of them are lost.
func (h *keptHistories) put(id string, kept *keptHistory) {
	h.drop(id)
	if len(h.kept) >= maxKeptAtOnce || h.size+kept.size > maxKeptBytes {
		clear(h.kept)
		h.size = 0
	}
	h.kept[id] = kept
	h.size += kept.size
}

// drop forgets what is kept under the id of an answer.
func (h *keptHistories) drop(id string) {
	if known := h.kept[id]; known != nil {
		h.size -= known.size
		delete(h.kept, id)
	}
}

// known returns what is kept under an id: of an answer, or of a conversation that lasts; nil: there is none of that kind.
func (h *keptHistories) known(id string, lasts bool) *keptHistory {
	if known := h.kept[id]; known != nil && known.lasts == lasts {
		return known
	}
	return nil
}

// find returns what is kept under an id, and is no older than it may be, and says the same as a document; nil: there is none of
// that kind.
func (h *keptHistories) find(id string, lasts bool, now, life time.Duration) (*keptHistory, *wire.Node) {
	h.mu.Lock()
	known := h.known(id, lasts)
	h.mu.Unlock()
	if known == nil || known.expired(now, life) {
		return nil, nil
	}
	document, err := wire.ParseNode(known.document())
	if err != nil {
		return nil, nil
	}
	return known, document
}

// remove forgets what is kept under the id of an answer.
func (h *keptHistories) remove(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(id)
}

// forget lets all histories be lost, as those are that have not been used for long.
func (h *keptHistories) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.kept {
		k.forgotten = true
	}
}

// historyID returns where the id of an answer comes from under which a history is kept, and "" where none is. Outside of
// runs it depends on the whole history, so that clients only share a history if theirs are equal.
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
