package record

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// events are the faults in the events that tell of calls.
var events = []hooks.Fault{
	{
		Name:   "record/tells-times-as-numbers",
		Does:   "The times of calls are numbers.",
		Breaks: []string{"record/adk-turn-events-schema"},
		Make: eachCallEvent(func(e string) string {
			for _, key := range []string{"createdAt", "updatedAt", "completedAt"} {
				if gjson.Get(e, "data."+key).Exists() {
					e = raw.Set(e, "data."+key, 1763740800000)
				}
			}
			return e
		}),
	},
	{
		Name:   "record/announces-nothing",
		Does:   "A call is told of only when it is done.",
		Breaks: []string{"record/call-announced"},
		Make:   withoutEvents(func(e string) bool { return isCallEvent(e) && !isCompleted(e) }),
	},
	{
		Name:   "record/completes-nothing",
		Does:   "A call is told of only when it is requested.",
		Breaks: []string{"record/call-completed"},
		Make:   withoutEvents(func(e string) bool { return isCallEvent(e) && isCompleted(e) }),
	},
	{
		Name:   "record/tells-again",
		Does:   "Calls that are done are told of once more at the end.",
		Breaks: []string{"record/call-sealed"},
		Make: onEvents(func(events []string) []string {
			for _, e := range slices.Clone(events) {
				if isCallEvent(e) && isCompleted(e) {
					events = append(events, e)
				}
			}
			return events
		}),
	},
	{
		Name:   "record/announces-empty-results",
		Does:   "A call that is not done has empty results.",
		Breaks: []string{"record/announcement-bare"},
		Make: eachCallEvent(func(e string) string {
			if isCompleted(e) {
				return e
			}
			return raw.Set(e, "data.results", "")
		}),
	},
	{
		Name:   "record/tells-arguments-with-defaults",
		Does:   "The arguments that are told of are those that the tool gets, with a default filled in.",
		Breaks: []string{"record/event-arguments"},
		ByName: []string{"record/call-announced"},
		Make: eachCallEvent(func(e string) string {
			if gjson.Get(e, "data.tool").String() != "get_weather" {
				return e
			}
			return raw.Set(e, "data.args.units", "metric")
		}),
	},
	{
		Name:   "record/hides-results",
		Does:   "The results of calls that went well are told of as a size.",
		Breaks: []string{"record/event-carries-result"},
		Make: eachCompleted(func(e string) string {
			if isError(resultsOf(e)) {
				return e
			}
			return raw.Set(e, "data.results", "text, see the log")
		}),
	},
	{
		Name:   "record/tells-of-no-errors",
		Does:   "Calls that failed are told of as if they had gone well.",
		Breaks: []string{"record/event-failure-marked"},
		Make:   eachCompleted(func(e string) string { return raw.Set(e, "data.isError", false) }),
	},
	{
		Name:   "record/tells-of-errors-only",
		Does:   "Every call that is done is told of as an error.",
		Breaks: []string{"record/event-success-not-marked"},
		Make:   eachCompleted(func(e string) string { return raw.Set(e, "data.isError", true) }),
	},
	{
		Name:   "record/hides-errors",
		Does:   "The results of calls that failed do not say why.",
		Breaks: []string{"record/event-says-why"},
		Make: eachCompleted(func(e string) string {
			if isError(resultsOf(e)) {
				return raw.Set(e, "data.results", "Error: something went wrong")
			}
			return e
		}),
	},
	{
		Name:   "record/sums-something-else",
		Does:   "The checksum is made in another way.",
		Breaks: []string{"record/checksum"},
		Make: onEvents(func(events []string) []string {
			for i, e := range events {
				for _, key := range []string{"data.checksum", "data.callId"} {
					if sum := gjson.Get(e, key).String(); sum != "" {
						other := sha256.Sum256([]byte(sum))
						events[i] = raw.Set(e, key, hex.EncodeToString(other[:]))
					}
				}
			}
			return events
		}),
	},
	{
		Name:   "record/joins-by-another-id",
		Does:   "The events of executions have ids of their own.",
		Breaks: []string{"record/checksum-joins-executions"},
		Make: onEvents(func(events []string) []string {
			for i, e := range events {
				if gjson.Get(e, "data.callId").Exists() {
					events[i] = raw.Set(e, "data.callId", "execution-1")
				}
			}
			return events
		}),
	},
	{
		Name:   "record/never-tells-that-a-tool-ends",
		Does:   "There are no events that a tool ended.",
		Breaks: []string{"record/executions-as-run"},
		Make:   withoutEvents(func(e string) bool { return gjson.Get(e, "event").String() == "toolExecutionEnd" }),
	},
	{
		Name:   "record/takes-equal-calls-for-one",
		Does:   "A call is not told of when an equal one was.",
		Breaks: []string{"record/equal-calls-counted"},
		Make: onEvents(func(events []string) []string {
			first := map[string]string{} // checksum to the id of the first call with it
			return slices.DeleteFunc(events, func(e string) bool {
				sum, id := gjson.Get(e, "data.checksum").String(), gjson.Get(e, "data.id").String()
				if first[sum] == "" {
					first[sum] = id
				}
				return isCallEvent(e) && first[sum] != id
			})
		}),
	},
	{
		Name:   "record/creates-calls-twice",
		Does:   "A call that is done has the time of its end as that of its creation.",
		Breaks: []string{"record/created-once"},
		Make: eachCompleted(func(e string) string {
			return raw.Set(e, "data.createdAt", gjson.Get(e, "data.updatedAt").String())
		}),
	},
	{
		Name:   "record/completes-before-it-updates",
		Does:   "A call was completed when it was created.",
		Breaks: []string{"record/event-times-in-order"},
		Make: eachCompleted(func(e string) string {
			return raw.Set(e, "data.completedAt", gjson.Get(e, "data.createdAt").String())
		}),
	},
	{
		Name:   "record/has-one-time-for-all",
		Does:   "All events have the time at which the run began.",
		Breaks: []string{"record/equal-calls-told-apart"},
		Make: onEvents(func(events []string) []string {
			for i, e := range events {
				for _, key := range []string{"createdAt", "updatedAt", "completedAt"} {
					if gjson.Get(e, "data."+key).Exists() {
						events[i] = raw.Set(events[i], "data."+key, "2026-11-21T12:00:00Z")
					}
				}
			}
			return events
		}),
	},
}

// withoutEvents leaves out the events of a kind.
func withoutEvents(kind func(event string) bool) func() hooks.Mutation {
	return onEvents(func(events []string) []string { return slices.DeleteFunc(events, kind) })
}
