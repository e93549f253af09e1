package responsesrules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// responsesRequest are the rules of the area egress about the other keys of a request in the dialect responses.
var responsesRequest = []rules.Rule{
	{
		ID:        flatToolsID,
		Level:     trace.Must,
		Text:      "A tool is offered with its type, and a function with its name, its description and its parameters alongside the type, not within a key function.",
		Why:       "The provider refuses the nested form of Chat Completions, because the name is missing, and tools without a type, as they are in Anthropic's API.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "FunctionTool: type, name, parameters, strict"}, {URL: openResponses, Says: "FunctionToolParam"}, {URL: rules.MeasuredResponses, Says: "the 400 of OpenAI for both"}},
		Vars:      []string{"at", "key"},
		Request:   flatTools,
	},
	{
		ID:        "egress/function-keys",
		Level:     trace.Should,
		Text:      "A function that is offered has only the keys that the API knows.",
		Why:       "OpenAI refuses parameters that it does not know, such as input_schema of another API.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "the keys of FunctionTool"}},
		Vars:      []string{"at", "key"},
		Request:   functionKeys,
	},
	{
		ID:        "egress/flat-tool-choice",
		Level:     trace.Must,
		Text:      "A tool_choice that forces a function has its name alongside the type, not within a key function.",
		Why:       "The provider refuses the nested form of Chat Completions.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "ToolChoiceFunction: type, name"}, {URL: openResponses, Says: "SpecificFunctionParam"}},
		Vars:      []string{"at"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			choice := body.Get("tool_choice")
			if choice.Get("type").Text() != "function" || choice.Get("name").Is(wire.String) {
				return nil
			}
			return []trace.Finding{at(choice, "name", "tool_choice names no function", `{"type":"function","name":"..."}`, nil)}
		}),
	},
	{
		ID:        "egress/enough-output-tokens",
		Level:     trace.Should, // OpenAI refuses it; vLLM takes it
		Text:      "max_output_tokens, where it is sent, is at least 16.",
		Why:       "Less is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "max_output_tokens: minimum 16"}, {URL: openResponses, Says: "the same"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			limit := body.Get("max_output_tokens")
			if !limit.Is(wire.Number) || wire.CountOf(limit) >= 16 || wire.CountOf(limit) <= 0 { // what is no count is for parameter-types
				return nil
			}
			return []trace.Finding{at(body, "max_output_tokens", "an answer may be too short", "16 or more", map[string]string{"found": string(limit.Raw)})}
		}),
	},
	{
		ID:        "egress/one-history",
		Level:     trace.Must,
		Text:      "A request continues a previous_response_id or a conversation, not both.",
		Why:       "The provider refuses both at once.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"history/response-goes-on"},
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "previous_response_id: cannot be used in conjunction with conversation"}},
		Vars:      []string{"at"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			if isGiven(body.Get("previous_response_id")) && isGiven(body.Get("conversation")) {
				return []trace.Finding{at(body, "conversation", "the request goes on from two histories", "one of previous_response_id and conversation", nil)}
			}
			return nil
		}),
	},
	{
		ID:        "egress/include-words",
		Level:     trace.Must,
		Text:      "include, where it is sent, is a list of values that the API knows.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "IncludeEnum"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			include := body.Get("include")
			if !include.Is(wire.Array) { // what is not a list is for parameter-types
				return nil
			}
			for _, word := range include.Items {
				if !slices.Contains(includes, word.Text()) {
					all = append(all, at(word, "", "include has a word that the API does not know", "one of its words, such as reasoning.encrypted_content", map[string]string{"found": word.Text()}))
				}
			}
			return all
		}),
	},
	{
		ID:        "egress/instructions-are-text",
		Level:     trace.Must,
		Text:      "instructions, where they are sent, are a string.",
		Why:       "A list of parts, as a system prompt may be in other APIs, is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "CreateResponse: instructions is a string or null"}, {URL: openResponses, Says: "the same"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			said := body.Get("instructions")
			if !isGiven(said) || said.Is(wire.String) {
				return nil
			}
			return []trace.Finding{at(body, "instructions", "the instructions are no text", "a string", map[string]string{"found": rules.KindOf(said)})}
		}),
	},
	{
		ID:        "egress/format-in-text",
		Level:     trace.Must,
		Text:      "A schema for the answer is in text.format, with its name and its schema alongside the type.",
		Why:       "The provider refuses the nested form of Chat Completions, because the name is missing.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "TextResponseFormatJsonSchema: required are type, name, schema"}, {URL: openResponses, Says: "JsonSchemaResponseFormatParam"}},
		Vars:      []string{"at", "key"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			format := body.Get("text").Get("format")
			if format.Get("type").Text() != "json_schema" {
				return nil
			}
			for _, key := range []string{"name", "schema"} {
				if format.Get(key) == nil {
					return []trace.Finding{at(format, key, "the format of the answer has no "+key, "type, name and schema", map[string]string{"key": key})}
				}
			}
			return nil
		}),
	},
	{
		ID:        "egress/reasoning-options",
		Level:     trace.Must,
		Text:      "reasoning, where it is sent, is an object whose effort and summary are values that the API knows.",
		Why:       "Another value, or a string in place of the object, is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "Reasoning: effort and summary"}, {URL: openResponses, Says: "ReasoningParam"}},
		Vars:      []string{"at", "found", "kind"},
		Request:   rules.InBody(reasoningOptions),
	},
	{
		ID:        "egress/truncation-word",
		Level:     trace.Must,
		Text:      "truncation, where it is sent, is auto or disabled.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "truncation: auto, disabled"}, {URL: openResponses, Says: "TruncationEnum"}},
		Vars:      []string{"at", "found", "kind"},
		Request:   rules.InBody(wordUnder("truncation", "auto", "disabled")),
	},
	{
		ID:        "egress/metadata-form",
		Level:     trace.Must,
		Text:      "metadata, where it is sent, has at most 16 strings of up to 512 characters, under keys of up to 64.",
		Why:       "A number, an object or a longer text in it is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "Metadata: at most 16 pairs of strings"}, {URL: openResponses, Says: "MetadataParam"}},
		Vars:      egress.MetadataVars,
		Request:   rules.InBody(egress.FindMetadata),
	},
	{
		ID:        "egress/background-is-stored",
		Level:     trace.Should,
		Text:      "A background response is stored.",
		Why:       "A response that is not stored is deleted some ten minutes after it was made, and some servers refuse the request.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://developers.openai.com/api/docs/guides/background", Says: "with a store of false a background response is deleted after about 10 minutes; before, stateless requests were rejected"},
			{URL: "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/entrypoints/openai/responses/protocol.py", Says: "validate_background: background needs a store of true"},
		},
		Vars: []string{"at"},
		Request: rules.InBody(func(body *wire.Node) []trace.Finding {
			if body.Get("background").True() && isFalse(body.Get("store")) {
				return []trace.Finding{at(body, "store", "a response is made in the background and not stored", "true, or no such key", nil)}
			}
			return nil
		}),
	},
	{
		ID:        "egress/cache-key-length",
		Level:     trace.Must,
		Text:      "prompt_cache_key and safety_identifier, where they are sent, have at most 64 characters.",
		Why:       "A longer text is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "safety_identifier: maxLength 64"}, {URL: openResponses, Says: "prompt_cache_key and safety_identifier: maxLength 64"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			for _, key := range []string{"prompt_cache_key", "safety_identifier"} {
				if n := len([]rune(body.Get(key).Text())); n > 64 {
					all = append(all, at(body, key, key+" is too long", "at most 64 characters", map[string]string{"found": fmt.Sprint(n)}))
				}
			}
			return all
		}),
	},
	{
		ID:        "egress/stored-items-are-referred-to",
		Level:     trace.Must,
		Text:      "A request whose answers are not stored refers to no item by its id alone.",
		Why:       "The provider answers 404: items are not persisted when store is false.",
		Invariant: true,
		Evidence:  "a request that carries a tool result and is not stored",
		Sources: []rules.Source{
			{URL: "https://github.com/can1357/oh-my-pi/issues/41", Says: "the 404 of OpenAI: Items are not persisted when `store` is set to false"},
			{URL: "https://github.com/coder/coder/issues/23368", Says: "the same"},
		},
		Vars:    []string{"found"},
		Asked:   storesNothing,
		Request: referencesStored,
	},
	{
		ID:        "egress/ends-with-input",
		Level:     trace.Must,
		Text:      "The last item of a request is not reasoning.",
		Why:       "Reasoning belongs to the item after it: the provider refuses it without its required following item.",
		Invariant: true,
		Evidence:  "a request with reasoning in its history",
		BrokenIn:  []string{"failure/error-behind-a-call"},
		Sources: []rules.Source{
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_openai_responses", Says: "the 400 of OpenAI: provided without its required following item"},
			{URL: "https://github.com/continuedev/continue/issues/8933", Says: "the same"},
		},
		Vars:    []string{"found"},
		Request: endsWithInput,
	},
	{
		ID:        "egress/reasoning-followed",
		Level:     trace.Should, // OpenAI refuses it; others that speak its API are not known to
		Text:      "Behind an item of reasoning that has an id is an item of the model: more reasoning, a message, a call or the work of the provider.",
		Why:       "Reasoning belongs to the item after it: OpenAI refuses it without its required following item. A turn that was cut while the model was thinking, or whose call is left out, goes back without its reasoning.",
		Invariant: true,
		Evidence:  "a request with reasoning that has an id, and with an item behind it, where the provider keeps nothing",
		Sources: []rules.Source{
			{URL: "https://github.com/lukacf/meerkat/pull/25", Says: "the 400 of OpenAI, before a message of the user and before an output"},
			{URL: "https://github.com/openclaw/openclaw/issues/19121", Says: "the same after an answer that the user cut"},
			{URL: "https://github.com/openai/openai-agents-python/pull/3207", Says: "the same behind a call that was left out; reasoning alone is kept where the server keeps the history"},
			{URL: "https://github.com/UKGovernmentBEIS/inspect_ai/pull/1990", Says: "several items of reasoning in a row, as OpenAI gave them: refused or not, it is not judged"},
		},
		Vars:    []string{"found"},
		Request: reasoningFollowed,
	},
}

func isFalse(n *wire.Node) bool { return n.Is(wire.Bool) && !n.True() }

func isGiven(n *wire.Node) bool { return n != nil && !n.Is(wire.Null) }

// includes are the words of include: IncludeEnum in openai-openapi at f85dbe2.
var includes = []string{
	"file_search_call.results", "web_search_call.results", "web_search_call.action.sources", "message.input_image.image_url",
	"computer_call_output.output.image_url", "code_interpreter_call.outputs", "reasoning.encrypted_content", "message.output_text.logprobs",
}

// eachFunction judges the functions that a request offers.
func eachFunction(wrong func(tool *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		for _, t := range req.Tools {
			if t.Node.Get("type").Text() != "function" {
				continue
			}
			j.HasEvidence = j.HasEvidence || rules.CarriesResult(req)
			j.Find(wrong(t.Node)...)
		}
		return j
	}
}

const flatToolsID = "egress/flat-tools"

// flatTools weighs a tool without a type less under providers that are not known to refuse it.
func flatTools(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	j := nestedTools(p, req)
	for _, tool := range req.Body.Get("tools").All() {
		if !tool.Is(wire.Object) || tool.Get("type") != nil {
			continue
		}
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(req)
		f := at(tool, "type", "a tool is offered without a type", `"function", or the type of a tool of the provider`, map[string]string{"key": "type"})
		if !p.RefusesViolation(flatToolsID, f.Vars) {
			f.Level = trace.Should
		}
		j.Find(f)
	}
	return j
}

var nestedTools = eachFunction(func(tool *wire.Node) []trace.Finding {
	if tool.Get("function") == nil {
		return nil
	}
	vars := map[string]string{"key": "function"}
	if tool.Get("name") == nil { // what the provider misses first
		vars = map[string]string{"key": "name", "at": wire.InBrackets(tool.Pointer() + "/name")}
	}
	return []trace.Finding{at(tool, "function", "a function is offered in the form of Chat Completions", "name, description and parameters alongside the type", vars)}
})

// functionKeysTaken are the keys of a function: FunctionTool in openai-openapi at f85dbe2, and in openai-go v3.99.0,
// which has async.
var functionKeysTaken = []string{"type", "name", "description", "parameters", "strict", "defer_loading", "output_schema", "allowed_callers", "async", "function"}

var functionKeys = eachFunction(func(tool *wire.Node) (all []trace.Finding) {
	for _, m := range tool.Members {
		if !slices.Contains(functionKeysTaken, m.Key) { // function is for flat-tools
			all = append(all, at(tool, m.Key, fmt.Sprintf("a function has the key %q", m.Key), "only type, name, description, parameters, strict", map[string]string{"key": m.Key}))
		}
	}
	return all
})

// wordUnder finds a word under a key that is none of some.
func wordUnder(key string, words ...string) func(*wire.Node) []trace.Finding {
	return func(in *wire.Node) []trace.Finding {
		said := in.Get(key)
		if !isGiven(said) || slices.Contains(words, said.Text()) {
			return nil
		}
		return []trace.Finding{at(in, key, key+" has a word that the API does not know", "one of "+rules.List(words), map[string]string{"found": said.Text(), "kind": rules.SchemaKindOf(said)})}
	}
}

func reasoningOptions(body *wire.Node) []trace.Finding {
	options := body.Get("reasoning")
	switch {
	case !isGiven(options):
		return nil
	case !options.Is(wire.Object):
		return []trace.Finding{at(body, "reasoning", "reasoning is not an object", "an object", map[string]string{"found": rules.KindOf(options), "kind": rules.SchemaKindOf(options)})}
	}
	return slices.Concat(
		wordUnder("effort", "none", "minimal", "low", "medium", "high", "xhigh", "max")(options),
		wordUnder("summary", "auto", "concise", "detailed")(options),
	)
}

// storesNothing reports whether a request of a run says that its answer is not to be stored.
func storesNothing(r *rules.Run) bool {
	return slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool {
		return x.Request != nil && isFalse(x.Request.Body.Get("store"))
	})
}

func referencesStored(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if !isFalse(req.Body.Get("store")) {
		return j
	}
	j.HasEvidence = rules.CarriesResult(req)
	eachItem(req, func(item *wire.Node, kind string) {
		if kind == "item_reference" {
			j.Find(at(item, "id", "the request refers to an item by its id, and nothing is stored", "the item in full", map[string]string{"found": item.Get("id").Text()}))
		}
	})
	return j
}

func endsWithInput(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	var last *wire.Node
	lastKind := ""
	eachItem(req, func(item *wire.Node, kind string) {
		j.HasEvidence = j.HasEvidence || kind == "reasoning" && rules.CarriesResult(req)
		last, lastKind = item, kind
	})
	if lastKind == "reasoning" {
		j.Find(at(last, "", "the request ends with reasoning", "the item that followed it", map[string]string{"found": last.Get("id").Text()}))
	}
	return j
}

// reasoningFollowed says nothing where the provider keeps the history: the item behind the reasoning may be there. Nor does it
// about reasoning without an id, of which the provider cannot know what was behind it.
func reasoningFollowed(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if isGiven(req.Body.Get("previous_response_id")) || isGiven(req.Body.Get("conversation")) {
		return j
	}
	var before *wire.Node // the reasoning right before an item
	eachItem(req, func(item *wire.Node, kind string) {
		if before != nil {
			j.HasEvidence = true
			if ofTheLoop(item, kind) {
				j.Find(at(before, "", "reasoning is followed by an item that is not of the model", "the item that followed it", map[string]string{"found": before.Get("id").Text()}))
			}
		}
		if before = nil; kind == "reasoning" && item.Get("id").Text() != "" {
			before = item
		}
	})
	return j
}

// ofTheLoop reports whether an item is what the user said, or what a tool of the loop returned.
func ofTheLoop(item *wire.Node, kind string) bool {
	switch kind {
	case "message":
		return item.Get("role").Text() != "assistant"
	case "function_call_output", "custom_tool_call_output", "mcp_approval_response":
		return true
	}
	return false
}
