package faults

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// ownLimit is how long a loop waits for a tool that has a limit of its own: longer than any tool of
// a scenario takes that is not there to hang.
const ownLimit = time.Second

// variationsMended are correct loops that broke a must once.
var variationsMended = []Variation{
	{
		Name:    "execution/tools-with-a-limit",
		Does:    "A tool that has not returned within a second is answered with an error, and runs on.",
		Sources: []string{"https://openai.github.io/openai-agents-python/tools/ (timeout, timeout_behavior: error_as_result)"},
		Make:    limitsTools,
	},
	{
		Name:    "execution/failures-for-the-caller",
		Does:    "What a tool raises ends the run, and is raised to the caller.",
		Sources: []string{"https://ai.pydantic.dev/tools/ (only ModelRetry goes to the model)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told, and may know better than the model what to do.",
		Make:    givesUpAfter(nil, func(r ToolResult) bool { return r.Status == http.StatusInternalServerError }),
	},
	{
		Name:    "execution/failures-for-the-caller-forgotten",
		Does:    "What a tool raises ends the run, and the prompt and what came of it are not in the history of the next one.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told, and keeps the history that it had.",
		Make:    forgetting(givesUpAfter(nil, func(r ToolResult) bool { return r.Status == http.StatusInternalServerError })),
	},
	{
		Name:    "execution/bad-calls-for-the-caller-forgotten",
		Does:    "A call that cannot be run ends the run, and the prompt and what came of it are not in the history of the next one.",
		Sources: []string{"https://github.com/openai/openai-agents-js (an unknown tool throws, and a run that throws returns no history)"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told, and keeps the history that it had.",
		Make: forgetting(givesUpAt(func(task protocol.Task, c *neutral.Call) bool {
			return !knows(task, c.Name) || unparsed(c) || lacksArguments(task, c)
		})),
	},
	{
		Name:    "execution/unknown-tools-for-the-caller",
		Does:    "A call of a tool that does not exist ends the run, and is an error for the caller.",
		Sources: []string{"https://openai.github.io/openai-agents-python/ref/exceptions/ (ModelBehaviorError: calling a tool that doesn't exist)", "https://github.com/cloudwego/eino"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told.",
		Make:    givesUpAt(func(task protocol.Task, c *neutral.Call) bool { return !knows(task, c.Name) }),
	},
	{
		Name:      "execution/broken-arguments-for-the-caller",
		Does:      "A call whose arguments are no JSON ends the run, and is an error for the caller.",
		Sources:   []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts (Unable to parse tool parameter JSON from model)"},
		Shoulds:   []string{"execution/bad-call-survived"},
		Why:       "The program that has called the loop is told.",
		Unless:    neutral.WholeCalls,
		Elsewhere: "arguments are an object.",
		Make:      givesUpAt(func(_ protocol.Task, c *neutral.Call) bool { return unparsed(c) }),
	},
	{
		Name:    "execution/schema-breaches-for-the-caller",
		Does:    "A call whose arguments lack what the schema requires ends the run, and is an error for the caller.",
		Sources: []string{"https://ai.pydantic.dev/api/exceptions/ (UnexpectedModelBehavior: the retries of a tool are used up, none by choice)", "https://ai-sdk.dev/docs/reference/ai-sdk-errors/ai-invalid-tool-input-error"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told.",
		Make:    givesUpAt(lacksArguments),
	},
	{
		Name:      "execution/broken-arguments-told-as-the-user",
		Does:      "A turn whose only call has arguments that are no JSON is left out, and a message of the user says what was wrong.",
		Sources:   []string{"https://github.com/567-labs/instructor/blob/main/instructor/processing/function_calls.py (a new message asks to repair the call)"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which always parse.",
		Make: eachRound(func(r *Round) {
			if calls := r.Calls(); len(calls) == 1 && unparsed(calls[0]) {
				r.Become(neutral.Says(neutral.User, "Your call had arguments that are no JSON: "+calls[0].Arguments+". Make it again."))
			}
		}),
	},
	{
		Name:      "system/in-the-conversation",
		Does:      "After the results of tools is an instruction, as a message of the role system, and stays there.",
		Sources:   []string{"https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages", "https://github.com/pydantic/pydantic-ai/pull/6765", "https://github.com/langchain4j/langchain4j/pull/5604"},
		Profiles:  []string{"anthropic", "anthropic-5.5", "openai"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "no content has the role system.",
		Make: onRequest(func(r *Request) {
			var messages []neutral.Message
			for i, m := range r.Messages {
				messages = append(messages, m)
				beforeUser := i+1 < len(r.Messages) && r.Messages[i+1].Role == neutral.User // who shows images, or took back what the tools were run for
				if m.Role == neutral.Tool && !beforeUser {
					messages = append(messages, neutral.Says(neutral.System, "Be brief."))
				}
			}
			r.Messages = messages
		}),
	},
	{
		Name:    "system/beside-the-prompt",
		Does:    "The system prompt is in front of what the user says first, in the same message, as for models without a system role.",
		Sources: []string{"https://github.com/BerriAI/litellm/blob/main/litellm/litellm_core_utils/prompt_templates/factory.py (map_system_message_pt)", "https://ai.google.dev/gemma/docs/core/prompt-structure (there is no system role)"},
		Shoulds: []string{"history/prompts-alone", "history/system-prompt-in-its-role"},
		Why:     "Some models have no other place for it.",
		Make: onRequest(func(r *Request) {
			if r.System == "" {
				return
			}
			for _, m := range r.Messages {
				if isPrompt(m) {
					said := m.Parts[0].(*neutral.Text)
					r.System, said.Text = "", r.System+"\n\n"+said.Text
					return
				}
			}
		}),
	},
	{
		Name:    "prompts/joined",
		Does:    "Messages of the user that are alongside each other are joined to one.",
		Sources: []string{"https://github.com/langchain-ai/langchain/blob/master/libs/core/langchain_core/messages/utils.py (merge_message_runs)"},
		Make: onRequest(func(r *Request) {
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
		Make: eachPrompt(func(r *Request, said *neutral.Text) {
			if slices.Contains(r.Task.Prompts, said.Text) {
				said.Text = "Today is Monday. <context>Nothing was found.</context>\n<question>" + said.Text + "</question>"
			}
		}),
	},
	{
		Name:    "turns/in-a-window",
		Does:    "Of a long conversation the last four turns with tools are sent, each with its results.",
		Sources: []string{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (SlidingWindowConversationManager)", "https://docs.langchain4j.dev/tutorials/chat-memory (MessageWindowChatMemory)"},
		Shoulds: []string{"history/only-grows"},
		Why:     "The model's own window is limited, and so is what the caller wants to pay.",
		Make: onRequest(func(r *Request) {
			left := r.Rounds()
			r.EachRound(func(round *Round) {
				if left--; len(r.Task.Prompts) == 1 && left >= 4 {
					round.Become()
				}
			})
		}),
	},
	{
		Name:    "results/long-ones-cut-with-a-note",
		Does:    "A result of more than 20 000 characters is cut, and a note says so.",
		Sources: []string{"https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/shell.ts (the output is truncated, with a note)", "https://github.com/OpenHands/OpenHands (truncate_content)"},
		Make: onResults(func(s string) string {
			if len(s) > 20_000 {
				return s[:10_000] + "\n[... the middle of the output was left out ...]\n" + s[len(s)-2_000:]
			}
			return s
		}),
	},
	{
		Name:    "results/long-ones-put-aside",
		Does:    "A result of more than 10 000 characters is stored, and the model is shown how it begins and where to find it.",
		Sources: []string{"https://strandsagents.com/docs/user-guide/concepts/plugins/context-offloader/ (a truncated preview and references)", "https://reference.langchain.com/python/deepagents/middleware/filesystem/FilesystemMiddleware (tool_token_limit_before_evict)"},
		Make: onResults(func(s string) string {
			if len(s) > 10_000 {
				return "[Offloaded: 1 block, more than 2 500 tokens]\n" + s[:4_000] + "\n[Stored as block_1. Read it with a tool.]"
			}
			return s
		}),
	},
	keepsRecords(Variation{
		Name:    "records/of-results-as-the-tools-gave-them",
		Does:    "Results are sent between tags and with a reminder, and are in the transcript as the tools gave them.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/middleware (wrap_model_call changes what is sent, and not the state)"},
		Make: func() Mutation {
			c := onResults(func(s string) string {
				if s == "" {
					return s
				}
				return "<result>" + s + "</result> Answer in English."
			})()
			c.Loop = inForm(recordsOfChat)().Loop
			c.Around = onTask(func(t *protocol.Task) { t.TranscriptFormat = "" })().Around // whatever form is wished for
			return c
		},
	}),
	keepsRecords(Variation{
		Name:    "records/without-what-was-taken-back",
		Does:    "A prompt that the user took back, and what came of it, is not in the transcript.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/docs/message-history.md (result.all_messages(): a run that was cancelled has no result to take messages from)"},
		Make: func() Mutation {
			c := onTranscript(recordsOfChat, withoutCancelled)()
			c.Loop = inForm(recordsOfChat)().Loop
			return c
		},
	}),
	{
		Name:      "answers/refusals-not-read",
		Does:      "The key refusal is not read, so that the answer counts as blank.",
		Sources:   []string{"https://github.com/0xPlaygrounds/rig/issues/2332 (a client that does not know the key)"},
		Shoulds:   []string{"outcome/refusal-told"},
		Why:       "The key is OpenAI's; most compatible servers refuse in the text.",
		Only:      neutral.Refusals,
		Elsewhere: "a refusal is a text, or a reason to stop.",
		Make: onAnswer(func(a *Answer) {
			refusals := map[string]bool{}
			a.eachPiece(func(p *neutral.Piece) bool {
				if said, is := p.Part.(*neutral.Text); is && said.Refusal {
					refusals[p.At] = true
				}
				return p.At == "" || !refusals[p.At]
			})
		}),
	},
	{
		Name:    "retries/another-model",
		Does:    "Where a model is busy, another one is asked at once.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/middleware/built-in (ModelFallbackMiddleware)", "https://ai.pydantic.dev/models/overview/ (FallbackModel)"},
		Make:    asksAnotherModel,
	},
	{
		Name:    "http/json-in-capitals",
		Does:    "The content type of a request is Application/JSON.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 (types and subtypes are case-insensitive)"},
		Make:    onSend(func(req *http.Request) { req.Header.Set("Content-Type", "Application/JSON") }),
	},
}

// limitsTools makes a loop that waits for a tool no longer than its own limit, and keeps the
// connection.
func limitsTools() Mutation {
	return Mutation{Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
		abandoned := *r
		abandoned.ctx = context.WithoutCancel(r.ctx)
		done := make(chan ToolResult, 1)
		go func() { done <- post(&abandoned) }()
		select {
		case result := <-done:
			return result
		case <-time.After(ownLimit):
			return ToolResult{Status: http.StatusGatewayTimeout, Body: "no result within " + ownLimit.String()}
		case <-r.ctx.Done():
			return ToolResult{Status: http.StatusGatewayTimeout, Body: "cancelled"}
		}
	}}
}

// asksAnotherModel makes a loop that sends a request which a busy model refused to another one,
// without a wait.
func asksAnotherModel() Mutation {
	busy := false
	return Mutation{
		Loop: func(l *refloop.Loop) {
			l.Wait = waits(l, func(d time.Duration) time.Duration {
				if busy {
					return 0
				}
				return d
			})
		},
		Request: func(r *Request) {
			if busy {
				r.Model = "another"
			}
		},
		Answer: func(a *Answer) { busy = a.Status == http.StatusTooManyRequests && !busy },
	}
}

// lacksArguments reports whether a call leaves out an argument that its tool requires.
func lacksArguments(task protocol.Task, c *neutral.Call) bool {
	for _, tool := range task.Tools {
		if tool.Name != c.Name || !gjson.Valid(c.Arguments) {
			continue
		}
		for _, name := range gjson.GetBytes(tool.Parameters, "required").Array() {
			if !gjson.Get(c.Arguments, name.String()).Exists() {
				return true
			}
		}
	}
	return false
}
