package messagesrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const serverToolDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools"

// pairingServerToolRules are the rules of the area pairing about tools that the provider runs, also
// its search for tools.
var pairingServerToolRules = []rules.Rule{
	{
		ID:        "pairing/server-uses-have-results",
		Level:     trace.Should,
		Text:      "A server_tool_use has its result behind it, in its own turn or a later one, unless the provider has still to run it: its turn is the last, or has nothing behind it but tool_result blocks and further calls of it.",
		Why:       "Anthropic refuses the request, and each later one of the session.",
		Invariant: true,
		Evidence:  "a request whose history has a server_tool_use",
		Sources: []rules.Source{
			{URL: serverToolDocs, Says: "the two pair up by tool_use_id, and a text behind the tool_result blocks is a 400: was found without a corresponding web_fetch_tool_result block"},
			{URL: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool", Says: "the same of web_search"},
		},
		Vars:    []string{"name", "id", "result"},
		Request: serverUsesHaveResults,
	},
	{
		ID:        "pairing/server-results-have-uses",
		Level:     trace.Should,
		Text:      "The result of a tool of the provider has its server_tool_use before it.",
		Why:       "Anthropic refuses the request, and each later one of the session.",
		Invariant: true,
		Evidence:  "a request whose history has the result of a tool of the provider",
		Sources: []rules.Source{
			{URL: serverToolDocs, Says: "the two pair up by tool_use_id, the use first"},
			{URL: "https://github.com/anthropics/claude-code/issues/64383", Says: "the 400: each advisor_tool_result block must have a corresponding server_tool_use block before it"},
			{URL: "https://github.com/anthropics/claude-code/issues/95406", Says: "the same, and the session is lost"},
		},
		Vars:    []string{"at", "result", "id"},
		Request: serverResultsHaveUses,
	},
}

// serverBlock is a block about a tool that the provider runs.
type serverBlock struct {
	node    *wire.Node
	id      string
	message int
	index   int // in the message
}

// at returns the place of the block, such as messages.1.content.0.
func (b *serverBlock) at() string {
	return fmt.Sprintf("messages.%d.content.%d", b.message, b.index)
}

// serverBlocks returns the uses of tools that the provider runs, and their results, in the order of
// a request. A use by the provider's own code is left out: the code has the result.
func serverBlocks(req *wire.Request) (uses, results []serverBlock) {
	type noServerBlocks struct{}
	req.Look(noServerBlocks{}, func(m int, message *wire.Node) (some bool) {
		if message.Get("role").Text() != "assistant" {
			return false
		}
		for b, node := range message.Get("content").All() {
			block := serverBlock{node: node, message: m, index: b}
			switch kind := node.Get("type").Text(); {
			case kind == "compaction": // the provider reads nothing of what is before it
				uses = nil
			case kind == "server_tool_use" && calledDirectly(node):
				block.id = node.Get("id").Text()
				uses, some = append(uses, block), true
			case strings.HasSuffix(kind, "_tool_result") && kind != "mcp_tool_result":
				block.id = node.Get("tool_use_id").Text()
				results, some = append(results, block), true
			}
		}
		return some
	})
	return uses, results
}

func calledDirectly(use *wire.Node) bool {
	caller := use.Get("caller").Get("type").Text()
	return caller == "" || caller == "direct"
}

func serverUsesHaveResults(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	uses, results := serverBlocks(req)
	answered := map[string]bool{}
	for _, r := range results {
		answered[r.id] = true
	}
	last := map[string]int{} // the place of the last use with an id
	for n, use := range uses {
		last[use.id] = n
	}
	var isOver []bool
	for n, use := range uses {
		j.HasEvidence = true
		if last[use.id] > n {
			continue // it is there twice, of which other rules have to say something
		}
		if answered[use.id] {
			continue
		}
		if isOver == nil {
			isOver = turnsOver(req.Body.Get("messages").All())
		}
		if !isOver[max(use.message, lastCallBy(req, use.id))] {
			continue
		}
		name := use.node.Get("name").Text()
		result := name + "_tool_result"
		if strings.HasPrefix(name, "tool_search_tool_") {
			result = "tool_search_tool_result"
		}
		j.Find(trace.Finding{
			Pointer:  use.node.Pointer(),
			Message:  fmt.Sprintf("the use of %s has no result, and the conversation went on without it", rules.Quote(name)),
			Expected: fmt.Sprintf("a %s with the id %s behind it, or nothing behind its turn but tool_result blocks", result, use.id),
			Actual:   rules.Show(use.node),
			Vars:     map[string]string{"name": name, "id": use.id, "result": result},
		})
	}
	return j
}

// lastCallBy returns the last message with a call that a code of the provider made, which runs at
// least until then; -1 for none.
func lastCallBy(req *wire.Request, code string) int {
	all := req.Body.Get("messages").All()
	for n := len(all) - 1; n >= 0; n-- {
		calls := func(b *wire.Node) bool {
			return b.Get("type").Text() == "tool_use" && messages.API.Programs.Caller(b) == code
		}
		if slices.ContainsFunc(all[n].Get("content").All(), calls) {
			return n
		}
	}
	return -1
}

// turnsOver reports of each message, as a turn of the assistant, whether the messages behind it say
// that it is over: a text of the user, also behind the results of the loop's tools, or another turn
// that is not the last message. What is refused for another reason before that, such as a text in
// front of the results, is for the rules about it.
func turnsOver(all []*wire.Node) []bool {
	isOver := make([]bool, len(all))
	var asking, asked bool // whether a turn is over before message n, if it asks for the loop's tools, and if it does not or they have answered
	for n := len(all) - 1; n >= 0; n-- {
		message := all[n]
		isOver[n] = asked
		if has(message, "tool_use") {
			isOver[n] = asking
		}
		blocks := message.Get("content").All()
		switch role := message.Get("role").Text(); {
		case role == "assistant" && !has(message, "tool_result"):
			asked = n < len(all)-1
			asking = asked
		case role != "user":
		case len(blocks) > 0 && blocks[0].Get("type").Text() == "tool_result":
			asked = asked || slices.ContainsFunc(blocks, saysSomethingElse)
			asking = asked
		default:
			if strings.TrimSpace(message.Get("content").Text()) != "" || slices.ContainsFunc(blocks, saysSomethingElse) {
				asked = !has(message, "tool_result")
			}
			asking = false // the results are missing
		}
	}
	return isOver
}

func has(message *wire.Node, kind string) bool {
	return slices.ContainsFunc(message.Get("content").All(), func(b *wire.Node) bool { return b.Get("type").Text() == kind })
}

func saysSomethingElse(block *wire.Node) bool {
	kind := block.Get("type").Text()
	return kind != "tool_result" && (kind != "text" || strings.TrimSpace(block.Get("text").Text()) != "")
}

func serverResultsHaveUses(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	_, results := serverBlocks(req)
	if len(results) == 0 {
		return j
	}
	used := map[string]bool{}
	for _, message := range req.Body.Get("messages").All() {
		for _, b := range message.Get("content").All() {
			if b.Get("type").Text() == "server_tool_use" {
				used[b.Get("id").Text()] = true
			}
		}
	}
	for _, r := range results {
		j.HasEvidence = true
		if used[r.id] {
			continue
		}
		kind := r.node.Get("type").Text()
		j.Find(trace.Finding{
			Pointer:  r.node.Pointer(),
			Message:  fmt.Sprintf("a %s without the use that it belongs to", kind),
			Expected: fmt.Sprintf("a server_tool_use with the id %s before it", r.id),
			Actual:   rules.Show(r.node),
			Vars:     map[string]string{"at": r.at(), "result": kind, "id": r.id},
		})
	}
	return j
}
