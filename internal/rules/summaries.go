package rules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// SummarisedUnasked reports whether the loop asked the model for something of its own, as for a
// summary, in a task without a limit of tokens, and went on without what was said before: a request
// lets the model call no tool and ends with words that are no prompt, and the next one with tools
// lacks a prompt of those before.
func (r *Run) SummarisedUnasked() bool {
	var before, aside *trace.Exchange
	for _, x := range r.Exchanges {
		switch {
		case r.Task.ContextLimit > 0, x.Request == nil:
		case !x.Request.MayCall():
			if before != nil && r.saysOwn(x.Request) {
				aside = x
			}
		case aside != nil && r.forgetsPrompt(before.Request, x.Request):
			return true
		default:
			before, aside = x, nil
		}
	}
	return false
}

// saysOwn reports whether a request ends with words of the user that are no prompt of the task.
func (r *Run) saysOwn(req *wire.Request) bool {
	said := strings.TrimSpace(req.LastText())
	return said != "" && req.Messages[len(req.Messages)-1].Role == wire.User &&
		!slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool { return strings.TrimSpace(prompt) == said })
}

// forgetsPrompt reports whether a later request lacks a prompt that an earlier one has.
func (r *Run) forgetsPrompt(before, after *wire.Request) bool {
	return slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool { return before.UserSays(prompt) && !after.UserSays(prompt) })
}
