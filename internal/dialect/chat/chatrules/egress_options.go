package chatrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const responseFormatID = "egress/response-format-form"

// egressOptionRules are the rules of the area egress about options of a request that are objects.
var egressOptionRules = []rules.Rule{
	{
		ID:        responseFormatID,
		Level:     trace.Info,
		Text:      "response_format has a type that OpenAI's reference lists, and with json_schema an object of that name that has a name of letters, digits, underscores and dashes itself.",
		Why:       "OpenAI refuses other types and a schema without a name; other providers have formats of their own.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "response_format: text, json_object or json_schema, of which name is required"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI"},
			{URL: "https://github.com/llm-exe/llm-exe/issues/662", Says: "the 400 of DeepSeek for json_schema"},
		},
		Vars: []string{"at", "problem", "found"},
		Request: func(p *profiles.Profile, req *wire.Request) rules.CheckResult {
			j := rules.InBody(responseFormatForm)(p, req)
			if f := unavailableFormat(req.Body); f != nil && p.RefusesViolation(responseFormatID, f.Vars) {
				j.Find(*f)
			}
			return j
		},
	},
	{
		ID:        "egress/metadata-short",
		Level:     trace.Info,
		Text:      "metadata, where it is sent, has at most 16 strings of up to 512 characters, under keys of up to 64.",
		Why:       "OpenAI refuses a number, an object or a longer text in it.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "metadata: set of 16 key-value pairs of strings"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI"},
		},
		Vars:    egress.MetadataVars,
		Request: rules.InBody(egress.FindMetadata),
	},
}

// unavailableFormat returns a finding about a schema for the answer, which some providers do not
// have; nil where none is asked for.
func unavailableFormat(body *wire.Node) *trace.Finding {
	kind := body.Get("response_format").Get("type")
	if kind.Text() != "json_schema" {
		return nil
	}
	return &trace.Finding{
		Pointer: kind.Pointer(), Message: "the provider has no schemas for answers", Expected: "json_object or text", Actual: rules.Show(kind),
		Vars: map[string]string{"at": "response_format.type", "problem": "unavailable", "found": "json_schema"},
	}
}

// formatTypes are the types of response_format.
var formatTypes = []string{"text", "json_object", "json_schema"}

// responseFormatForm leaves a format that is no object to parameter-types.
func responseFormatForm(body *wire.Node) []trace.Finding {
	format := body.Get("response_format")
	if !format.Is(wire.Object) {
		return nil
	}
	find := func(n *wire.Node, pointer, at, problem, message, expected string) []trace.Finding {
		return []trace.Finding{{
			Pointer: "/response_format" + pointer, Message: message, Expected: expected, Actual: rules.Show(n),
			Vars: map[string]string{"at": "response_format" + at, "problem": problem, "found": n.Text()},
		}}
	}
	kind, schema := format.Get("type"), format.Get("json_schema")
	name := schema.Get("name")
	switch {
	case kind == nil:
		return find(kind, "/type", ".type", "missing", "the format of the answer has no type", "one of "+rules.List(formatTypes))
	case !slices.Contains(formatTypes, kind.Text()):
		return find(kind, "/type", ".type", "unknown", "the format of the answer has a type that the API does not know", "one of "+rules.List(formatTypes))
	case kind.Text() != "json_schema":
		return nil
	case schema == nil:
		return find(schema, "/json_schema", ".json_schema", "missing", "the format of the answer has no json_schema", "an object with a name and a schema")
	case schema.Is(wire.Object) && name == nil:
		return find(name, "/json_schema/name", ".json_schema.name", "missing", "the schema of the answer has no name", "a name")
	case name.Is(wire.String) && !egress.HasNameLetters(name.Text()):
		return find(name, "/json_schema/name", ".json_schema.name", "letters", "the name of a schema is none", "letters, digits, underscores and dashes")
	}
	return nil
}
