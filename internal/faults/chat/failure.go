package chat

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var failure = []raw.Fault{
	{
		Name:    "failure/looks-for-choices-first",
		Does:    "A payload with choices is not searched for an error, also where there are none in them.",
		Reports: []string{"https://github.com/0xPlaygrounds/rig/pull/2258"},
		Breaks:  []string{"failure/error-objects"},
		Make: raw.OnStream(func(a *raw.Answer) {
			kept := slices.DeleteFunc(slices.Clone(a.Payloads), func(p string) bool {
				return gjson.Get(p, "error").IsObject() && gjson.Get(p, "choices").IsArray() && !gjson.Get(p, "choices.0").Exists()
			})
			if len(kept) < len(a.Payloads) {
				a.Payloads = kept
				addFinish(a, "stop")
			}
		}),
	},
	{
		Name:   "failure/takes-null-for-an-error",
		Does:   "The key error means an error, whatever its value is.",
		Breaks: []string{"failure/no-error-is-none"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			failed := slices.ContainsFunc(a.Payloads, func(p string) bool {
				failure := gjson.Get(p, "error")
				return failure.Exists() && failure.Type == gjson.Null
			})
			if failed {
				a.Payloads = []string{`{"error":{"message":"unknown"}}`}
			}
		}),
	},
}
