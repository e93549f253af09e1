package egress

import (
	"net/http"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// keys are loops that lose their key.
var keys = []hooks.Fault{
	{
		Name: "egress/loses-the-key",
		Does: "Only the first request of a run carries the key.",
		Reports: []string{
			"https://github.com/NousResearch/hermes-agent/pull/3103",
			"https://github.com/cline/cline/issues/12775",
		},
		Breaks: []string{"egress/key-sent"},
		Unless: neutral.Keyless, Elsewhere: "servers need no key.",
		Make: laterKeys(func(h http.Header, name string) { h.Del(name) }),
	},
	{
		Name:    "egress/sends-an-empty-key",
		Does:    "Requests after the first carry an empty key.",
		Reports: []string{"https://github.com/MoonshotAI/kimi-cli/issues/1983"},
		Breaks:  []string{"egress/key-sent"},
		Unless:  neutral.Keyless, Elsewhere: "servers need no key.",
		Make: laterKeys(func(h http.Header, name string) {
			h.Set(name, map[string]string{"Authorization": "Bearer "}[name])
		}),
	},
}

// laterKeys changes the headers with a key of all requests but the first.
func laterKeys(change func(h http.Header, name string)) func() hooks.Mutation {
	return func() hooks.Mutation {
		var sent atomic.Int64
		return hooks.OnSend(func(req *http.Request) {
			if sent.Add(1) == 1 {
				return
			}
			for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"} {
				if req.Header.Get(name) != "" {
					change(req.Header, name)
				}
			}
		})()
	}
}
