package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// addedPromptRules judge what is said in the name of the user.
var addedPromptRules = []rules.Rule{
	{
		ID:          "history/prompts-once",
		Level:       trace.Must,
		Text:        "What the user said occurs once in the history.",
		Why:         "The model sees a second request from the user, and does the work again.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "each message of the user is appended to the history"},
			{URL: "https://github.com/Mirascope/mirascope/issues/1166", Says: "the question twice, in the examples of a library"},
			{URL: "https://github.com/microsoft/agent-framework/issues/3657", Says: "the message of the user twice"},
			{URL: "https://github.com/google-gemini/gemini-cli/issues/10809", Says: "the first prompt again in later turns"},
		},
		Run: promptsOnce,
	},
	{
		// Told and no more: reminders and the word to go on are what some loops live by.
		ID:        "history/nothing-said-for-the-user",
		Level:     trace.Info,
		Text:      "Between a prompt and its answer there is no further message of the user.",
		Why:       "Models that see a user message after each result end their turn early and wait for it.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.StopReasonDocs, Says: "text after tool results teaches the model to expect it, and to answer with nothing"},
		},
		Run: nothingSaidForTheUser,
	},
}

// promptsOnce counts the messages, or parts of them, that are a prompt and nothing else: one with
// something around it may remind the model of its task. After a cancel loops forget and repeat.
func promptsOnce(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		if x.Kept() > 0 || r.Cancel != nil && x.Number > r.Cancel.Request {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request)
		for _, prompt := range r.Task.Prompts {
			at, times := sayings(x.Request, prompt)
			if times > countTexts(r.Task.Prompts, prompt) {
				j.FindAt(x, x.Request.Messages[at].Node.Pointer(),
					fmt.Sprintf("a prompt of the user is %d times in the history", times),
					"once: "+rules.Quote(prompt),
					rules.Show(x.Request.Messages[at].Node))
				break
			}
		}
	}
	return j
}

// sayings returns how often the user says a text in a request, and where last.
func sayings(req *wire.Request, text string) (at, times int) {
	is := func(s string) bool { return strings.TrimSpace(s) == strings.TrimSpace(text) }
	for i, m := range req.Messages {
		if m.Role != wire.User {
			continue
		}
		n := 0
		for _, p := range m.Content.Parts {
			if is(p.Text) {
				n++
			}
		}
		if n == 0 && is(m.Content.Text) {
			n = 1
		}
		if n > 0 {
			at, times = i, times+n
		}
	}
	return at, times
}

// nothingSaidForTheUser looks after turns with calls: one that was cut off may be asked to go on.
// What shows an image may say which, and what has a prompt in it is for the rules about prompts.
func nothingSaidForTheUser(r *rules.Run) (j rules.CheckResult) {
	failed := false
	for _, x := range r.Conversation() {
		again := failed // a word about the failure is for same-request
		failed = x.Turn != nil && x.Turn.Fails()
		if again {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request) && x.Kept() == 0
		inLoop := false
		for i, m := range x.Request.Messages {
			if m.Role == wire.Assistant {
				inLoop = len(m.Calls) > 0
			}
			if !inLoop || i < x.Kept() || !saysMore(r, m) {
				continue
			}
			j.FindAt(x, m.Content.Node.Pointer(),
				"the user was made to say something before the model had answered",
				"results alone, until the next prompt",
				rules.Quote(m.Content.Text))
		}
		if r.BudgetSpentAt(x) || x.Turn != nil && r.Script.Scenario.Misfits(x.Turn) { // the user goes on, or the loop asks for a last word, or another one
			break
		}
	}
	return j
}

// saysMore reports whether the user says something in a message that is not a prompt and shows no
// image or file. A text before results is for results-first.
func saysMore(r *rules.Run, m wire.Message) bool {
	parts := m.Content.Parts
	switch {
	case m.Role != wire.User || strings.TrimSpace(m.Content.Text) == "":
		return false
	case len(m.Results) > 0 && len(parts) > 0 && parts[0].Type == "text":
		return false
	case slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool { return strings.Contains(m.Content.Text, prompt) }):
		return false
	}
	return !slices.ContainsFunc(parts, func(p wire.Part) bool { return showsFile(p.Type) })
}

func showsFile(kind string) bool {
	return slices.Contains([]string{"image", "image_url", "document", "file", "input_audio"}, kind)
}
