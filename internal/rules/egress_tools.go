package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressTools are the rules of the area egress about the tools that a request offers.
var egressTools = []Rule{
	{
		ID:        "egress/tool-form",
		Dialect:   onlyChat,
		Level:     Must,
		Text:      "A tool is offered as an object with a type, and a function with a name. The provider's own tools have other types and forms, where it has any.",
		Why:       "The type is required; the flat form of other APIs is refused here.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []Source{
			{createDocs, "tools: type and function.name are required"},
			{"https://github.com/openai/openai-cookbook/issues/1248", "the 400: Missing required parameter: 'tools[0].type'"},
			{"https://github.com/microsoft/semantic-kernel/issues/6825", "the 400: Missing required parameter: 'tools[0].function'"},
			{"https://console.groq.com/docs/browser-search", "a tool of the provider: {\"type\":\"browser_search\"}"},
			{"https://docs.z.ai/guides/tools/web-search", "another: {\"type\":\"web_search\",\"web_search\":{...}}"},
		},
		Vars:    []string{"index", "key", "found"},
		Request: toolForm,
	},
	{
		ID:        "egress/tool-name",
		Level:     Should,
		Text:      "The name of a tool has at most 64 letters, digits, underscores and dashes; in messages 128, and it is there.",
		Why:       "One name with a dot or a space makes providers refuse all tools.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []Source{
			{createDocs, "name: a-z, A-Z, 0-9, underscores and dashes, at most 64"},
			{"https://github.com/run-llama/llama_index/issues/16093", "the 400 of OpenAI"},
			{"https://github.com/nikkigallery/Whimbox/issues/61", "the 400 of DeepSeek"},
			{anthropicSDK, "the name of a tool in the Messages API; newer models of Anthropic take 128 characters"},
		},
		Vars:    []string{"index", "name", "pattern", "found"},
		Request: toolName,
	},
	{
		ID:        "egress/tool-names-distinct",
		Level:     Should,
		Text:      "No two tools of a request have one name.",
		Why:       "A call says only the name: nobody can tell which of the two is meant.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []Source{
			{"https://github.com/openai/openai-agents-python/issues/464", "tools of two servers with one name are refused before they are sent"},
			{createDocs, "tool_choice names a function by its name alone"},
			{"https://github.com/anthropics/claude-code/issues/10687", "the 400 of Anthropic: Tool names must be unique"},
		},
		Vars:    []string{"index", "name"},
		Request: toolNamesDistinct,
	},
	{
		ID:        "egress/tool-parameters-are-a-schema",
		Dialect:   onlyChat,
		Level:     Should,
		Text:      "The parameters of a tool are a JSON Schema of type object, or left out.",
		Why:       "OpenAI refuses a schema without a type, and all tools with it.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []Source{
			{createDocs, "parameters: a JSON Schema object; omitting it means none"},
			{"https://github.com/browserbase/stagehand/issues/1159", "the 400 for a schema of type None"},
			{"https://github.com/mark3labs/mcphost/issues/34", "a tool that requires nothing, with null for the list"},
		},
		Vars:    []string{"index", "name", "found", "kind"},
		Request: toolParameters,
	},
	{
		ID:        "egress/tool-count",
		Dialect:   onlyChat,
		Level:     Should,
		Text:      "A request offers at most 128 tools.",
		Why:       "OpenAI refuses more; a loop that adds its tools anew at each turn gets there by itself.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []Source{
			{createDocs, "tools: a max of 128 functions are supported"},
			{"https://github.com/Upsonic/Upsonic/issues/176", "tools that pile up from call to call"},
			{"https://github.com/vishalmysore/Tools4AI/issues/16", "the 400 of OpenAI"},
		},
		Vars:    []string{"count"},
		Request: toolCount,
	},
	{
		ID:        "egress/strict-schema",
		Dialect:   onlyChat,
		Level:     Should,
		Text:      "A tool sent as strict has a schema that strict mode takes: every object is closed and requires all its properties.",
		Why:       "OpenAI refuses any other schema: strict is no flag that can be set on what a user wrote.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "strict mode: additionalProperties false, and all fields required"},
			{"https://github.com/spring-projects/spring-ai/issues/4776", "the 400 for a schema that does not fit"},
		},
		Vars:    []string{"name"},
		Request: strictSchema,
	},
	{
		ID:        "egress/tool-choice",
		Dialect:   onlyChat,
		Level:     Should,
		Text:      "tool_choice is one of the choices that the provider has: a word of its own, or an object that names a function.",
		Why:       "The words and forms differ between providers, and models that think cannot be forced.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []Source{
			{createDocs, "tool_choice: none, auto, required or an object"},
			{mistralSchema, "tool_choice: any besides"},
			{"https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/deepseek", "the 400 of DeepSeek for a forced choice while the model thinks"},
		},
		Vars:    []string{"choice", "form"},
		Request: toolChoice,
	},
}

// eachTool calls f for every tool of a request but the provider's own, which have forms and names of their own, such as
// $web_search of Moonshot.
func eachTool(req *wire.Request, f func(i int, t wire.ToolDefinition)) {
	for i, t := range req.Tools {
		if !t.Own {
			f(i, t)
		}
	}
}

// toolForm looks at tools of other types only where the provider is known to refuse them. Others have such tools: Groq
// has browser_search, Z.AI web_search, OpenRouter openrouter:web_search.
func toolForm(p *profiles.Profile, req *wire.Request) (j Judged) {
	_, refused := p.Refusal("egress/tool-form")
	if tools := req.Body.Get("tools"); !tools.Is(wire.Absent) && !tools.Is(wire.Null) && !tools.Is(wire.Array) {
		j.malformed(0, "tools", "/tools", "tools is no list", "a list of tools", tools)
	}
	for i, t := range req.Tools {
		if kind := t.Node.Get("type").Text(); kind == "custom" || !refused && t.Own {
			continue
		}
		j.Seen = true
		here := fmt.Sprintf("/tools/%d", i)
		if !t.Node.Is(wire.Object) {
			j.malformed(i, "tool", here, "a tool that is no object", "an object", t.Node)
			continue
		}
		if t.Node.Get("type").Text() == "" {
			j.malformed(i, "type", here+"/type", "a tool without type", `"type":"function"`, t.Node.Get("type"))
		}
		function := t.Node.Get("function")
		switch {
		case !function.Is(wire.Object):
			j.malformed(i, "function", here+"/function", "a tool without function", "an object with a name", function)
		case t.Name == "":
			j.malformed(i, "function.name", here+"/function/name", "a tool without function.name", "a name", function.Get("name"))
		}
	}
	return j
}

// malformed adds a finding of toolForm. key is what is missing.
func (j *Judged) malformed(i int, key, pointer, message, expected string, n *wire.Node) {
	j.Find(Finding{
		Pointer:  pointer,
		Message:  message,
		Expected: expected,
		Actual:   show(n),
		Vars:     map[string]string{"index": strconv.Itoa(i), "key": key, "found": kindOf(n)},
	})
}

// nameLetters are those that providers take in a name.
const nameLetters = "[a-zA-Z0-9_-]"

var wholeName = regexp.MustCompile("^" + nameLetters + "+$")

// takesName reports whether providers take a name of this length at most.
func takesName(name string, most int) bool { return len(name) <= most && wholeName.MatchString(name) }

func toolName(_ *profiles.Profile, req *wire.Request) (j Judged) {
	most := req.Dialect.Request.ToolName
	wrong := func(i int, t wire.ToolDefinition, message, pointer, actual, found string) {
		j.Find(Finding{
			Pointer:  pointer,
			Message:  message,
			Expected: fmt.Sprintf("at most %d of a-z, A-Z, 0-9, _ and -", most),
			Actual:   actual,
			Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "pattern": fmt.Sprintf("^%s{1,%d}$", nameLetters, most), "found": found},
		})
	}
	eachTool(req, func(i int, t wire.ToolDefinition) {
		j.Seen = true
		name := t.Node.Get("name")
		switch {
		case t.Name != "" && !takesName(t.Name, most):
			wrong(i, t, "a tool has a name that providers refuse", namePointer(i, t), quote(t.Name), "another name")
		case req.Dialect.Request.ToolNamedDirectly && t.Name == "": // that of a function is for tool-form
			wrong(i, t, "a tool without a name", fmt.Sprintf("/tools/%d/name", i), show(name), kindOf(name))
		}
	})
	return j
}

// namePointer returns where the name of a tool stands.
func namePointer(i int, t wire.ToolDefinition) string {
	if t.Node.Get("name").Is(wire.String) {
		return fmt.Sprintf("/tools/%d/name", i)
	}
	return fmt.Sprintf("/tools/%d/function/name", i)
}

func toolNamesDistinct(_ *profiles.Profile, req *wire.Request) (j Judged) {
	first := map[string]int{}
	eachTool(req, func(i int, t wire.ToolDefinition) {
		j.Seen = true
		if before, known := first[t.Name]; known && t.Name != "" {
			j.Find(Finding{
				Pointer:  namePointer(i, t),
				Message:  fmt.Sprintf("the tools %d and %d have one name", before, i),
				Expected: "a name of its own",
				Actual:   quote(t.Name),
				Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name},
			})
			return
		}
		first[t.Name] = i
	})
	return j
}

func toolParameters(_ *profiles.Profile, req *wire.Request) (j Judged) {
	eachTool(req, func(i int, t wire.ToolDefinition) {
		j.Seen = true
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
			found, kind = "type "+show(p.Get("type")), "unknown type"
		case p.Is(wire.Object):
			found, kind = "type "+show(p.Get("type")), "another type"
		}
		j.Find(Finding{
			Pointer:  fmt.Sprintf("/tools/%d/function/parameters", i),
			Message:  fmt.Sprintf("the parameters of %s are no schema of an object", t.Name),
			Expected: `a JSON Schema with "type":"object", or no such key`,
			Actual:   show(p),
			Vars:     map[string]string{"index": strconv.Itoa(i), "name": t.Name, "found": found, "kind": kind},
		})
	})
	return j
}

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// maxTools is how many tools OpenAI takes.
const maxTools = 128

func toolCount(_ *profiles.Profile, req *wire.Request) (j Judged) {
	j.Seen = len(req.Tools) > 0
	if n := len(req.Tools); n > maxTools {
		j.Find(Finding{
			Pointer:  "/tools",
			Message:  "more tools than providers take",
			Expected: fmt.Sprintf("at most %d", maxTools),
			Actual:   strconv.Itoa(n),
			Vars:     map[string]string{"count": strconv.Itoa(n)},
		})
	}
	return j
}

func strictSchema(_ *profiles.Profile, req *wire.Request) (j Judged) {
	eachTool(req, func(i int, t wire.ToolDefinition) {
		j.Seen = true
		if !t.Node.Get("function").Get("strict").True() {
			return
		}
		if open := openObject(t.Parameters); open != nil {
			j.Find(Finding{
				Pointer:  open.Pointer(),
				Message:  fmt.Sprintf("the tool %s is sent as strict with a schema that is not", t.Name),
				Expected: `"additionalProperties":false and all properties required`,
				Actual:   show(open),
				Vars:     map[string]string{"name": t.Name},
			})
		}
	})
	return j
}

// openObject returns the first object in a schema that is not closed, or that does not require all its properties.
func openObject(schema *wire.Node) (open *wire.Node) {
	schema.Walk(func(n *wire.Node) {
		if open != nil || n.Get("type").Text() != "object" || !n.Get("properties").Is(wire.Object) && n.Get("additionalProperties") == nil {
			return
		}
		closed := n.Get("additionalProperties")
		var required []string
		for _, r := range itemsOf(n.Get("required")) {
			required = append(required, r.Text())
		}
		optional := slices.ContainsFunc(n.Get("properties").Keys(), func(key string) bool { return !slices.Contains(required, key) })
		if !closed.Is(wire.Bool) || closed.True() || optional {
			open = n
		}
	})
	return open
}

var documentedChoices = []string{"none", "auto", "required", "an object"}

func toolChoice(p *profiles.Profile, req *wire.Request) (j Judged) {
	j.Seen = true
	choice := req.Body.Get("tool_choice")
	taken := or(p.Accepts.ToolChoices, documentedChoices)
	if choice.Is(wire.Absent) || choice.Is(wire.Null) {
		return j
	}
	word, form := choiceWord(choice), "a word"
	if slices.Contains(taken, word) {
		return j
	}
	switch {
	case choice.Is(wire.Object):
		form = word
	case !choice.Is(wire.String):
		form = kindOf(choice)
	}
	j.Find(Finding{
		Pointer:  "/tool_choice",
		Message:  "the provider has no such choice",
		Expected: "one of " + strings.Join(taken, ", "),
		Actual:   show(choice),
		Vars:     map[string]string{"choice": strings.Trim(show(choice), `"`), "form": form},
	})
	return j
}

// choiceWord returns the word of a tool_choice, "an object" for one that names tools, and "another object" for one that
// does not.
func choiceWord(choice *wire.Node) string {
	if !choice.Is(wire.Object) {
		return strings.Trim(show(choice), `"`)
	}
	switch {
	case choice.Get("custom") != nil, choice.Get("allowed_tools") != nil, choice.Get("function").Get("name").Text() != "":
		return "an object"
	case choice.Get("function") != nil:
		return "a function without a name"
	default:
		return "another object"
	}
}
