package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	createDocs    = "https://platform.openai.com/docs/api-reference/chat/create"
	mistralSchema = "https://github.com/mistralai/platform-docs-public/blob/main/openapi.yaml"
)

// egress are the rules about the shape of what a loop sends.
var egress = []Rule{
	{
		ID:        "egress/tool-content-is-text",
		Level:     Must,
		Dialect:   onlyChat,
		Text:      "The content of a tool message is a string or a list of text parts.",
		Why:       "Anything else is refused, or the model sees \"[object Object]\".",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []Source{
			{createDocs, "content of a tool message: string or array of text parts, required"},
			{"https://github.com/openai/openai-agents-js/pull/1309", "structured outputs gave an empty tool message"},
		},
		Vars:    []string{"index", "found"},
		Request: toolContentIsText,
	},
	{
		ID:        "egress/content-present",
		Level:     Must,
		Text:      "Every message has a content, except an assistant message with tool calls, a refusal or a function call.",
		Why:       "OpenAI refuses a content of null, and the message stays in the history of every later request.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []Source{
			{createDocs, "content: required unless tool_calls or function_call is specified"},
			{"https://github.com/vercel/ai/pull/14950", "content null without tool calls"},
			{"https://github.com/carlrobertoh/ProxyAI/issues/834", "the 400 of DeepSeek"},
		},
		Vars:    []string{"index", "found", "role"},
		Request: contentPresent,
	},
	{
		ID:        "egress/no-blank-assistant-message",
		Level:     Should,
		Text:      "No assistant message is sent that says nothing and calls nothing.",
		Why:       "Some providers refuse it, and it stays in the history.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with an assistant message",
		Sources: []Source{
			{"https://github.com/vercel/ai/pull/15040", "empty assistant messages sent"},
			{"https://github.com/trpc-group/trpc-agent-go/issues/1186", "empty assistant messages sent"},
		},
		Vars:    []string{"index"},
		Request: noBlankAssistantMessage,
	},
	{
		ID:        "egress/no-empty-content-list",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "Beside tool calls the content of an assistant message is a text, a list with parts, null or left out, not an empty list.",
		Why:       "OpenAI refuses the empty list, and the message stays in the history of every later request.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with tool calls",
		Sources: []Source{
			{"https://github.com/langchain-ai/langchainjs/pull/11419", "the 400 of OpenAI for an empty list beside calls"},
			{"https://github.com/openai/openai-openapi", "an array of content parts has at least one item"},
		},
		Vars:    []string{"index"},
		Request: noEmptyContentList,
	},
	{
		ID:        "egress/arguments-are-text",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "The arguments of a call go back as a string of JSON, not as an object.",
		Why:       "The schema of the API says string, and OpenAI refuses an object; of all providers only Mistral is known to take both.",
		Invariant: true,
		Evidence:  "a request with a tool call in its history",
		Sources: []Source{
			{createDocs, "arguments: string"},
			{mistralSchema, "arguments: an object or a string"},
		},
		Vars:    []string{"index", "call", "found"},
		Request: argumentsAreText,
	},
	{
		ID:        "egress/call-type",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "A tool call goes back with \"type\":\"function\", also when the stream did not say so.",
		Why:       "OpenAI and Groq refuse a call without it; Mistral is known to do without.",
		Invariant: true,
		Evidence:  "a request with a tool call in its history",
		Sources: []Source{
			{createDocs, "type: required"},
			{mistralSchema, "type: function by default"},
			{"https://github.com/vercel/ai/issues/12770", "streams without a type"},
		},
		Vars:    []string{"index", "call", "found"},
		Request: callType,
	},
	{
		ID:        "egress/call-has-name",
		Level:     Must,
		Text:      "A tool call goes back with the name of its function.",
		Why:       "The name is required.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with a tool call in its history",
		Sources: []Source{
			{createDocs, "name: required"},
			{"https://github.com/agno-agi/agno/issues/7132", "a name overwritten by the blank one of a later delta"},
			{"https://github.com/TanStack/ai/pull/536", "the 400 of Anthropic for a call without its name"},
		},
		Vars:    []string{"at", "index", "call", "found"},
		Request: callHasName,
	},
}

// eachCall calls f for every call in the history.
func eachCall(req *wire.Request, f func(c wire.Call, vars map[string]string)) {
	for i, m := range req.Messages {
		for n, c := range m.Calls {
			f(c, map[string]string{"at": dotted(c.Node), "index": strconv.Itoa(i), "call": strconv.Itoa(n)})
		}
	}
}

func toolContentIsText(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role != wire.Tool {
			continue
		}
		j.Seen = true
		if c := m.Content; c.Node.Is(wire.String) || c.Node.Is(wire.Array) && len(c.Parts) > 0 && !slices.ContainsFunc(c.Parts, isNeitherTextNorImage) {
			continue // whether images are taken there is for images/where-they-are-taken to say
		}
		j.Find(Finding{
			Pointer:  m.Node.Pointer() + "/content",
			Message:  "the content of a tool message is no text",
			Expected: "a string or a list of text parts",
			Actual:   show(m.Content.Node),
			Vars:     map[string]string{"index": strconv.Itoa(i), "found": kindOf(m.Content.Node)},
		})
	}
	return j
}

func isNeitherTextNorImage(p wire.Part) bool { return p.Type != "text" && p.Type != "image_url" }

func onlyText(parts []wire.Part) bool {
	return !slices.ContainsFunc(parts, func(p wire.Part) bool { return p.Type != "text" })
}

func contentPresent(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role == wire.Tool || m.RoleWord == "" { // tool-content-is-text and messages-given look at those
			continue
		}
		j.Seen = true
		if !m.Content.Node.Is(wire.Absent) && !m.Content.Node.Is(wire.Null) || mayBeSilent(m) {
			continue
		}
		j.Find(Finding{
			Pointer:  m.Node.Pointer() + "/content",
			Message:  fmt.Sprintf("the %s message has no content", m.RoleWord),
			Expected: "a string",
			Actual:   show(m.Content.Node),
			Vars:     map[string]string{"index": strconv.Itoa(i), "found": kindOf(m.Content.Node), "role": m.RoleWord},
		})
	}
	return j
}

func mayBeSilent(m wire.Message) bool {
	if m.Role != wire.Assistant {
		return false
	}
	return len(m.Calls) > 0 || slices.ContainsFunc([]string{"refusal", "function_call", "audio"}, func(key string) bool {
		v := m.Node.Get(key)
		return v != nil && !v.Is(wire.Null)
	})
}

func noBlankAssistantMessage(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		j.Seen = true
		// A content of null is left to content-present.
		if m.Content.Blank() && !mayBeSilent(m) && !m.Content.Node.Is(wire.Null) && m.Content.Node != nil {
			j.Find(Finding{
				Pointer:  m.Node.Pointer(),
				Message:  "an assistant message that says nothing",
				Expected: "text or tool calls",
				Actual:   show(m.Node),
				Vars:     map[string]string{"index": strconv.Itoa(i)},
			})
		}
	}
	return j
}

func noEmptyContentList(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for _, m := range req.Messages {
		if m.Role != wire.Assistant || len(m.Calls) == 0 {
			continue // no-blank-assistant-message looks at those that call nothing
		}
		j.Seen = true
		if m.Content.Node.Is(wire.Array) && len(m.Content.Parts) == 0 {
			j.message(m, "/content", "an empty list is the content of a message with tool calls", "a text, a list with parts, null, or no such key", m.Content.Node)
		}
	}
	return j
}

// isCustom reports whether a call is one of OpenAI's custom tools, which have an input in the place of a function.
func isCustom(c wire.Call) bool { return c.Node.Get("type").Text() == "custom" }

func argumentsAreText(_ *profiles.Profile, req *wire.Request) (j Judged) {
	eachCall(req, func(c wire.Call, vars map[string]string) {
		j.Seen = true
		if c.ArgsNode.Is(wire.String) || isCustom(c) {
			return
		}
		vars["found"] = c.ArgsNode.Type().String()
		j.Find(Finding{
			Pointer:  c.Node.Pointer() + "/function/arguments",
			Message:  "the arguments of a call are no string",
			Expected: "a string of JSON",
			Actual:   show(c.ArgsNode),
			Vars:     vars,
		})
	})
	return j
}

// callType looks at types other than function only where the provider is known to refuse them: some have calls of their own.
func callType(p *profiles.Profile, req *wire.Request) (j Judged) {
	eachCall(req, func(c wire.Call, vars map[string]string) {
		j.Seen = true
		kind, message := c.Node.Get("type"), "a tool call without a type"
		vars["found"] = kindOf(kind)
		if kind.Text() != "" {
			message, vars["found"] = "a tool call of another type", "another type"
		}
		if kind.Text() == "function" || kind.Text() != "" && !p.RefusesBreach("egress/call-type", vars) {
			return
		}
		j.Find(Finding{
			Pointer:  c.Node.Pointer() + "/type",
			Message:  message,
			Expected: `"type":"function"`,
			Actual:   show(kind),
			Vars:     vars,
		})
	})
	return j
}

// nameOf returns the object in which the name of a call stands.
func nameOf(c wire.Call) *wire.Node {
	if f := c.Node.Get("function"); f != nil || c.Node.Get("type").Text() != "tool_use" {
		return f
	}
	return c.Node
}

func callHasName(_ *profiles.Profile, req *wire.Request) (j Judged) {
	eachCall(req, func(c wire.Call, vars map[string]string) {
		j.Seen = true
		if c.Name == "" && !isCustom(c) {
			vars["found"] = kindOf(nameOf(c).Get("name"))
			if !nameOf(c).Is(wire.Object) {
				vars["found"] = "no function"
			}
			j.Find(Finding{
				Pointer:  nameOf(c).Pointer() + "/name",
				Message:  "a tool call without the name of its function",
				Expected: "the name that the model called",
				Actual:   show(nameOf(c).Get("name")),
				Vars:     vars,
			})
		}
	})
	return j
}
