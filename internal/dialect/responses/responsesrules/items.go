package responsesrules

import (
	"slices"

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

// eachItem calls f for every item of the input of a request, with its type. A message may leave its
// type out.
func eachItem(req *wire.Request, f func(item *wire.Node, kind string)) {
	input := req.Body.Get("input")
	if !input.Is(wire.Array) {
		return
	}
	for _, item := range input.Items {
		f(item, responses.TypeOf(item))
	}
}

// inKind judges the items of some types, without which there is nothing to judge. wrong says what is
// wrong with one, or nothing.
func inKind(kinds []string, wrong func(item *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		eachItem(req, func(item *wire.Node, kind string) {
			if !slices.Contains(kinds, kind) {
				return
			}
			j.HasEvidence = true
			j.Find(wrong(item)...)
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
	all := map[string]string{"at": wire.InBrackets(pointer)}
	for name, value := range vars {
		all[name] = value
	}
	return trace.Finding{Pointer: pointer, Message: message, Expected: expected, Actual: rules.Show(found), Vars: all}
}
