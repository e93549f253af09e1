package chatrules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressToolRules are the rules of the area egress about the tools that a request offers.
var egressToolRules = []rules.Rule{
	{
		ID:        "egress/tool-parameters-are-a-schema",
		Level:     trace.Should,
		Text:      "The parameters of a tool are a JSON Schema of type object, or left out.",
		Why:       "OpenAI refuses a schema without a type, and all tools with it.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "parameters: a JSON Schema object; omitting it means none"},
			{URL: "https://github.com/browserbase/stagehand/issues/1159", Says: "the 400 for a schema of type None"},
			{URL: "https://github.com/mark3labs/mcphost/issues/34", Says: "a tool that requires nothing, with null for the list"},
		},
		Vars:    []string{"index", "name", "found", "kind"},
		Request: toolParameters,
	},
	{
		ID:        "egress/tool-choice",
		Level:     trace.Should,
		Text:      "tool_choice is a value that the provider supports: one of its strings, or an object that names a function.",
		Why:       "The words and forms differ between providers, and models with thinking cannot be forced to call a tool.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "tool_choice: none, auto, required or an object"},
			{URL: rules.MistralSchema, Says: "tool_choice: any besides"},
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/deepseek", Says: "the 400 of DeepSeek for a forced choice while the model thinks"},
		},
		Vars:    []string{"choice", "form", "kind"},
		Request: toolChoice,
	},
}

func toolParameters(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	egress.EachTool(req, func(i int, t wire.ToolDefinition) {
		j.HasEvidence = true
		p := t.Parameters
		nothing := p.Is(wire.Object) && (p.Get("required").Is(wire.Null) || p.Get("properties").Is(wire.Null))
		if p.Is(wire.Absent) || p.Is(wire.Object) && (len(p.Keys()) == 0 || p.Get("type").Text() == "object") && !nothing {
			return
		}
		found, kind := p.Type().String(), "no schema"
		switch {
		case nothing:
			found, kind = "null for required or properties", "null within"
		case p.Is(wire.Null):
			kind = "null"
		case p.Is(wire.Object) && !slices.Contains(schemaTypes, p.Get("type").Text()) && !p.Get("type").Is(wire.Absent):
			found, kind = "type "+rules.Show(p.Get("type")), "unknown type"
		case p.Is(wire.Object):
			found, kind = "type "+rules.Show(p.Get("type")), "another type"
		}
		j.Find(trace.Finding{
			Pointer:  fmt.Sprintf("/tools/%d/function/parameters", i),
			Message:  fmt.Sprintf("the parameters of %s are no schema of an object", t.Name),
			Expected: `a JSON Schema with "type":"object", or no such key`,
			Actual:   rules.Show(p),
			Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "found": found, "kind": kind},
		})
	})
	return j
}

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

var documentedChoices = []string{"none", "auto", "required", "an object"}

func toolChoice(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	choice := req.Body.Get("tool_choice")
	taken := egress.OneOf(p.Accepts.ToolChoices, documentedChoices)
	if req.ThinkingOff() {
		taken = append(slices.Clip(taken), documentedChoices...) // a provider may force no tool on a model that thinks
	}
	if choice.Is(wire.Absent) || choice.Is(wire.Null) {
		return j
	}
	word, form := egress.ChoiceWord(choice), "a word"
	if slices.Contains(taken, word) {
		return j
	}
	switch {
	case choice.Is(wire.Object):
		form = word
	case !choice.Is(wire.String):
		form = rules.KindOf(choice)
	}
	j.Find(trace.Finding{
		Pointer:  "/tool_choice",
		Message:  "the provider has no such choice",
		Expected: "one of " + strings.Join(taken, ", "),
		Actual:   rules.Show(choice),
		Vars:     map[string]string{"choice": strings.Trim(rules.Show(choice), `"`), "form": form, "kind": rules.SchemaKindOf(choice)},
	})
	return j
}
