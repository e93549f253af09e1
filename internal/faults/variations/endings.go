package variations

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// eachUnanswered rewrites what goes back of the prompts that were cancelled, or got no answer.
func eachUnanswered(rewrite func(part []neutral.Message) []neutral.Message) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) { hooks.RewriteUnanswered(r, rewrite) })
}

// inLastTurn changes the request for the last turn that the limit of a task allows.
func inLastTurn(change func(*hooks.Request)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		turns := 0
		r.Each(neutral.Assistant, func(*neutral.Message) { turns++ })
		if turns+1 == r.Task.MaxTurns {
			change(r)
		}
	})
}

// asksForLastWord lets a loop that has reached the turn limit of its task ask the model again, by a
// request that is changed.
func asksForLastWord(change func(*hooks.Request)) func() hooks.Mutation {
	return func() hooks.Mutation {
		changes := inLastTurn(change)()
		changes.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			task.MaxTurns++
			return run(task)
		}
		return changes
	}
}

// reportsLastWordAs lets such a loop report the answer with this status.
func reportsLastWordAs(status protocol.Status) func() hooks.Mutation {
	return func() hooks.Mutation {
		asked := false
		changes := asksForLastWord(func(r *hooks.Request) {
			asked = true
			choosing(neutral.ChoiceNone)(r)
		})()
		around := changes.Around
		changes.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := around(task, run)
			switch {
			case !asked || o.Status != protocol.Completed:
			case status == protocol.Failed:
				o.Status, o.Error = status, "the turn limit is reached"
			default:
				o.Status, o.Reason = status, "the turn limit is reached"
			}
			return o
		}
		return changes
	}
}

// asFromAnother replaces the system prompt of a request by one for a model that ends what another
// one began, and says what the user asked again.
func asFromAnother(r *hooks.Request) {
	r.Tools, r.System = nil, "You answer by what is known."
	r.Say("An agent tried to answer a user and got stuck. Answer in its place: " + r.Task.Prompts[0])
}

// wasCancelled reports whether a run was ended by its user.
func wasCancelled(o *protocol.Outcome) bool {
	return o.Status == protocol.Stopped && o.Reason == "cancelled"
}

var endings = []hooks.Variation{
	{
		Name:    "endings/stops-at-the-third-equal-failure",
		Does:    "A call that fails three times in a row ends what the loop does for a prompt; the call has its results.",
		Sources: []string{"https://github.com/Lingtai-AI/lingtai-kernel/issues/202 (the guard, and what it left open)"},
		Make:    hooks.StopsAtTheThirdFailure,
	},
	{
		Name:    "endings/stops-as-failures",
		Does:    "A loop that gives up by itself reports an error to its caller.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/_parsing/_completions.py (LengthFinishReasonError, ContentFilterFinishReasonError)", "https://github.com/openai/openai-agents-js/blob/main/packages/agents-core/src/errors.ts (MaxTurnsExceededError)"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Stopped {
				o.Status, o.Error, o.Reason = protocol.Failed, o.Reason, ""
			}
		}),
	},
	{
		Name:    "endings/last-word-without-tools",
		Does:    "In the last turn that the limit allows, the model is offered no tools, and told so.",
		Sources: []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (provide_final_answer)"},
		Unless:  neutral.NeverBarred, Elsewhere: "a history with calls is refused without tools.",
		Shoulds: []string{"egress/tools-stay-defined"},
		Why:     "It ends with an answer rather than with none; the cache is lost once.",
		Make: inLastTurn(func(r *hooks.Request) {
			r.Tools = nil
			r.Say("You have no turns left. Answer now, by what you know.")
		}),
	},
	{
		Name:     "endings/last-word-with-tools",
		Does:     "In the last turn that the limit allows, the tools stay, and the model is kept from calling them.",
		Sources:  []string{openaiAPI + " (tool_choice none)", messagesAPI + " (tool_choice none)"},
		Profiles: []string{"openai"},
		Make:     inLastTurn(choosing(neutral.ChoiceNone)),
	},
	{
		Name:    "endings/summary-behind-the-limit",
		Does:    "At the turn limit the model is asked once more, and kept from calling tools.",
		Sources: []string{"https://github.com/livekit/agents/pull/4747 (tool_choice none at max_tool_steps)", "https://reference.langchain.com/python/langchain-classic/agents/agent/AgentExecutor/early_stopping_method (generate)"},
		Unless:  neutral.NeverBarred, Elsewhere: "a request cannot keep the model from calling tools.",
		Profiles: []string{"openai", "anthropic"},
		Make:     asksForLastWord(choosing(neutral.ChoiceNone)),
	},
	{
		Name:     "endings/summary-reported-as-stopped",
		Does:     "At the turn limit the model is asked once more, and kept from calling tools, and the run is reported as stopped.",
		Sources:  []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (_handle_max_steps_reached: the answer; RunResult.state: max_steps_error)"},
		Profiles: []string{"openai", "anthropic"},
		Unless:   neutral.NeverBarred, Elsewhere: "a request cannot keep the model from calling tools.",
		Make: reportsLastWordAs(protocol.Stopped),
	},
	{
		Name:     "endings/summary-reported-as-failed",
		Does:     "At the turn limit the model is asked once more, and kept from calling tools, and the run is reported as failed.",
		Sources:  []string{"https://github.com/openai/openai-agents-js/blob/main/packages/agents-core/src/errors.ts (MaxTurnsExceededError)", "https://github.com/livekit/agents/pull/4747 (tool_choice none at max_tool_steps)"},
		Profiles: []string{"openai", "anthropic"},
		Unless:   neutral.NeverBarred, Elsewhere: "a request cannot keep the model from calling tools.",
		Make: reportsLastWordAs(protocol.Failed),
	},
	{
		Name:      "endings/knows-no-pause",
		Does:      "A loop that offers no tools of the provider knows no turn that pauses, and would take it for the answer.",
		Sources:   []string{"https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools (a turn pauses where the loop on the server reached its limit)"},
		Only:      neutral.Pauses,
		Elsewhere: "no turn pauses.",
		Without:   []protocol.Feature{protocol.ServerTools},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Pause {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:    "endings/summary-by-another",
		Does:    "At the turn limit the model is asked once more, without tools, and with instructions of its own.",
		Sources: []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (provide_final_answer)", "https://github.com/deepset-ai/haystack/issues/10001"},
		Unless:  neutral.NeverBarred, Elsewhere: "a history with calls is refused without tools.",
		// A provider that binds thoughts to the conversation before them refuses it.
		Profiles: []string{"anthropic", "anthropic-4.5", "*-messages", "anthropic-gateway"},
		Shoulds:  []string{"egress/tools-stay-defined", "history/earlier-messages-unchanged"},
		Why:      "The caller gets an answer rather than none; the cache is lost once.",
		Make:     asksForLastWord(asFromAnother),
	},
	{
		Name: "endings/goes-on-behind-a-cut",
		Does: "An answer that the token limit cut is sent back, and the model is asked to go on with it.",
		Sources: []string{
			"https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons (max_tokens: continue the response with another message of the user)",
			"https://github.com/Aider-AI/aider/blob/main/aider/coders/base_coder.py (FinishReasonLength, multi_response_content)",
		},
		Make: hooks.GoesOn(hooks.WithHalf, hooks.Joined),
	},
	{
		Name:    "endings/asks-for-a-shorter-answer",
		Does:    "An answer that the token limit cut is left out, and the model is asked for a shorter one, which is reported.",
		Sources: []string{"https://github.com/OpenDigitalProductFactory/opendigitalproductfactory/pull/4250 (asks to finish, concisely)"},
		Make:    hooks.GoesOn(hooks.AsksShorter, hooks.Alone),
	},
	{
		Name:      "endings/asks-for-a-cut-call-again",
		Does:      "A turn whose call the token limit cut is left out, and the model is asked to make it again.",
		Sources:   []string{"https://github.com/QwenLM/qwen-code/pull/2021 (a truncated call is refused, and the model makes it again)"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole.",
		Make:      hooks.AsksForTheCall(nil),
	},
	{
		Name:      "endings/answers-a-cut-call-with-an-error",
		Does:      "A call that the token limit cut goes back without arguments, and has an error as its result.",
		Sources:   []string{"https://github.com/jaseci-labs/jac/pull/6766 (arguments {}, and an error that says that the call was cut)"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole.",
		Make:      hooks.AsksForTheCall(func(string) string { return "{}" }),
	},
	{
		Name:    "endings/asks-again-for-something",
		Does:    "When the model says nothing, it is asked once more.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/kimisoul.py (APIEmptyResponseError)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_agent_graph.py (is_thinking_only)"},
		Make:    asksForSomething,
	},
	{
		Name:    "endings/cancelled-as-failed",
		Does:    "A run that the user cancelled is an error for the caller.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/core/error.ts (APIUserAbortError)"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if wasCancelled(o) {
				o.Status, o.Error, o.Reason = protocol.Failed, "Request was aborted.", ""
			}
		}),
	},
	{
		Name: "endings/unanswered-prompts-forgotten",
		Does: "Of a prompt that was cancelled, or came to no answer, nothing goes back, whatever came of it.",
		Sources: []string{
			"https://github.com/pydantic/pydantic-ai/blob/main/docs/message-history.md (message_history=result1.new_messages())",
			"https://ai-sdk.dev/docs/ai-sdk-ui/error-handling (replace last message)",
			"https://github.com/sbenodiz/ai_agent_ha/pull/51 (a failed query is rolled back)",
		},
		Make: eachUnanswered(func([]neutral.Message) []neutral.Message { return nil }),
	},
	{
		Name:    "endings/unanswered-prompts-alone",
		Does:    "Of a prompt that was cancelled, or came to no answer, the prompt stays, and nothing of what came of it.",
		Sources: []string{"https://github.com/eneo-ai/eneo/issues/349 (the user's message is to be saved before the stream begins)"},
		Make:    eachUnanswered(func(part []neutral.Message) []neutral.Message { return part[:1] }),
	},
	{
		Name:    "endings/unanswered-prompts-with-a-note",
		Does:    "After a prompt that was cancelled, or came to no answer, the history says so, in words of the user and of the model.",
		Sources: []string{"https://github.com/Aider-AI/aider/blob/main/aider/coders/base_coder.py (^C KeyboardInterrupt, I see that you interrupted my previous reply.)"},
		Make: eachUnanswered(func(part []neutral.Message) []neutral.Message {
			return append(part, neutral.Says(neutral.User, "^C KeyboardInterrupt"), neutral.Says(neutral.Assistant, "I see that you interrupted my previous reply."))
		}),
	},
	{
		Name:    "endings/unanswered-prompts-with-an-error",
		Does:    "A prompt that came to no answer is followed by a message in the model's name which says that something went wrong.",
		Sources: []string{"https://github.com/JSONbored/loopover/pull/7158 (an inline note of the failure)", "https://github.com/CherryHQ/cherry-studio/pull/16206 (a turn that failed gets a placeholder)"},
		Make: eachUnanswered(func(part []neutral.Message) []neutral.Message {
			return append(part, neutral.Says(neutral.Assistant, "Sorry, something went wrong."))
		}),
	},
	{
		Name:    "endings/filtered-calls-answered",
		Does:    "A call in front of a filter stays in the history of the next prompt, with a result which says that it was not run.",
		Sources: []string{"https://github.com/anomalyco/opencode/issues/21326 (always a result with an error)", "https://github.com/earendil-works/pi/issues/4189 (a synthetic result)"},
		Make:    hooks.KeepCallsOf(func(a *hooks.Answer) bool { return a.OK() && a.Err == nil && a.Finish() == neutral.Filter }, hooks.Interrupted),
	},
	{
		Name:    "endings/half-answers-kept",
		Does:    "What the model had said when it was cancelled, or its answer broke off for good, goes back as its answer.",
		Sources: []string{"https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go (FinishReasonCanceled)", "https://github.com/JSONbored/loopover/pull/7158 (on a stream failure, the partial text is kept)"},
		Make:    keepsHalfAnswers,
	},
	{
		Name:    "endings/answers-by-a-tool",
		Does:    "The model ends a conversation by a call of the tool final_answer.",
		Sources: []string{"https://huggingface.co/docs/smolagents/reference/default_tools (FinalAnswerTool)"},
		Designs: []protocol.Design{protocol.AnswersByTool},
		Make:    answersByTool,
	},
}

// keepsHalfAnswers puts what the model had said when its answer was cancelled or broke off after
// the prompt of that answer.
func keepsHalfAnswers() hooks.Mutation {
	prompt := 0
	half := map[int]string{}
	return hooks.Mutation{
		Request: func(r *hooks.Request) {
			parts := hooks.Conversation(r.Messages)
			prompt = len(parts) - 1
			for i, said := range half {
				if i < prompt && parts[i][len(parts[i])-1].Role != neutral.Assistant {
					parts[i] = append(parts[i], neutral.Says(neutral.Assistant, said))
				}
			}
			r.Messages = slices.Concat(parts...)
		},
		Answer: func(a *hooks.Answer) {
			delete(half, prompt)
			if said := a.Text(); (a.Cancelled() || a.BrokeOff()) && strings.TrimSpace(said) != "" {
				half[prompt] = said
			}
		},
	}
}

// asksForSomething asks again when the model says nothing.
func asksForSomething() hooks.Mutation {
	asked := false
	return hooks.Mutation{Answer: func(a *hooks.Answer) {
		t := a.Turn()
		if !asked && a.OK() && a.Err == nil && t.Finish == neutral.Stop && t.Text() == "" && len(t.Calls()) == 0 && len(t.Asked()) == 0 {
			asked = true
			a.Fail("the model said nothing")
			return
		}
		asked = false
	}}
}

// finalAnswer is the tool by which the model answers such a loop.
const finalAnswer = "final_answer"

// answersByTool ends a conversation by a call of the tool final_answer alone.
func answersByTool() hooks.Mutation {
	final := protocol.Tool{
		Name: finalAnswer, Description: "Give the answer.",
		Parameters: []byte(`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`),
	}
	return hooks.Mutation{
		Request: func(r *hooks.Request) { r.Tools = append(r.Tools, final) },
		Turn: func(t *neutral.Turn) {
			for _, c := range t.Calls() {
				if c.Name == final.Name {
					t.Finish = neutral.Stop
					t.Parts = append(hooks.KeepParts(t.Parts, hooks.IsReasoning), &neutral.Text{Text: gjson.Get(c.Arguments, "answer").String()})
					return
				}
			}
		},
	}
}

// forgetting is a loop that gives up, and leaves prompts without an answer out of the history.
func forgetting(gives func() hooks.Mutation) func() hooks.Mutation {
	return hooks.GivingUpAnd(gives, func(r *hooks.Request) {
		hooks.RewriteUnanswered(r, func([]neutral.Message) []neutral.Message { return nil })
	})
}
