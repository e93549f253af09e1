package gemini

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// stream are faults in how streams are read.
var stream = []raw.Fault{
	{
		Name:   "stream/wants-chunks-of-its-schema",
		Does:   "A chunk with a key that the loop does not know ends the run.",
		Breaks: []string{"stream/unknown-keys"},
		Make:   chokesOn(`"xServer":`),
	},
	{
		Name:    "stream/chokes-on-citations",
		Does:    "A candidate that says on what it rests ends the run.",
		Reports: []string{"https://github.com/yym68686/uni-api/issues/55"},
		Breaks:  []string{"stream/unknown-events"},
		Make:    chokesOn(`"citationMetadata":{`),
	},
	{
		Name:    "stream/adds-up-the-counts-of-chunks",
		Does:    "The tokens of an answer are added up over the chunks, each of which has all so far.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/pull/10164", "https://github.com/agno-agi/agno/pull/6624"},
		Breaks:  []string{"stream/usage-last-wins"},
		Make: raw.OnStream(func(a *raw.Answer) {
			const count = "usageMetadata.candidatesTokenCount"
			sum, last := int64(0), -1
			for i, p := range a.Payloads {
				if said := gjson.Get(p, count); said.Exists() {
					sum, last = sum+said.Int(), i
				}
			}
			if last >= 0 {
				a.Payloads[last] = raw.Set(a.Payloads[last], count, sum)
			}
		}),
	},
	{
		Name:   "failure/reads-lines-of-data-alone",
		Does:   "A stream that ends in an error without the word data before it is taken for a whole one.",
		Breaks: []string{"failure/error-line-reported"},
		Make: raw.OnBytes(func(b []byte) []byte {
			if said, _, found := bytes.Cut(b, []byte("\n{\"error\":")); found {
				return append(said, "\ndata: {\"candidates\":[{\"content\":{\"parts\":[]},\"finishReason\":\"STOP\"}]}\n\n"...)
			}
			return b
		}),
	},
}
