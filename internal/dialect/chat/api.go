package chat

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "chat"

// API is the dialect.
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Chat Completions",
	Standard: "openai",
	Models:   openai.Models,
	Endpoint: wire.Endpoint{
		Paths:    paths,
		BasePath: "/v1",
		Env:      "OPENAI",
		Headers:  map[string]string{"Content-Type": "content-type"},
		Keys:     []string{"Authorization", "Api-Key"}, // the latter is Azure's
	},
	Request: wire.RequestForm{
		Messages:        "messages",
		Role:            "role",
		ResultID:        "tool_call_id",
		Arguments:       wire.String,
		Roles:           []string{"system", "developer", "user", "assistant", "tool", "function"},
		Keys:            requestKeys,
		Values:          valueForms,
		Parameters:      parameters,
		Ranges:          ranges,
		Words:           words,
		OptionKeys:      optionKeys,
		ReasoningFields: ReasoningFields,
		ToolName:        64,
		ChosenTool:      chosenTool,
	},
	Images: wire.ImageForm{
		Read:  ReadImage,
		Place: imagePlace,
		Data:  "a data URL such as data:image/png;base64,iVBORw0",
	},
	Errors: openai.Errors,
	Speech: wire.Speech{Refusals: true, Interleaved: true, EndMark: true, LooseFinish: true, RepeatedIDs: true, BlankArguments: true, NullArguments: true, SignedCalls: true},
	Terms: wire.Terms{
		Stop: "finish_reason", Answers: "choices", Call: "tool_calls", Result: "tool_call_id", EndOfTurn: Done,
		Docs: append([]string{"platform.openai.com/docs/api-reference/chat"}, openai.Docs...),
	},
	ReadRequest: read,
	ReadURL:     readURL,
	Likeness:    likeness,
	ReadAnswer:  ReadAnswer,
	EndsStream:  func(payload []byte) bool { return string(payload) == Done },
	NewShape:    func() wire.Shape { return new(Shape) },
	Places: map[string][]string{
		"AnswerPlaces": AnswerPlaces, "CallPlaces": CallPlaces, "UsagePlaces": UsagePlaces,
		"ChunkPlaces": ChunkPlaces, "ChoicePlaces": ChoicePlaces, "DeltaPlaces": DeltaPlaces,
	},
	Quirks:      Quirks,
	Demands:     Demands,
	UsageWanted: UsageWanted,
}

// requestKeys are the keys of a request in OpenAI's reference: CreateChatCompletionRequest of
// openai-openapi at f85dbe2.
var requestKeys = []string{
	"audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "messages",
	"metadata", "modalities", "model", "moderation", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
	"prompt_cache_options", "prompt_cache_retention", "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier",
	"stop", "store", "stream", "stream_options", "temperature", "tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity",
	"web_search_options",
}

// parameters are the types of keys of a request in the same reference.
var parameters = map[string]wire.ParameterType{
	"temperature": wire.ANumber, "top_p": wire.ANumber, "frequency_penalty": wire.ANumber, "presence_penalty": wire.ANumber,
	"max_tokens": wire.APositive, "max_completion_tokens": wire.APositive, "n": wire.APositive, "seed": wire.AWholeNumber,
	"stream": wire.AFlag, "parallel_tool_calls": wire.AFlag, "stop": wire.Texts, "store": wire.AFlag, "logprobs": wire.AFlag,
	"top_logprobs": wire.AWholeNumber, "user": wire.AText, "safety_identifier": wire.AText, "prompt_cache_key": wire.AText,
	"response_format": wire.AnObject, "stream_options": wire.AnObject, "prompt_cache_options": wire.AnObject, "functions": wire.AnyList,
}

// ranges and words are what numbers and words there may be in a request: the same reference. OpenAI
// takes fast, which it does not list:
// https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/4bbd033/test/openai-chat-validation-parity.test.mjs
var (
	ranges = map[string]wire.Range{
		"temperature": {High: 2}, "top_p": {High: 1}, "frequency_penalty": {Low: -2, High: 2}, "presence_penalty": {Low: -2, High: 2},
		"top_logprobs": {High: 20},
	}
	words = map[string][]string{
		"service_tier": {"auto", "default", "fast", "flex", "scale", "priority"}, "verbosity": {"low", "medium", "high"},
		"reasoning_effort":       {"none", "minimal", "low", "medium", "high", "xhigh", "max"},
		"prompt_cache_retention": {"in_memory", "in-memory", "24h"}, // the second is what OpenAI's SDKs said at first
	}
)

// optionKeys are the keys of objects in a request that have no others: chatcompletion.go of
// openai-go v3.96.0.
var optionKeys = map[string][]string{
	"stream_options":       {"include_obfuscation", "include_usage"},
	"prompt_cache_options": {"mode", "ttl"},
}

// readURL takes the deployment of Azure for the model of a request that names none.
func readURL(req *wire.Request, u *url.URL) {
	if _, deployment, is := strings.Cut(u.Path, "/deployments/"); is && req.Model == "" {
		req.Model, _, _ = strings.Cut(deployment, "/")
	}
}

// UsageWanted reports whether a request for a stream asks for the usage chunk.
func UsageWanted(req *wire.Request) bool {
	return req.Body.Get("stream_options").Get("include_usage").True()
}

func chosenTool(req *wire.Request) *wire.Node {
	return req.Body.Get("tool_choice").Get("function").Get("name")
}

// imagePlace returns messages[3].content[1].image_url.url, as OpenAI writes it.
func imagePlace(part *wire.Node) string {
	steps := strings.Split(strings.TrimPrefix(part.Pointer(), "/"), "/")
	return fmt.Sprintf("messages[%s].content[%s].image_url.url", steps[1], steps[len(steps)-1])
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape {
	c := *s
	c.Finish = maps.Clone(s.Finish)
	return &c
}

// Traits returns what answers of the provider can show.
func (s *Shape) Traits() wire.Traits {
	return wire.Traits{
		Reasoning:          s.ReasoningField != "" || s.ReasoningInContent,
		ReasoningBlocks:    s.ReasoningDetails,
		ReasoningField:     s.ReasoningField,
		ReasoningInContent: s.ReasoningInContent,
		CallSignature:      s.CallSignature,
		Refusals:           s.Answer.Has("refusal"),
		UsageWhenAsked:     s.Chunks.Usage == UsageWhenAsked,
		Finish:             s.Finish,
	}
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
	c.Expect(!s.ReasoningDetails || s.ReasoningField != "", "/reasoning-details", "a provider that shows blocks of reasoning has a reasoning-field too")
	signed := len(s.CallSignature) > 0
	c.Expect(signed == s.Call.Has("extra"), "/call", "a call has the place $extra where call-signature says what fills it, and only there")
	s.Chunks.check(c, signed, s.ReasoningField != "")
}

func (s *StreamShape) check(c wire.ShapeChecker, signed, reasons bool) {
	c.Expect(signed == s.Call.Has("extra"), "/stream/call", "a call has the place $extra where call-signature says what fills it, and only there")
	c.Template("/stream/prelude", s.Prelude, false, ChunkPlaces)
	c.Template("/stream/first-chunk", s.FirstChunk, false, ChunkPlaces)
	c.Template("/stream/finish-chunk", s.FinishChunk, false, ChunkPlaces)
	c.Template("/stream/fragment", s.Fragment, false, CallPlaces)
	c.Word("/stream/arguments", "form of the arguments", string(cmp.Or(s.Arguments, ArgumentsInFragments)), wire.Words(ArgumentsForms()))
	c.Template("/stream/chunk", s.Chunk, true, ChunkPlaces)
	c.Template("/stream/choice", s.Choice, true, ChoicePlaces)
	c.Template("/stream/opening", s.Opening, false, DeltaPlaces)
	c.Template("/stream/opening-of-calls", s.OpeningOfCalls, false, DeltaPlaces)
	c.Template("/stream/text", s.Text, true, DeltaPlaces)
	c.Template("/stream/reasoning", s.Reasoning, reasons, DeltaPlaces)
	c.Template("/stream/calls", s.Calls, true, DeltaPlaces)
	c.Template("/stream/call", s.Call, true, CallPlaces)
	c.Template("/stream/end", s.End, true, DeltaPlaces)
	c.Template("/stream/again", s.Again, s.Usage == UsageAgain, DeltaPlaces)
	c.Word("/stream/usage", "place of the token counts", string(s.Usage), wire.Words(UsageChunks()))
}
