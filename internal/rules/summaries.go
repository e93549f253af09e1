package rules

import (
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// UnaskedSummary returns the request by which the loop asked the model for a summary of its history
// in a task without a limit of tokens, and the one that goes on with it. A summary after a refusal
// does not count: the provider may have said that the history is too long. The first lets the model
// call no tool and ends with words that are no prompt, and the next one with tools lacks a prompt
// or turns of those before. Where the run ended at the first, that one says results which are not
// in a history, and next is nil. Without such a request, both are nil.
func (r *Run) UnaskedSummary() (aside, next *trace.Exchange) {
	if r.Task.ContextLimit > 0 {
		return nil, nil
	}
	var before *trace.Exchange
	for _, x := range r.Exchanges {
		switch {
		case x.Request == nil:
		case !x.Request.MayCall():
			if aside == nil && before != nil && !isRefused(before) && r.saysOwn(x.Request) {
				aside = x
			}
		case aside != nil && r.forgets(before.Request, x):
			return aside, x
		default:
			before, aside = x, nil
		}
	}
	if aside != nil && r.tellsResults(before.Request, aside.Request) {
		return aside, nil
	}
	return nil, nil
}

// isRefused reports whether a request was answered by a status that no wait changes.
func isRefused(x *trace.Exchange) bool {
	status := 0
	if x.Turn != nil {
		status = x.Turn.Step.Status
	}
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity
}

// saysOwn reports whether a request ends with words of the user that are no prompt of the task.
func (r *Run) saysOwn(req *wire.Request) bool {
	said := strings.TrimSpace(req.LastText())
	return said != "" && req.Messages[len(req.Messages)-1].Role == wire.User &&
		!slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool { return strings.TrimSpace(prompt) == said })
}

// forgets reports whether a later request lacks a prompt or a result that an earlier one has, or has
// fewer turns of the model.
func (r *Run) forgets(before *wire.Request, after *trace.Exchange) bool {
	lacks := func(prompt string) bool { return before.UserSays(prompt) && !after.Request.UserSays(prompt) }
	return slices.ContainsFunc(r.Task.Prompts, lacks) || after.Kept() == 0 &&
		(turnsIn(after.Request) < turnsIn(before) || slices.ContainsFunc(resultsIn(before), func(result wire.Result) bool {
			return !slices.ContainsFunc(resultsIn(after.Request), func(other wire.Result) bool {
				return other.CallID == result.CallID && other.Content.Text == result.Content.Text
			})
		}))
}

// tellsResults reports whether a request without a history says a result of an earlier one in its
// last words.
func (r *Run) tellsResults(before, aside *wire.Request) bool {
	said := aside.LastText()
	return turnsIn(aside) == 0 && slices.ContainsFunc(resultsIn(before), func(result wire.Result) bool {
		text := strings.TrimSpace(result.Content.Text)
		return text != "" && strings.Contains(said, text)
	})
}

func resultsIn(req *wire.Request) (all []wire.Result) {
	for _, m := range req.Messages {
		all = append(all, m.Results...)
	}
	return all
}

func turnsIn(req *wire.Request) (n int) {
	for _, m := range req.Messages {
		if m.Role == wire.Assistant {
			n++
		}
	}
	return n
}
