package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	w := newWriter(s, a, r, false)
	if r.Queued {
		return w.response(queued, []any{})
	}
	return w.response(w.status(), w.output())
}

// The statuses of a response and of its items.
const (
	inProgress = "in_progress"
	completed  = "completed"
	incomplete = "incomplete"
	failed     = "failed"
)

// writer writes one answer.
type writer struct {
	*Shape
	answer  *wire.Answer
	reply   wire.Reply
	streams bool        // the items are sent piece by piece
	said    wire.Values // what every response of the answer repeats of the request
	items   []item
}

func newWriter(s *Shape, a *wire.Answer, r wire.Reply, streams bool) *writer {
	w := &writer{Shape: s, answer: a, reply: r, streams: streams, said: repeated(r.Request)}
	w.items = w.itemsOf(a)
	return w
}

// status is that of the whole response.
func (w *writer) status() string {
	if w.incomplete(w.answer.Finish) != "" {
		return incomplete
	}
	return completed
}

// output are the items as they are in the end.
func (w *writer) output() []any {
	all := []any{}
	for _, i := range w.items {
		all = append(all, i.whole)
	}
	return all
}

// response writes the response in a status, with so much of its output.
func (w *writer) response(status string, output []any) wire.Raw {
	v := w.said
	if w.streams { // of which there is more than one response
		v = maps.Clone(v)
	}
	v["id"], v["created"], v["model"], v["status"], v["output"] = w.reply.ID, w.reply.Created, w.reply.Model, status, output
	v["tier"] = "auto"
	if status == completed || status == incomplete {
		v["tier"] = "default"
		v["usage"] = w.usage(w.answer.Usage)
	}
	if status == completed {
		v["completed"] = w.reply.Created + 1
	}
	if status == incomplete {
		v["incomplete"] = wire.Fields{{Key: "reason", Value: w.incomplete(w.answer.Finish)}}
	}
	return w.Answer.JSON(v)
}

func (w *writer) usage(u wire.Usage) wire.Raw {
	return w.Usage.JSON(u.Values(API.Usage))
}

// id returns the id of an item, which is the same wherever the item is.
func (w *writer) id(prefix string, index int) string {
	return itemID(prefix, w.reply.ID, index)
}

func itemID(prefix, of string, index int) string {
	sum := sha256.Sum256([]byte(of + " " + strconv.Itoa(index)))
	return prefix + "_" + hex.EncodeToString(sum[:25])
}

// item is one item of an answer: as it is in the end, and as a stream brings it.
type item struct {
	id    string
	whole wire.Raw
	added wire.Raw // at its beginning

	// pieces are the events after the added one, which bring what the item says, and last those
	// before the done one.
	pieces, last []part
}

// part is an event about an item, without what tells which item it is.
type part struct {
	kind string
	rest wire.Fields
}

// itemsOf returns the items of an answer: what stands for the history, reasoning, what the provider
// did itself, commentary, text, calls. Where reasoning and calls take turns, one item of reasoning
// is before the text and one before every further call, while there are any.
func (w *writer) itemsOf(a *wire.Answer) []item {
	var items []item
	if a.Compaction != nil {
		items = append(items, w.compaction(a.Compaction))
	}
	reasons := thoughts(a)
	switch {
	case w.Reasoning.Empty():
		reasons = nil
	case w.RawReasoning: // where the text itself is shown, no item stands for none
		reasons = slices.DeleteFunc(reasons, func(t thought) bool { return len(t.texts) == 0 && t.encrypted == "" })
	}
	add := func(write func(index int, status string) item) { items = append(items, write(len(items), completed)) }
	reason := func() {
		t := reasons[0]
		reasons = reasons[1:]
		add(func(index int, _ string) item { return w.reasoning(index, t) })
	}
	first := len(items)
	for len(reasons) > 0 && !a.Mixed || len(reasons) > 0 && len(items) == first {
		reason()
	}
	for _, raw := range a.Blocks {
		items = append(items, w.block(len(items), raw))
	}
	for _, p := range a.Items {
		items = append(items, w.providerItem(len(items), p))
	}
	if a.Program != nil && (a.Program.Begins || a.Program.Output != nil) {
		items = append(items, programPart(a.Program))
	}
	cut := w.status() == incomplete
	last := func(really bool) string {
		if cut && really {
			return incomplete
		}
		return completed
	}
	if a.Commentary != "" {
		add(func(index int, _ string) item { return w.commentary(index) })
	}
	if a.Text != "" || a.Refusal != "" {
		add(func(index int, _ string) item { return w.message(index, last(len(a.Calls) == 0)) })
	}
	for n, c := range a.Calls {
		if n > 0 && len(reasons) > 0 {
			reason()
		}
		add(func(index int, _ string) item { return w.call(index, c, last(n == len(a.Calls)-1)) })
	}
	for len(reasons) > 0 {
		reason()
	}
	return items
}
