package messagesrules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressBlockRules are the rules of the area egress about the shape of a request in the dialect
// messages.
var egressBlockRules = []rules.Rule{
	{
		// No must: a conversation may begin with a greeting, and Anthropic takes that since the end
		// of 2024.
		ID:        "egress/user-comes-first",
		Level:     trace.Info,
		Text:      "The first message is one of the user.",
		Why:       "Bedrock was seen to refuse anything else, as Anthropic did in 2024.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/anthropic-sdk-typescript/issues/622", Says: "a conversation that begins with the assistant: taken by Anthropic in December 2024, refused by Bedrock"},
			{URL: "https://github.com/lobehub/lobehub/issues/1601", Says: "the 400 of Anthropic, in March 2024"},
		},
		Request: func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
			all := onTheWire(req)
			if len(all) == 0 {
				return j
			}
			j.HasEvidence = true
			if first := all[0]; first.Role != wire.User && first.Role != wire.System { // system-stands-apart looks at those
				j.Find(trace.Finding{Pointer: first.Node.Pointer(), Message: "the first message is not one of the user", Expected: `the role "user"`, Actual: strconv.Quote(first.RoleWord)})
			}
			return j
		},
	},
	{
		ID:        "egress/no-white-text",
		Level:     trace.Info,
		Text:      "No text block consists only of white space.",
		Why:       "The API refuses a message that consists of nothing else. It takes such a block alongside others, and its models write some.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/LibreChat-AI/agents/pull/124", Says: "measured: a message of white space alone is refused, white space alongside a text is taken"},
			{URL: "https://github.com/simonw/llm-anthropic/blob/main/tests/cassettes/test_anthropic/test_tools.yaml", Says: "recorded: a space that the model wrote in front of its calls is taken back"},
			{URL: "https://github.com/anomalyco/opencode/pull/31260", Says: "the 400 for an answer that is a space"},
		},
		Vars:    []string{"at", "alone"},
		Request: noWhiteText,
	},
	{
		ID:        "egress/tools-stay-defined",
		Level:     trace.Should,
		Text:      "A request whose history has tool calls offers tools, also the last request before the end.",
		Why:       "Bedrock refuses other requests, and Anthropic's own API did, too.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/aws-samples/bedrock-access-gateway/pull/239", Says: "the refusal of Bedrock, met when a conversation is summed up"},
			{URL: "https://github.com/BerriAI/litellm/issues/40735", Says: "the same, at the follow-up of an agent"},
		},
		Request: func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
			if !rules.CarriesResult(req) {
				return j
			}
			j.HasEvidence = true
			if len(req.Tools) == 0 {
				j.Find(trace.Finding{Pointer: req.ToolsPointer(), Message: "a history with tool calls and no tools", Expected: "the tools of the requests before", Actual: rules.Show(req.ToolList())})
			}
			return j
		},
	},
	{
		ID:        "egress/cache-marks-bounded",
		Level:     trace.Must,
		Text:      "At most four blocks carry a cache_control, over the system prompt, the tools and the messages.",
		Why:       "A fifth is refused, which long conversations reach when every request adds one.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		BrokenIn:  []string{"execution/next-prompt-behind-a-failed-tool"},
		Sources: []rules.Source{
			{URL: "https://github.com/continuedev/continue/issues/6937", Says: "the 400: a maximum of 4 blocks with cache_control"},
			{URL: "https://github.com/tghamm/Anthropic.SDK/issues/50", Says: "the same"},
		},
		Vars:    []string{"count"},
		Request: cacheMarksBounded,
	},
}

// onTheWire returns the messages of a request without the system prompt that is separate from them.
func onTheWire(req *wire.Request) []wire.Message {
	if len(req.Messages) > 0 && req.Messages[0].Node.IsBelow("system") {
		return req.Messages[1:]
	}
	return req.Messages
}

func noWhiteText(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	for _, m := range req.Messages {
		alone := "no"
		if !slices.ContainsFunc(m.Content.Parts, func(part wire.Part) bool { return !isWhiteText(part) }) {
			alone = "yes"
		}
		for _, part := range m.Content.Parts {
			if isWhiteText(part) {
				j.Find(trace.Finding{
					Pointer: part.Node.Pointer(), Message: "a text block of white space", Expected: "a text, or no such block",
					Actual: rules.Show(part.Node), Vars: map[string]string{"at": rules.Dotted(part.Node), "alone": alone},
				})
			}
		}
	}
	return j
}

func isWhiteText(part wire.Part) bool {
	return part.Type == "text" && part.Text != "" && strings.TrimSpace(part.Text) == ""
}

// maxCacheMarks is how many blocks of a request may carry a cache_control.
const maxCacheMarks = 4

// cacheMarks returns the marks of a request, which may be on itself, on its tools, and on the
// blocks of the system prompt, of messages and of results. What a tool calls so is none.
func cacheMarks(req *wire.Request) (marks []*wire.Node) {
	add := func(nodes ...*wire.Node) {
		for _, n := range nodes {
			if c := n.Get("cache_control"); c.Is(wire.Object) {
				marks = append(marks, c)
			}
		}
	}
	add(req.Body.Get("tools").All()...)
	add(req.Body.Get("system").All()...)
	for _, m := range req.Body.Get("messages").All() {
		for _, block := range m.Get("content").All() {
			add(block)
			add(block.Get("content").All()...)
		}
	}
	add(req.Body)
	return marks
}

func cacheMarksBounded(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	marks := cacheMarks(req)
	if len(marks) > maxCacheMarks {
		j.Find(trace.Finding{
			Pointer:  marks[maxCacheMarks].Pointer(),
			Message:  fmt.Sprintf("%d blocks carry a cache_control", len(marks)),
			Expected: fmt.Sprintf("at most %d", maxCacheMarks),
			Actual:   strconv.Itoa(len(marks)),
			Vars:     map[string]string{"count": strconv.Itoa(len(marks))},
		})
	}
	return j
}
