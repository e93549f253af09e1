// Package ollama is Ollama's own API, /api/chat: https://docs.ollama.com/api/chat
//
// Streams are lines of JSON, and what a request gets that does not say. The arguments of a call are
// an object. Calls need no ids, though servers since 0.12.10 send some: a result names its tool, and
// answers the first call of it that has none, or it names the id.
package ollama

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect. The profile ollama is of another one.
const Dialect = "ollama-chat"

// API is the dialect. Where no other source is named, it is written after ChatRequest, ChatResponse
// and Message in https://github.com/ollama/ollama/blob/v0.32.10/api/types.go.
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Ollama's /api/chat",
	Standard: "ollama-native",
	Endpoint: wire.Endpoint{
		Paths:  wire.Paths{Turns: []string{"/api/chat", "/api/generate"}, Embeddings: []string{"/api/embed"}},
		Env:    "OLLAMA",
		URLEnv: "OLLAMA_HOST",
		Keys:   []string{"Authorization"},
	},
	Request: wire.RequestForm{
		Messages: "messages", Prompt: []string{"/tools", "/format"}, Role: "role", ResultID: "tool_name", CallsByName: true, Arguments: wire.Object,
		Roles:           []string{"system", "user", "assistant", "tool"},
		ReasoningFields: []string{"thinking"},
		ToolName:        64,
		ToolsMayBeEmpty: true,
		ContentOptional: true, // none is an empty text to Go: https://github.com/ollama/ollama/blob/v0.32.10/api/types.go
	},
	Images: wire.ImageForm{
		InResults: true,
		Read:      readImage,
		Place:     func(image *wire.Node) string { return image.Pointer() },
		Data:      "base64 without a prefix",
		Tokens:    768, // https://github.com/ollama/ollama/blob/v0.32.10/server/prompt.go
	},
	Models:     models,
	Embeddings: embeddings,
	Reasoning: wire.ReasoningForm{Wanted: func(req *wire.Request) bool {
		think := req.Body.Get("think")
		return think == nil || think.Is(wire.Null) || think.Is(wire.String) || think.True()
	}},
	Errors: wire.ErrorForm{
		Types: map[string]string{"boolean": "bool", "integer": "int", "array": "api.Tools", "object": "map[string]interface {}"},
		Body:  wire.MessageAlone("error"),
	},
	Abilities: wire.MixedTurns | wire.ImageResults | wire.ShownReasoning | wire.ReadableReasoning | wire.FinishWords | wire.CallLists | wire.CallIndexes |
		wire.TextBesideCalls | wire.ReasoningBeside | wire.TextAtFinish,
	Terms: wire.Terms{
		OwnStops: true, Stop: "done_reason", Answers: "message.content", Call: "tool_calls", Result: "tool_name",
		Docs: []string{"docs.ollama.com/", "github.com/ollama/ollama"},
	},
	Form:        func() wire.Form { return Form() },
	Quirks:      Quirks,
	Framer:      wire.NDJSON,
	ReadRequest: read,
	ReadAnswer:  readAnswer,
	EndsStream: func(payload []byte) bool {
		line := wire.Parsed(payload)
		return line.Get("done").True() || line.Get("error") != nil
	},
	NewShape: func() wire.Shape { return new(Shape) },
	Places:   map[string][]string{"AnswerPlaces": AnswerPlaces, "MessagePlaces": MessagePlaces, "CallPlaces": CallPlaces},
	Demands:  demands,
	Likeness: likeness,
}

// demands returns what a request demands of its answer: https://docs.ollama.com/modelfile, and
// https://docs.ollama.com/capabilities/structured-outputs
func demands(req *wire.Request) wire.Demands {
	d := wire.Demands{MaxKey: "options.num_predict", StopKey: "options.stop"}
	options, format := req.Body.Get("options"), req.Body.Get("format")
	d.MaxTokens, d.Stop = wire.CountOf(options.Get("num_predict")), wire.TextsOf(options.Get("stop"))
	if format.Text() == "json" || format.Is(wire.Object) {
		d.WantsJSON, d.JSON, d.FormatKey = true, true, "format"
	}
	if format.Is(wire.Object) {
		d.Schema, d.Wished = format, format
	}
	return d
}

// likeness tells requests from those of Chat Completions by what only these have.
func likeness(body *wire.Node) wire.Likeness {
	messages := body.Get("messages")
	if !wire.HasObjects(messages, "role") {
		return wire.Unlike
	}
	own := body.Has("keep_alive") || body.Has("think") || body.Get("options").Is(wire.Object)
	for _, m := range messages.Items {
		own = own || m.Has("tool_name")
	}
	if own && !strings.Contains(body.Get("model").Text(), "gpt-") {
		return wire.Certain
	}
	return wire.Unlike
}
