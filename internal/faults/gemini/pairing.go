package gemini

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// pairing are faults about calls and responses.
var pairing = []raw.Fault{
	{
		Name:   "pairing/responds-without-the-id",
		Does:   "Responses have the name of their call, and not its id.",
		Breaks: []string{"pairing/response-has-the-id"},
		Make:   onParts("functionResponse", func(r *raw.Request, path string, _ gjson.Result) { r.Delete(path + ".functionResponse.id") }),
	},
	{
		Name:    "pairing/begins-with-a-call",
		Does:    "What is kept of an older conversation begins with a call of the model.",
		Reports: []string{"https://github.com/google-gemini/gemini-cli/issues/11814", "https://github.com/continuedev/continue/issues/11164"},
		Breaks:  []string{"pairing/calls-follow-a-prompt"},
		Make:    beginningWith(olderCall, olderResponse),
	},
	{
		Name:   "pairing/responds-in-several-contents",
		Does:   "Each response is a content of its own.",
		Breaks: []string{"pairing/responses-in-one-content"},
		Make: onContents(func(contents []string) []string {
			var all []string
			for _, c := range contents {
				if !carriesResponse(c) {
					all = append(all, c)
					continue
				}
				for _, part := range gjson.Get(c, "parts").Array() {
					all = append(all, `{"role":"user","parts":[`+part.Raw+`]}`)
				}
			}
			return all
		}),
	},
}

// olderCall and olderResponse are a round of a conversation of which nothing else is left.
const (
	olderCall     = `{"role":"model","parts":[{"functionCall":{"name":"read_file","args":{}}}]}`
	olderResponse = `{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"nothing"}}}]}`
)

// beginningWith makes a loop that puts contents in front of every conversation.
func beginningWith(contents ...string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.SetRaw("contents", "["+strings.Join(append(slices.Clone(contents), raw.Items(r.Get("contents").Array())...), ",")+"]")
	})
}
