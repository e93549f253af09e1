package variations

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// joinNeighbours joins messages of the user that are alongside each other and say something in
// words alone.
func joinNeighbours(r *hooks.Request, join func(before, m neutral.Message) neutral.Message) {
	var joined []neutral.Message
	for _, m := range r.Messages {
		last := len(joined) - 1
		if last >= 0 && hooks.IsPrompt(m) && joined[last].Role == neutral.User && len(neutral.Of[*neutral.Image](joined[last].Parts)) == 0 {
			joined[last] = join(joined[last], m)
			continue
		}
		joined = append(joined, m)
	}
	r.Messages = joined
}

var prompts = []hooks.Variation{
	{
		Name:    "prompts/behind-a-greeting",
		Does:    "In front of what the user says first is a greeting of the assistant.",
		Sources: []string{"https://github.com/posit-dev/py-shiny/pull/1530 (a chat that begins with a message of the assistant)", "https://github.com/anthropics/anthropic-sdk-typescript/issues/622"},
		Unless:  neutral.TakesTurns, Elsewhere: "a conversation that does not begin with the user is refused.",
		Make: hooks.OnRequest(func(r *hooks.Request) { r.Begin(neutral.Says(neutral.Assistant, "How can I help?")) }),
	},
	{
		Name:    "prompts/behind-a-note",
		Does:    "In front of what the user says first is a message of the user in which the loop tells of its surroundings.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (<system_reminder>)"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Begin(neutral.Says(neutral.User, "<system_reminder>The list of things to do is empty.</system_reminder>"))
		}),
	},
	{
		Name:     "prompts/neighbours-joined",
		Does:     "Messages of the user that follow each other, after what was cancelled, are one of several parts.",
		Sources:  []string{"https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain-core/src/messages/transformers.ts (mergeMessageRuns)", "https://github.com/vercel/ai/blob/main/packages/anthropic/src/convert-to-anthropic-prompt.ts (groupIntoBlocks)"},
		Profiles: []string{"openai"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			joinNeighbours(r, func(before, m neutral.Message) neutral.Message {
				return neutral.Message{Role: neutral.User, Parts: slices.Concat(before.Parts, m.Parts)}
			})
		}),
	},
	{
		Name:    "prompts/in-a-tag",
		Does:    "What the user said is between tags.",
		Sources: []string{"https://github.com/cline/cline/blob/main/apps/cli/src/acp/session-load.ts (formatDisplayUserInput: texts of the user are kept in <user_input mode=...>)"},
		Shoulds: []string{"history/prompts-alone"},
		Why:     "The texts of the user and of the loop are marked differently.",
		Make:    hooks.EachPrompt(func(_ *hooks.Request, said *neutral.Text) { said.Text = "<user_input>" + said.Text + "</user_input>" }),
	},
	{
		Name:     "prompts/before-a-note",
		Does:     "After what the user said is, in a part of its own, what the loop knows of their surroundings.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (<system-reminder>)"},
		Profiles: []string{"openai"},
		Unless:   neutral.PlainContents, Elsewhere: "a prompt has no parts.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Each(neutral.User, func(m *neutral.Message) {
				if hooks.IsPrompt(*m) {
					m.Parts = append(m.Parts, &neutral.Text{Text: "<system-reminder>The user has two files open.</system-reminder>"})
				}
			})
		}),
	},
	{
		Name:    "prompts/joined",
		Does:    "Messages of the user that are alongside each other are joined to one.",
		Sources: []string{"https://github.com/langchain-ai/langchain/blob/master/libs/core/langchain_core/messages/utils.py (merge_message_runs)"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			joinNeighbours(r, func(before, m neutral.Message) neutral.Message {
				return neutral.Says(neutral.User, before.Text()+"\n"+m.Text())
			})
		}),
	},
	{
		Name:    "prompts/with-what-was-found",
		Does:    "What the user says is between tags, after the date and what was looked up for it.",
		Sources: []string{"https://docs.langchain4j.dev/tutorials/rag (DefaultContentInjector puts what was retrieved into the user's message)"},
		Shoulds: []string{"history/prompts-alone"},
		Why:     "The model is to answer from it.",
		Make: hooks.EachPrompt(func(r *hooks.Request, said *neutral.Text) {
			if slices.Contains(r.Task.Prompts, said.Text) {
				said.Text = "Today is Monday. <context>Nothing was found.</context>\n<question>" + said.Text + "</question>"
			}
		}),
	},
	{
		Name:    "prompts/questions-and-answers-alone",
		Does:    "When the user goes on, the tool calls and results of earlier prompts are not in the history.",
		Sources: []string{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html (the messages of tool calls are not stored in the memory)"},
		Make:    hooks.OnRequest(hooks.KeepQuestionsAndAnswers),
	},
}
