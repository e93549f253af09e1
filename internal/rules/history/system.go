package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var systemRules = []rules.Rule{
	{
		ID:          "history/system-prompt-sent",
		Level:       trace.Must,
		Text:        "Every request carries the system prompt as it was given, in whatever role. To leave out letters that nobody sees, or to write line ends otherwise, breaks a should.",
		Why:         "The model forgets its instructions in the middle of a task.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request of a task that has a system prompt",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "the whole history goes with every request"},
			{URL: "https://github.com/coder/coder/pull/23525", Says: "a loop that removes invisible letters from prompts, by design"},
			{URL: rules.MessagesDocs, Says: "system: a part of each request"},
			{URL: rules.GeminiRequestDocs, Says: "systemInstruction: a part of each request"},
		},
		Run: systemPromptSent,
	},
	{
		ID:          "history/system-prompt-in-its-role",
		Level:       trace.Should,
		Text:        "The system prompt goes where the dialect has a place for it: a system or developer message, or the key system.",
		Why:         "As a user message it has no more weight than what the user says.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request with the system prompt of the task",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "developer and system messages: instructions that the model should follow, regardless of messages sent by the user"},
			{URL: rules.MessagesDocs, Says: "system: the system prompt"},
			{URL: "https://github.com/BerriAI/litellm/blob/main/litellm/litellm_core_utils/prompt_templates/factory.py", Says: "a client that writes it into the user's message for models without the role: so no must"},
		},
		Run: systemPromptInItsRole,
	},
	{
		ID:          "history/system-prompt-once",
		Level:       trace.Should,
		Text:        "The system prompt occurs once in a request.",
		Why:         "Every request pays for it twice, and some models behave differently when their instructions are repeated.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request with the system prompt and a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/microsoft/agent-framework/issues/5049", Says: "two identical system messages in every request"},
			{URL: "https://github.com/run-llama/llama_index/issues/19509", Says: "the same"},
			{URL: "https://github.com/open-webui/open-webui/issues/28736", Says: "doubled within one message after a tool call"},
		},
		Run: systemPromptOnce,
	},
	{
		ID:       "history/system-prompt-is-no-template",
		Level:    trace.Info,
		Text:     "A system prompt with braces in it reaches the model as it is.",
		Why:      "Otherwise instructions with JSON are changed, or end the run with an error. Some libraries document that system prompts are templates.",
		Evidence: "an outcome of a task whose system prompt has braces, of a loop that used tools or gave up before it asked the model",
		Sources: []rules.Source{
			{URL: "https://github.com/google/adk-python/issues/86", Says: "instructions with a schema in them end the run"},
			{URL: "https://docs.langchain4j.dev/tutorials/ai-services", Says: "@SystemMessage holds a template with {{variables}}"},
			{URL: "https://learn.microsoft.com/en-us/semantic-kernel/concepts/prompts/prompt-template-syntax", Says: "{{$variable}} in prompts"},
		},
		Run: systemPromptIsNoTemplate,
	},
}

// systemPromptSent looks for the system prompt among what the system and the user say: some models
// have no system role. One with braces in it may have been treated as a template:
// system-prompt-is-no-template looks at those. Who is asked for the last word at a turn limit may
// have instructions of its own.
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
			j.Find(notInstructed(x, r.Task.System))
		}
	}
	return j
}

// notInstructed returns that a system prompt is missing, or that it is there with letters or spaces
// of another kind, of which no provider knows.
func notInstructed(x *trace.Exchange, text string) trace.Finding {
	if !rules.Cleaned(x.Request, text, wire.System, wire.User) && !rules.Respaced(x.Request, text, wire.System, wire.User) {
		return missingInstructions(x, text, "the system prompt is missing")
	}
	f := missingInstructions(x, text, "the system prompt is sent with other letters or spaces")
	f.Level = trace.Should
	return f
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

// systemPromptOnce counts the system prompt in what the system says. A loop that repeats it in the
// user's name, as a reminder, is not meant.
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
			j.FindAt(x, last.Node.Pointer(),
				fmt.Sprintf("the system prompt is %d times in the request", times),
				rules.Quote(r.Task.System)+" once",
				rules.Show(last.Node))
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

// instructs reports whether a message of one of these roles has a text in it, but for the space
// around the text.
func instructs(req *wire.Request, text string, roles ...wire.Role) bool {
	text = strings.TrimSpace(text)
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
