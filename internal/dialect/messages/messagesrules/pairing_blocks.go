package messagesrules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const parallelDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use"

// pairingBlockRules are the rules of the area pairing about calls and results that are blocks of a
// message.
var pairingBlockRules = []rules.Rule{
	{
		ID:        "pairing/results-first",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "In a user message with tool results, the results come before everything else.",
		Why:       "The API does not find results after a text and refuses the request.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "text before the results in the content array is a 400"},
			{URL: "https://github.com/vercel/ai/issues/8318", Says: "text of the user merged in front of the results"},
		},
		Vars:    []string{"at", "index", "ids"},
		Request: resultsFirst,
	},
	{
		ID:        "pairing/results-in-one-message",
		ShowsTurn: true,
		Level:     trace.Should,
		Text:      "All results of a turn come in one message of the user.",
		Why:       "Anthropic accepts split results, but they teach the model not to make parallel calls. Bedrock's Converse refuses them.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with two results of one turn",
		Sources: []rules.Source{
			{URL: parallelDocs, Says: "all results in a single user message"},
			{URL: "https://github.com/langchain-ai/langchainjs/pull/7386", Says: "parallel results sent as separate messages"},
		},
		Vars:    []string{"ids", "next"},
		Request: resultsInOneMessage,
	},
	{
		ID:        "pairing/blocks-in-their-roles",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "A tool_use is in a message of the assistant, and a tool_result, an image and an upload in one of the user.",
		Why:       "Anything else is refused.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with a tool result",
		Sources:   []rules.Source{{URL: rules.ToolCallDocs, Says: "tool_use in the assistant's message, tool_result in the next message of the user"}, {URL: "https://github.com/SEMOSS/Semoss/issues/2323", Says: "the 400 of Anthropic for an image in a message of the assistant"}},
		Vars:      []string{"at", "index", "type"},
		Request:   blocksInTheirRoles,
	},
}

func resultsFirst(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	ids := "none" // of the calls of the turn before
	for i, m := range req.Messages {
		if len(m.Results) == 0 {
			ids = cmp.Or(strings.Join(rules.CallIDs(m), ", "), "none")
			continue
		}
		j.HasEvidence = true
		first := m.Content.Parts[0]
		if first.Type == "tool_result" {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  first.Node.Pointer(),
			Message:  fmt.Sprintf("a block of the type %q is before the results", first.Type),
			Expected: "the results first",
			Actual:   rules.Show(first.Node),
			Vars:     map[string]string{"at": rules.Dotted(first.Node), "index": placeBefore(req, i), "ids": ids},
		})
	}
	return j
}

// placeBefore returns the index on the wire of the message before another.
func placeBefore(req *wire.Request, i int) string {
	if i == 0 {
		return "0"
	}
	return rules.IndexOf(req.Messages[i-1])
}

func resultsInOneMessage(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	calls := 0 // of the messages that are one turn
	for i, m := range req.Messages {
		calls += len(m.Calls)
		if req.JoinsNext(i) {
			continue
		}
		results, next := req.AnswersTo(i)
		several := calls > 1 && len(results) > 1
		calls = 0
		if !several {
			continue
		}
		j.HasEvidence = true
		if next > i+2 {
			j.Find(spread(req, i+1, next, results))
		}
	}
	return j
}

// spread is the finding that results of one turn are in all messages from one up to another.
func spread(req *wire.Request, from, next int, results []wire.Result) trace.Finding {
	var ids []string
	for _, x := range results[len(req.Messages[from].Results):] {
		ids = append(ids, x.CallID)
	}
	return trace.Finding{
		Pointer:  req.Messages[from+1].Node.Pointer(),
		Message:  "the results of one turn are spread over several messages",
		Expected: fmt.Sprintf("one message with %s", rules.Plural(len(results), "result")),
		Actual:   rules.Plural(next-from, "message"),
		Vars:     map[string]string{"ids": strings.Join(ids, ", "), "next": rules.NextIndex(req, from)},
	}
}

func blocksInTheirRoles(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	roleOf := map[string]wire.Role{"tool_use": wire.Assistant, "tool_result": wire.User, "image": wire.User, "container_upload": wire.User}
	for _, m := range req.Messages {
		for _, part := range m.Content.Parts {
			role, bound := roleOf[part.Type]
			j.HasEvidence = j.HasEvidence || part.Type == "tool_result" && m.Role == wire.User
			if !bound || m.Role == role {
				continue
			}
			j.Find(trace.Finding{
				Pointer:  part.Node.Pointer(),
				Message:  fmt.Sprintf("a block %s in a message of the role %q", part.Type, m.RoleWord),
				Expected: fmt.Sprintf("the role %q", role),
				Actual:   rules.Show(part.Node),
				Vars:     map[string]string{"at": rules.Dotted(part.Node), "index": rules.IndexOf(m), "type": part.Type},
			})
		}
	}
	return j
}
