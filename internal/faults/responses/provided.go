package responses

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// provided are faults in how a loop handles the provider's own items, of custom tools and of
// phases.
var provided = []raw.Fault{
	{
		Name:    "history/drops-searches-of-the-provider",
		Does:    "Searches of the provider do not go back with their turn.",
		Reports: []string{"https://github.com/TanStack/ai/issues/910"},
		Breaks:  []string{"history/provider-items-come-back"},
		Make: raw.OnRequest(func(r *raw.Request) {
			keepItems(r, func(item gjson.Result) bool { return item.Get("type").String() != "web_search_call" })
		}),
	},
	{
		Name:   "history/empties-searches-of-the-provider",
		Does:   "Searches of the provider go back without what was searched for.",
		Breaks: []string{"history/provider-items-unchanged"},
		Make:   onItems("web_search_call", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".action.query", "") }),
	},
	{
		Name:    "history/puts-the-providers-work-last",
		Does:    "A call of the provider on a server of MCP goes back after the call of the turn that it led to.",
		Reports: []string{"https://github.com/TanStack/ai/issues/910"},
		Breaks:  []string{"history/provider-items-in-their-order"},
		Make: raw.OnRequest(func(r *raw.Request) {
			items := r.Get("input").Array()
			for i := 0; i+1 < len(items); i++ {
				if items[i].Get("type").String() == "mcp_call" && items[i+1].Get("type").String() == "function_call" {
					items[i], items[i+1] = items[i+1], items[i]
					i++
				}
			}
			r.SetRaw("input", raw.List(raw.Items(items)))
		}),
	},
	{
		Name:    "history/drops-phases",
		Does:    "Messages of the model go back without their phase.",
		Reports: []string{"https://github.com/openai/openai-agents-js/pull/1513", "https://github.com/Oaklight/llm-rosetta/issues/440"},
		Breaks:  []string{"history/phases-come-back"},
		Make:    onMessages("assistant", func(r *raw.Request, path string, _ gjson.Result) { r.Delete(path + ".phase") }),
	},
	{
		Name:    "history/calls-every-text-an-answer",
		Does:    "Every message of the model goes back as a final answer.",
		Reports: []string{"https://github.com/stippi/code-assistant/pull/195"},
		Breaks:  []string{"history/phases-come-back"},
		Make: onMessages("assistant", func(r *raw.Request, path string, item gjson.Result) {
			if item.Get("phase").Exists() {
				r.Set(path+".phase", "final_answer")
			}
		}),
	},
	{
		Name:   "history/drops-the-commentary",
		Does:   "Of two messages of one answer, the one on the way does not go back.",
		Breaks: []string{"history/commentary-comes-back"},
		Make: raw.OnRequest(func(r *raw.Request) {
			var kept []string
			items := r.Get("input").Array()
			for at, item := range items {
				if !beforeAnswer(items, at) {
					kept = append(kept, item.Raw)
				}
			}
			r.SetRaw("input", raw.List(kept))
		}),
	},
	{
		Name:   "history/joins-the-commentary",
		Does:   "Two messages of one answer go back as one, with the phase of the second.",
		Breaks: []string{"history/phases-come-back"},
		Make: raw.OnRequest(func(r *raw.Request) {
			var all []string
			items, said := r.Get("input").Array(), ""
			for at, item := range items {
				if beforeAnswer(items, at) {
					said = item.Get("content.0.text").String() + "\n\n"
					continue
				}
				if said != "" {
					all = append(all, raw.Set(item.Raw, "content.0.text", said+item.Get("content.0.text").String()))
					said = ""
					continue
				}
				all = append(all, item.Raw)
			}
			r.SetRaw("input", raw.List(all))
		}),
	},
	{
		Name:   "pairing/answers-no-question",
		Does:   "What the provider asks the user goes back without an answer.",
		Breaks: []string{"pairing/approvals-answered"},
		Make: raw.OnRequest(func(r *raw.Request) {
			keepItems(r, func(item gjson.Result) bool { return item.Get("type").String() != "mcp_approval_response" })
		}),
	},
	{
		Name:    "pairing/answers-the-question-alone",
		Does:    "Of a turn with a question to the user and a call, the question is answered, and the output of the call is lost.",
		Reports: []string{"https://github.com/openai/openai-agents-python/issues/3004"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if slices.ContainsFunc(r.Get("input").Array(), func(item gjson.Result) bool { return item.Get("type").String() == "mcp_approval_response" }) {
				keepItems(r, func(item gjson.Result) bool { return item.Get("type").String() != "function_call_output" })
			}
		}),
	},
	{
		Name:   "pairing/answers-the-calls-alone",
		Does:   "Of a turn with questions to the user and calls, the outputs of the calls go back, and the questions have no answer.",
		Breaks: []string{"pairing/approvals-answered"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if slices.ContainsFunc(r.Get("input").Array(), func(item gjson.Result) bool { return item.Get("type").String() == "function_call_output" }) {
				keepItems(r, func(item gjson.Result) bool { return item.Get("type").String() != "mcp_approval_response" })
			}
		}),
	},
	{
		Name:   "history/drops-searches-for-tools",
		Does:   "What a search for tools has found does not go back with its turn.",
		Breaks: []string{"history/provider-items-come-back"},
		Make: raw.OnRequest(func(r *raw.Request) {
			keepItems(r, func(item gjson.Result) bool { return item.Get("type").String() != "tool_search_output" })
		}),
	},
	{
		Name:   "pairing/answers-questions-by-another-id",
		Does:   "Answers to the provider's questions name an id of the loop's own.",
		Breaks: []string{"pairing/approvals-name-their-question"},
		Make: onItems("mcp_approval_response", func(r *raw.Request, path string, _ gjson.Result) {
			r.Set(path+".approval_request_id", "mcpr_question")
		}),
	},
	{
		Name:   "execution/allows-everything",
		Does:   "Every call about which the provider asks is allowed, whatever the user says.",
		Breaks: []string{"execution/approval-as-the-user-said"},
		Make:   onItems("mcp_approval_response", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".approve", true) }),
	},
	{
		Name:   "execution/denies-everything",
		Does:   "No call about which the provider asks is allowed, whatever the user says.",
		Breaks: []string{"execution/approval-as-the-user-said"},
		Make:   onItems("mcp_approval_response", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".approve", false) }),
	},
	{
		Name:   "egress/allows-in-a-word",
		Does:   "Answers to the provider's questions say yes or no, and not true or false.",
		Breaks: []string{"egress/approval-form"},
		Make: onItems("mcp_approval_response", func(r *raw.Request, path string, item gjson.Result) {
			r.Set(path+".approve", map[bool]string{true: "yes", false: "no"}[item.Get("approve").Bool()])
		}),
	},
	{
		Name:    "pairing/answers-custom-tools-as-functions",
		Does:    "The call of a custom tool is answered as one of a function.",
		Reports: []string{"https://github.com/diegosouzapw/OmniRoute/issues/8946"},
		Breaks:  []string{"pairing/custom-calls-answered-in-kind"},
		Make:    onItems("custom_tool_call_output", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".type", "function_call_output") }),
	},
	{
		Name:   "history/returns-custom-calls-as-functions",
		Does:   "The call of a custom tool goes back as one of a function, with its text as the arguments.",
		Breaks: []string{"history/custom-calls-in-kind"},
		Make: onItems("custom_tool_call", func(r *raw.Request, path string, item gjson.Result) {
			call := raw.Set(`{"type":"function_call"}`, "call_id", item.Get("call_id").String())
			call = raw.Set(call, "name", item.Get("name").String())
			r.SetRaw(path, raw.Set(call, "arguments", item.Get("input").String()))
		}),
	},
	{
		Name:   "egress/offers-custom-tools-with-a-schema",
		Does:   "Custom tools are offered with parameters, as functions are.",
		Breaks: []string{"egress/custom-tool-form"},
		Make: eachTool(func(r *raw.Request, path string, tool gjson.Result) {
			if tool.Get("type").String() == "custom" {
				r.SetRaw(path+".parameters", `{"type":"object","properties":{"input":{"type":"string"}}}`)
			}
		}),
	},
}

// beforeAnswer reports whether an item is a commentary, right before another message of the model.
func beforeAnswer(items []gjson.Result, at int) bool {
	return items[at].Get("phase").String() == "commentary" && at+1 < len(items) && items[at+1].Get("role").String() == "assistant"
}

// keepItems keeps some items of the input of a request.
func keepItems(r *raw.Request, keep func(item gjson.Result) bool) {
	items := slices.DeleteFunc(r.Get("input").Array(), func(item gjson.Result) bool { return !keep(item) })
	r.SetRaw("input", raw.List(raw.Items(items)))
}
