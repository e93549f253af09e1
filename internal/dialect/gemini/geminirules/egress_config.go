package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiConfig are the rules of the area egress about what goes together, and about the values of
// generationConfig.
var geminiConfig = []rules.Rule{
	{
		ID:        "egress/own-tools-apart",
		Level:     trace.Should,
		Text:      "Google's own tools are not sent together with functions, unless toolConfig asks for their invocations.",
		Why:       "Models before the generation 3 refuse the two together; newer ones want includeServerSideToolInvocations.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/googleapis/go-genai/issues/323", Says: "the 400: Tool use with function calling is unsupported"},
			{URL: "https://github.com/lobehub/lobehub/pull/7463", Says: "also where only the history has calls"},
			{URL: "https://github.com/owndev/Open-WebUI-Functions/pull/159", Says: "the 400 of Gemini 3: enable include_server_side_tool_invocations"},
		},
		Vars:    []string{"at", "found"},
		Request: rules.InBody(ownToolsBesideFunctions),
	},
	{
		ID:        "egress/json-apart-from-functions",
		Level:     trace.Info,
		Text:      "An answer in JSON is not requested together with functions.",
		Why:       "Models before the generation 3 refuse the two together.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/googleapis/python-genai/issues/867", Says: "the 400: Function calling with a response mime type: 'application/json' is unsupported"},
			{URL: "https://github.com/symfony/ai/issues/1777", Says: "the same of gemini-2.5-flash"},
		},
		Vars: []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			config := under(body, "generationConfig")
			if !declaresFunctions(body) || under(config, "responseMimeType").Text() != "application/json" {
				return nil
			}
			said := under(config, "responseMimeType")
			return []trace.Finding{at(said, "", "an answer in JSON is asked for beside functions", "text/plain, or no functions", placed(said, said.Text()))}
		}),
	},
}

func declaresFunctions(body *wire.Node) bool {
	return slices.ContainsFunc(gemini.Items(body.Get("tools")), func(t *wire.Node) bool {
		return len(gemini.Items(under(t, "functionDeclarations"))) > 0
	})
}

func ownToolsBesideFunctions(body *wire.Node) (all []trace.Finding) {
	if !declaresFunctions(body) || under(under(body, "toolConfig"), "includeServerSideToolInvocations").True() {
		return nil
	}
	for _, tool := range gemini.Items(body.Get("tools")) {
		for _, m := range membersOf(tool) {
			if key := form.Camel(m.Key); key != "functionDeclarations" && slices.Contains(keysOf()["Tool"], key) && isGiven(m.Value) {
				all = append(all, at(tool, m.Key, "a tool of Google's beside functions", "functions alone", placed(tool, key)))
			}
		}
	}
	return all
}
