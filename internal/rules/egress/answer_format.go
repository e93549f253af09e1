package egress

import (
	"bytes"
	"cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// answerFormatRules are the rules of the area egress about the format that a request asks for.
var answerFormatRules = []rules.Rule{
	{
		ID:        "egress/json-mode-named",
		Level:     trace.Should,
		Where:     rules.OfOpenAI,
		Text:      "A request for an answer of the format json_object has the word JSON in its messages.",
		Why:       "OpenAI refuses it otherwise, since the model may write white space until the limit.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "response_format: you must also instruct the model to produce JSON"},
			{URL: "https://github.com/ultimatejimmy/xray.koplugin/issues/33", Says: "the 400 of OpenAI, in May 2026"},
			{URL: "https://github.com/StefanBratanov/jvm-openai/issues/15", Says: "the same"},
		},
		Request: jsonModeNamed,
	},
	{
		ID:        "egress/answer-schema-strict",
		Level:     trace.Should,
		Where:     rules.OfOpenAI,
		Text:      "The schema of an answer that is asked for as strict is one that strict mode takes: an object that is closed and requires all its properties.",
		Why:       "OpenAI refuses any other schema.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/structured-outputs", Says: "additionalProperties false, and all fields required"},
			{URL: "https://github.com/dottxt-ai/outlines/issues/844", Says: "the 400 of OpenAI"},
			{URL: "https://github.com/mavam/pi-web-providers/issues/14", Says: "the same in the Responses API"},
		},
		Vars:    []string{"name", "context", "problem"},
		Request: answerSchemaStrict,
	},
}

// formatOf returns the format that a request of one of OpenAI's APIs asks for.
func formatOf(body *wire.Node) *wire.Node {
	if format := body.Get("response_format"); format != nil {
		return format
	}
	return body.Get("text").Get("format")
}

// jsonModeNamed looks at all that the model is told, also under keys: too much is found rather than
// too little. A history that the provider keeps cannot be seen.
func jsonModeNamed(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	format := formatOf(req.Body)
	if format.Get("type").Text() != "json_object" || goesOn(req) {
		return j
	}
	for _, key := range append([]string{req.Dialect.Request.Messages}, req.Dialect.Request.OutsideList...) {
		if said := req.Body.Get(key); said != nil && bytes.Contains(bytes.ToLower(said.Raw), []byte("json")) {
			return j
		}
	}
	j.Find(trace.Finding{
		Pointer: format.Pointer(), Message: "an answer in JSON is asked for, and the messages do not speak of JSON",
		Expected: "the word JSON in a message", Actual: rules.Show(format),
	})
	return j
}

func answerSchemaStrict(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	format := formatOf(req.Body)
	if inner := format.Get("json_schema"); inner.Is(wire.Object) {
		format = inner
	}
	schema := format.Get("schema")
	if !format.Get("strict").True() || !schema.Is(wire.Object) {
		return j
	}
	if at, problem := notStrict(schema); at != nil {
		j.Find(trace.Finding{
			Pointer: at.Pointer(), Message: "the schema of an answer is sent as strict, and is not",
			Expected: cmp.Or(strictly[problem], strictObject), Actual: rules.Show(at),
			Vars: map[string]string{"name": format.Get("name").Text(), "context": contextOf(schema, at), "problem": problem},
		})
	}
	return j
}
