// Package cohere is the second version of Cohere's own API, /v2/chat:
// https://docs.cohere.com/reference/chat.
//
// What the model says beside its calls is no text but a plan, in a message and in a stream, and goes
// back as one. What it thinks is a part of the content. A tool returns a text, or documents that the
// answer can cite.
package cohere

import "github.com/loopproof/loopproof/internal/wire"

// Dialect is the name of this dialect.
const Dialect = "cohere-chat"

// API is the dialect. Where no other source is named, it is written after Cohere's own description:
// https://github.com/cohere-ai/cohere-developer-experience/blob/e814c8a1/cohere-openapi.yaml
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Cohere's /v2/chat",
	Standard: "cohere",
	Endpoint: wire.Endpoint{
		Paths:  wire.Paths{Turns: []string{"/v2/chat"}, Embeddings: []string{"/v2/embed"}},
		Env:    "CO",
		URLEnv: "CO_API_URL",
		Keys:   []string{"Authorization"},
	},
	Request: wire.RequestForm{
		Messages: "messages", Prompt: []string{"/tools", "/response_format", "/documents"}, Role: "role", ResultID: "tool_call_id", Arguments: wire.String,
		Roles:    []string{"system", "user", "assistant", "tool"},
		ToolName: 64,
	},
	Models:     models,
	Embeddings: embeddings,
	Reasoning:  wire.ReasoningForm{Wanted: func(req *wire.Request) bool { return req.Body.Get("thinking").Get("type").Text() != "disabled" }},
	Errors:     wire.ErrorForm{InStreamsAlone: true, Body: wire.MessageAlone("message")},
	Abilities: wire.MixedTurns | wire.BigIntegers | wire.TextArguments | wire.BlankCalls | wire.NullCalls | wire.ShownReasoning | wire.ReadableReasoning | wire.FinishWords | wire.CallsFinish |
		wire.CallPieces | wire.CallIndexes | wire.AnyIDs | wire.CallTypes | wire.CallLists |
		wire.EndMark | wire.TypedEvents | wire.StartEvents | wire.StreamComments,
	Terms: wire.Terms{
		OwnStops: true, Stop: "finish_reason", Call: "tool_calls", Result: "tool_call_id", EndOfTurn: Done,
		Docs: []string{"docs.cohere.com/", "github.com/cohere-ai/"},
	},
	Form:        func() wire.Form { return Form() },
	ReadRequest: read,
	ReadAnswer:  readAnswer,
	EndsStream:  func(payload []byte) bool { return string(payload) == Done },
	NewShape:    func() wire.Shape { return new(Shape) },
	Places: map[string][]string{
		"AnswerPlaces": AnswerPlaces, "MessagePlaces": MessagePlaces, "CallPlaces": CallPlaces, "UsagePlaces": UsagePlaces,
	},
	Demands:  demands,
	Likeness: likeness,
}

// demands returns what a request demands of its answer:
// https://docs.cohere.com/docs/structured-outputs
func demands(req *wire.Request) wire.Demands {
	d := wire.Demands{MaxKey: "max_tokens", StopKey: "stop_sequences"}
	d.MaxTokens, d.Stop = wire.CountOf(req.Body.Get("max_tokens")), wire.TextsOf(req.Body.Get("stop_sequences"))
	switch req.Body.Get("tool_choice").Text() {
	case "REQUIRED":
		d.Tools.Choice = wire.ChoiceRequired
	case "NONE":
		d.Tools.Choice = wire.ChoiceNone
	}
	if format := req.Body.Get("response_format"); format.Get("type").Text() == "json_object" {
		d.WantsJSON, d.JSON, d.FormatKey = true, true, "response_format"
		d.Schema = format.Get("json_schema")
		d.Wished = d.Schema
	}
	return d
}

// likeness tells requests from those of Chat Completions by the keys that only these have.
func likeness(body *wire.Node) wire.Likeness {
	messages := body.Get("messages")
	if !wire.HasObjects(messages, "role") {
		return wire.Unlike
	}
	own := body.Has("strict_tools") || body.Has("citation_options") || body.Has("safety_mode") || body.Has("stop_sequences") && !body.Has("system")
	for _, m := range messages.Items {
		own = own || m.Has("tool_plan")
	}
	if own {
		return wire.Certain
	}
	return wire.Unlike
}
