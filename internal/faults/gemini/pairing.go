package gemini

import (
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
