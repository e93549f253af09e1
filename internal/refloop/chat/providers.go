package chat

// provider is what a loop has to know of a provider beyond the API, by the name that a task has for
// it.
type provider struct {
	resends        resends
	readsArguments bool // its server parses the arguments of the calls that go back, and refuses those that are no JSON
	bindsReasoning bool // encrypted reasoning is for the model that gave it alone
	takesImages    bool // it takes images in tool messages; most do not, and some drop them there without a message
}

// resends says what goes back of the model's reasoning, and when.
type resends int

// Where the documentation of a provider says nothing, what came goes back with the turns that
// called tools: https://api-docs.deepseek.com/guides/thinking_mode wants it so, and others accept
// it.
const (
	onToolTurns resends = iota
	never
	always
)

var providers = map[string]provider{
	"dashscope":         {readsArguments: true},                    // https://github.com/HKUDS/nanobot/issues/1487
	"deepseek-r1":       {resends: never},                          // https://api-docs.deepseek.com/guides/reasoning_model
	"llamacpp":          {readsArguments: true, takesImages: true}, // https://github.com/ggml-org/llama.cpp/blob/0c1e570/common/chat.cpp, https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
	"mistral-reasoning": {resends: always},                         // https://docs.mistral.ai/capabilities/reasoning
	"moonshot":          {resends: always},                         // https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
	"ollama":            {readsArguments: true},                    // https://github.com/ollama/ollama/blob/main/openai/openai.go
	"openrouter":        {takesImages: true, bindsReasoning: true}, // https://github.com/OpenRouterTeam/typescript-sdk/blob/main/src/models/chattoolmessage.ts, https://github.com/earendil-works/pi/issues/8874
	"sglang":            {readsArguments: true},                    // https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/serving_chat.py
}
