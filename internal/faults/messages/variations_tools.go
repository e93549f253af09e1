package messages

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

const toolSearchDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool"

var variationsInTools = []raw.Variation{
	{
		Name:    "tools/typed",
		Does:    "Each tool says that it is one of the caller's.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/helpers/beta/json-schema.ts (type: 'custom')"},
		Make:    eachRawTool(func(r *raw.Request, path string) { r.Set(path+".type", "custom") }),
	},
	{
		Name:     "tools/search-of-the-provider",
		Does:     "After its own tools the loop offers the provider's search of the web.",
		Sources:  []string{"https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool"},
		Profiles: []string{"anthropic", "anthropic-4.5"},
		Without:  []protocol.Feature{protocol.ServerTools}, // what is seen in its requests will do
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools").Exists() {
				r.SetRaw("tools.-1", `{"type":"web_search_20250305","name":"web_search","max_uses":5}`)
			}
		}),
	},
	{
		Name:    "tools/streamed-eagerly",
		Does:    "Each tool asks that its input is streamed as the model writes it.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/anthropic/src/anthropic-prepare-tools.ts (eager_input_streaming)"},
		Make: eachRawTool(func(r *raw.Request, path string) {
			if r.Get("stream").Bool() {
				r.Set(path+".eager_input_streaming", true)
			}
		}),
	},
	{
		Name:     "tools/deferred-later",
		Does:     "From the second request on there is a tool more, which is deferred.",
		Sources:  []string{"https://github.com/pydantic/pydantic-ai/issues/7984 (measured: accepted, also before reasoning that is bound)", toolSearchDocs},
		Profiles: []string{"anthropic", "anthropic-5.5"},
		Make: func() raw.Mutation {
			asked := 0
			return raw.Mutation{Request: func(r *raw.Request) {
				if asked++; asked > 1 && r.Get("tools.0").Exists() {
					r.SetRaw("tools.-1", deferredTool)
				}
			}}
		},
	},
	{
		Name:     "tools/searched",
		Does:     "The tools are deferred behind the provider's search for tools, which alone is marked for the cache.",
		Sources:  []string{toolSearchDocs, "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py (tool_search_tool_bm25_20251119)"},
		Profiles: []string{"anthropic", "anthropic-5.5"},
		Make: raw.OnRequest(func(r *raw.Request) {
			tools := r.Get("tools").Array()
			if len(tools) == 0 {
				return
			}
			all := []string{`{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25","cache_control":{"type":"ephemeral"}}`}
			for _, t := range tools {
				all = append(all, raw.SetRaw(t.Raw, "defer_loading", "true"))
			}
			r.SetRaw("tools", raw.List(all))
		}),
	},
	{
		Name:     "tools/refers-to-what-it-found",
		Does:     "The loop has a search for tools of its own: a result has a reference to a tool that is deferred.",
		Sources:  []string{toolSearchDocs + " (custom tool search: tool_reference blocks in a tool_result)"},
		Profiles: []string{"anthropic", "anthropic-5.5"},
		Make:     raw.OnRequest(refersTo("read_notes")),
	},
	{
		Name:     "programs/runs-code-in-the-older-version",
		Does:     "Code of the provider runs by the tool of 2025, and its container is named in an object.",
		Sources:  []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/server_tool_caller_param.py (code_execution_20250825)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/beta/beta_container_params.py"},
		Profiles: []string{"anthropic"},
		With:     []protocol.Feature{protocol.ProgrammaticTools},
		Make: raw.OnRequest(func(r *raw.Request) {
			if tools := r.Get("tools").Raw; tools != "" {
				r.SetRaw("tools", strings.ReplaceAll(tools, "code_execution_20260120", "code_execution_20250825"))
			}
			if id := r.Get("container").String(); id != "" {
				r.Set("container.id", id)
			}
		}),
	},
	{
		Name:    "tools/with-callers-and-examples",
		Does:    "Each tool says that the model calls it itself, at once, and shows an input.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/types/tool_param.py (allowed_callers, defer_loading, input_examples)"},
		Make: eachRawTool(func(r *raw.Request, path string) {
			r.SetRaw(path+".allowed_callers", `["direct"]`)
			r.Set(path+".defer_loading", false)
			r.SetRaw(path+".input_examples", `[{}]`)
		}),
	},
}
