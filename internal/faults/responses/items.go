package responses

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// items are faults in the items that a loop sends.
var items = []raw.Fault{
	{
		Name:    "egress/puts-bare-parts-among-the-items",
		Does:    "A note of the loop is among the items as a part of a content, without a message around it.",
		Reports: []string{"https://github.com/neuron-core/neuron-ai/issues/556"},
		Breaks:  []string{"egress/item-types"},
		Make:    behindResults(`{"type":"output_text","text":"Go on."}`),
	},
	{
		Name: "egress/names-the-server-in-call-ids",
		Does: "In front of the conversation is a call that another program made, under a call_id with the name of its server.",
		Reports: []string{
			"https://github.com/NousResearch/hermes-agent/pull/73538", "https://github.com/orchidfiles/ungate/issues/26",
			"https://github.com/AnswerDotAI/fastllm/issues/45",
		},
		Breaks: []string{"egress/call-id-length"},
		Make: raw.OnRequest(func(r *raw.Request) {
			input := r.Get("input")
			if !input.IsArray() || r.Get("previous_response_id").Exists() || !r.Get("tools.0").Exists() {
				return
			}
			const id = "codex_mcp__calendar__list_events_exec-4f7a1c0e-8f0b-4a53-9d3e-6f2b1f0c9a77"
			example := `{"role":"user","content":"What did you see yesterday?"},{"type":"function_call","call_id":"` + id + `","name":"get_weather","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"` + id + `","output":"nothing"}`
			r.SetRaw("input", "["+example+","+input.Raw[1:])
		}),
	},
	{
		Name:   "egress/sends-its-own-kind-of-item",
		Does:   "What the loop notes of a round is an item of its own type.",
		Breaks: []string{"egress/item-types"},
		Make:   behindResults(`{"type":"round_ended","round":1}`),
	},
	{
		Name:    "egress/adds-a-status-to-reasoning",
		Does:    "Reasoning goes back with a status, which it did not have.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/13420"},
		Breaks:  []string{"egress/item-keys"},
		Make:    onItems("reasoning", func(r *raw.Request, path string, _ gjson.Result) { r.SetRaw(path+".status", "null") }),
	},
	{
		Name:    "egress/leaves-empty-arguments-out-of-calls",
		Does:    "A call without arguments goes back without the key.",
		Reports: []string{"https://github.com/vercel/ai/issues/14349"},
		Breaks:  []string{"egress/arguments-given"},
		Make: onItems("function_call", func(r *raw.Request, path string, item gjson.Result) {
			if arguments := strings.TrimSpace(item.Get("arguments").String()); arguments == "" || arguments == "{}" {
				r.Delete(path + ".arguments")
			}
		}),
	},
	{
		Name:   "egress/sends-null-for-an-empty-output",
		Does:   "The output of a tool that said nothing is null.",
		Breaks: []string{"egress/output-form"},
		Make: onItems("function_call_output", func(r *raw.Request, path string, item gjson.Result) {
			if item.Get("output").String() == "" {
				r.SetRaw(path+".output", "null")
			}
		}),
	},
	{
		Name:   "egress/wraps-outputs-in-an-object",
		Does:   "The output of a call is an object with the text in it.",
		Breaks: []string{"egress/output-form"},
		Make: onItems("function_call_output", func(r *raw.Request, path string, item gjson.Result) {
			if item.Get("output").Type == gjson.String && item.Get("output").String() == "" {
				r.SetRaw(path+".output", `{"result":""}`)
			}
		}),
	},
	{
		Name:   "egress/notes-in-outputs-as-text-of-chat",
		Does:   "After the text of an output is a note, as a part of Chat Completions.",
		Breaks: []string{"egress/output-part-types"},
		Make:   withPartInOutputs(`{"type":"text","text":"checked"}`),
	},
	{
		Name:   "egress/notes-in-outputs-as-text-of-the-model",
		Does:   "After the text of an output is a note, as a part of the model's own messages.",
		Breaks: []string{"egress/output-part-types"},
		Make:   withPartInOutputs(`{"type":"output_text","text":"checked"}`),
	},
	{
		Name:   "egress/prompts-with-parts-of-chat",
		Does:   "What the user says has a part of the type text, as in Chat Completions.",
		Breaks: []string{"egress/input-part-types"},
		Make:   behindPrompts(`{"type":"text","text":"Be brief."}`),
	},
	{
		Name:   "egress/prompts-with-parts-of-the-model",
		Does:   "What the user says has a part of the type output_text.",
		Breaks: []string{"egress/input-part-types"},
		Make:   behindPrompts(`{"type":"output_text","text":"Be brief."}`),
	},
	{
		Name:   "egress/returns-texts-as-input",
		Does:   "What the model said goes back in parts of the type input_text.",
		Breaks: []string{"egress/answer-part-types"},
		Make: onMessages("assistant", func(r *raw.Request, path string, item gjson.Result) {
			for n, part := range item.Get("content").Array() {
				if part.Get("type").String() == "output_text" {
					r.Set(fmt.Sprintf("%s.content.%d.type", path, n), "input_text")
				}
			}
		}),
	},
	{
		Name:   "egress/sends-parts-without-text",
		Does:   "What the user says has a part whose text is null.",
		Breaks: []string{"egress/content-part-form"},
		Make:   behindPrompts(`{"type":"input_text","text":null}`),
	},
	{
		Name:    "egress/uses-call-ids-for-item-ids",
		Does:    "Calls go back under their call_id, also where the id of the item belongs.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/10815"},
		Breaks:  []string{"egress/item-id-prefix", "egress/item-id-form", "egress/item-ids-distinct"},
		Make: onItems("function_call", func(r *raw.Request, path string, item gjson.Result) {
			r.Set(path+".id", item.Get("call_id").String())
		}),
	},
	{
		Name:    "egress/makes-ids-for-reasoning",
		Does:    "Reasoning goes back under an id of the loop's own.",
		Reports: []string{"https://github.com/openai/codex/issues/33176"},
		Breaks:  []string{"egress/item-id-prefix"},
		Make: onItems("reasoning", func(r *raw.Request, path string, item gjson.Result) {
			r.Set(path+".id", "item_"+strings.TrimPrefix(item.Get("id").String(), "rs_"))
		}),
	},
	{
		Name:    "egress/sends-empty-ids-of-outputs",
		Does:    "Outputs of calls have an empty id.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/issues/11044"},
		Breaks:  []string{"egress/item-id-form"},
		Make:    onItems("function_call_output", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".id", "") }),
	},
	{
		Name:    "egress/gives-all-prompts-one-id",
		Does:    "Items of the loop's own have all the same id.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/3295"},
		Breaks:  []string{"egress/item-ids-distinct"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachItem(r, "function_call_output", func(path string, _ gjson.Result) { r.Set(path+".id", "fc_loop") })
			eachItem(r, "message", func(path string, item gjson.Result) {
				if item.Get("role").String() == "user" {
					r.Set(path+".id", "fc_loop")
				}
			})
		}),
	},
	{
		Name:   "egress/says-done-of-outputs",
		Does:   "Outputs of calls have the status done.",
		Breaks: []string{"egress/item-status"},
		Make:   onItems("function_call_output", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".status", "done") }),
	},
	{
		Name:    "egress/leaves-empty-summaries-out",
		Does:    "Reasoning without a summary goes back without the key.",
		Reports: []string{"https://github.com/newo-ether/Agora/issues/141"},
		Breaks:  []string{"egress/summary-given"},
		Make: onItems("reasoning", func(r *raw.Request, path string, item gjson.Result) {
			if len(item.Get("summary").Array()) == 0 {
				r.Delete(path + ".summary")
			}
		}),
	},
	{
		Name:    "egress/returns-the-content-of-reasoning-as-a-summary",
		Does:    "Reasoning that came as content goes back as a summary, without content.",
		Reports: []string{"https://github.com/am17an/llama.cpp/issues/50"},
		Breaks:  []string{"egress/reasoning-content-given"},
		Make: onItems("reasoning", func(r *raw.Request, path string, item gjson.Result) {
			for n, part := range item.Get("content").Array() {
				r.SetRaw(fmt.Sprintf("%s.summary.%d", path, n), raw.Set(`{"type":"summary_text"}`, "text", part.Get("text").String()))
				r.Delete(path + ".content")
			}
		}),
	},
}

// withPartInOutputs adds a part to each output of a tool that said something.
func withPartInOutputs(part string) func() raw.Mutation {
	return onItems("function_call_output", func(r *raw.Request, path string, item gjson.Result) {
		said := item.Get("output")
		if said.Type != gjson.String || said.String() == "" || strings.HasPrefix(said.String(), "Error") {
			return
		}
		r.SetRaw(path+".output", "["+raw.Set(`{"type":"input_text"}`, "text", said.String())+","+part+"]")
	})
}

// behindPrompts adds a part to what the user says.
func behindPrompts(part string) func() raw.Mutation {
	return onMessages("user", func(r *raw.Request, path string, item gjson.Result) {
		if said := item.Get("content"); said.Type == gjson.String {
			r.SetRaw(path+".content", "["+raw.Set(`{"type":"input_text"}`, "text", said.String())+","+part+"]")
		}
	})
}
