package chatrules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/rules/pairing"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressMessageRules are the rules of the area egress about what is in messages, beyond their keys.
var egressMessageRules = []rules.Rule{
	{
		ID:        "egress/no-empty-text-part",
		Level:     trace.Should,
		Text:      "A content that is a list has no part with an empty text.",
		Why:       "Some providers refuse it, and it stays in the history.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/MoonshotAI/kimi-cli/issues/2396", Says: "the 400 of Moonshot"},
			{URL: "https://github.com/vercel/ai/pull/15040", Says: "empty parts sent"},
		},
		Vars:    []string{"index", "found"},
		Request: noEmptyTextPart,
	},
	{
		ID:        "egress/tool-content-is-one-text",
		Level:     trace.Info,
		Text:      "The content of a tool message is one string, not a list of parts.",
		Why:       "All providers take a string; not all take a list.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "content of a tool message: string or array of text parts"},
			{URL: "https://github.com/tailcallhq/forgecode/issues/2008", Says: "a list where a string was expected"},
		},
		Vars:    []string{"index"},
		Request: inOneString(wire.Tool, "the content of a tool message is a list"),
	},
	{
		ID:        "egress/assistant-content-is-one-text",
		Level:     trace.Info,
		Text:      "The text of an assistant message goes back as one string, as it came.",
		Why:       "Older servers accept nothing else, and some models copied the list into their answers.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with an assistant message",
		BrokenIn:  []string{"history/text-beside-calls"},
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "content of an answer: a string"},
			{URL: "https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/providers/openai-completions.ts", Says: "a client that sends strings for this reason"},
		},
		Vars:    []string{"index"},
		Request: inOneString(wire.Assistant, "the text of an assistant message is a list"),
	},
	{
		ID:       "egress/last-message",
		Level:    trace.Info,
		Text:     "The last message is the user's or a tool's, not one of the assistant.",
		Why:      "Some providers refuse it; others treat it as the beginning of the answer.",
		Evidence: "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", Says: "expected last role User or Tool"},
			{URL: "https://github.com/BerriAI/litellm/issues/8090", Says: "the 400 of deepseek-reasoner"},
			{URL: "https://openrouter.ai/docs/api-reference/overview", Says: "assistant prefill, which is taken there"},
		},
		Vars:     []string{"index", "end"},
		Provider: lastMessage,
		Run:      rules.OnServed(lastText),
	},
	{
		ID:       "egress/system-messages-first",
		Level:    trace.Info,
		Text:     "System messages are at the beginning.",
		Why:      "The chat templates of some open models refuse them elsewhere; later instructions can be sent in a user message.",
		Evidence: "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/vllm-project/vllm/issues/41114", Says: "the 400 of vLLM with a model of Qwen"},
			{URL: "https://github.com/ggml-org/llama.cpp/issues/27367", Says: "the 500 of llama.cpp"},
		},
		Vars:    []string{"index", "after"},
		Request: systemMessagesFirst,
	},
}

func noEmptyTextPart(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		j.HasEvidence = true
		for n, part := range m.Content.Parts {
			if part.Type == "text" && part.Text == "" {
				f := egress.InMessage(m, fmt.Sprintf("/content/%d", n), "a part with an empty text", "no such part", part.Node)
				f.Vars["found"] = rules.KindOf(part.Node.Get("text"))
				j.Find(f)
			}
		}
	}
	return j
}

// inOneString finds messages of a role whose text is a list of parts.
func inOneString(role wire.Role, message string) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		for _, m := range req.Messages {
			if m.Role != role {
				continue
			}
			j.HasEvidence = true
			if len(m.Content.Parts) > 0 && rules.OnlyText(m.Content.Parts) {
				egress.FindInMessage(&j, m, "/content", message, "a string", m.Content.Node)
			}
		}
		return j
	}
}

// lastMessage finds a last message of the assistant that is not marked as the beginning of an
// answer.
func lastMessage(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	last := len(req.Messages) - 1
	if last < 0 {
		return j
	}
	j.HasEvidence = true
	m := req.Messages[last]
	marked := slices.ContainsFunc(egress.OneOf(p.Accepts.Prefill, []string{"prefix", "partial"}), func(key string) bool {
		return m.Node.Get(key).True() || req.Body.Get(key).True()
	})
	if m.Role == wire.Assistant && !marked {
		f := egress.InMessage(m, "", "the last message is one of the assistant", "a message of the user or of a tool", m.Node)
		f.Vars["end"] = rules.EndOfHistory(req)
		j.Find(f)
	}
	return j
}

// lastText is lastMessage without turns that called tools, of which every-call-answered has to say
// something.
func lastText(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	j := lastMessage(p, req)
	j.Findings = slices.DeleteFunc(j.Findings, func(f trace.Finding) bool { return f.Vars["end"] == "a call" })
	return j
}

func systemMessagesFirst(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	begun := false
	for i, m := range req.Messages {
		j.HasEvidence = true
		between := i+1 < len(req.Messages) && len(req.Messages[i+1].Results) > 0 // results-directly-follow looks at those
		if m.Role == wire.System && begun && !between {
			f := egress.InMessage(m, "", "a system message in the middle of the conversation", "system messages at the beginning", m.Node)
			f.Vars["after"] = pairing.RoleBefore(req, i)
			j.Find(f)
		}
		begun = begun || m.Role == wire.User || m.Role == wire.Assistant
	}
	return j
}
