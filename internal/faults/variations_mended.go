package faults

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// ownLimit is how long a loop waits for a tool that has a limit of its own: longer than any tool of a scenario takes that is
// not there to hang.
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
		Name:    "execution/unknown-tools-for-the-caller",
		Does:    "A call of a tool that does not exist ends the run, and is an error for the caller.",
		Sources: []string{"https://openai.github.io/openai-agents-python/ref/exceptions/ (ModelBehaviorError: calling a tool that doesn't exist)", "https://github.com/cloudwego/eino"},
		Why:     "The program that has called the loop is told.",
		Shoulds: []string{"execution/bad-call-survived"},
		Make:    givesUpAt(func(task protocol.Task, c *neutral.Call) bool { return !knows(task, c.Name) }),
	},
	{
		Name:      "execution/broken-arguments-told-as-the-user",
		Does:      "A turn whose only call has arguments that are no JSON is left out, and a message of the user says what was wrong.",
		Sources:   []string{"https://github.com/567-labs/instructor/blob/main/instructor/processing/function_calls.py (a new message asks to mend the call)"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which always parse.",
		Make: eachRound(func(r *Round) {
			if calls := r.Calls(); len(calls) == 1 && len(r.Results) == 1 && unparsed(calls[0]) {
				r.Become(neutral.Says(neutral.User, "Your call had arguments that are no JSON: "+calls[0].Arguments+". Make it again."))
			}
		}),
	},
	{
		Name:      "system/in-the-conversation",
		Does:      "Behind the results of tools stands an instruction, as a message of the role system, and stays there.",
		Sources:   []string{"https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages", "https://github.com/pydantic/pydantic-ai/pull/6765", "https://github.com/langchain4j/langchain4j/pull/5604"},
		Profiles:  []string{"anthropic", "anthropic-5.5"},
		Unless:    neutral.SystemMessages,
		Elsewhere: "most servers want the system prompt in front of everything.",
		Make: onRequest(func(r *Request) {
			var messages []neutral.Message
			for i, m := range r.Messages {
				messages = append(messages, m)
				beforeUser := i+1 < len(r.Messages) && r.Messages[i+1].Role == neutral.User // where the user took back what the tools were run for
				if m.Role == neutral.Tool && !beforeUser {
					messages = append(messages, neutral.Says(neutral.System, "Be brief."))
				}
			}
			r.Messages = messages
		}),
	},
	{
		Name:    "system/beside-the-prompt",
		Does:    "The system prompt stands in front of what the user says first, in the same message, as for models without a system role.",
		Sources: []string{"https://github.com/BerriAI/litellm/blob/main/litellm/litellm_core_utils/prompt_templates/factory.py (map_system_message_pt)", "https://ai.google.dev/gemma/docs/core/prompt-structure (there is no system role)"},
		Why:     "Some models have no other place for it.",
		Shoulds: []string{"history/prompts-alone", "history/system-prompt-in-its-role"},
		Make: onRequest(func(r *Request) {
			if first := r.Messages[0]; r.System != "" && first.Role == neutral.User {
				r.Messages[0] = neutral.Says(neutral.User, r.System+"\n\n"+first.Text())
				r.System = ""
			}
		}),
	},
	{
		Name:    "prompts/joined",
		Does:    "Messages of the user that stand beside each other are joined to one.",
		Sources: []string{"https://github.com/langchain-ai/langchain/blob/master/libs/core/langchain_core/messages/utils.py (merge_message_runs)"},
		Make: onRequest(func(r *Request) {
			var messages []neutral.Message
			for _, m := range r.Messages {
				last := len(messages) - 1
				if last >= 0 && m.Role == neutral.User && messages[last].Role == neutral.User && m.Text() != "" && messages[last].Text() != "" {
					messages[last] = neutral.Says(neutral.User, messages[last].Text()+"\n"+m.Text())
					continue
				}
				messages = append(messages, m)
			}
			r.Messages = messages
		}),
	},
	{
		Name:    "prompts/with-what-was-found",
		Does:    "What the user says stands between tags, behind the date and what was looked up for it.",
		Sources: []string{"https://docs.langchain4j.dev/tutorials/rag (DefaultContentInjector puts what was retrieved into the user's message)"},
		Why:     "The model is to answer from it.",
		Shoulds: []string{"history/prompts-alone"},
		Make: eachPrompt(func(r *Request, said *neutral.Text) {
			if slices.Contains(r.Task.Prompts, said.Text) {
				said.Text = "Today is Monday. <context>Nothing was found.</context>\n<question>" + said.Text + "</question>"
			}
		}),
	},
	{
		Name:     "tools/of-the-provider",
		Does:     "Beside the tools of the task the provider's own search is offered.",
		Sources:  []string{"https://console.groq.com/docs/browser-search", "https://docs.z.ai/guides/tools/web-search", "https://openrouter.ai/docs/guides/features/server-tools", "https://platform.moonshot.ai/docs/guide/use-web-search"},
		Dialect:  inChat,
		Profiles: []string{"groq", "zai", "openrouter", "moonshot"},
		Make: onRawRequest(func(r *RawRequest) {
			search := map[string]string{
				"groq":       `{"type":"browser_search"}`,
				"zai":        `{"type":"web_search","web_search":{"enable":true}}`,
				"openrouter": `{"type":"openrouter:web_search"}`,
				"moonshot":   `{"type":"builtin_function","function":{"name":"$web_search"}}`,
			}[r.Task.Profile]
			if search != "" && r.Get("tools.0").Exists() {
				r.SetRaw("tools.-1", search)
			}
		}),
	},
	{
		Name:      "turns/unsigned-thinking-left-out",
		Does:      "A block of thinking that has no signature does not go back.",
		Sources:   []string{"https://platform.claude.com/docs/en/build-with-claude/thinking (the signature is required)", "https://github.com/ollama/ollama/blob/main/anthropic/anthropic.go (the block is not asked for)"},
		Profiles:  []string{"ollama-messages", "vllm-messages"},
		Unless:    neutral.PlainReasoning,
		Elsewhere: "nothing signs reasoning that is plain text.",
		Make: eachTurn(func(m *neutral.Message) {
			kept := keepParts(m.Parts, func(p neutral.Part) bool {
				thought, is := p.(*neutral.Reasoning)
				return !is || thought.Data != ""
			})
			if len(kept) > 0 {
				m.Parts = kept
			}
		}),
	},
	{
		Name:    "turns/in-a-window",
		Does:    "Of a long conversation the last four turns with tools are sent, each with its results.",
		Sources: []string{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (SlidingWindowConversationManager)", "https://docs.langchain4j.dev/tutorials/chat-memory (MessageWindowChatMemory)"},
		Why:     "The model's own window is limited, and so is what the caller wants to pay.",
		Shoulds: []string{"history/only-grows"},
		Make: onRequest(func(r *Request) {
			rounds, seen := r.Rounds(), 0
			r.EachRound(func(round *Round) {
				if seen++; len(r.Task.Prompts) == 1 && rounds-seen >= 4 {
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
		Does:    "Results are sent between tags and with a reminder, and stand in the transcript as the tools gave them.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/middleware (wrap_model_call changes what is sent, and not the state)"},
		Dialect: inChat,
		Make: func() Changes {
			c := onResults(func(text string) string {
				if text != "" {
					text = "<result>" + text + "</result> Answer in English."
				}
				return text
			})()
			c.Loop = inForm(recordsOfChat)().Loop
			c.Around = onTask(func(t *protocol.Task) { t.TranscriptFormat = "" })().Around // whatever form is wished for
			return c
		},
	}),
	keepsRecords(Variation{
		Name:    "records/without-what-was-taken-back",
		Does:    "A prompt that the user took back, and what came of it, is not in the transcript.",
		Sources: []string{"https://github.com/loopproof/loopproof/blob/main/docs/not-judged.md (loops forget what was cancelled, or keep it)"},
		Make: func() Changes {
			c := onTranscript(recordsOfChat, func(messages []string) []string {
				parts := promptsOf(messages)
				for i := 1; i < len(parts)-1; i++ {
					if !answeredIn(parts[i]) {
						parts[i] = nil
					}
				}
				return slices.Concat(parts...)
			})()
			c.Loop = inForm(recordsOfChat)().Loop
			return c
		},
	}),
	{
		Name:      "answers/refusals-not-read",
		Does:      "The key refusal is not read: the answer is blank, and the model is asked once more.",
		Sources:   []string{"https://github.com/0xPlaygrounds/rig/issues/2332 (a client that does not know the key)"},
		Only:      neutral.Refusals,
		Elsewhere: "the words of a refusal are a text like any other.",
		Why:       "The key is OpenAI's; most compatible servers refuse in the text.",
		Shoulds:   []string{"outcome/refusal-told"},
		Make:      onTurn(withoutRefusals),
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
		Dialect: inBlocks,
		Make:    onSend(func(req *http.Request) { req.Header.Set("Content-Type", "Application/JSON") }),
	},
}

// limitsTools makes a loop that waits for a tool no longer than its own limit, and does not let go of it.
func limitsTools() Changes {
	return Changes{Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
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

// asksAnotherModel makes a loop that sends a request which a busy model refused to another one.
func asksAnotherModel() Changes {
	return Changes{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		resp, err := send(req)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || gjson.GetBytes(body, "model").String() != "loopproof" {
			return resp, err
		}
		resp.Body.Close()
		again := req.Clone(req.Context())
		other := []byte(set(string(body), "model", "another"))
		again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(other)), int64(len(other))
		return send(again)
	}}
}

// promptsOf returns the messages of a transcript: what stands before the first prompt, and for each prompt all that came of it.
func promptsOf(messages []string) [][]string {
	parts := [][]string{nil}
	for _, m := range messages {
		if roleOf(m) == "user" {
			parts = append(parts, nil)
		}
		last := &parts[len(parts)-1]
		*last = append(*last, m)
	}
	return parts
}

// answeredIn reports whether a prompt came to an answer.
func answeredIn(part []string) bool {
	last := part[len(part)-1]
	return roleOf(last) == "assistant" && !gjson.Get(last, "tool_calls.0").Exists()
}
