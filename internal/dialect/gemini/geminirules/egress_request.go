package geminirules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiRequest are the rules of the area egress about the other keys of a request in the dialect
// gemini.
var geminiRequest = []rules.Rule{
	{
		ID:        "egress/declaration-keys",
		Level:     trace.Should,
		Text:      "A function is declared with keys that the API knows.",
		Why:       "Google refuses names that it does not know, such as input_schema and strict of other APIs.",
		Invariant: true,
		Evidence:  "a request with functions that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionDeclaration", Says: "the keys of FunctionDeclaration"}},
		Vars:      []string{"at", "key", "of"},
		Request:   eachDeclared(unknownKeys("a function", "FunctionDeclaration")),
	},
	{
		ID:        "egress/schema-keys",
		Level:     trace.Should,
		Text:      "The parameters of a function are a Schema of the API; other keywords of JSON Schema are only allowed in parametersJsonSchema.",
		Why:       "additionalProperties, $schema and others are refused in parameters.",
		Invariant: true,
		Evidence:  "a request with functions that carries a function response",
		Sources: []rules.Source{
			{URL: "https://ai.google.dev/api/caching#Schema", Says: "the keys of Schema"},
			{URL: "https://ai.google.dev/api/caching#FunctionDeclaration", Says: "parametersJsonSchema takes JSON Schema"},
		},
		Vars: []string{"at", "key", "of"},
		Request: func(p *profiles.Profile, req *wire.Request) rules.CheckResult {
			j := eachDeclared(func(f *wire.Node) []trace.Finding { return foreignSchemaKeys(f.Get("parameters")) })(p, req)
			j.Find(foreignSchemaKeys(under(under(req.Body, "generationConfig"), "responseSchema"))...)
			return j
		},
	},
	{
		ID:        "egress/instruction-form",
		Level:     trace.Must,
		Text:      "systemInstruction, where it is sent, is an object with parts.",
		Why:       "It is a Content; a text in its place is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: geminiAPI, Says: "systemInstruction: object (Content)"},
			{URL: "https://github.com/Wei-Shaw/sub2api/issues/1045", Says: "the 400 at both spellings: oneof field '_system_instruction' is already set"},
		},
		Vars: misreadVars,
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			said := under(body, "systemInstruction")
			if short, long := body.Get("systemInstruction"), body.Get("system_instruction"); isGiven(short) && isGiven(long) {
				return []trace.Finding{at(long, "", "the system instruction is sent in both spellings", "one of them", map[string]string{
					"at": "", "in": "", "key": long.Key(), "type": "oneof", "found": "oneof field '_system_instruction' is already set. Cannot set 'system_instruction'", "what": "a value",
				})}
			}
			if !isGiven(said) || said.Is(wire.Object) && said.Has("parts") && !said.Get("parts").Is(wire.String) {
				return nil
			}
			return []trace.Finding{at(said, "", "the system instruction is not content", `{"parts":[{"text":"..."}]}`, misread(said, ownTypes+"Content"))}
		}),
	},
	{
		ID:        "egress/config-keys",
		Level:     trace.Should,
		Text:      "generationConfig has only keys that the API knows.",
		Why:       "Google refuses names that it does not know, such as max_tokens and stop of other APIs.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/generate-content#v1beta.GenerationConfig", Says: "the keys of GenerationConfig"}},
		Vars:      []string{"at", "key", "of"},
		Request:   rules.InBody(func(body *wire.Node) []trace.Finding { return configKeys(under(body, "generationConfig")) }),
	},
	{
		ID:        "egress/calling-mode",
		Level:     trace.Should,
		Text:      "The mode of functionCallingConfig, where it is sent, is a value that the API knows, in upper or lower case.",
		Why:       "Values of other APIs, such as required, are refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://ai.google.dev/api/caching#FunctionCallingConfig", Says: "Mode: AUTO, ANY, NONE, VALIDATED"},
			{URL: "https://github.com/google-gemini/generative-ai-python/blob/main/samples/rest/function_calling.sh", Says: "Google's own sample has none in small letters"},
		},
		Vars: []string{"at", "found", "of"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			config := under(under(body, "toolConfig"), "functionCallingConfig")
			mode := config.Get("mode")
			if !mode.Is(wire.String) || slices.Contains(callingModes, gemini.Word(mode.Text())) { // a number is accepted for a word, too
				return nil
			}
			f := inPart(config, "mode", "a mode that the API does not know", "one of "+rules.List(callingModes), mode.Text())
			f.Vars["of"] = "nobody" // which may be newer than the list
			if slices.Contains(modesOfOthers, strings.ToLower(mode.Text())) {
				f.Vars["of"] = "another API"
			}
			return []trace.Finding{f}
		}),
	},
	{
		ID:        "egress/calling-needs-functions",
		Level:     trace.Should,
		Text:      "toolConfig says how functions are called only where functions are declared, or where it asks for the invocations of Google's own tools.",
		Why:       "The Gemini API refuses it alone: a loop that drops its functions for a last answer, or has tools of Google's only, has to drop it too.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		BrokenIn:  []string{"egress/no-tools"},
		Sources: []rules.Source{
			{URL: "https://github.com/pydantic/pydantic-ai/pull/5791", Says: "the 400, tried with several models; taken beside includeServerSideToolInvocations, and by Vertex AI"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/3579", Says: "the 400 for the mode AUTO"},
			{URL: "https://github.com/tailcallhq/forgecode/issues/1404", Says: "the same when an agent shortens its history"},
		},
		Vars:    []string{"at", "found"},
		Request: rules.InBody(callingWithoutFunctions),
	},
	{
		ID:        "egress/allowed-names-declared",
		Level:     trace.Should,
		Text:      "allowedFunctionNames are names of declared functions, and sent only with the mode ANY or VALIDATED.",
		Why:       "Other modes do not use them, and a function that is not declared can never be called.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionCallingConfig", Says: "allowedFunctionNames: should only be set when the Mode is ANY or VALIDATED"}},
		Vars:      []string{"at", "found", "what"},
		Request:   allowedNamesDeclared,
	},
}

// modesOfOthers are words of other APIs for which tools may be called.
var modesOfOthers = []string{"required", "tool", "function", "allowed_tools", "custom"}

var callingModes = []string{"AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"}

// callingWithoutFunctions takes the mode that allows no calls, of which no refusal is known, and
// leaves unknown ones to calling-mode.
func callingWithoutFunctions(body *wire.Node) []trace.Finding {
	config := under(body, "toolConfig")
	calling := under(config, "functionCallingConfig")
	own := under(config, "includeServerSideToolInvocations")
	if !calling.Is(wire.Object) || len(calling.Members) == 0 || declaresFunctions(body) || isGiven(own) && string(own.Raw) != "false" {
		return nil
	}
	mode := gemini.Word(calling.Get("mode").Text())
	if mode == "NONE" || mode != "" && !slices.Contains(callingModes, mode) {
		return nil
	}
	return []trace.Finding{at(calling, "", "how functions are called is said without any", "no functionCallingConfig", placed(calling, mode))}
}

func configKeys(config *wire.Node) []trace.Finding {
	if !config.Is(wire.Object) {
		return nil
	}
	return unknownKeys("generationConfig", "GenerationConfig")(config)
}

// eachDeclared judges the functions that a request declares.
func eachDeclared(wrong func(declared *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		for _, t := range req.Tools {
			if t.Own {
				continue
			}
			j.HasEvidence = j.HasEvidence || rules.CarriesResult(req)
			j.Find(wrong(t.Node)...)
		}
		return j
	}
}

// foreignSchemaKeys finds the keys of a schema, and of those within it, that a Schema does not
// have.
func foreignSchemaKeys(schema *wire.Node) (all []trace.Finding) {
	if !schema.Is(wire.Object) {
		return nil
	}
	all = unknownKeys("a schema", "Schema")(schema)
	for _, m := range membersOf(schema.Get("properties")) {
		all = append(all, foreignSchemaKeys(m.Value)...)
	}
	all = append(all, foreignSchemaKeys(schema.Get("items"))...)
	for _, one := range gemini.Items(under(schema, "anyOf")) {
		all = append(all, foreignSchemaKeys(one)...)
	}
	return all
}

func membersOf(n *wire.Node) []wire.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

func allowedNamesDeclared(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	config := under(under(req.Body, "toolConfig"), "functionCallingConfig")
	names := under(config, "allowedFunctionNames")
	if len(gemini.Items(names)) == 0 {
		return j
	}
	if mode := gemini.Word(config.Get("mode").Text()); mode != "ANY" && mode != "VALIDATED" {
		j.Find(at(names, "", "allowed names with a mode that has no use for them", "the mode ANY or VALIDATED", map[string]string{"at": gemini.Place(names), "found": mode, "what": "mode"}))
	}
	for _, name := range gemini.Items(names) {
		if !slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Name == name.Text() }) {
			j.Find(at(name, "", "an allowed name is that of no function", "the name of a declared function", map[string]string{"at": gemini.Place(name), "found": name.Text(), "what": "name"}))
		}
	}
	return j
}
