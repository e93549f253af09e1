package variations

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// keepsRecords returns a variation of what a loop hands over, which it claims.
func keepsRecords(v hooks.Variation) hooks.Variation {
	v.With = []protocol.Feature{protocol.Transcript, protocol.Events}
	return v
}

// rewritten hands the transcript over in a form, with each of its messages changed.
func rewritten(form string, change func(message string) string) func() hooks.Mutation {
	return func() hooks.Mutation {
		c := hooks.OnTranscript(form, func(messages []string) []string {
			var kept []string
			for _, m := range messages {
				if m = change(m); m != "" {
					kept = append(kept, m)
				}
			}
			return kept
		})()
		c.Loop = hooks.InForm(form)().Loop
		return c
	}
}

// otelAPI describes the spans of OpenTelemetry's conventions for generative AI.
const otelAPI = "https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md"

// aguiAPI describes the events of AG-UI.
const aguiAPI = "https://docs.ag-ui.com/concepts/events"

const recordsOfChat, recordsOfBlocks, recordsOfLoops, recordsOfART, recordsOfAGUI, recordsOfSpans = "openai", "anthropic", "open-agent-loops", "art-messages", "ag-ui", "otel-genai"

// keepsFinalCalls are the variations in which the answer is in the transcript as the call that gave
// it.
func keepsFinalCalls() (all []hooks.Variation) {
	for _, v := range []struct {
		form, title, source string
		beside, result      bool
	}{
		{recordsOfChat, "Chat Completions", "https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py (final_answer is a tool call of the last step)", false, false},
		{recordsOfBlocks, "blocks", "https://docs.cline.bot/exploring-clines-tools/cline-tools-guide (attempt_completion)", false, true},
		{recordsOfLoops, "Open Agent Loops", "https://github.com/featherless-ai/open-agent-loops (tool_calls are kept as they came)", false, false},
		{recordsOfART, "ART", "https://github.com/hashangit/ART (tool_calls)", true, false},
	} {
		does := "The answer is in a transcript of the form " + v.title + " as the call that gave it"
		switch {
		case v.beside:
			does += ", and as a text"
		case v.result:
			does += ", with a result after it"
		}
		all = append(all, keepsRecords(hooks.Variation{
			Name:    "records/answer-in-its-call-as-" + v.form,
			Does:    does + ".",
			Sources: []string{v.source},
			Designs: []protocol.Design{protocol.AnswersByTool},
			Make:    keepsFinalCall(v.form, v.beside, v.result),
		}))
	}
	return all
}

var records = []hooks.Variation{
	keepsRecords(hooks.Variation{
		Name:    "records/as-chat",
		Does:    "The transcript is a list of messages of Chat Completions, in either dialect.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (messages)"},
		Form:    recordsOfChat,
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-blocks",
		Does:    "The transcript is a list of messages of blocks, also where the conversation went over Chat Completions.",
		Sources: []string{"https://github.com/RooCodeInc/Roo-Code/blob/main/src/core/task-persistence/apiMessages.ts"},
		Form:    recordsOfBlocks,
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-art",
		Does:    "The transcript is a list of the standard messages of ART.",
		Sources: []string{"https://github.com/hashangit/ART"},
		Form:    "art-messages",
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-open-agent-loops",
		Does:    "The transcript is a list of messages of Open Agent Loops, also where the conversation went over Messages.",
		Sources: []string{"https://github.com/featherless-ai/open-agent-loops"},
		Form:    "open-agent-loops",
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-ag-ui",
		Does:    "The transcript is the list of events by which a user interface follows the run.",
		Sources: []string{aguiAPI},
		Form:    recordsOfAGUI,
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-chunks",
		Does:    "Texts and calls are told in chunks, which need no start and no end, and runs are started without their input.",
		Sources: []string{aguiAPI + " (TextMessageChunk, ToolCallChunk)"},
		Make: rewritten(recordsOfAGUI, func(e string) string {
			switch word := gjson.Get(e, "type").String(); word {
			case "TEXT_MESSAGE_END", "TOOL_CALL_END", "TEXT_MESSAGE_START":
				return ""
			case "TEXT_MESSAGE_CONTENT":
				return raw.Set(e, "type", "TEXT_MESSAGE_CHUNK")
			case "TOOL_CALL_START", "TOOL_CALL_ARGS":
				return raw.Set(e, "type", "TOOL_CALL_CHUNK")
			}
			return raw.Remove(e, "input")
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-spans",
		Does:    "The transcript is the list of the spans of OpenTelemetry.",
		Sources: []string{otelAPI},
		Form:    recordsOfSpans,
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/as-plain-spans",
		Does:    "The attributes of spans are objects, and the results are said by the user.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_otel_messages.py"},
		Make: rewritten(recordsOfSpans, func(s string) string {
			attributes := "{}"
			for _, a := range gjson.Get(s, "attributes").Array() {
				said := strings.ReplaceAll(a.Get("value.stringValue").String(), `"role":"tool"`, `"role":"user"`)
				attributes = raw.Set(attributes, strings.ReplaceAll(a.Get("key").String(), ".", `\.`), said)
			}
			return raw.SetRaw(s, "attributes", attributes)
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/null-beside-calls",
		Does:    "A turn of calls alone is in the transcript with the content null.",
		Sources: []string{openaiAPI + " (content is optional alongside tool_calls)"},
		Make: rewritten(recordsOfChat, func(m string) string {
			if gjson.Get(m, "tool_calls.0").Exists() && hooks.ContentOf(m) == "" {
				return raw.SetRaw(m, "content", "null")
			}
			return m
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/in-parts",
		Does:    "The texts in the transcript are lists of one part.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (formatted_contents)"},
		Make: rewritten(recordsOfChat, func(m string) string {
			if said := hooks.ContentOf(m); said != "" {
				return raw.SetRaw(m, "content", raw.Texts(said))
			}
			return m
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/without-the-system-prompt",
		Does:    "The transcript begins with what the user said.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py (instructions)"},
		Make: rewritten(recordsOfChat, func(m string) string {
			if gjson.Get(m, "role").String() == "system" {
				return ""
			}
			return m
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/texts-as-strings",
		Does:    "A turn that is nothing but a text is a string in the transcript of blocks.",
		Sources: []string{messagesAPI + " (content is a string or an array)"},
		Make: rewritten(recordsOfBlocks, func(m string) string {
			if blocks := gjson.Get(m, "content").Array(); len(blocks) == 1 && isBlock(blocks[0], "text") {
				return raw.Set(m, "content", blocks[0].Get("text").String())
			}
			return m
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/flags-on-all-results",
		Does:    "Each result in the transcript of blocks says whether it is an error, and is a list of one text.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/anthropic.py (is_error)"},
		Make: rewritten(recordsOfBlocks, func(m string) string {
			if !strings.Contains(m, `"tool_result"`) {
				return m
			}
			return raw.SetRaw(m, "content", raw.Each(gjson.Get(m, "content"), func(b gjson.Result) string {
				result := b.Raw
				if said := b.Get("content"); isBlock(b, "tool_result") && said.Type == gjson.String && said.String() != "" {
					result = raw.SetRaw(result, "content", raw.Texts(said.String()))
				}
				if isBlock(b, "tool_result") && !b.Get("is_error").Exists() {
					result = raw.Set(result, "is_error", false)
				}
				return result
			}))
		}),
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/of-results-as-the-tools-gave-them",
		Does:    "Results are sent between tags and with a reminder, and are in the transcript as the tools gave them.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/middleware (wrap_model_call changes what is sent, and not the state)"},
		Make: func() hooks.Mutation {
			c := hooks.OnResults(func(s string) string {
				if s == "" {
					return s
				}
				return "<result>" + s + "</result> Answer in English."
			})()
			c.Loop = hooks.InForm(recordsOfChat)().Loop
			c.Around = hooks.OnTask(func(t *protocol.Task) { t.TranscriptFormat = "" })().Around // whatever form is wished for
			return c
		},
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/without-what-was-taken-back",
		Does:    "A prompt that the user took back, and what came of it, is not in the transcript.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/docs/message-history.md (result.all_messages(): a run that was cancelled has no result to take messages from)"},
		Make: func() hooks.Mutation {
			c := hooks.OnTranscript(recordsOfChat, withoutCancelled)()
			changed := c.Around
			c.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				if task.Steering { // the prompt before was not taken back, though its answer is missing
					return run(task)
				}
				return changed(task, run)
			}
			c.Loop = hooks.InForm(recordsOfChat)().Loop
			return c
		},
	}),
	keepsRecords(hooks.Variation{
		Name:    "records/shorter-when-too-large",
		Does:    "What was cleared since a request was too large is cleared in the transcript as well.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/sliding_window_conversation_manager.py (it is the agent's own list of messages that is changed)"},
		Make: func() hooks.Mutation {
			c := clearing{}
			m := c.mutation()
			m.Loop = hooks.InForm(recordsOfChat)().Loop
			m.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if o.TranscriptFormat == recordsOfChat {
					o.Transcript = hooks.ChangeList(o.Transcript, c.inTranscript)
				}
				return o
			}
			return m
		},
	}),
}

// keepsFinalCall is a loop whose model answers by a call of the tool final_answer, and whose
// transcript has that call in place of the answer: alone, with the text beside it, or with a result
// after it.
func keepsFinalCall(form string, beside, result bool) func() hooks.Mutation {
	return func() hooks.Mutation {
		c, call := answersByTool(), (*neutral.Call)(nil)
		answer := c.Turn
		c.Turn = func(t *neutral.Turn) {
			for _, made := range t.Calls() {
				if made.Name == finalAnswer {
					call = made
				}
			}
			answer(t)
		}
		c.Loop = hooks.InForm(form)().Loop
		c.Around = hooks.OnTranscript(form, func(messages []string) []string {
			last := len(messages) - 1
			if call == nil || last < 0 || hooks.RoleOf(messages[last]) != "assistant" {
				return messages
			}
			if form == recordsOfBlocks {
				return withFinalBlock(messages, call, beside, result)
			}
			m := raw.SetRaw(messages[last], "tool_calls", raw.List([]string{raw.Set(raw.Set(raw.Set(
				`{"type":"function"}`, "id", call.ID), "function.name", call.Name), "function.arguments", call.Arguments)}))
			if !beside {
				m = raw.Set(m, "content", "")
			}
			if hooks.FinishOf(m) != "" {
				m = raw.Set(m, "finishReason", "tool_calls")
			}
			messages[last] = m
			if result {
				role := "tool"
				if form == recordsOfART {
					role = "tool_result"
				}
				after := raw.Set(raw.Set(raw.Set(`{}`, "role", role), "content", gjson.Get(call.Arguments, "answer").String()), "tool_call_id", call.ID)
				switch form {
				case recordsOfLoops:
					after = raw.Set(raw.SetRaw(after, "timestamp", gjson.Get(m, "timestamp").Raw), "toolName", call.Name)
				case recordsOfART:
					after = raw.Set(after, "name", call.Name)
				}
				messages = append(messages, after)
			}
			return messages
		})().Around
		return c
	}
}

// withFinalBlock is keepsFinalCall for a transcript of blocks.
func withFinalBlock(messages []string, call *neutral.Call, beside, result bool) []string {
	last := len(messages) - 1
	blocks := []string{raw.SetRaw(raw.Set(raw.Set(`{"type":"tool_use"}`, "id", call.ID), "name", call.Name), "input", call.Arguments)}
	if beside {
		blocks = append([]string{raw.Set(`{"type":"text"}`, "text", gjson.Get(call.Arguments, "answer").String())}, blocks...)
	}
	messages[last] = raw.SetRaw(messages[last], "content", raw.List(blocks))
	if result {
		messages = append(messages, raw.SetRaw(`{"role":"user"}`, "content", raw.List([]string{raw.Set(raw.Set(
			`{"type":"tool_result"}`, "tool_use_id", call.ID), "content", gjson.Get(call.Arguments, "answer").String())})))
	}
	return messages
}

// withoutCancelled drops from a transcript the prompts, but for the last, that got no answer, and
// what came of them.
func withoutCancelled(messages []string) []string {
	var kept, part []string
	for _, m := range messages {
		if hooks.RoleOf(m) == "user" && hooks.ContentOf(m) != "" {
			last := len(part) - 1
			if last < 0 || hooks.RoleOf(part[0]) != "user" || hooks.RoleOf(part[last]) == "assistant" && !gjson.Get(part[last], "tool_calls.0").Exists() {
				kept = append(kept, part...)
			}
			part = nil
		}
		part = append(part, m)
	}
	return append(kept, part...)
}

// isBlock reports whether a block is of a type.
func isBlock(b gjson.Result, kind string) bool { return b.Get("type").String() == kind }
