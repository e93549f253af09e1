package recording

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/wire"
)

// keptHistories are the conversations that the provider keeps, as far as they were recorded, by the
// ids under which clients go on with them.
type keptHistories map[string]*wire.History

// maxKept bounds how many conversations are remembered. Where they become more, all of them are
// forgotten.
const maxKept = 10_000

// continues returns the id of what a request continues with that the provider keeps, and "" where
// it carries its history.
func continues(req *wire.Request) string {
	form := req.Dialect.KeptHistory
	if form == nil {
		return ""
	}
	asked := form.Continues(req)
	if asked == nil {
		return ""
	}
	return cmp.Or(asked.Conversation, asked.Previous)
}

// awaitsKept reports whether a request continues with an answer that may be that of an earlier
// exchange which is not over.
func (w *writer) awaitsKept(i int) bool {
	id := continues(w.open[i].request)
	return id != "" && w.kept[id] == nil && slices.ContainsFunc(w.open[:i], func(earlier *heard) bool { return earlier.dialect == w.open[i].dialect })
}

// resume puts the history before a request that the provider keeps, if it was recorded.
func (w *writer) resume(h *heard) {
	h.sent = h.request
	kept := w.kept[continues(h.request)]
	if kept == nil {
		return
	}
	if whole, err := h.dialect.KeptHistory.Resume(kept, h.request, nil); err == nil {
		h.request, h.sent, h.before, h.said = whole, h.request, kept, nil
	}
}

// keep stores what the provider keeps after an answer.
func (w *writer) keep(h *heard, f *fixtures.Response) {
	form := h.dialect.KeptHistory
	if form == nil || form.Document == nil {
		return
	}
	answer := form.Document(f.Body(), f.Streamed())
	id := answer.Get("id").Text()
	if id == "" {
		return
	}
	if len(w.kept) >= maxKept || w.kept == nil {
		w.kept = keptHistories{}
	}
	history := form.Keep(h.before, h.sent, wire.Given{Answer: answer, Events: func() []wire.Event { return nil }})
	w.kept[id] = history
	if asked := form.Continues(h.request); asked != nil && asked.Conversation != "" {
		w.kept[asked.Conversation] = history
	}
}
