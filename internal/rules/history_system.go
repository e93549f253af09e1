package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// systemPromptSent looks for the system prompt among what the system and the user say: some models have no system role.
// One with braces in it may have been taken for a template: system-prompt-is-no-template looks at those. Who is asked for
// the last word at a turn limit may have instructions of its own.
func systemPromptSent(r *Run) (j Judged) {
	if r.Task.System == "" {
		return j
	}
	for _, x := range r.Taken() {
		if r.systemMayBeTemplate() && saysAnything(x.Request, wire.System) || r.lastWord(x) {
			continue
		}
		j.Seen = j.Seen || carriesResult(x.Request) && x.Kept() == 0
		if !instructs(x.Request, r.Task.System, wire.System, wire.User) {
			j.Find(missingInstructions(x, r.Task.System, "the system prompt is missing"))
		}
	}
	return j
}

func systemPromptInItsRole(r *Run) (j Judged) {
	if r.Task.System == "" || r.systemMayBeTemplate() {
		return j
	}
	for _, x := range r.Taken() {
		if !instructs(x.Request, r.Task.System, wire.System, wire.User) {
			continue // system-prompt-sent looks at those
		}
		j.Seen = j.Seen || carriesResult(x.Request) && x.Kept() == 0
		if !instructs(x.Request, r.Task.System, wire.System) {
			j.Find(missingInstructions(x, r.Task.System, "the system prompt is sent in the user's name"))
		}
	}
	return j
}

// systemPromptOnce counts the system prompt in what the system says. A loop that repeats it in the user's name, as a
// reminder, is not meant.
func systemPromptOnce(r *Run) (j Judged) {
	if r.Task.System == "" {
		return j
	}
	for _, x := range r.Taken() {
		times := 0
		var last wire.Message
		for _, m := range x.Request.Messages {
			if n := strings.Count(m.Content.Text, r.Task.System); m.Role == wire.System && n > 0 {
				times, last = times+n, m
			}
		}
		j.Seen = j.Seen || times > 0 && carriesResult(x.Request) && x.Kept() == 0
		if times > 1 {
			j.Find(Finding{
				Request:  x.Number,
				Pointer:  last.Node.Pointer(),
				Message:  fmt.Sprintf("the system prompt stands %d times in the request", times),
				Expected: quote(r.Task.System) + " once",
				Actual:   show(last.Node),
			})
		}
	}
	return j
}

func systemPromptIsNoTemplate(r *Run) (j Judged) {
	if !r.systemMayBeTemplate() || r.Outcome == nil {
		return j
	}
	j.Seen = r.UsedTools()
	if r.failedBeforeAsking() {
		j.Find(Finding{
			Message:  "the run failed before the model was asked, and the system prompt has braces",
			Expected: "a request with " + quote(r.Task.System),
			Actual:   r.ended(),
		})
	}
	for _, x := range r.Taken() {
		if saysAnything(x.Request, wire.System) && !instructs(x.Request, r.Task.System, wire.System, wire.User) {
			j.Find(missingInstructions(x, r.Task.System, "the system prompt, which has braces, is not sent as it was given"))
		}
	}
	return j
}

// systemMayBeTemplate reports whether the system prompt of the task has braces, which many libraries take for variables
// that are to be filled in.
func (r *Run) systemMayBeTemplate() bool { return strings.ContainsAny(r.Task.System, "{}") }

// failedBeforeAsking reports whether the loop gave up by itself before it had asked the model anything, and said so.
func (r *Run) failedBeforeAsking() bool {
	return len(r.Exchanges) == 0 && r.Outcome != nil && r.Outcome.Status == protocol.Failed
}

// instructs reports whether a message of one of these roles has a text in it.
func instructs(req *wire.Request, text string, roles ...wire.Role) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.Contains(roles, m.Role) && strings.Contains(m.Content.Text, text)
	})
}

func saysAnything(req *wire.Request, role wire.Role) bool { return instructs(req, "", role) }

func missingInstructions(x *Exchange, text, message string) Finding {
	return Finding{
		Request:  x.Number,
		Pointer:  x.Request.MessagePointer(0),
		Message:  message,
		Expected: "a system message with " + quote(text),
		Actual:   messageAt(x.Request, 0),
	}
}
