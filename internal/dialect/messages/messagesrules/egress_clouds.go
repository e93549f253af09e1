package messagesrules

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressCloudRules are the rules of the area egress about what a cloud takes less of than Anthropic.
var egressCloudRules = []rules.Rule{
	{
		ID:        "egress/tools-taken",
		Level:     trace.Must,
		Text:      "A tool has no type and no key that its model is known to refuse behind Vertex AI or Amazon Bedrock, such as web_fetch or strict with some models.",
		Why:       "The whole request is refused. What a cloud takes depends on the model, and not on its age alone.",
		Invariant: true,
		Evidence:  "a request with tools and a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/coder/xum/issues/2922", Says: "measured: Vertex AI refuses web_fetch_20250910 and web_fetch_20260209 for Opus 4.6 and Sonnet 4.6"},
			{URL: "https://github.com/BerriAI/litellm/issues/33193", Says: "measured on Bedrock: Opus 4.7, Opus 4.8 and Sonnet 5 refuse strict, Sonnet 4.6 and Opus 5 take it"},
			{URL: "https://github.com/vercel/ai/pull/16237", Says: "tools.0.custom.strict: Extra inputs are not permitted"},
			{URL: "https://github.com/lobehub/lobehub/issues/19876", Says: "measured on Bedrock: the same of Opus 5.5 and Fable 5.1"},
		},
		Vars:    []string{"index", "tool", "key", "model"},
		Request: toolsTaken,
	},
}

// modelForm finds the model in its names at Anthropic and its clouds: claude-opus-4-7 in
// us.anthropic.claude-opus-4-7-v1:0.
var modelForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(claude-[a-z]+-\d+(?:-\d{1,2})?)(?:\D|$)`) })

// toolsTaken looks for the types and keys that the profile lists by model; no other one is judged.
func toolsTaken(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	tools := req.Body.Get("tools").All()
	j.HasEvidence = len(tools) > 0 && rules.CarriesResult(req)
	named := modelForm().FindStringSubmatch(req.Model)
	if named == nil {
		return j
	}
	for i, tool := range tools {
		look := func(n *wire.Node, key, kind string) {
			vars := map[string]string{"index": fmt.Sprint(i), "tool": kind, "key": key, "model": named[1]}
			if n == nil || !p.RefusesViolation("egress/tools-taken", vars) {
				return
			}
			j.Find(trace.Finding{
				Pointer: n.Pointer(), Message: fmt.Sprintf("a tool has what %s does not take there", named[1]),
				Expected: "a tool without it", Actual: key + ": " + rules.Show(n), Vars: vars,
			})
		}
		look(tool.Get("type"), "type", tool.Get("type").Text())
		for key, value := range tool.Fields() {
			if key != "type" {
				look(value, key, "custom")
			}
		}
	}
	return j
}
