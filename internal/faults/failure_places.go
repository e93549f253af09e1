package faults

import (
	"slices"

	"github.com/tidwall/gjson"
)

// failurePlaces are loops that look for errors in one place only, or see them where there are none.
var failurePlaces = []Fault{
	{
		Name:    "failure/looks-for-choices-first",
		Does:    "A payload with choices is not searched for an error, also where there are none in them.",
		Models:  []string{"https://github.com/0xPlaygrounds/rig/pull/2258"},
		Dialect: inChat,
		Breaks:  []string{"failure/error-objects"},
		Make: onStream(func(a *RawAnswer) {
			kept := slices.DeleteFunc(slices.Clone(a.Payloads), func(p string) bool {
				return gjson.Get(p, "error").IsObject() && gjson.Get(p, "choices").IsArray() && !gjson.Get(p, "choices.0").Exists()
			})
			if len(kept) < len(a.Payloads) {
				a.Payloads = kept
				a.AddFinish("stop")
			}
		}),
	},
	{
		Name:    "failure/takes-null-for-an-error",
		Does:    "The key error means an error, whatever its value is.",
		Dialect: inChat,
		Breaks:  []string{"failure/no-error-is-none"},
		Make: onRawAnswer(func(a *RawAnswer) {
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
