package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiRequest are the rules of the area egress about the other keys of a request in the dialect
// gemini.
var geminiRequest = []rules.Rule{
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

// callingWithoutFunctions takes the mode that allows no calls, of which no refusal is known, and
// leaves unknown ones to calling-mode.
func callingWithoutFunctions(body *wire.Node) []trace.Finding {
	config := under(body, "toolConfig")
	calling := under(config, "functionCallingConfig")
	own := under(config, "includeServerSideToolInvocations")
	if !calling.Is(wire.Object) || len(calling.Members) == 0 || declaresFunctions(body) || isGiven(own) && string(own.Raw) != "false" {
		return nil
	}
	mode := form.Word(calling.Get("mode").Text())
	if mode == "NONE" || mode != "" && !slices.Contains(gemini.Form().Node("FunctionCallingConfig.Mode").Enum, mode) {
		return nil
	}
	return []trace.Finding{at(calling, "", "how functions are called is said without any", "no functionCallingConfig", placed(calling, mode))}
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
	if mode := form.Word(config.Get("mode").Text()); mode != "ANY" && mode != "VALIDATED" {
		j.Find(at(names, "", "allowed names with a mode that has no use for them", "the mode ANY or VALIDATED", map[string]string{"at": gemini.Place(names), "found": mode, "what": "mode"}))
	}
	for _, name := range gemini.Items(names) {
		if !slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Name == name.Text() }) {
			j.Find(at(name, "", "an allowed name is that of no function", "the name of a declared function", map[string]string{"at": gemini.Place(name), "found": name.Text(), "what": "name"}))
		}
	}
	return j
}
