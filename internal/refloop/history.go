package refloop

import "github.com/loopproof/loopproof/internal/refloop/neutral"

// history is the conversation so far.
type history struct {
	messages  []neutral.Message
	container string // in which tools of the provider run; "" is none

	kept     bool   // the provider is asked to keep the history
	previous string // the id of the answer to continue from; "" begins with the whole history
	known    int    // how many messages the provider has, that answer the last of them
}

func (h *history) add(messages ...neutral.Message) { h.messages = append(h.messages, messages...) }

// has notes that the provider has all messages so far, under the id of an answer.
func (h *history) has(id string) {
	if h.kept {
		h.previous, h.known = id, len(h.messages)
	}
}

// leaveOut notes that the provider has an answer that the history leaves out. No answer can be
// continued twice, so the next request says the whole history.
func (h *history) leaveOut() { h.previous, h.known = "", 0 }

// request asks for the next turn.
func (c *conversation) request() *neutral.Request {
	r := &neutral.Request{
		Task: c.task, Model: c.model, Stream: c.task.Stream, System: c.task.System, Messages: c.sent(c.history.messages),
		Tools: c.task.Tools, Container: c.history.container, Keep: c.history.kept, Previous: c.history.previous,
		CompactAt: c.task.CompactThreshold,
	}
	c.offerAnswer(r)
	if len(r.Tools) == 0 {
		r.Tools = nil
	}
	if r.Keep && r.Previous != "" {
		c.dialect.Continue(r, c.history.known)
	}
	return r
}

// beginAgain reports whether a request failed only because the provider does not go on with what it
// kept. Then the next one says the whole history, and asks no more to keep it where none is kept.
func (h *history) beginAgain(loss neutral.Loss) bool {
	if !h.kept || loss == neutral.NotLost || loss == neutral.Gone && h.previous == "" {
		return false
	}
	h.kept, h.previous, h.known = loss == neutral.Gone, "", 0
	return true
}
