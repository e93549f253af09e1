package responsesrules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	responsesAPI     = "https://platform.openai.com/docs/api-reference/responses/create"
	responsesSchemas = "https://github.com/openai/openai-openapi/blob/f85dbe2/openapi.yaml"
	openResponses    = "https://www.openresponses.org/specification"
)

// responsesItems are the rules of the area egress about the items of a request in the dialect responses.
var responsesItems = []rules.Rule{
	{
		ID:        "egress/item-types",
		Level:     trace.Must,
		Text:      "The entries of input are items of types that the API knows; parts of a content and events of a stream are none.",
		Why:       "An item of another type makes the provider refuse the request, and every later one with it in the history.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "InputItem: the types of items in a request"},
			{URL: "https://github.com/neuron-core/neuron-ai/issues/556", Says: "bare output_text parts among the items, which are refused"},
		},
		Vars:    []string{"at", "found"},
		Request: itemTypes,
	},
	{
		ID:        "egress/item-keys",
		Level:     trace.Should,
		Text:      "Items of messages, calls, outputs and reasoning have only the keys that the API knows for their type.",
		Why:       "OpenAI refuses parameters that it does not know: what a loop notes for itself, or a status on reasoning, which has none there.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "the keys of the items in a request"},
			{URL: "https://github.com/BerriAI/litellm/issues/13420", Says: "the 400 of OpenAI for a status on a reasoning item"},
		},
		Vars:    []string{"at", "key"},
		Request: itemKeys,
	},
	{
		ID:        "egress/arguments-given",
		Level:     trace.Must,
		Text:      "A function_call goes back with its arguments, also when there were none.",
		Why:       "The key is required: a call without it is refused, and every later request with it in the history.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with a tool call in its history",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "FunctionToolCall: required are type, call_id, name, arguments"},
			{URL: "https://github.com/vercel/ai/issues/14349", Says: "the 400 of OpenAI: Missing required parameter: 'input[N].arguments'"},
		},
		Vars: []string{"at"},
		Request: inKind([]string{"function_call"}, func(item *wire.Node) []trace.Finding {
			if item.Get("arguments") != nil {
				return nil
			}
			return []trace.Finding{at(item, "arguments", "a call without arguments", "a string, which may be {}", nil)}
		}),
	},
	{
		ID:        "egress/output-form",
		Level:     trace.Must,
		Text:      "The output of a function_call_output is a string or a list of parts, and it is there, also when the tool said nothing.",
		Why:       "An object, a number, null or nothing is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "FunctionCallOutputItemParam: output is a string or a list of parts, and required"}},
		Vars:      []string{"at", "found"},
		Request:   outputForm,
	},
	{
		ID:        "egress/output-part-types",
		Level:     trace.Must,
		Text:      "The parts of an output are input_text, input_image or input_file.",
		Why:       "Parts of other types, such as those of Chat Completions or of the model's own messages, are refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "FunctionCallOutputItemParam: a list of InputTextContentParam, InputImageContentParamAutoParam and InputFileContentParam"},
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_multimodal_tool_returns", Says: "a part that is refused for what it is"},
		},
		Vars:    []string{"at", "found"},
		Request: outputPartTypes,
	},
	{
		ID:        "egress/input-part-types",
		Level:     trace.Must,
		Text:      "The parts of a message of the user, the system or the developer are input_text, input_image or input_file.",
		Why:       "The types of Chat Completions, text and image_url, and those of the model's own messages are refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "InputMessageContentList"},
			{URL: openResponses, Says: "UserMessageItemParam: the parts of its content"},
		},
		Vars:    []string{"at", "found"},
		Request: inputPartTypes,
	},
	{
		ID:        "egress/answer-part-types",
		Level:     trace.Must,
		Text:      "The parts of a message of the assistant are output_text or refusal.",
		Why:       "The provider refuses input_text there, and names the two types that it takes.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "OutputMessage: the parts of its content"},
			{URL: openResponses, Says: "AssistantMessageItemParam: the same"},
		},
		Vars:    []string{"at", "found"},
		Request: answerPartTypes,
	},
	{
		ID:        "egress/content-part-form",
		Level:     trace.Must,
		Text:      "A part of a content has what its type says: a text as a string, a refusal as a string, an image by a URL as a string or by a file_id.",
		Why:       "The provider refuses a part without it, and one whose image is an object, as in Chat Completions.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "InputTextContent, InputImageContent, OutputTextContent, RefusalContent"},
			{URL: openResponses, Says: "image_url: a string"},
		},
		Vars:    []string{"at", "key", "found"},
		Request: contentPartForm,
	},
	{
		ID:        "egress/item-id-prefix",
		Level:     trace.Must,
		Text:      "The id of an item begins as its type wants it: rs_ for reasoning, fc_ for a call, msg_ for a message of the model.",
		Why:       "The provider refuses another beginning, such as that of the call_id or of an id of the loop's own.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/mastra-ai/mastra/issues/10815", Says: "the 400 of OpenAI: Expected an ID that begins with 'msg'"},
			{URL: "https://github.com/openai/codex/issues/33176", Says: "the same for 'rs'"},
		},
		Vars:    []string{"at", "found", "prefix"},
		Request: itemIDPrefix,
	},
	{
		ID:        "egress/item-id-form",
		Level:     trace.Must,
		Text:      "The id of an item, where it is sent, has 1 to 64 letters, digits, underscores and dashes.",
		Why:       "The provider refuses an empty id, and one with other characters. An item may be sent without.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchainjs/issues/11044", Says: "the 400 of OpenAI for an empty id: Expected an ID that contains letters, numbers, underscores, or dashes"},
		},
		Vars:    []string{"at", "found"},
		Request: itemIDForm,
	},
	{
		ID:        "egress/item-ids-distinct",
		Level:     trace.Must,
		Text:      "No two items of a request have the same id.",
		Why:       "The provider refuses it as a duplicate. One item may come in many events, and stays one.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/github/copilot-cli/issues/3560", Says: "the 400: Duplicate item found with id"},
			{URL: "https://github.com/microsoft/agent-framework/issues/3295", Says: "the same"},
			{URL: "https://github.com/vercel/ai/pull/15334", Says: "a reasoning item for each part of its summary, under one id"},
		},
		Vars:    []string{"at", "found"},
		Request: itemIDsDistinct,
	},
	{
		ID:        "egress/item-status",
		Level:     trace.Must,
		Text:      "The status of a message, a call or an output, where it is sent, is in_progress, completed or incomplete.",
		Why:       "Another word is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "status: in_progress, completed, incomplete"}},
		Vars:      []string{"at", "found"},
		Request:   itemStatus,
	},
	{
		ID:        "egress/summary-given",
		Level:     trace.Must,
		Text:      "A reasoning item has a summary: a list of parts of the type summary_text, empty where there was none.",
		Why:       "The key is required: a reasoning item without it, or with a text in its place, is refused.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with reasoning in its history",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "ReasoningItem: required are type, id, summary"},
			{URL: "https://github.com/newo-ether/Agora/issues/141", Says: "a 400 for a missing summary"},
		},
		Vars:    []string{"at", "found"},
		Request: summaryGiven,
	},
	{
		ID:        "egress/phase-form",
		Level:     trace.Must,
		Text:      "The phase of a message is commentary or final_answer, and only messages of the assistant have one.",
		Why:       "Another word is refused, and so is the key at other messages.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "MessagePhase: commentary, final_answer; not used for user messages"}, {URL: openResponses, Says: "phase of AssistantMessageItemParam"}},
		Vars:      []string{"at", "found"},
		Request:   phaseForm,
	},
}

// inBrackets returns a place in a request as OpenAI writes it: input[1].content[0].
func inBrackets(pointer string) string {
	var b strings.Builder
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if _, err := strconv.Atoi(step); err == nil && b.Len() > 0 {
			b.WriteString("[" + step + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}

// eachItem calls f for every item of the input of a request, with its type. A message may leave its type out.
func eachItem(req *wire.Request, f func(item *wire.Node, kind string)) {
	input := req.Body.Get("input")
	if !input.Is(wire.Array) {
		return
	}
	for _, item := range input.Items {
		kind := item.Get("type").Text()
		if item.Get("type") == nil && item.Get("role") != nil {
			kind = "message"
		}
		f(item, kind)
	}
}

// inItems judges the items of a request that carries a result. wrong says what is wrong with one, or nothing.
func inItems(wrong func(item *wire.Node, kind string) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		j.HasEvidence = rules.CarriesResult(req)
		eachItem(req, func(item *wire.Node, kind string) {
			for _, f := range wrong(item, kind) {
				j.Find(f)
			}
		})
		return j
	}
}

// inKind is the same for the items of some types, without which there is nothing to judge.
func inKind(kinds []string, wrong func(item *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		eachItem(req, func(item *wire.Node, kind string) {
			if !slices.Contains(kinds, kind) {
				return
			}
			j.HasEvidence = true
			for _, f := range wrong(item) {
				j.Find(f)
			}
		})
		return j
	}
}

// at returns a finding at a key of a node, with the place as the provider writes it.
func at(n *wire.Node, key, message, expected string, vars map[string]string) trace.Finding {
	found := n
	pointer := n.Pointer()
	if key != "" {
		found, pointer = n.Get(key), pointer+"/"+key
	}
	all := map[string]string{"at": inBrackets(pointer)}
	for name, value := range vars {
		all[name] = value
	}
	return trace.Finding{Pointer: pointer, Message: message, Expected: expected, Actual: rules.Show(found), Vars: all}
}

// itemTypesTaken are the types of items that a request may have: InputItem in openai-openapi at f85dbe2.
var itemTypesTaken = []string{
	"message", "function_call", "function_call_output", "reasoning", "item_reference", "custom_tool_call", "custom_tool_call_output",
	"web_search_call", "file_search_call", "computer_call", "computer_call_output", "image_generation_call", "code_interpreter_call",
	"local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output",
	"mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call", "compaction", "compaction_summary",
	"tool_search_call", "tool_search_output",
}

var itemTypes = inItems(func(item *wire.Node, kind string) []trace.Finding {
	if slices.Contains(itemTypesTaken, kind) || strings.Contains(kind, ":") { // of an extension, which the provider wrote itself
		return nil
	}
	message, found := fmt.Sprintf("the input has an item of the type %q", kind), kind
	if kind == "" {
		message, found = "the input has an item without a type", "nothing"
	}
	f := at(item, "type", message, "a type that the API takes, such as message or function_call_output", map[string]string{"found": found})
	f.Actual = rules.Show(item)
	return []trace.Finding{f}
})

// keysOfItems are the keys of the items that a loop writes or returns. Those of the provider's own tools are the provider's
// business.
var keysOfItems = map[string][]string{
	"message":              {"type", "id", "role", "status", "content", "phase"},
	"function_call":        {"type", "id", "call_id", "name", "arguments", "status", "namespace", "caller", "created_by"},
	"function_call_output": {"type", "id", "call_id", "output", "status", "name", "namespace", "caller", "created_by"},
	"reasoning":            {"type", "id", "summary", "content", "encrypted_content"},
}

// itemKeys takes the keys of the reference, and those that the provider itself writes: an item goes back as it came.
func itemKeys(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	shape, _ := p.Shape.(*responses.Shape)
	return inItems(func(item *wire.Node, kind string) (all []trace.Finding) {
		known, judged := keysOfItems[kind]
		if !judged || !item.Is(wire.Object) {
			return nil
		}
		for _, m := range item.Members {
			if slices.Contains(known, m.Key) || shape != nil && slices.Contains(shape.ItemKeys(kind), m.Key) {
				continue
			}
			f := at(item, m.Key, fmt.Sprintf("an item of the type %q has the key %q", kind, m.Key), "only "+strings.Join(known, ", "), map[string]string{"key": m.Key})
			f.Actual = fmt.Sprintf("%q: %s", m.Key, rules.Show(m.Value))
			all = append(all, f)
		}
		return all
	})(p, req)
}

var outputForm = inKind([]string{"function_call_output"}, func(item *wire.Node) []trace.Finding {
	output := item.Get("output")
	if output.Is(wire.String) || output.Is(wire.Array) {
		return nil
	}
	return []trace.Finding{at(item, "output", "the output of a call is no text and no list of parts", "a string or a list of parts", map[string]string{"found": rules.KindOf(output)})}
})

var inputParts = []string{"input_text", "input_image", "input_file"}

var outputPartTypes = inKind([]string{"function_call_output"}, func(item *wire.Node) []trace.Finding {
	return partsOf(item.Get("output"), inputParts, "an output")
})

var inputPartTypes = inItems(func(item *wire.Node, kind string) []trace.Finding {
	if kind != "message" || item.Get("role").Text() == "assistant" {
		return nil
	}
	return partsOf(item.Get("content"), inputParts, "a message of the "+item.Get("role").Text())
})

var answerPartTypes = inItems(func(item *wire.Node, kind string) []trace.Finding {
	if kind != "message" || item.Get("role").Text() != "assistant" {
		return nil
	}
	return partsOf(item.Get("content"), []string{"output_text", "refusal"}, "a message of the assistant")
})

// partsOf finds the parts of a content that are of none of some types.
func partsOf(content *wire.Node, types []string, in string) (all []trace.Finding) {
	if !content.Is(wire.Array) {
		return nil
	}
	for _, part := range content.Items {
		found := part.Get("type").Text()
		if slices.Contains(types, found) {
			continue
		}
		f := at(part, "", fmt.Sprintf("%s has a part of the type %q", in, found), strings.Join(types, " or "), map[string]string{"found": found})
		all = append(all, f)
	}
	return all
}

// textOfPart is the key under which a part of a type says what it says.
var textOfPart = map[string]string{"input_text": "text", "output_text": "text", "refusal": "refusal"}

var contentPartForm = inItems(func(item *wire.Node, _ string) (all []trace.Finding) {
	for _, content := range []*wire.Node{item.Get("content"), item.Get("output")} {
		if !content.Is(wire.Array) {
			continue
		}
		for _, part := range content.Items {
			all = append(all, formOfPart(part)...)
		}
	}
	return all
})

func formOfPart(part *wire.Node) []trace.Finding {
	kind := part.Get("type").Text()
	key, isText := textOfPart[kind]
	switch {
	case isText && !part.Get(key).Is(wire.String):
		return []trace.Finding{at(part, key, fmt.Sprintf("a part of the type %q has no %s as a string", kind, key), "a string", map[string]string{"key": key, "found": rules.KindOf(part.Get(key))})}
	case kind == "input_image" && !part.Get("file_id").Is(wire.String) && !part.Get("image_url").Is(wire.String):
		return []trace.Finding{at(part, "image_url", "an image has no URL as a string", "a URL or a data URL, as a string", map[string]string{"key": "image_url", "found": rules.KindOf(part.Get("image_url"))})}
	}
	return nil
}

// idPrefixes are how the ids of items begin, by their types.
var idPrefixes = map[string]string{"reasoning": "rs_", "function_call": "fc_", "message": "msg_"}

var itemIDPrefix = inItems(func(item *wire.Node, kind string) []trace.Finding {
	prefix, known := idPrefixes[kind]
	id := item.Get("id").Text()
	if !known || id == "" || strings.HasPrefix(id, prefix) || kind == "message" && item.Get("role").Text() != "assistant" {
		return nil
	}
	want := strings.TrimSuffix(prefix, "_")
	f := at(item, "id", fmt.Sprintf("the id of an item of the type %q does not begin with %q", kind, want), "an id that begins with "+prefix, map[string]string{"found": id, "prefix": want})
	return []trace.Finding{f}
})

var itemIDForm = inItems(func(item *wire.Node, _ string) []trace.Finding {
	id := item.Get("id")
	if id == nil || id.Is(wire.Null) || itemIDFits(id) {
		return nil
	}
	return []trace.Finding{at(item, "id", "the id of an item is none", "1 to 64 letters, digits, underscores and dashes, or no id", map[string]string{"found": id.Text()})}
})

func itemIDFits(id *wire.Node) bool {
	text := id.Text()
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}
	return id.Is(wire.String) && text != "" && len(text) <= 64 && !strings.ContainsFunc(text, odd)
}

func itemIDsDistinct(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	seen := map[string]bool{}
	eachItem(req, func(item *wire.Node, kind string) {
		id := item.Get("id").Text()
		if id == "" || kind == "item_reference" {
			return
		}
		if seen[id] {
			j.Find(at(item, "id", "two items have the same id", "an id that no other item has", map[string]string{"found": id}))
		}
		seen[id] = true
	})
	return j
}

var itemStatus = inItems(func(item *wire.Node, kind string) []trace.Finding {
	status := item.Get("status")
	if kind == "reasoning" || keysOfItems[kind] == nil || status == nil || status.Is(wire.Null) || slices.Contains([]string{"in_progress", "completed", "incomplete"}, status.Text()) {
		return nil
	}
	return []trace.Finding{at(item, "status", "an item has a status that there is not", "in_progress, completed or incomplete", map[string]string{"found": status.Text()})}
})

var summaryGiven = inKind([]string{"reasoning"}, func(item *wire.Node) (all []trace.Finding) {
	summary := item.Get("summary")
	if !summary.Is(wire.Array) {
		return []trace.Finding{at(item, "summary", "reasoning without a summary", "a list, which may be empty", map[string]string{"found": rules.KindOf(summary)})}
	}
	for _, part := range summary.Items {
		if part.Get("type").Text() != "summary_text" || !part.Get("text").Is(wire.String) {
			all = append(all, at(part, "", "a part of a summary is no text", `an object of the type "summary_text" with a text`, map[string]string{"found": rules.KindOf(part)}))
		}
	}
	return all
})

var phaseForm = inItems(func(item *wire.Node, _ string) []trace.Finding {
	phase := item.Get("phase")
	if phase == nil || phase.Is(wire.Null) {
		return nil
	}
	ofModel := item.Get("role").Text() == "assistant"
	if ofModel && slices.Contains([]string{"commentary", "final_answer"}, phase.Text()) {
		return nil
	}
	return []trace.Finding{at(item, "phase", "a phase that there is not", "commentary or final_answer, of the assistant", map[string]string{"found": phase.Text()})}
})
