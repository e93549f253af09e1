package responsesrules

import (
	"fmt"
	"math"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// responsesOptions are the rules of the area egress about what a request asks for besides the conversation.
var responsesOptions = []rules.Rule{
	{
		ID:        "egress/image-detail-word",
		Level:     trace.Must,
		Text:      "The detail of an image, where it is sent, is low, high, auto or original.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"images/one-image"},
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "ImageDetail"}, {URL: openResponses, Says: "the same"}},
		Vars:      []string{"at", "found"},
		Request: inItems(func(item *wire.Node, _ string) (all []trace.Finding) {
			for _, content := range []*wire.Node{item.Get("content"), item.Get("output")} {
				for _, part := range content.All() {
					if part.Get("type").Text() == "input_image" {
						all = append(all, wordUnder("detail", "low", "high", "auto", "original")(part)...)
					}
				}
			}
			return all
		}),
	},
	{
		ID:        "egress/verbosity-word",
		Level:     trace.Must,
		Text:      "text.verbosity, where it is sent, is low, medium or high.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "Verbosity"}, {URL: openResponses, Says: "VerbosityEnum"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			return wordUnder("verbosity", "low", "medium", "high")(body.Get("text"))
		}),
	},
	{
		ID:        "egress/service-tier-word",
		Level:     trace.Must,
		Text:      "service_tier, where it is sent, is auto, default, fast, flex, scale, priority or ultrafast.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "ServiceTier"},
			{URL: openResponses, Says: "ServiceTierEnum"},
			{URL: rules.MeasuredResponses, Says: "fast, which is in none of the two"},
		},
		Vars:    []string{"at", "found", "kind"},
		Request: rules.InBody(wordUnder("service_tier", "auto", "default", "fast", "flex", "scale", "priority", "ultrafast")),
	},
	{
		ID:        "egress/cache-retention-word",
		Level:     trace.Must,
		Text:      "prompt_cache_retention, where it is sent, is in_memory or 24h.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "prompt_cache_retention"}, {URL: "https://platform.openai.com/docs/guides/prompt-caching", Says: "in_memory and 24h"}},
		Vars:      []string{"at", "found", "kind"},
		Request:   rules.InBody(wordUnder("prompt_cache_retention", "in_memory", "in-memory", "24h")),
	},
	{
		ID:        "egress/sampling-range",
		Level:     trace.Must,
		Text:      "temperature is from 0 to 2, and top_p from 0 to 1, where they are sent.",
		Why:       "A number outside is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_openai_responses", Says: "the 400 of OpenAI: decimal below minimum value"},
			{URL: responsesSchemas, Says: "temperature: 0 to 2; top_p: 0 to 1"},
		},
		Vars: []string{"at", "found", "edge", "limit"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			return slices.Concat(numberUnder("temperature", 0, 2)(body), numberUnder("top_p", 0, 1)(body))
		}),
	},
	{
		ID:        "egress/top-logprobs-range",
		Level:     trace.Must,
		Text:      "top_logprobs, where it is sent, is from 0 to 20.",
		Why:       "A number outside is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "top_logprobs: 0 to 20"}, {URL: openResponses, Says: "the same"}},
		Vars:      []string{"at", "found", "edge", "limit"},
		Request:   rules.InBody(numberUnder("top_logprobs", 0, 20)),
	},
	{
		ID:        "egress/tool-calls-allowed",
		Level:     trace.Must,
		Text:      "max_tool_calls, where it is sent, is at least 1.",
		Why:       "0 is refused: to get no calls, send no tools, or the tool_choice none.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: openResponses, Says: "max_tool_calls: minimum 1"}},
		Vars:      []string{"at", "found"},
		Request:   rules.InBody(numberUnder("max_tool_calls", 1, math.Inf(1))),
	},
	{
		ID:        "egress/stream-option-keys",
		Level:     trace.Must,
		Text:      "stream_options, where they are sent, have include_obfuscation and no other key.",
		Why:       "The provider does not know include_usage of Chat Completions; it always sends the token counts.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"stream/slow"},
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "ResponseStreamOptions: include_obfuscation"}, {URL: openResponses, Says: "StreamOptionsParam: the same"}},
		Vars:      []string{"at", "key"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			options := body.Get("stream_options")
			if !options.Is(wire.Object) {
				return nil
			}
			for _, m := range options.Members {
				if m.Key != "include_obfuscation" {
					all = append(all, at(options, m.Key, fmt.Sprintf("stream_options have the key %q", m.Key), "include_obfuscation alone", map[string]string{"key": m.Key}))
				}
			}
			return all
		}),
	},
	{
		ID:        "egress/allowed-tools-form",
		Level:     trace.Must,
		Text:      "A tool_choice of the type allowed_tools has a list of tools, each an object with a type and a name.",
		Why:       "A list of names is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "ToolChoiceAllowed: mode and tools"}, {URL: openResponses, Says: "AllowedToolsParam"}},
		Vars:      []string{"at", "found"},
		Request:   rules.InBody(allowedToolsForm),
	},
	{
		ID:        "egress/conversation-form",
		Level:     trace.Must,
		Text:      "conversation, where it is sent, is an id or an object with an id.",
		Why:       "Anything else is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "ConversationParam: a string, or an object with id"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			c := body.Get("conversation")
			if !isGiven(c) || c.Is(wire.String) || c.Get("id").Is(wire.String) {
				return nil
			}
			return []trace.Finding{at(body, "conversation", "the conversation has no id", "an id, or an object with one", map[string]string{"found": rules.KindOf(c)})}
		}),
	},
	{
		ID:        "egress/format-type",
		Level:     trace.Must,
		Text:      "The type of text.format, where it is sent, is text, json_object or json_schema.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "TextResponseFormatConfiguration"}, {URL: openResponses, Says: "TextFormatParam"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			return wordUnder("type", "text", "json_object", "json_schema")(body.Get("text").Get("format"))
		}),
	},
	{
		ID:        "egress/format-name",
		Level:     trace.Must,
		Text:      "The name of a schema in text.format has at most 64 letters, digits, underscores and dashes.",
		Why:       "Another one is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "TextResponseFormatJsonSchema: name"}, {URL: openResponses, Says: "the same"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			format := body.Get("text").Get("format")
			name := format.Get("name")
			if format.Get("type").Text() != "json_schema" || name == nil || itemIDFits(name) {
				return nil
			}
			return []trace.Finding{at(format, "name", "the name of a schema is none", "1 to 64 letters, digits, underscores and dashes", map[string]string{"found": name.Text()})}
		}),
	},
	{
		ID:        "egress/strict-is-flag",
		Level:     trace.Must,
		Text:      "The strict of a function, where it is sent, is true, false or null.",
		Why:       "A word in its place is refused.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "FunctionTool: strict is a boolean or null"}, {URL: openResponses, Says: "FunctionToolParam"}},
		Vars:      []string{"at", "found"},
		Request: eachFunction(func(tool *wire.Node) []trace.Finding {
			strict := tool.Get("strict")
			if !isGiven(strict) || strict.Is(wire.Bool) {
				return nil
			}
			return []trace.Finding{at(tool, "strict", "strict is no flag", "true, false or null", map[string]string{"found": rules.KindOf(strict)})}
		}),
	},
	{
		ID:        "egress/file-part-form",
		Level:     trace.Must,
		Text:      "A file in a content has its data, its id or its URL.",
		Why:       "One with a name alone is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "InputFileContent: file_id, file_data, file_url"}, {URL: openResponses, Says: "InputFileContentParam"}},
		Vars:      []string{"at"},
		Request: inItems(func(item *wire.Node, _ string) (all []trace.Finding) {
			for _, content := range []*wire.Node{item.Get("content"), item.Get("output")} {
				for _, part := range content.All() {
					given := isGiven(part.Get("file_id")) || isGiven(part.Get("file_data")) || isGiven(part.Get("file_url"))
					if part.Get("type").Text() == "input_file" && !given {
						all = append(all, at(part, "", "a file without anything in it", "file_data, file_id or file_url", nil))
					}
				}
			}
			return all
		}),
	},
	{
		ID:        "egress/encrypted-asked-for",
		Level:     trace.Should,
		Text:      "A request after an answer with reasoning includes reasoning.encrypted_content, if answers are not stored.",
		Why:       "Without it the reasoning of a turn cannot be sent back, and the model loses it.",
		Invariant: true,
		Evidence:  "a request that carries a result, is not stored, and is after an answer with reasoning",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "reasoning.encrypted_content enables reasoning items to be used in multi-turn conversations statelessly"},
			{URL: "https://github.com/vercel/ai/pull/13234", Says: "reasoning without its encrypted form sent back to a provider that stores nothing"},
		},
		Run: encryptedAskedFor,
	},
}

// numberUnder finds a number under a key that is outside of a range. What is not a number is for parameter-types.
func numberUnder(key string, low, high float64) func(*wire.Node) []trace.Finding {
	return func(body *wire.Node) []trace.Finding {
		expected, vars := egress.RangeMistake(wire.Range{Low: low, High: high}, body.Get(key))
		if vars == nil {
			return nil
		}
		return []trace.Finding{at(body, key, key+" is out of its range", expected, vars)}
	}
}

func allowedToolsForm(body *wire.Node) (all []trace.Finding) {
	choice := body.Get("tool_choice")
	if choice.Get("type").Text() != "allowed_tools" {
		return nil
	}
	tools := choice.Get("tools")
	if !tools.Is(wire.Array) || len(tools.Items) == 0 {
		return []trace.Finding{at(choice, "tools", "no list of allowed tools", "a list of objects with a type and a name", map[string]string{"found": rules.KindOf(tools)})}
	}
	for _, t := range tools.Items {
		if !t.Get("type").Is(wire.String) {
			all = append(all, at(t, "", "an allowed tool without a type", "an object with a type and a name", map[string]string{"found": rules.KindOf(t)}))
		}
	}
	return all
}

// encryptedAskedFor judges the requests after answers with reasoning, under providers that have it in an encrypted form. Of a
// model that does not reason OpenAI refuses to include it.
func encryptedAskedFor(r *rules.Run) (j rules.CheckResult) {
	if !r.Script.Profile.Traits.ReasoningSealed {
		return j
	}
	for _, e := range r.ReturnedCallTurns() {
		body := e.In.Request.Body
		if len(e.Turn.Answer.Details) == 0 || !isFalse(body.Get("store")) {
			continue
		}
		j.HasEvidence = true
		include := body.Get("include")
		if !slices.Contains(wire.TextsOf(include), "reasoning.encrypted_content") {
			j.FindAt(e.In, "/include", "nothing is stored, and the encrypted reasoning is not asked for", `["reasoning.encrypted_content"]`, rules.Show(include))
		}
	}
	return j
}
