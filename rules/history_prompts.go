package rules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/wire"
)

// promptsSent looks for each prompt among the messages of the user, in their order. A loop may say more in the user's
// name, as other messages or other parts, but not change the words.
func promptsSent(r *Run) (j Judged) {
	for _, x := range r.Taken() {
		j.Seen = j.Seen || carriesResult(x.Request) && x.held() == 0
		from := 0
		for _, prompt := range r.due(x) {
			at := slices.IndexFunc(x.Request.Messages[from:], func(m wire.Message) bool { return m.Role == wire.User && saysAlone(m.Content, prompt) })
			if at < 0 {
				j.Find(missingPrompt(x, from, prompt))
				break
			}
			from += at + 1
		}
	}
	if len(j.Findings) == 0 {
		j.add(promptsForgotten(r))
	}
	return j
}

// promptsForgotten looks for prompts that were never sent in a run that is said to be done.
func promptsForgotten(r *Run) (j Judged) {
	if len(r.Taken()) == 0 || r.Outcome == nil || r.Outcome.Status != protocol.Completed {
		return j
	}
	for _, prompt := range r.Task.Prompts {
		sent := slices.ContainsFunc(r.Taken(), func(x *Exchange) bool {
			return slices.ContainsFunc(x.Request.Messages, func(m wire.Message) bool { return m.Role == wire.User && saysAlone(m.Content, prompt) })
		})
		if !sent {
			j.Find(Finding{
				Message:  "the run was reported as completed, and a prompt was never sent",
				Expected: quote(prompt),
				Actual:   r.ended(),
			})
		}
	}
	return j
}

// due returns the prompts that a request has to carry: one more than it returns answers, as far as there are any. One
// that the user cancelled may be there or not, and those behind it with it.
func (r *Run) due(x *Exchange) []string {
	if r.forgotTheStart(x) {
		return nil
	}
	due := 1
	for _, y := range r.Served() {
		if y.Number < x.Number && y.Turn.Final() && slices.ContainsFunc(x.Request.Messages, func(m wire.Message) bool {
			return m.Role == wire.Assistant && sameAnswerText(y.Turn.Answer, m)
		}) {
			due++
		}
	}
	return r.Task.Prompts[:min(due, len(r.Task.Prompts), r.uncancelled(x))]
}

// forgotTheStart reports whether a request begins with a later prompt than the first, and without the answer to it. That
// answers-come-back says; what was said to the model before, it was told then.
func (r *Run) forgotTheStart(x *Exchange) bool {
	return !asks(x.Request, r.Task.Prompts[0]) && slices.ContainsFunc(r.Served(), func(y *Exchange) bool {
		return y.Number < x.Number && y.Turn.Final() && asks(y.Request, r.Task.Prompts[0])
	})
}

// uncancelled returns how many prompts stand before the one that was cancelled when a request was made, or all.
func (r *Run) uncancelled(x *Exchange) int {
	if r.Cancel == nil || x.Number <= r.Cancel.Request {
		return len(r.Task.Prompts)
	}
	cancelled := r.Exchanges[r.Cancel.Request-1].Request
	n := 0
	for n < len(r.Task.Prompts) && saysPrompt(cancelled, r.Task.Prompts[n]) {
		n++
	}
	return max(n-1, 0)
}

// saysAlone reports whether a content, or a part of it, is this text and nothing else.
func saysAlone(c wire.Content, text string) bool {
	is := func(s string) bool { return strings.TrimSpace(s) == strings.TrimSpace(text) }
	return is(c.Text) || slices.ContainsFunc(c.Parts, func(p wire.Part) bool { return is(p.Text) })
}

// missingPrompt shows the message that most likely was to be the prompt: one that has it in it, or else the first of
// the user behind the prompts that were found.
func missingPrompt(x *Exchange, from int, prompt string) Finding {
	var said []string
	var instead *wire.Message
	for i, m := range x.Request.Messages {
		if m.Role != wire.User {
			continue
		}
		said = append(said, quote(m.Content.Text))
		if i >= from && (instead == nil || strings.Contains(m.Content.Text, prompt)) {
			instead = &x.Request.Messages[i]
		}
	}
	if instead == nil {
		return Finding{
			Request:  x.Number,
			Pointer:  "/messages",
			Message:  "a prompt of the user is missing, or not in its place",
			Expected: quote(prompt),
			Actual:   "the user says " + list(said),
		}
	}
	return Finding{
		Request:  x.Number,
		Pointer:  instead.Node.Get("content").Pointer(),
		Message:  "the user did not say this",
		Expected: quote(prompt),
		Actual:   quote(instead.Content.Text),
	}
}
