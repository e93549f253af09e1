package chatrules

import (
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egresRules are the rules about the shape of what a loop sends.
var egresRules = []rules.Rule{
	{
		ID:        "egress/tool-content-is-text",
		Level:     trace.Must,
		Text:      "The content of a tool message is a string or a list of text parts.",
		Why:       "Anything else is refused, or the model sees \"[object Object]\".",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "content of a tool message: string or array of text parts, required"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1309", Says: "structured outputs gave an empty tool message"},
		},
		Vars:    []string{"index", "found"},
		Request: toolContentIsText,
	},
	{
		ID:        "egress/no-empty-content-list",
		Level:     trace.Should,
		Text:      "Alongside tool calls the content of an assistant message is a text, a list with parts, null or left out, not an empty list.",
		Why:       "OpenAI refuses the empty list, and the message stays in the history of every later request.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with tool calls",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchainjs/pull/11419", Says: "the 400 of OpenAI for an empty list alongside calls"},
			{URL: "https://github.com/openai/openai-openapi", Says: "an array of content parts has at least one item"},
		},
		Vars:    []string{"index"},
		Request: noEmptyContentList,
	},
	{
		ID:        "egress/arguments-are-text",
		Level:     trace.Should,
		Text:      "The arguments of a call go back as a string of JSON, not as an object.",
		Why:       "The schema of the API says string, and OpenAI refuses an object; of all providers only Mistral is known to take both.",
		Invariant: true,
		Evidence:  "a request with a tool call in its history",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "arguments: string"},
			{URL: rules.MistralSchema, Says: "arguments: an object or a string"},
		},
		Vars:    []string{"index", "call", "found"},
		Request: argumentsAreText,
	},
	{
		ID:        "egress/call-type",
		Level:     trace.Should,
		Text:      "A tool call goes back with \"type\":\"function\", also when the stream did not say so.",
		Why:       "OpenAI and Groq refuse a call without it; Mistral is known to do without.",
		Invariant: true,
		Evidence:  "a request with a tool call in its history",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "type: required"},
			{URL: rules.MistralSchema, Says: "type: function by default"},
			{URL: "https://github.com/vercel/ai/issues/12770", Says: "streams without a type"},
		},
		Vars:    []string{"index", "call", "found"},
		Request: callType,
	},
}

func toolContentIsText(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role != wire.Tool {
			continue
		}
		j.HasEvidence = true
		if c := m.Content; c.Node.Is(wire.String) || c.Node.Is(wire.Array) && len(c.Parts) > 0 && !slices.ContainsFunc(c.Parts, isNeitherTextNorImage) {
			continue // whether images are taken there is for images/where-they-are-taken to say
		}
		j.Find(trace.Finding{
			Pointer:  m.Node.Pointer() + "/content",
			Message:  "the content of a tool message is not a text",
			Expected: "a string or a list of text parts",
			Actual:   rules.Show(m.Content.Node),
			Vars:     map[string]string{"index": strconv.Itoa(i), "found": rules.KindOf(m.Content.Node)},
		})
	}
	return j
}

func isNeitherTextNorImage(p wire.Part) bool { return p.Type != "text" && p.Type != "image_url" }

func noEmptyContentList(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		if m.Role != wire.Assistant || len(m.Calls) == 0 {
			continue // no-blank-assistant-message looks at those that call nothing
		}
		j.HasEvidence = true
		if m.Content.Node.Is(wire.Array) && len(m.Content.Parts) == 0 {
			egress.FindInMessage(&j, m, "/content", "an empty list is the content of a message with tool calls", "a text, a list with parts, null, or no such key", m.Content.Node)
		}
	}
	return j
}

func argumentsAreText(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	rules.EachCall(req, func(c wire.Call, vars func() map[string]string) {
		j.HasEvidence = true
		if c.ArgsNode.Is(wire.String) || egress.IsCustom(c) {
			return
		}
		place := vars()
		place["found"] = c.ArgsNode.Type().String()
		j.Find(trace.Finding{
			Pointer:  c.Node.Pointer() + "/function/arguments",
			Message:  "the arguments of a call are no string",
			Expected: "a string of JSON",
			Actual:   rules.Show(c.ArgsNode),
			Vars:     place,
		})
	})
	return j
}

// callType looks at types other than function only where the provider is known to refuse them: some
// have calls of their own.
func callType(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	rules.EachCall(req, func(c wire.Call, vars func() map[string]string) {
		j.HasEvidence = true
		kind, message := c.Node.Get("type"), "a tool call without a type"
		if kind.Text() == "function" {
			return
		}
		violation := vars()
		violation["found"] = rules.KindOf(kind)
		if kind.Text() != "" {
			message, violation["found"] = "a tool call of another type", "another type"
		}
		if kind.Text() != "" && !p.RefusesViolation("egress/call-type", violation) {
			return
		}
		j.Find(trace.Finding{
			Pointer:  c.Node.Pointer() + "/type",
			Message:  message,
			Expected: `"type":"function"`,
			Actual:   rules.Show(kind),
			Vars:     violation,
		})
	})
	return j
}
