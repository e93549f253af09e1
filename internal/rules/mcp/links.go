package mcp

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// linkRules are the rules about links to resources among the blocks of a result.
var linkRules = []rules.Rule{
	{
		ID:        "mcp/links-told",
		Level:     trace.Should,
		Text:      "Of a link to a resource in a result the model gets the URI or the name, or what the loop has read there.",
		Why:       "The model takes the rest for all of the result, and nothing tells it where to read on.",
		Invariant: true,
		Needs:     needs,
		Evidence:  "a request after a tool returned a link to a resource",
		Sources: []rules.Source{
			{URL: "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#resource-links", Says: "a tool may return links to resources, which the client can read"},
		},
		Run: linksTold,
	},
}

func linksTold(r *rules.Run) (j rules.CheckResult) {
	for of := range r.RunResults() {
		first, sent := of.Call.Executions[0], of.Result.Content.Text
		if !first.Several() {
			continue
		}
		for _, link := range first.Blocks.Links {
			j.HasEvidence = true
			asFile := strings.Contains(string(of.Result.Node.Raw), link.Name) // the address of a part that is a file
			if !asFile && !rules.ContainsText(sent, link.Name) && !rules.ContainsText(sent, link.Text) {
				j.FindAt(of.Turn.In, of.Result.Node.Pointer(), fmt.Sprintf("the link in the result of the call %s is lost without a word", of.Call.Call.As), rules.Quote(link.URI)+", or what is there", rules.Show(of.Result.Node))
			}
		}
	}
	return j
}
