package egress

import (
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const keySentID = "egress/key-sent"

// keyRules is the rule of the area egress about the key. It judges runs in which a loop was handed
// one and has sent it before, and only under profiles of providers that are known to refuse a
// request without: local servers need none, a loop that never sends one may have been set up for
// such a server, and whoever tries the mock provider with curl was given none.
var keyRules = []rules.Rule{
	{
		ID:        keySentID,
		Level:     trace.Should,
		Text:      "A loop that sends a key sends one with each request, where its provider looks for it.",
		Why:       "A provider that needs a key refuses the request, and a retry does not help. Keys are lost with the first request of a second client: that of another provider, of a sub-agent, or of a stream.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ErrorDocs, Says: "401: ensure the correct API key is being used"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/3103", Says: "the 401 of OpenRouter for all sub-agents, after another provider took over"},
			{URL: "https://github.com/MoonshotAI/kimi-cli/issues/1983", Says: "the 401 for sub-agents, which asked with an empty key"},
			{URL: "https://github.com/cline/cline/issues/12775", Says: "no header at all, and the 401 of the provider"},
		},
		Request: keySent,
	},
}

func keySent(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.Key == nil { // most requests to a server
		return j
	}
	if _, refuses := p.Refusal(keySentID); !refuses {
		return j
	}
	j.HasEvidence = true
	if *req.Key == "" {
		j.Find(trace.Finding{
			Message: "the request carries no key", Expected: "a key in the header " + strings.ToLower(strings.Join(req.Dialect.Endpoint.Keys, " or ")), Actual: "no key",
		})
	}
	return j
}
