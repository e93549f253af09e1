package chatrules

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressRequestRules are the rules of the area egress about a request as a whole.
var egressRequestRules = []rules.Rule{
	{
		ID:        "egress/stream-options-need-stream",
		Level:     trace.Must,
		Text:      "stream_options are sent only when a stream is asked for.",
		Why:       "OpenAI refuses them otherwise.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "stream_options: only set this when you set stream: true"},
			{URL: "https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py", Says: "the check of vLLM"},
		},
		Vars:    []string{"found"},
		Request: streamOptionsNeedStream,
	},
	{
		ID:        "egress/top-logprobs-need-logprobs",
		Level:     trace.Should,
		Text:      "top_logprobs above zero are asked for only together with logprobs.",
		Why:       "OpenAI refuses them alone.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "top_logprobs: logprobs must be set to true if this parameter is used"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI"},
		},
		Request: topLogprobsNeedLogprobs,
	},
}

// topLogprobsNeedLogprobs takes zero, which asks for nothing, and leaves what is no number to
// parameter-types.
func topLogprobsNeedLogprobs(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	count, asked := req.Body.Get("top_logprobs").Int()
	if asked && count > 0 && !req.Body.Get("logprobs").True() {
		j.Find(trace.Finding{
			Pointer: "/top_logprobs", Message: "top_logprobs without logprobs", Expected: "no such key, or logprobs: true",
			Actual: rules.Show(req.Body.Get("top_logprobs")),
		})
	}
	return j
}

func streamOptionsNeedStream(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if v := req.Body.Get("stream_options"); v != nil && !v.Is(wire.Null) && !req.Stream {
		j.Find(trace.Finding{Pointer: "/stream_options", Message: "stream_options without stream", Expected: "no such key", Actual: rules.Show(v), Vars: map[string]string{"found": rules.KindOf(v)}})
	}
	return j
}
