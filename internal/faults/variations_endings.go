package faults

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// conversation returns the messages of a history, in the words of chat: what stands before the first prompt, and for each
// prompt all that came of it.
func conversation(messages []string) [][]string {
	parts := [][]string{nil}
	for _, m := range messages {
		if gjson.Get(m, "role").String() == "user" && gjson.Get(m, "content").Type == gjson.String {
			parts = append(parts, nil)
		}
		last := &parts[len(parts)-1]
		*last = append(*last, m)
	}
	return parts
}

// answeredPrompt reports whether a prompt came to an answer.
func answeredPrompt(part []string) bool {
	last := part[len(part)-1]
	return gjson.Get(last, "role").String() == "assistant" && !gjson.Get(last, "tool_calls.0").Exists()
}

// eachCancelled rewrites what goes back of the prompts that were cancelled.
func eachCancelled(rewrite func(part []string) []string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		parts := conversation(r.Messages())
		for i := 1; i < len(parts)-1; i++ {
			if !answeredPrompt(parts[i]) {
				parts[i] = rewrite(parts[i])
			}
		}
		r.SetMessages(slices.Concat(parts...))
	})
}

// inLastTurn changes the request for the last turn that the limit of a task allows.
func inLastTurn(change func(r *RawRequest)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		turns := 0
		r.Each("assistant", func(string, gjson.Result) { turns++ })
		if turns+1 == r.Task.MaxTurns {
			change(r)
		}
	})
}

// asksForLastWord lets a loop that has reached the turn limit of its task ask the model once more, by a request that is
// changed.
func asksForLastWord(change func(r *RawRequest)) func() Changes {
	return func() Changes {
		changes := inLastTurn(change)()
		changes.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			task.MaxTurns++
			return run(task)
		}
		return changes
	}
}

// asFromAnother replaces the system prompt of a request by one for a model that ends what another one began, and says what
// the user asked once more.
func asFromAnother(r *RawRequest) {
	r.Delete("tools")
	r.Delete("tool_choice")
	said := "An agent tried to answer a user and got stuck. Answer in its place: " + r.Task.Prompts[0]
	messages := slices.DeleteFunc(r.Messages(), func(m string) bool { return gjson.Get(m, "role").String() == "system" })
	messages = slices.Insert(messages, 0, `{"role":"system","content":"You answer by what is known."}`)
	r.SetMessages(append(messages, set(`{"role":"user"}`, "content", said)))
}

// asFromAnotherInBlocks is asFromAnother in the words of messages.
func asFromAnotherInBlocks(r *RawRequest) {
	r.Delete("tools")
	r.Set("system", "You answer by what is known.")
	said := "An agent tried to answer a user and got stuck. Answer in its place: " + r.Task.Prompts[0]
	r.SetRaw("messages."+lastIndex(r)+".content.-1", set(`{"type":"text"}`, "text", said))
}

// wasCancelled reports whether a run was ended by its user.
func wasCancelled(o *protocol.Outcome) bool {
	return o.Status == protocol.Stopped && o.Reason == "cancelled"
}

var variationsInEndings = []Variation{
	inBoth(Variation{
		Name:    "endings/stops-as-failures",
		Does:    "A loop that gives up by itself reports an error to its caller.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/_parsing/_completions.py (LengthFinishReasonError, ContentFilterFinishReasonError)", "https://github.com/openai/openai-agents-js/blob/main/packages/agents-core/src/errors.ts (MaxTurnsExceededError)"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Stopped {
				o.Status, o.Error, o.Reason = protocol.Failed, o.Reason, ""
			}
		}),
	}),
	{
		Name:    "endings/last-word-without-tools",
		Does:    "In the last turn that the limit allows, the model is offered no tools, and told so.",
		Sources: []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (provide_final_answer)"},
		Shoulds: []string{"egress/tools-stay-defined"},
		Why:     "It ends with an answer rather than with none; the cache is lost once.",
		Both:    true,
		Make: inLastTurn(func(r *RawRequest) {
			r.Delete("tools")
			r.SetMessages(append(r.Messages(), `{"role":"user","content":"You have no turns left. Answer now, by what you know."}`))
		}),
		InBlocks: inLastTurn(func(r *RawRequest) {
			r.Delete("tools")
			last := "messages." + lastIndex(r) + ".content.-1"
			r.SetRaw(last, `{"type":"text","text":"You have no turns left. Answer now, by what you know."}`)
		}),
	},
	{
		Name:     "endings/last-word-with-tools",
		Does:     "In the last turn that the limit allows, the tools stay, and the model is kept from calling them.",
		Sources:  []string{openaiAPI + " (tool_choice none)", messagesAPI + " (tool_choice none)"},
		Profiles: []string{"openai"},
		Both:     true,
		Make:     inLastTurn(func(r *RawRequest) { settingBesideTools("tool_choice", `"none"`)().RawRequest(r) }),
		InBlocks: inLastTurn(func(r *RawRequest) { settingBesideTools("tool_choice", `{"type":"none"}`)().RawRequest(r) }),
	},
	{
		Name:     "endings/summary-behind-the-limit",
		Does:     "At the turn limit the model is asked once more, and kept from calling tools.",
		Sources:  []string{"https://github.com/livekit/agents/pull/4747 (tool_choice none at max_tool_steps)", "https://reference.langchain.com/python/langchain-classic/agents/agent/AgentExecutor/early_stopping_method (generate)"},
		Profiles: []string{"openai", "anthropic"},
		Both:     true,
		Make:     asksForLastWord(func(r *RawRequest) { settingBesideTools("tool_choice", `"none"`)().RawRequest(r) }),
		InBlocks: asksForLastWord(func(r *RawRequest) { settingBesideTools("tool_choice", `{"type":"none"}`)().RawRequest(r) }),
	},
	{
		Name:     "endings/summary-by-another",
		Does:     "At the turn limit the model is asked once more, without tools, and with instructions of its own.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (provide_final_answer)", "https://github.com/deepset-ai/haystack/issues/10001"},
		Shoulds:  []string{"egress/tools-stay-defined", "history/earlier-messages-unchanged"},
		Why:      "The caller gets an answer rather than none; the cache is lost once.",
		Both:     true,
		Make:     asksForLastWord(asFromAnother),
		InBlocks: asksForLastWord(asFromAnotherInBlocks),
	},
	{
		Name:    "endings/goes-on-behind-a-cut",
		Does:    "An answer that the token limit cut is sent back, and the model is asked to go on with it.",
		Sources: []string{"https://github.com/Aider-AI/aider/blob/main/aider/coders/base_coder.py (FinishReasonLength, multi_response_content)"},
		Both:    true,
		Make:    goesOn,
	},
	{
		Name:    "endings/asks-again-for-something",
		Does:    "When the model says nothing, it is asked once more.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/kimisoul.py (APIEmptyResponseError)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_agent_graph.py (is_thinking_only)"},
		Both:    true,
		Make:    asksForSomething,
	},
	inBoth(Variation{
		Name:    "endings/cancelled-as-failed",
		Does:    "A run that the user cancelled is an error for the caller.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/core/error.ts (APIUserAbortError)"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if wasCancelled(o) {
				o.Status, o.Error, o.Reason = protocol.Failed, "Request was aborted.", ""
			}
		}),
	}),
	{
		Name:    "endings/cancelled-prompts-forgotten",
		Does:    "Of a prompt that was cancelled nothing goes back, whatever came of it.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/docs/message-history.md (message_history=result1.new_messages())"},
		Both:    true,
		Make:    eachCancelled(func([]string) []string { return nil }),
	},
	{
		Name:    "endings/cancelled-prompts-with-a-note",
		Does:    "Behind a prompt that was cancelled the history says so, in words of the user and of the model.",
		Sources: []string{"https://github.com/Aider-AI/aider/blob/main/aider/coders/base_coder.py (^C KeyboardInterrupt, I see that you interrupted my previous reply.)"},
		Both:    true,
		Make: eachCancelled(func(part []string) []string {
			return append(part, `{"role":"user","content":"^C KeyboardInterrupt"}`, `{"role":"assistant","content":"I see that you interrupted my previous reply."}`)
		}),
	},
	{
		Name:    "endings/half-answers-kept",
		Does:    "What the model had said when it was cancelled goes back as its answer.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (FinishReasonCanceled)"},
		Both:    true,
		Make:    keepsHalfAnswers,
	},
}

// lastIndex is the index of the last message of a request.
func lastIndex(r *RawRequest) string { return strconv.Itoa(len(r.Messages()) - 1) }

// keepsHalfAnswers puts what the model had said when it was cancelled behind the prompt that it was an answer to.
func keepsHalfAnswers() Changes {
	prompt := 0
	half := map[int]string{}
	return Changes{
		RawRequest: func(r *RawRequest) {
			parts := conversation(r.Messages())
			prompt = len(parts) - 1
			for i, said := range half {
				if i < prompt && gjson.Get(parts[i][len(parts[i])-1], "role").String() != "assistant" {
					parts[i] = append(parts[i], set(`{"role":"assistant"}`, "content", said))
				}
			}
			r.SetMessages(slices.Concat(parts...))
		},
		RawAnswer: func(a *RawAnswer) {
			if said := a.Text(); a.cancelled() && strings.TrimSpace(said) != "" {
				half[prompt] = said
			}
		},
	}
}

// goesOn asks the model to go on with an answer that was cut, and puts the two together.
func goesOn() Changes {
	before := ""
	return Changes{
		Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := run(task)
			if o.Status == protocol.Completed {
				o.Text = before + o.Text
			}
			return o
		},
		Send: onSecondThought(func(body string, said *RawAnswer) string {
			before = ""
			if said.Finish() != "length" || said.Text() == "" || len(said.Calls()) > 0 {
				return ""
			}
			before = said.Text()
			body = setRaw(body, "messages.-1", set(`{"role":"assistant"}`, "content", strings.TrimSpace(before)))
			return setRaw(body, "messages.-1", `{"role":"user","content":"Go on where you were cut off."}`)
		}),
	}
}

// asksForSomething sends a request again when it is answered with nothing.
func asksForSomething() Changes {
	return Changes{Send: onSecondThought(func(body string, said *RawAnswer) string {
		inParts := slices.ContainsFunc(said.Payloads, func(p string) bool { return gjson.Get(p, said.saying()+"content").IsArray() })
		if said.Finish() != "stop" || inParts || said.Text()+said.joined("refusal") != "" || len(said.Calls()) > 0 {
			return ""
		}
		return body
	})}
}

// onSecondThought sends another request in the place of one whose answer came whole. again returns it, "" to leave it at the
// answer, which is in the words of chat.
func onSecondThought(again func(body string, said *RawAnswer) string) func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		resp, err := send(withBody(req, string(body)))
		if err != nil || resp.StatusCode != http.StatusOK {
			return resp, err
		}
		a := readAnswer(resp, strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream"))
		said := a
		if strings.HasSuffix(req.URL.Path, "/messages") {
			said = answerInChat(a)
		}
		if changed := again(string(body), said); a.err == nil && changed != "" {
			return send(withBody(req, changed))
		}
		a.into(resp)
		return resp, nil
	}
}

// withBody returns a request with another body.
func withBody(req *http.Request, body string) *http.Request {
	again := req.Clone(req.Context())
	again.Body, again.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	return again
}
