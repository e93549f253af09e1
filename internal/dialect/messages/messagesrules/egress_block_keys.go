package messagesrules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressBlockKeyRules are the rules of the area egress about the types and keys of what the dialect
// messages sends.
var egressBlockKeyRules = []rules.Rule{
	{
		ID:        "egress/block-types",
		Level:     trace.Must,
		Text:      "The blocks of a message have types that the API accepts; deltas and events of a stream are not such blocks.",
		Why:       "A block of another type makes the provider refuse the request, and every later one with it in the history.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "ContentBlockParam: the types of blocks in a request"},
			{URL: "https://github.com/1Panel-dev/MaxKB/issues/6480", Says: "the 400 of Anthropic for input_json_delta, a delta that was never put together"},
			{URL: "https://github.com/langchain-ai/langchainjs/pull/9809", Says: "deltas of a stream kept as blocks"},
			{URL: "https://github.com/AstrBotDevs/AstrBot/pull/4444", Says: "the 400 of Anthropic for image_url"},
		},
		Vars:    []string{"at", "found", "expected"},
		Request: blockTypes,
	},
	{
		ID:        "egress/block-keys",
		Level:     trace.Should,
		Text:      "A block of text, reasoning or an image and a tool_use have only the keys that the API knows for their type.",
		Why:       "Anthropic refuses keys that it does not know, such as index and partial_json of a stream, or internal fields of the loop.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "the keys of the blocks in a request"},
			{URL: "https://github.com/langchain-ai/langchain/issues/31208", Says: "the 400 of Anthropic for the index of a streamed tool_use"},
			{URL: "https://github.com/anthropics/claude-code/issues/4378", Says: "the same for a text in a tool_use"},
			{URL: "https://github.com/router-for-me/CLIProxyAPI/issues/512", Says: "the same for a cache_control on a thinking block"},
			{URL: "https://github.com/langchain-ai/langchain/issues/40483", Says: "the same for an id on the text of a result"},
		},
		Vars:    []string{"at", "type", "key"},
		Request: blockKeys,
	},
	{
		ID:        "egress/message-keys",
		Level:     trace.Should,
		Text:      "A message has a role and a content, and no other keys.",
		Why:       "Anthropic refuses keys that it does not know, such as id and usage of an answer that is sent back unchanged.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "MessageParam: content and role"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/issues/11429", Says: "the 400 of Anthropic for reasoning_details"},
		},
		Vars:    []string{"at", "key"},
		Request: messageKeys,
	},
	{
		ID:        "egress/tool-keys",
		Level:     trace.Should,
		Text:      "A tool of the loop has only the keys that the API knows, and no type but custom.",
		Why:       "Anthropic refuses the form of other APIs, and all tools with it.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.MessagesTypes, Says: "the keys of Tool"},
			{URL: "https://github.com/dirac-run/dirac/issues/57", Says: "the 400 of Anthropic for the type function"},
			{URL: "https://github.com/Wei-Shaw/claude-relay-service/issues/667", Says: "the 400 for a key that the API did not know"},
		},
		Vars:    []string{"index", "key"},
		Request: toolKeysInMessages,
	},
}

// blockTypesTaken are the types of blocks that messages may have, those in beta among them. The
// last one is what the mock provider sends as an unknown type, which it has to accept back.
var blockTypesTaken = []string{
	"text", "image", "document", "search_result", "thinking", "redacted_thinking", "tool_use", "tool_result", "server_tool_use",
	"web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result", "bash_code_execution_tool_result",
	"text_editor_code_execution_tool_result", "tool_search_tool_result", "container_upload",
	"advisor_tool_result", "compaction", "fallback", "mcp_tool_listing", "mcp_tool_result", "mcp_tool_use", "tool_addition", "tool_removal",
	messages.UnknownBlock,
}

// expectedTags are the types that Anthropic names where it refuses one, as it writes them.
var expectedTags = func() string {
	tags := slices.Sorted(slices.Values(blockTypesTaken[:16]))
	return "'" + strings.Join(tags, "', '") + "'"
}()

// eachBlock calls f for every block of the messages of a request, but for those within results.
func eachBlock(req *wire.Request, f func(part wire.Part)) {
	for _, m := range onTheWire(req) {
		for _, part := range m.Content.Parts {
			f(part)
		}
	}
}

// eachBlockInResults calls f for every block within the results of a request.
func eachBlockInResults(req *wire.Request, f func(part wire.Part)) {
	for _, m := range req.Messages {
		for _, r := range m.Results {
			for _, part := range r.Content.Parts {
				f(part)
			}
		}
	}
}

func blockTypes(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachBlock(req, func(part wire.Part) {
		j.HasEvidence = true
		if part.Type == "" || slices.Contains(blockTypesTaken, part.Type) {
			return // a block without a type is for content-is-text-or-parts
		}
		j.Find(trace.Finding{
			Pointer:  part.Node.Pointer() + "/type",
			Message:  fmt.Sprintf("a message has a block of the type %q", part.Type),
			Expected: "a type that the API takes, such as text or tool_use",
			Actual:   rules.Show(part.Node),
			Vars:     map[string]string{"at": rules.Dotted(part.Node), "found": part.Type, "expected": expectedTags},
		})
	})
	return j
}

// keysOfBlocks are the keys of the blocks that a loop writes or returns. Those of the provider's
// own tools are the provider's business.
var keysOfBlocks = map[string][]string{
	"text":              {"type", "text", "cache_control", "citations"},
	"image":             {"type", "source", "cache_control", "transformations"},
	"thinking":          {"type", "thinking", "signature"},
	"redacted_thinking": {"type", "data"},
	"tool_use":          {"type", "id", "name", "input", "cache_control", "caller", "toolset_name"},
}

func blockKeys(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	judge := func(part wire.Part) {
		known, judged := keysOfBlocks[part.Type]
		if !judged {
			return
		}
		j.HasEvidence = true
		findExtraKeys(&j, part.Node, known, func() (string, map[string]string) {
			return fmt.Sprintf("a block of the type %q", part.Type), map[string]string{"at": messages.PlaceOfBlock(part.Node), "type": part.Type}
		})
	}
	eachBlock(req, judge)
	eachBlockInResults(req, judge)
	return j
}

// findExtraKeys reports the keys of an object that are none of the known ones. describe returns
// what the object is, and the values that words of a refusal may use.
func findExtraKeys(j *rules.CheckResult, n *wire.Node, known []string, describe func() (what string, vars map[string]string)) {
	var what string
	var vars map[string]string
	for key, value := range n.Fields() {
		if !slices.Contains(known, key) {
			if vars == nil {
				what, vars = describe()
			}
			egress.FindUnwantedKey(j, value, fmt.Sprintf("%s has the key %q", what, key), "only "+strings.Join(known, ", "), vars)
		}
	}
}

// keysOfMessages are the keys of messages. Those of the role system have more, in beta.
var keysOfMessages = map[wire.Role][]string{
	wire.System: {"role", "content", "clear_at", "output_config"},
}

func messageKeys(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range onTheWire(req) {
		j.HasEvidence = true
		known := egress.OneOf(keysOfMessages[m.Role], []string{"role", "content"})
		findExtraKeys(&j, m.Node, known, func() (string, map[string]string) {
			return fmt.Sprintf("a message of the role %q", m.RoleWord), map[string]string{"at": rules.Dotted(m.Node)}
		})
	}
	return j
}

// keysOfTools are the keys of a tool of the loop.
var keysOfTools = []string{
	"type", "name", "description", "input_schema", "cache_control", "strict", "defer_loading", "input_examples", "allowed_callers",
	"eager_input_streaming",
}

func toolKeysInMessages(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, t := range req.Tools {
		switch kind := t.Node.Get("type").Text(); kind {
		case "", "custom":
			j.HasEvidence = true
			findExtraKeys(&j, t.Node, keysOfTools, func() (string, map[string]string) {
				return fmt.Sprintf("the tool %s", rules.Quote(t.Name)), map[string]string{"index": strconv.Itoa(i)}
			})
		case "function": // another type is that of a tool of the provider
			j.Find(trace.Finding{
				Pointer:  fmt.Sprintf("/tools/%d/type", i),
				Message:  "a tool in the form of another API",
				Expected: "name, description and input_schema",
				Actual:   rules.Show(t.Node),
				Vars:     map[string]string{"index": strconv.Itoa(i), "key": "type"},
			})
		}
	}
	return j
}
