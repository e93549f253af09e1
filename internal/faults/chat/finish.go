package chat

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var finish = []raw.Fault{
	{
		Name:    "finish/ends-at-an-empty-word",
		Does:    "Any text for the finish reason ends the answer, also an empty one.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/314"},
		Breaks:  []string{"finish/empty-word-is-none"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if word := gjson.Get(p, "choices.0.finish_reason"); word.Type == gjson.String && word.String() == "" {
					a.Payloads = append(a.Payloads[:i:i], raw.Set(p, "choices.0.finish_reason", "stop"))
					return
				}
			}
		}),
	},
	{
		Name:   "finish/acts-at-each-word",
		Does:   "The calls of a turn are handed on whenever a finish reason comes.",
		Breaks: []string{"finish/twice"},
		Make: raw.OnStream(func(a *raw.Answer) {
			words := 0
			for _, p := range a.Payloads {
				if gjson.Get(p, "choices.0.finish_reason").String() != "" && !gjson.Get(p, "usage").IsObject() {
					words++
				}
			}
			if calls := callsOf(a); words > 1 && len(calls) > 0 {
				for _, c := range calls {
					c.id += "_again"
					calls = append(calls, c)
				}
				setCalls(a, calls)
			}
		}),
	},
}
