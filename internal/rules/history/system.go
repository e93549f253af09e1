package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// systemPromptSent looks for the system prompt among what the system and the user say: some models have no system role.
// One with braces in it may have been treated as a template: system-prompt-is-no-template looks at those. Who is asked for
// the last word at a turn limit may have instructions of its own.
func systemPromptSent(r *rules.Run) (j rules.CheckResult) {
	if r.Task.System == "" {
		return j
	}
	for _, x := range r.Conversation() {
		if r.SystemMayBeTemplate() && saysAnything(x.Request, wire.System) || r.IsLastWord(x) {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request) && x.Kept() == 0
		if !instructs(x.Request, r.Task.System, wire.System, wire.User) {
			j.Find(missingInstructions(x, r.Task.System, "the system prompt is missing"))
		}
	}
	return j
}

func systemPromptInItsRole(r *rules.Run) (j rules.CheckResult) {
	if r.Task.System == "" || r.SystemMayBeTemplate() {
		return j
	}
	for _, x := range r.Conversation() {
		if !instructs(x.Request, r.Task.System, wire.System, wire.User) {
			continue // system-prompt-sent looks at those
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request) && x.Kept() == 0
		if !instructs(x.Request, r.Task.System, wire.System) {
			j.Find(missingInstructions(x, r.Task.System, "the system prompt is sent in the user's name"))
		}
	}
	return j
}

// systemPromptOnce counts the system prompt in what the system says. A loop that repeats it in the user's name, as a
// reminder, is not meant.
func systemPromptOnce(r *rules.Run) (j rules.CheckResult) {
	if r.Task.System == "" {
		return j
	}
	for _, x := range r.Conversation() {
		times := 0
		var last wire.Message
		for _, m := range x.Request.Messages {
			if n := strings.Count(m.Content.Text, r.Task.System); m.Role == wire.System && n > 0 {
				times, last = times+n, m
			}
		}
		j.HasEvidence = j.HasEvidence || times > 0 && rules.CarriesResult(x.Request) && x.Kept() == 0
		if times > 1 {
			j.Find(trace.Finding{
				Request:  x.Number,
				Pointer:  last.Node.Pointer(),
				Message:  fmt.Sprintf("the system prompt is %d times in the request", times),
				Expected: rules.Quote(r.Task.System) + " once",
				Actual:   rules.Show(last.Node),
			})
		}
	}
	return j
}

func systemPromptIsNoTemplate(r *rules.Run) (j rules.CheckResult) {
	if !r.SystemMayBeTemplate() || r.Outcome == nil {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if r.FailedBeforeAsking() {
		j.Find(trace.Finding{
			Message:  "the run failed before the model was asked, and the system prompt has braces",
			Expected: "a request with " + rules.Quote(r.Task.System),
			Actual:   r.DescribeEnd(),
		})
	}
	for _, x := range r.Conversation() {
		if saysAnything(x.Request, wire.System) && !instructs(x.Request, r.Task.System, wire.System, wire.User) {
			j.Find(missingInstructions(x, r.Task.System, "the system prompt, which has braces, is not sent as it was given"))
		}
	}
	return j
}

// instructs reports whether a message of one of these roles has a text in it.
func instructs(req *wire.Request, text string, roles ...wire.Role) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.Contains(roles, m.Role) && strings.Contains(m.Content.Text, text)
	})
}

func saysAnything(req *wire.Request, role wire.Role) bool { return instructs(req, "", role) }

func missingInstructions(x *trace.Exchange, text, message string) trace.Finding {
	return trace.Finding{
		Request:  x.Number,
		Pointer:  x.Request.MessagePointer(0),
		Message:  message,
		Expected: "a system message with " + rules.Quote(text),
		Actual:   messageAt(x.Request, 0),
	}
}
