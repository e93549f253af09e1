package responses

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// The documents of the API, and two loops that many use.
const (
	createDocs = "https://platform.openai.com/docs/api-reference/responses/create"
	stateDocs  = "https://platform.openai.com/docs/guides/conversation-state"
	schemas    = "https://github.com/openai/openai-openapi/blob/f85dbe2/openapi.yaml"
	vercelAI   = "https://github.com/vercel/ai/blob/main/packages/openai/src/responses/convert-to-openai-responses-input.ts"
	pydanticAI = "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openai.py"
	codex      = "https://github.com/openai/codex/blob/main/codex-rs/protocol/src/models.rs"
)

// inInput are variations in how the items of a request are written.
var inInput = []raw.Variation{
	{
		Name:    "prompts/input-as-a-string",
		Does:    "An input that is nothing but what the user says is a string, and no list.",
		Sources: []string{createDocs + " (input: string or array)", "https://github.com/openai/openai-python/blob/main/README.md (input=\"How do I check...\")"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if input := r.Get("input").Array(); len(input) == 1 && input[0].Get("role").String() == "user" && input[0].Get("content").Type == gjson.String {
				r.Set("input", input[0].Get("content").String())
			}
		}),
	},
	{
		Name:    "prompts/as-input-text",
		Does:    "What the user says is a list with one part of the type input_text.",
		Sources: []string{vercelAI + " ({ type: 'input_text', text: part.text })", codex + " (ContentItem::InputText)"},
		Make: onMessages("user", func(r *raw.Request, path string, item gjson.Result) {
			if said := item.Get("content"); said.Type == gjson.String {
				r.SetRaw(path+".content", "["+raw.Set(`{"type":"input_text"}`, "text", said.String())+"]")
			}
		}),
	},
	{
		Name:    "prompts/without-a-type",
		Does:    "What the user says is an item without a type, which it may leave out.",
		Sources: []string{schemas + " (EasyInputMessage: required are role and content)", vercelAI + " (input.push({ role: 'user', content }))"},
		Make:    onMessages("user", func(r *raw.Request, path string, _ gjson.Result) { r.Delete(path + ".type") }),
	},
	{
		Name:    "turns/without-ids-of-items",
		Does:    "The items of the model go back without their ids, which the provider does not keep.",
		Sources: []string{codex + " (the id of a ResponseItem is not serialized)", "https://github.com/openai/openai-agents-python/blob/main/docs/running_agents.md (reasoning_item_id_policy=\"omit\")"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i := range r.Get("input").Array() {
				r.Delete(fmt.Sprintf("input.%d.id", i))
			}
		}),
	},
	{
		Name:    "turns/without-a-status",
		Does:    "The items of the model go back without their status.",
		Sources: []string{vercelAI + " (type: 'function_call', call_id, name, arguments, id)", codex + " (FunctionCall: name, arguments, call_id)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i := range r.Get("input").Array() {
				r.Delete(fmt.Sprintf("input.%d.status", i))
			}
		}),
	},
	{
		Name:    "turns/texts-as-a-string",
		Does:    "What the model said goes back as a string, with a role and, where it had one, its phase.",
		Sources: []string{schemas + " (EasyInputMessage: role assistant, content is a string, and phase)", pydanticAI + " (responses.EasyInputMessageParam(role='assistant', content=item.content))"},
		Make: onMessages("assistant", func(r *raw.Request, path string, item gjson.Result) {
			parts := item.Get("content").Array()
			if len(parts) == 1 && parts[0].Get("type").String() == "output_text" {
				easy := raw.Set(`{"role":"assistant"}`, "content", parts[0].Get("text").String())
				if phase := item.Get("phase"); phase.Exists() {
					easy = raw.SetRaw(easy, "phase", phase.Raw)
				}
				r.SetRaw(path, easy)
			}
		}),
	},
	{
		Name:    "turns/texts-without-annotations",
		Does:    "What the model said goes back as a part with its text alone.",
		Sources: []string{vercelAI + " ({ type: 'output_text', text: part.text })", codex + " (ContentItem::OutputText)"},
		Make: onMessages("assistant", func(r *raw.Request, path string, item gjson.Result) {
			for n := range item.Get("content").Array() {
				r.Delete(fmt.Sprintf("%s.content.%d.annotations", path, n))
				r.Delete(fmt.Sprintf("%s.content.%d.logprobs", path, n))
			}
		}),
	},
	{
		Name:    "results/as-input-text",
		Does:    "What a tool returned is a list with one part of the type input_text.",
		Sources: []string{schemas + " (FunctionCallOutputItemParam: output is a string or a list)", vercelAI + " (output.type 'content': input_text)"},
		Make: onItems("function_call_output", func(r *raw.Request, path string, item gjson.Result) {
			if said := item.Get("output"); said.Type == gjson.String {
				r.SetRaw(path+".output", "["+raw.Set(`{"type":"input_text"}`, "text", said.String())+"]")
			}
		}),
	},
	{
		Name:    "results/completed",
		Does:    "What a tool returned is said to be completed.",
		Sources: []string{schemas + " (FunctionCallOutputItemParam: status)", "https://github.com/openai/openai-agents-js/blob/main/packages/agents-openai/src/openaiResponsesModel.ts (type: 'function_call_output', status)"},
		Make:    onItems("function_call_output", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".status", "completed") }),
	},
	{
		Name:    "system/as-an-item",
		Does:    "The system prompt is a message of the developer in front of the input, and no key of its own.",
		Sources: []string{vercelAI + " (systemMessageMode: 'developer')", "https://platform.openai.com/docs/guides/text (developer messages)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			said := r.Get("instructions")
			if !said.Exists() {
				return
			}
			r.Delete("instructions")
			r.SetRaw("input", raw.List(slices.Concat([]string{raw.Set(`{"type":"message","role":"developer"}`, "content", said.String())}, raw.Items(r.Get("input").Array()))))
		}),
	},
}

// storing are variations in what a loop leaves to the provider.
var storing = []raw.Variation{
	{
		Name:     "parameters/stored-unless-told",
		Does:     "A request leaves store and include out: the answer is stored, and all items go back under their ids.",
		Sources:  []string{createDocs + " (store: defaults to true)", "https://github.com/openai/openai-agents-python/blob/main/src/agents/models/openai_responses.py (store is not sent unless it is set)"},
		Profiles: []string{"openai-responses"},
		Make:     raw.OnRequest(leftOut),
	},
	{
		Name:     "turns/referred-to",
		Does:     "Answers are stored, and reasoning and texts of the model go back as references to their items.",
		Sources:  []string{vercelAI + " (if (store) input.push({ type: 'item_reference', id }))", schemas + " (ItemReferenceParam)"},
		Profiles: []string{"openai-responses"},
		Make: raw.OnRequest(func(r *raw.Request) {
			leftOut(r)
			refer := func(path string, item gjson.Result) {
				if id := item.Get("id").String(); id != "" {
					r.SetRaw(path, raw.Set(`{"type":"item_reference"}`, "id", id))
				}
			}
			eachItem(r, "reasoning", refer)
			eachItem(r, "message", refer)
		}),
	},
	{
		Name:     "answers/made-in-the-background",
		Does:     "Answers that are no streams are made in the background, stored, and fetched until they are there.",
		Sources:  []string{"https://developers.openai.com/api/docs/guides/background (poll while the status is queued or in_progress; kept for about ten minutes)"},
		Profiles: []string{"openai-responses-stored"},
		Make: func() raw.Mutation {
			return raw.Mutation{Send: untilMade, Request: func(r *raw.Request) {
				if !r.Get("stream").Bool() {
					r.SetRaw("background", "true")
					r.Delete("store")
				}
			}}
		},
	},
	{
		Name:     "tools/deferred",
		Does:     "The tools are deferred behind the provider's search for tools, and from the second request on there is one more.",
		Sources:  []string{"https://developers.openai.com/api/docs/guides/tools-tool-search", pydanticAI + " (tool_search)"},
		Profiles: []string{"openai-responses"},
		Make: func() raw.Mutation {
			return raw.Mutation{Request: func(r *raw.Request) {
				if deferTools(r); r.Get("input.1").Exists() && r.Get("tools.0").Exists() {
					r.SetRaw("tools.-1", deferredTool)
				}
			}}
		},
	},
	{
		Name:     "tools/in-a-namespace-of-the-api",
		Does:     "The tools are offered in a namespace, as those of a server of MCP.",
		Sources:  []string{"https://developers.openai.com/api/docs/guides/tools-tool-search (namespaces)", "https://github.com/openai/codex/issues/23839 (the namespaces of Codex)"},
		Profiles: []string{"openai-responses"},
		Make:     raw.OnRequest(inNamespace),
	},
	{
		Name:     "tools/added-in-the-input",
		Does:     "A tool that came while another one ran is offered by an item behind its result, so that the tools before the conversation stay, but for those that are gone.",
		Sources:  []string{pydanticAI + " (additional_tools, in 2.68.0)"},
		Profiles: []string{"openai-responses"},
		With:     []protocol.Feature{protocol.MCPTools, protocol.ChangingTools},
		Make:     addedInTheInput,
	},
	{
		Name:     "tools/searched-by-the-loop",
		Does:     "The loop carries out the search for tools itself: the search and what it found are in the history.",
		Sources:  []string{"https://developers.openai.com/api/docs/guides/tools-tool-search (client-executed tool search)", "https://github.com/CommandCodeAI/command-code/issues/893 (the items of Codex)"},
		Profiles: []string{"openai-responses"},
		Make:     searchedByTheLoop,
	},
	{
		Name:     "turns/kept-by-the-provider",
		Does:     "A request says what is new, and names the response before it.",
		Sources:  []string{stateDocs + " (previous_response_id)", "https://github.com/openai/openai-agents-python/blob/main/docs/running_agents.md (previous_response_id, auto_previous_response_id)"},
		Profiles: []string{"openai-responses-stored"},
		Make: func() raw.Mutation {
			return raw.Mutation{Loop: func(l *refloop.Loop) { l.Threads = true }}
		},
	},
	{
		Name:     "parameters/reasoning-included-and-stored",
		Does:     "Answers are stored, and the encrypted reasoning is asked for and sent back anyway.",
		Sources:  []string{"https://platform.openai.com/docs/guides/reasoning (encrypted reasoning items)", pydanticAI + " (include: reasoning.encrypted_content)"},
		Profiles: []string{"openai-responses"},
		Make:     raw.OnRequest(func(r *raw.Request) { r.Delete("store") }),
	},
}

// deferTools defers the tools of a request behind the provider's search for them.
func deferTools(r *raw.Request) {
	tools := r.Get("tools").Array()
	if len(tools) == 0 {
		return
	}
	all := []string{`{"type":"tool_search"}`}
	for _, t := range tools {
		all = append(all, raw.SetRaw(t.Raw, "defer_loading", "true"))
	}
	r.SetRaw("tools", raw.List(all))
}

// inNamespace offers the tools of a request in a namespace.
func inNamespace(r *raw.Request) {
	if tools := r.Get("tools").Array(); len(tools) > 0 {
		r.SetRaw("tools", raw.List([]string{raw.SetRaw(`{"type":"namespace","name":"task","description":"The tools of the task."}`, "tools", listOf(raws(tools)))}))
	}
}

// leftOut lets the provider store the answer, which is its default.
func leftOut(r *raw.Request) {
	r.Delete("store")
	r.Delete("include")
}

// untilMade asks the provider for a response in the background until it is there.
func untilMade(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	resp, err := send(req)
	for err == nil && resp.StatusCode == http.StatusOK && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		data, broken := io.ReadAll(resp.Body)
		resp.Body.Close()
		resp.Body = raw.Body(data, broken)
		status, id := gjson.GetBytes(data, "status").String(), gjson.GetBytes(data, "id").String()
		if status != "queued" && status != "in_progress" || id == "" {
			break
		}
		next, wrong := http.NewRequestWithContext(req.Context(), http.MethodGet, req.URL.String()+"/"+id, nil)
		if wrong != nil {
			return nil, wrong
		}
		next.Header = req.Header.Clone()
		next.Header.Del("Content-Type")
		resp, err = send(next)
	}
	return resp, err
}

// searchedByTheLoop offers the search for tools, and adds what came of one after the results of
// every turn.
func searchedByTheLoop() raw.Mutation {
	add, offer := behindResults(ownSearch+","+ownSearchFound)(), oneToolMore(`{"type":"tool_search","execution":"client","description":"Find tools.","parameters":{"type":"object","properties":{"query":{"type":"string"}}}}`)()
	return raw.Mutation{Request: func(r *raw.Request) {
		add.Request(r)
		offer.Request(r)
	}}
}

// addedInTheInput moves the tools that were not there in the first request behind the results of the
// request in which they came.
func addedInTheInput() raw.Mutation {
	first, results := map[string]bool{}, 0
	return raw.Mutation{Request: func(r *raw.Request) {
		var there, came []string
		for _, tool := range r.Get("tools").Array() {
			if r.Number == 1 {
				first[tool.Get("name").String()] = true
			}
			if first[tool.Get("name").String()] {
				there = append(there, tool.Raw)
			} else {
				came = append(came, tool.Raw)
			}
		}
		if came == nil {
			return
		}
		r.SetRaw("tools", listOf(there))
		items := r.Get("input").Array()
		seen := 0
		for i, item := range items {
			if item.Get("type").String() != "function_call_output" {
				continue
			}
			if seen++; results == 0 && i == len(items)-1 {
				results = seen
			}
			if seen == results {
				added := `{"type":"additional_tools","role":"developer","tools":` + listOf(came) + "}"
				r.SetRaw("input", listOf(slices.Insert(raws(items), i+1, added)))
				return
			}
		}
	}}
}

// listOf returns values as a list in JSON.
func listOf(values []string) string { return "[" + strings.Join(values, ",") + "]" }

// raws returns some values as they are written.
func raws(values []gjson.Result) (all []string) {
	for _, v := range values {
		all = append(all, v.Raw)
	}
	return all
}
