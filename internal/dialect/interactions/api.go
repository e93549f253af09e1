// Package interactions is Gemini's Interactions API: https://ai.google.dev/gemini-api/docs/interactions
//
// An interaction is a list of steps: what the user says, what the model thinks, says and calls, and
// what its calls return. The provider keeps interactions, so that a request may name the one before it
// and say only what is new.
package interactions

import (
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/google"
	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "interactions"

// API is the dialect. It is written after the types that google-genai 3.6.1 has in google/genai/_gaos.
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Gemini Interactions",
	Standard: "gemini-interactions",
	Models:   google.Models,

	KeptHistory: kept,
	Endpoint: wire.Endpoint{
		Paths:     paths,
		Operation: "generate_content",
		Env:       "GEMINI",
		URLEnv:    "GOOGLE_GEMINI_BASE_URL",
		Headers:   map[string]string{"Content-Type": "content-type"},
		Keys:      []string{"X-Goog-Api-Key", "Authorization"},
		KeyInURL:  "key",
	},
	Request: wire.RequestForm{
		Messages:          "input",
		OutsideList:       []string{"system_instruction"},
		Prompt:            []string{"/tools", "/response_format"},
		Typed:             true,
		Histories:         []string{"previous_interaction_id"},
		Role:              "role",
		ResultID:          "call_id",
		Arguments:         wire.Object,
		Roles:             []string{"user", "model", "system"},
		ResultsAnywhere:   true,
		ContentOptional:   true, // https://github.com/googleapis/python-genai/tree/v3.6.1/google/genai/_gaos/types/interactions (ModelOutputStep)
		ToolName:          64,
		ToolNameMore:      ".:",
		ToolNamedDirectly: true,
		ToolsMayBeEmpty:   true,
		ChosenTool:        chosenTool,
		FailureFlag:       true,
	},
	Images: wire.ImageForm{
		InResults: true,
		Read:      readImage,
		Place:     func(part *wire.Node) string { return wire.InBrackets(part.Pointer()) + ".data" },
		Data:      "base64 without a prefix",
		Tokens:    258, // https://ai.google.dev/gemini-api/docs/tokens
	},
	Usage: wire.UsageForm{ReasoningApart: true}, // https://github.com/braintrustdata/braintrust-sdk-javascript/issues/2306
	Reasoning: wire.ReasoningForm{
		InBlocks:    true,
		SignedAlone: true,
		Visible:     visible,
		ReadBlock:   readThought,
	},
	Errors: wire.ErrorForm{
		InStreamsAlone: true,
		Code:           errorCode,
		Body:           func(said wire.Fields) wire.Fields { return wire.Fields{{Key: "error", Value: said}} },
	},
	Abilities: wire.MixedTurns | wire.PartsOfAnswers | wire.ShownReasoning | wire.ReadableReasoning | wire.ReasoningBlocks | wire.SealedReasoning | wire.ImageResults |
		wire.FinishWords | wire.CallsFinish | wire.ApartThoughts | wire.CallPieces | wire.CallIndexes | wire.AnyIDs | wire.TypedEvents | wire.StartEvents |
		wire.StreamComments,
	Terms: wire.Terms{
		OwnStops: true, Stop: "interaction.status", Answers: "steps", Call: "function_call", Result: "function_result", Failed: `"is_error":true`,
		EndOfTurn: "interaction.completed",
		Docs:      []string{"ai.google.dev/", "googleapis.github.io/", "github.com/googleapis/python-genai/tree/"},
	},
	Form:        func() wire.Form { return Form() },
	ReadRequest: read,
	ReadAnswer:  readAnswer,
	EndsStream: func(payload []byte) bool {
		kind := wire.Parsed(payload).Get("event_type").Text()
		return string(payload) == done || kind == "interaction.completed" || kind == "error"
	},
	NewShape: func() wire.Shape { return new(Shape) },
	Places:   map[string][]string{"AnswerPlaces": AnswerPlaces, "UsagePlaces": UsagePlaces},
	Quirks:   Quirks,
	Demands:  demands,
	Likeness: likeness,
	Repeated: []string{"background", "generation_config"},
}

// onVertex is where Vertex AI has interactions, as google-genai asks there.
const onVertex = "/{version:v1|v1beta1}/projects/{project}/locations/{location}"

var paths = wire.Paths{
	Turns:  []string{"/v1beta/interactions", "/{version:v1|v1alpha}/interactions", onVertex + "/interactions"},
	Models: "/v1beta/models",
	Kept:   slices.Concat(below("/{version:v1beta|v1|v1alpha}"), below(onVertex)),
}

// below returns the paths of interactions that are kept.
func below(base string) []wire.KeptPath {
	return []wire.KeptPath{
		{Method: http.MethodGet, Path: base + "/interactions/{id}", Answer: retrieved},
		{Method: http.MethodDelete, Path: base + "/interactions/{id}", Answer: deleted},
		{Method: http.MethodPost, Path: base + "/interactions/{id}/cancel", Answer: cancelled},
	}
}

// errorCode returns the code of an error: invalid_request of
// https://github.com/googleapis/js-genai/issues/1735, not_found of
// https://github.com/googleapis/python-genai/issues/2985. The others are ours.
func errorCode(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "unauthenticated"
	case status == http.StatusForbidden:
		return "permission_denied"
	case status == http.StatusNotFound:
		return "not_found"
	case status == http.StatusTooManyRequests:
		return "resource_exhausted"
	case status < http.StatusInternalServerError:
		return "invalid_request"
	case status == http.StatusServiceUnavailable:
		return "unavailable"
	default:
		return "internal_error"
	}
}

func generationConfig(req *wire.Request) *wire.Node { return req.Body.Get("generation_config") }

// summariesWanted reports whether an answer to the request shows what the model thinks, and not only
// that it did; one to no request shows all: https://ai.google.dev/gemini-api/docs/interactions/thinking
func summariesWanted(req *wire.Request) bool {
	return req == nil || generationConfig(req).Get("thinking_summaries").Text() == "auto"
}

// demands returns what a request demands of its answer.
func demands(req *wire.Request) wire.Demands {
	config := generationConfig(req)
	d := wire.Demands{
		MaxTokens: wire.CountOf(config.Get("max_output_tokens")), MaxKey: "generation_config.max_output_tokens",
		Stop: wire.TextsOf(config.Get("stop_sequences")), StopKey: "generation_config.stop_sequences",
	}
	choice := config.Get("tool_choice")
	allowed := choice.Get("allowed_tools")
	d.Tools.Only = wire.TextsOf(allowed.Get("tools"))
	switch choice.Text() + allowed.Get("mode").Text() {
	case "any":
		d.Tools.Choice = wire.ChoiceRequired
	case "none":
		d.Tools.Choice = wire.ChoiceNone
	}
	format := req.Body.Get("response_format")
	if list := format.All(); len(list) > 0 {
		format = list[0]
	}
	if format.Get("mime_type").Text() == "application/json" {
		d.WantsJSON, d.JSON, d.FormatKey = true, true, "response_format"
		d.Schema = format.Get("schema")
		d.Wished = d.Schema
	}
	return d
}

// chosenTool returns the name of the only tool that may be called, where one has to be.
func chosenTool(req *wire.Request) *wire.Node {
	allowed := generationConfig(req).Get("tool_choice").Get("allowed_tools")
	if names := allowed.Get("tools").All(); allowed.Get("mode").Text() == "any" && len(names) == 1 {
		return names[0]
	}
	return nil
}

// own are keys of a request that those of no other API have beside input.
var own = []string{"system_instruction", "generation_config", "previous_interaction_id", "agent", "response_modalities"}

// likeness tells requests by their keys, or by the steps that no other API has.
func likeness(body *wire.Node) wire.Likeness {
	input := body.Get("input")
	step := func(n *wire.Node) bool { return ownStep(n.Get("type").Text()) }
	if input != nil && (slices.ContainsFunc(own, body.Has) || slices.ContainsFunc(input.All(), step)) {
		return wire.Certain
	}
	return wire.Unlike
}
