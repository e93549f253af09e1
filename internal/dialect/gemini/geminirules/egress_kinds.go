package geminirules

import (
	"encoding/base64"

	"github.com/loopproof/loopproof/internal/dialect/gemini"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiKinds are the rules of the area egress about the keys of contents, calls, responses and
// tools, and about what is where.
var geminiKinds = []rules.Rule{
	{
		ID:        "egress/content-keys",
		Level:     trace.Should,
		Text:      "A content has a role and parts, and no other keys.",
		Why:       "Google refuses names that it does not know, such as content and tool_calls of other APIs.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#Content", Says: "parts and role"}},
		Vars:      []string{"at", "key", "of"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			wrong := unknownKeys("a content", "Content")
			return append(inItems("contents", wrong)(body), wrong(under(body, "systemInstruction"))...)
		}),
	},
	{
		ID:        "egress/function-call-keys",
		Level:     trace.Should,
		Text:      "A functionCall goes back with the keys that the API knows: id, name and args.",
		Why:       "Google refuses names that it does not know, such as type and arguments of other APIs.",
		Invariant: true,
		Evidence:  "a request with a function call in its history",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionCall", Says: "id, name, args"}},
		Vars:      []string{"at", "key", "of"},
		Request:   inData("functionCall", unknownKeys("a call", "FunctionCall")),
	},
	{
		ID:        "egress/function-response-keys",
		Level:     trace.Should,
		Text:      "A functionResponse has the keys that the API knows: id, name, response and parts.",
		Why:       "Google refuses names that it does not know, such as isError and tool_call_id of other APIs.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionResponse", Says: "id, name, response, parts, willContinue, scheduling"}},
		Vars:      []string{"at", "key", "of"},
		Request:   inData("functionResponse", unknownKeys("a response", "FunctionResponse")),
	},
	{
		ID:        "egress/response-parts-are-data",
		Level:     trace.Should,
		Text:      "The parts of a functionResponse are data: inlineData or fileData.",
		Why:       "The text of a tool result belongs into response; a text among the parts is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionResponsePart", Says: "inlineData, and fileData on Vertex AI"}},
		Vars:      []string{"at", "key", "of"},
		Request:   inData("functionResponse", inItems("parts", unknownKeys("a part of a response", "FunctionResponsePart"))),
	},
	{
		ID:        "egress/tool-kinds",
		Level:     trace.Should,
		Text:      "An entry of tools is functionDeclarations or a tool of Google's, and not a tool of another API.",
		Why:       "Google refuses names that it does not know, such as type and function.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#Tool", Says: "functionDeclarations, googleSearch and their like"}},
		Vars:      []string{"at", "key", "of"},
		Request:   rules.InBody(inItems("tools", unknownKeys("a tool", "Tool"))),
	},
	{
		ID:        "egress/tool-config-keys",
		Level:     trace.Should,
		Text:      "toolConfig and functionCallingConfig have only keys that the API knows.",
		Why:       "Google refuses names that it does not know, such as tool_choice of other APIs.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#ToolConfig", Says: "functionCallingConfig, retrievalConfig; mode, allowedFunctionNames"}},
		Vars:      []string{"at", "key", "of"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			config := under(body, "toolConfig")
			found := unknownKeys("toolConfig", "ToolConfig")(config)
			return append(found, unknownKeys("functionCallingConfig", "FunctionCallingConfig")(under(config, "functionCallingConfig"))...)
		}),
	},
	{
		ID:        "egress/signature-is-base64",
		Level:     trace.Must,
		Text:      "A thoughtSignature is base64: the received one, not several joined together.",
		Why:       "Its type is bytes: anything else is refused before the signature is checked.",
		Invariant: true,
		Evidence:  "a request with a thought signature in its history",
		Sources: []rules.Source{
			{URL: geminiParts, Says: "thoughtSignature: string (bytes format), a base64-encoded string"},
			{URL: "https://github.com/MayDay-wpf/snow-cli/issues/84", Says: "two signatures put together: Base64 decoding failed"},
			{URL: "https://github.com/crmne/ruby_llm/issues/521", Says: "signatures that were cut: the same 400"},
		},
		Vars:    []string{"at", "found"},
		Request: signatureIsBase64,
	},
	{
		ID:        "egress/instruction-of-texts",
		Level:     trace.Should,
		Text:      "The parts of the system instruction are texts.",
		Why:       "The API takes nothing else there.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: geminiAPI, Says: "systemInstruction: currently, text only"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			for _, part := range gemini.Items(under(body, "systemInstruction").Get("parts")) {
				if said := dataIn(part); len(said) > 0 && said[0] != "text" {
					all = append(all, at(part, "", "the system instruction has a part that is no text", "texts alone", placed(part, said[0])))
				}
			}
			return all
		}),
	},
	{
		ID:        "egress/function-name-begins-with-a-letter",
		Level:     trace.Must,
		Text:      "The name of a function begins with a letter or an underscore.",
		Why:       "A name that begins with a digit, as those of some servers of tools, makes Google refuse all tools.",
		Invariant: true,
		Evidence:  "a request with functions that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/NoeFabris/opencode-antigravity-auth/pull/280", Says: "the 400 at names that begin with a digit"},
			{URL: "https://github.com/SuperClaude-Org/SuperGemini_Framework/issues/12", Says: "21st_magic_component_builder was refused"},
			{URL: "https://github.com/cline/cline/issues/7339", Says: "names that begin with a digit"},
		},
		Vars: []string{"at", "found"},
		Request: eachDeclared(func(f *wire.Node) []trace.Finding {
			name := f.Get("name").Text()
			if name == "" || name[0] == '_' || name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z' {
				return nil
			}
			return []trace.Finding{inPart(f, "name", "the name of a function begins with "+rules.Quote(name[:1]), "a letter or an underscore", name)}
		}),
	},
}

// inItems judges the items of a list.
func inItems(key string, wrong func(*wire.Node) []trace.Finding) func(*wire.Node) []trace.Finding {
	return func(of *wire.Node) (all []trace.Finding) {
		for _, item := range gemini.Items(under(of, key)) {
			all = append(all, wrong(item)...)
		}
		return all
	}
}

func signatureIsBase64(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachPart(req, func(part *wire.Node) {
		said := under(part, "thoughtSignature")
		if said.Text() == "" {
			return
		}
		j.HasEvidence = true
		if !isBase64(said.Text()) {
			j.Find(at(said, "", "a thought signature is no base64", "the signature as it was given", placed(said, said.Text())))
		}
	})
	return j
}

// isBase64 reports whether a text is base64 as parsers of protobuf take it: of either alphabet,
// with or without padding.
func isBase64(text string) bool {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if _, err := encoding.DecodeString(text); err == nil {
			return true
		}
	}
	return false
}
