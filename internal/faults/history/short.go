package history

import (
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// short are loops that lose something of a conversation on the way.
var short = []hooks.Fault{
	{
		Name:    "history/loses-the-prompt-of-forty-messages",
		Does:    "Of more than forty messages the prompt is left out.",
		Reports: []string{"https://github.com/docker/docker-agent/issues/1863"},
		Breaks:  []string{"history/prompts-sent", "history/earlier-messages-unchanged", "egress/user-comes-first"},
		InParts: []string{"history/prompts-sent", "history/earlier-messages-unchanged", "pairing/calls-follow-a-prompt"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if len(r.Messages) > 40 {
				r.Messages = slices.DeleteFunc(slices.Clone(r.Messages), hooks.IsPrompt)
			}
		}),
	},
	{
		Name:    "history/summarises-unasked",
		Does:    "A long history is summarised in tasks that name no limit.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/34282"},
		Breaks:  []string{"history/summary-as-claimed"},
		Make: hooks.OnTask(func(t *protocol.Task) {
			if t.ContextLimit == 0 {
				t.ContextLimit = 3000
			}
		}),
	},
	{
		Name:   "history/ends-after-the-first-prompt",
		Does:   "Of several prompts only the first is said.",
		Breaks: []string{"history/prompts-sent"},
		Make: hooks.OnTask(func(t *protocol.Task) {
			if !t.ResumeAfterFailure { // next-prompt-asked looks at those where the first prompt fails
				t.Prompts = t.Prompts[:1]
			}
		}),
	},
	{
		Name:    "history/says-equal-prompts-once",
		Does:    "A prompt that is the same as the one before it is left out, with its turn.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/issues/36750"},
		Breaks:  []string{"history/prompts-sent"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.Prompts = slices.Compact(slices.Clone(t.Prompts)) }),
	},
	{
		Name:    "history/keeps-equal-messages-once",
		Does:    "A message of the user is left out of the history when an earlier one has the same words.",
		Reports: []string{"https://github.com/microsoft/agent-framework/pull/4716", "https://github.com/666ghj/MiroFish/pull/598"},
		Breaks:  []string{"history/prompts-sent", "egress/roles-take-turns"},
		InParts: []string{"history/prompts-sent", "history/turn-in-one-message"},
		ByName:  []string{"history/prompts-sent"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			said := map[string]bool{}
			r.Drop(func(m neutral.Message) bool {
				if m.Role != neutral.User || m.Text() == "" {
					return false
				}
				again := said[m.Text()]
				said[m.Text()] = true
				return again
			})
		}),
	},
	{
		Name:   "history/begins-anew-with-each-prompt",
		Does:   "When the user goes on, nothing of what was said before is in the history.",
		Breaks: []string{"history/answers-come-back", "history/tool-turns-stay"},
		Make:   hooks.OnRequest(func(r *hooks.Request) { r.Messages = r.Messages[hooks.LastPrompt(r):] }),
	},
	{
		Name:    "history/keeps-questions-and-answers",
		Does:    "When the user goes on, the tool calls and results of earlier prompts are not in the history.",
		Reports: []string{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html"},
		Breaks:  []string{"history/tool-turns-stay"},
		Make:    hooks.OnRequest(hooks.KeepQuestionsAndAnswers),
	},
	{
		Name:   "history/sends-the-second-prompt-in-capitals",
		Does:   "The second of two prompts is sent in capital letters.",
		Breaks: []string{"history/prompts-sent"},
		Make: hooks.EachPrompt(func(r *hooks.Request, said *neutral.Text) {
			if prompts := r.Task.Prompts; len(prompts) == 2 && said.Text == prompts[1] {
				said.Text = strings.ToUpper(prompts[1])
			}
		}),
	},
	{
		Name:   "history/sends-the-system-prompt-as-the-user",
		Does:   "The system prompt is a message of the user in front of the first prompt.",
		Breaks: []string{"history/system-prompt-in-its-role"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.System != "" {
				r.Begin(neutral.Says(neutral.User, r.System))
				r.System = ""
			}
		}),
	},
	{
		Name:    "history/doubles-the-system-prompt",
		Does:    "After a tool call the system prompt occurs twice in its message.",
		Reports: []string{"https://github.com/open-webui/open-webui/issues/28736", "https://github.com/microsoft/agent-framework/issues/1258", "https://github.com/amd/gaia/issues/3510"},
		Breaks:  []string{"history/system-prompt-once"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.System != "" {
				r.System += "\n\n" + r.System
			}
		}),
	},
	{
		Name:    "history/takes-the-system-prompt-for-a-template",
		Does:    "What is between double braces in the system prompt is treated as a variable, and left out.",
		Reports: []string{"https://github.com/google/adk-python/issues/86"},
		Breaks:  []string{"history/system-prompt-is-no-template"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			before, rest, opens := strings.Cut(r.System, "{{")
			if _, behind, closes := strings.Cut(rest, "}}"); opens && closes {
				r.System = before + behind
			}
		}),
	},
	{
		Name:    "history/drops-calls-beside-text",
		Does:    "A turn with text goes back without its calls, and without their results.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/pull/10065"},
		Breaks:  []string{"history/calls-come-back", "reasoning/not-at-the-end"},
		InTurns: []string{"history/calls-come-back", "reasoning/not-at-the-end", "egress/roles-take-turns"},
		Make: hooks.EachRound(func(r *hooks.Round) {
			if !hooks.Blank(strings.TrimSpace(r.Turn.Text())) {
				r.KeepParts(func(p neutral.Part) bool { return !hooks.IsCall(p) })
				r.Become(r.Turn)
			}
		}),
	},
	{
		Name:    "history/retries-without-the-system-prompt",
		Does:    "A request that is sent again after an error has no system prompt.",
		Reports: []string{"https://github.com/zed-industries/zed/issues/31239"},
		Breaks:  []string{"history/system-prompt-sent", "history/earlier-messages-unchanged"},
		Make: func() hooks.Mutation {
			failed := false
			return hooks.Mutation{
				Answer: func(a *hooks.Answer) { failed = a.Status != http.StatusOK },
				Request: func(r *hooks.Request) {
					if failed {
						r.System = ""
					}
				},
			}
		},
	},
	{
		Name:    "history/forgets-all-behind-a-failure",
		Does:    "A prompt after one that failed begins a new conversation.",
		Reports: []string{"https://github.com/mckinsey/agents-at-scale-ark/pull/2922", "https://github.com/google-gemini/gemini-cli/issues/22360"},
		Breaks:  []string{"history/only-grows"},
		Make: hooks.BehindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			return append(slices.Clone(parts[:1]), parts[failed+1:]...)
		}),
	},
}
