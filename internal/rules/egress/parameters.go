package egress

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// parameterRules are the rules of the area egress about the keys of a request besides messages and
// tools.
var parameterRules = []rules.Rule{
	{
		ID:        "egress/request-keys",
		Level:     trace.Info,
		Text:      "A request has only keys that the provider documents.",
		Why:       "What one provider needs (thinking, enable_thinking, top_k), another refuses.",
		Where:     func(d *wire.Dialect) bool { return d.Form != nil },
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the keys of a request"},
			{URL: rules.MistralSchema, Says: "ChatCompletionRequest: additionalProperties false"},
			{URL: "https://github.com/FlowiseAI/Flowise/issues/2866", Says: "the 400 of Fireworks for a key that it does not know"},
			{URL: rules.MessagesTypes, Says: "MessageCreateParams: the keys of a request in the Messages API"},
			{URL: "https://github.com/amrit110/oli/issues/7", Says: "the 400 of Anthropic for response_format"},
			{URL: "https://platform.claude.com/docs/en/api/versioning", Says: "2026-10-21: temperature, top_p and top_k are removed"},
			{URL: "https://github.com/ttlequals0/MinusPod/releases/tag/v2.101.10", Says: "temperature: Extra inputs are not permitted, by 2026-10-21"},
		},
		Vars:    []string{"key", "of"},
		Request: requestKeys,
	},
}

func requestKeys(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	known := p.DoorOf(req).Keys(OneOf(p.Accepts.Request, req.Dialect.Keys()))
	var gone []string
	if _, refuses := p.Refusal("egress/request-keys"); refuses && req.Dialect.Request.Withdrawn != nil {
		gone = req.Dialect.Request.Withdrawn(req)
	}
	for key, value := range req.Body.Fields() {
		if slices.Contains(known, key) && !slices.Contains(gone, key) || slices.Contains(p.Accepts.RequestAlso, key) {
			continue
		}
		of := "another API"
		if foreign := req.Dialect.Request.Foreign; foreign != nil && !slices.Contains(foreign, key) {
			of = "nobody"
			if suggest.IsSlip(key, known) {
				of = "a slip"
			}
		}
		FindUnwantedKey(&j, value, fmt.Sprintf("the request has the key %q", key), "only keys of the provider's reference", map[string]string{"of": of})
	}
	return j
}
