package responsesrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressItems are the rules of the area egress about the types, keys and values of items.
var egressItems = []rules.Rule{
	{
		ID:        "egress/item-types",
		Level:     trace.Must,
		Text:      "The entries of input are items of types that the API knows; parts of a content and events of a stream are not items.",
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
		Why:       "OpenAI refuses parameters that it does not know: internal fields of the loop, or a status of reasoning items, which have none in requests.",
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
		Text:      "A function_call goes back with its arguments as a string, also when there were none.",
		Why:       "The key is required: a call without it is refused, and every later request with it in the history; so is an object.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with a tool call in its history",
		BrokenIn:  []string{"execution/missing-argument"},
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "FunctionToolCall: required are type, call_id, name, arguments"},
			{URL: "https://github.com/vercel/ai/issues/14349", Says: "the 400 of OpenAI: Missing required parameter: 'input[N].arguments'"},
		},
		Vars:    []string{"at", "found"},
		Request: argumentsGiven,
	},
	{
		ID:        "egress/output-form",
		Level:     trace.Must,
		Text:      "The output of a function_call_output is a string or a list of parts, and it is present, also when the tool returned nothing.",
		Why:       "An object, a number, null or nothing is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"execution/empty-result"},
		Sources:   []rules.Source{{URL: responsesSchemas, Says: "FunctionCallOutputItemParam: output is a string or a list of parts, and required"}},
		Vars:      []string{"at", "found"},
		Request:   outputForm,
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
		BrokenIn:  []string{"reasoning/details-encrypted"},
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "ReasoningItem: required are type, id, summary"},
			{URL: "https://github.com/newo-ether/Agora/issues/141", Says: "a 400 for a missing summary"},
		},
		Vars:    []string{"at", "found"},
		Request: summaryGiven,
	},
	{
		ID:        "egress/reasoning-content-given",
		Level:     trace.Info,
		Text:      "Reasoning of a provider that shows it as content goes back as content: a list of parts, of which the first has a text.",
		Why:       "llama.cpp refuses a request with reasoning that has no content, whatever its summary says.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with reasoning in its history, under a profile that shows reasoning as content",
		Sources: []rules.Source{
			{URL: "https://github.com/ggml-org/llama.cpp/blob/0c1e570/tools/server/server-chat.cpp", Says: "a reasoning item needs a content that is not empty, and a text in its first part"},
			{URL: "https://github.com/am17an/llama.cpp/issues/50", Says: "the 400 of llama.cpp's server for one without, and for an empty one"},
			{URL: responsesSchemas, Says: "ReasoningItem: content may be left out"},
		},
		Vars:    []string{"at", "what"},
		Request: reasoningContentGiven,
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

// itemTypesTaken are the types of items that a request may have: InputItem in openai-openapi at f85dbe2, and those that the 400 for
// another one names besides.
var itemTypesTaken = []string{
	"message", "function_call", "function_call_output", "reasoning", "item_reference", "custom_tool_call", "custom_tool_call_output",
	"web_search_call", "file_search_call", "computer_call", "computer_call_output", "image_generation_call", "code_interpreter_call",
	"local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output",
	"mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call", "compaction", "compaction_summary",
	"tool_search_call", "tool_search_output", "compaction_trigger", "program", "program_output", "additional_tools",
	"agent_message", "multi_agent_call", "multi_agent_call_output", "configuration_update", // the last is in openai-go v3.99.0
}

var itemTypes = inItems(func(item *wire.Node, kind string) []trace.Finding {
	if slices.Contains(itemTypesTaken, kind) || strings.Contains(kind, ":") { // of an extension, which the provider wrote itself
		return nil
	}
	message, found := fmt.Sprintf("the input has an item of the type %q", kind), kind
	if kind == "" {
		message, found = "the input has an item without a type", "nothing"
	}
	f := at(item, "type", message, "a type that the API takes, such as message or function_call_output", map[string]string{"at": wire.InBrackets(item.Pointer()), "found": found})
	f.Actual = rules.Show(item)
	return []trace.Finding{f}
})

// keysOfItems are the keys of the items that a loop writes or returns. Those of the provider's own tools are the provider's
// business.
var keysOfItems = map[string][]string{
	"message":              {"type", "id", "role", "status", "content", "phase"},
	"function_call":        {"type", "id", "call_id", "name", "arguments", "status", "namespace", "caller", "created_by", "async"},
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
			f := at(m.Value, "", fmt.Sprintf("an item of the type %q has the key %q", kind, m.Key), "only "+strings.Join(known, ", "), map[string]string{"key": m.Key})
			f.Actual = fmt.Sprintf("%q: %s", m.Key, rules.Show(m.Value))
			all = append(all, f)
		}
		return all
	})(p, req)
}

var argumentsGiven = inKind([]string{"function_call"}, func(item *wire.Node) []trace.Finding {
	arguments, message := item.Get("arguments"), "the arguments of a call are no string"
	if arguments.Is(wire.String) {
		return nil
	}
	if arguments == nil {
		message = "a call without arguments"
	}
	return []trace.Finding{at(item, "arguments", message, "a string, which may be {}", map[string]string{"found": rules.KindOf(arguments)})}
})

var outputForm = inKind([]string{"function_call_output"}, func(item *wire.Node) []trace.Finding {
	output := item.Get("output")
	if output.Is(wire.String) || output.Is(wire.Array) {
		return nil
	}
	return []trace.Finding{at(item, "output", "the output of a call is not a text and no list of parts", "a string or a list of parts", map[string]string{"found": rules.KindOf(output)})}
})

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
			all = append(all, at(part, "", "a part of a summary is not a text", `an object of the type "summary_text" with a text`, map[string]string{"found": rules.KindOf(part)}))
		}
	}
	return all
})

// reasoningContentGiven judges where the provider shows reasoning as content: elsewhere an item has none.
func reasoningContentGiven(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	if shape, is := p.Shape.(*responses.Shape); !is || !shape.RawReasoning {
		return rules.CheckResult{}
	}
	return inKind([]string{"reasoning"}, func(item *wire.Node) []trace.Finding {
		content := item.Get("content")
		var what string
		switch {
		case !content.Is(wire.Array):
			what = "no list"
		case len(content.Items) == 0:
			what = "empty"
		case !content.Items[0].Get("text").Is(wire.String):
			what = "no text"
		default:
			return nil
		}
		return []trace.Finding{at(item, "content", "reasoning goes back without its text", "a list of parts, of which the first has a text", map[string]string{"what": what})}
	})(p, req)
}

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
