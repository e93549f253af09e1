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
		ID:        "egress/tool-form",
		Level:     trace.Must,
		Text:      "A tool is offered as an object with a type, and a function with a name. The provider's own tools have other types and forms, where it has any.",
		Why:       "The type is required; the flat form of other APIs is refused here.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "tools: type and function.name are required"},
			{URL: "https://github.com/openai/openai-cookbook/issues/1248", Says: "the 400: Missing required parameter: 'tools[0].type'"},
			{URL: "https://github.com/microsoft/semantic-kernel/issues/6825", Says: "the 400: Missing required parameter: 'tools[0].function'"},
			{URL: "https://console.groq.com/docs/browser-search", Says: "a tool of the provider: {\"type\":\"browser_search\"}"},
			{URL: "https://docs.z.ai/guides/tools/web-search", Says: "another: {\"type\":\"web_search\",\"web_search\":{...}}"},
		},
		Vars:    []string{"index", "key", "found"},
		Request: toolForm,
	},
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
		ID:        "egress/tool-count",
		Level:     trace.Should,
		Text:      "A request offers at most 128 tools.",
		Why:       "OpenAI refuses more; a loop that adds its tools again in each turn soon reaches this number.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "tools: a max of 128 functions are supported"},
			{URL: "https://github.com/Upsonic/Upsonic/issues/176", Says: "tools that pile up from call to call"},
			{URL: "https://github.com/vishalmysore/Tools4AI/issues/16", Says: "the 400 of OpenAI"},
		},
		Vars:    []string{"count"},
		Request: toolCount,
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

// toolForm looks at tools of other types only where the provider is known to refuse them. Others
// have such tools: Groq has browser_search, Z.AI web_search, OpenRouter openrouter:web_search.
func toolForm(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	_, refused := p.Refusal("egress/tool-form")
	if tools := req.Body.Get("tools"); !tools.Is(wire.Absent) && !tools.Is(wire.Null) && !tools.Is(wire.Array) {
		findMalformed(&j, 0, "tools", "/tools", "tools is not a list", "a list of tools", tools)
	}
	for i, t := range req.Tools {
		if kind := t.Node.Get("type").Text(); kind == "custom" || !refused && t.Own {
			continue
		}
		j.HasEvidence = true
		here := fmt.Sprintf("/tools/%d", i)
		if !t.Node.Is(wire.Object) {
			findMalformed(&j, i, "tool", here, "a tool that is not an object", "an object", t.Node)
			continue
		}
		if kind := t.Node.Get("type"); kind.Text() == "" && !(kind.Is(wire.Absent) && p.Accepts.UntypedTools) {
			findMalformed(&j, i, "type", here+"/type", "a tool without type", `"type":"function"`, kind)
		}
		function := t.Node.Get("function")
		switch {
		case !function.Is(wire.Object):
			findMalformed(&j, i, "function", here+"/function", "a tool without function", "an object with a name", function)
		case t.Name == "":
			findMalformed(&j, i, "function.name", here+"/function/name", "a tool without function.name", "a name", function.Get("name"))
		}
	}
	return j
}

// findMalformed adds a finding of toolForm. key is what is missing.
func findMalformed(j *rules.CheckResult, i int, key, pointer, message, expected string, n *wire.Node) {
	j.Find(trace.Finding{
		Pointer:  pointer,
		Message:  message,
		Expected: expected,
		Actual:   rules.Show(n),
		Vars:     map[string]string{"index": strconv.Itoa(i), "key": key, "found": rules.KindOf(n)},
	})
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

// maxTools is how many tools OpenAI takes.
const maxTools = 128

func toolCount(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = len(req.Tools) > 0
	if n := len(req.Tools); n > maxTools {
		j.Find(trace.Finding{
			Pointer:  "/tools",
			Message:  "more tools than providers take",
			Expected: fmt.Sprintf("at most %d", maxTools),
			Actual:   strconv.Itoa(n),
			Vars:     map[string]string{"count": strconv.Itoa(n)},
		})
	}
	return j
}

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
