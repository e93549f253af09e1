package messagesrules

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressLimitRules are the rules of the area egress about what Anthropic takes of names, texts and
// times.
var egressLimitRules = []rules.Rule{
	{
		ID:        "egress/cache-times-in-order",
		Level:     trace.Should,
		Text:      "A cache_control of an hour does not come after one of five minutes, in the order of the tools, the system prompt and the messages.",
		Why:       "Anthropic refuses it: a loop that marks its tools cannot ask for an hour in the messages alone.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/headroomlabs-ai/headroom/issues/2939", Says: "the 400 of Anthropic, with the order"},
			{URL: "https://github.com/theopenco/llmgateway/pull/2629", Says: "the same, tried with the API"},
			{URL: "https://github.com/vellum-ai/vellum-assistant/pull/22191", Says: "the same for tools before a system prompt"},
		},
		Vars:    []string{"at"},
		Request: cacheTimesInOrder,
	},
}

// cacheTimesInOrder leaves out a mark of the request itself, which has no place among the blocks.
func cacheTimesInOrder(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	short := false
	for _, mark := range cacheMarks(req) {
		if mark.Pointer() == "/cache_control" {
			continue
		}
		hour := mark.Get("ttl").Text() == "1h"
		if hour && short {
			j.Find(trace.Finding{
				Pointer:  mark.Pointer() + "/ttl",
				Message:  "a cache_control of an hour after one of five minutes",
				Expected: "the longer times first, in the order of tools, system, messages",
				Actual:   rules.Show(mark),
				Vars:     map[string]string{"at": rules.Dotted(mark)},
			})
		}
		short = short || !hour
	}
	return j
}
