package messages

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

var variationsInTools = []raw.Variation{
	{
		Name:    "tools/typed",
		Does:    "Each tool says that it is one of the caller's.",
		Sources: []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/helpers/beta/json-schema.ts (type: 'custom')"},
		Make:    eachRawTool(func(r *raw.Request, path string) { r.Set(path+".type", "custom") }),
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
