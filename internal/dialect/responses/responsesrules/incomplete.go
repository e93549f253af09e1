package responsesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/finish"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// responsesIncomplete are the rules of the area finish about responses that were cut off.
var responsesIncomplete = []rules.Rule{
	{
		ID:    "finish/incomplete-in-any-form",
		Level: trace.Should,
		Text:  "A response with the status incomplete was cut off, also if it does not say why, and if the event that ends the stream is response.completed.",
		Why:   "A loop that looks at one of the three takes a part of an answer for the whole.",
		Quirks: []rules.Quirk{
			{Name: "incomplete-without-a-reason", In: "stopped-answer", Case: "finish/incomplete-without-a-reason"},
			{Name: "incomplete-as-completed", In: "stopped-answer", Case: "finish/incomplete-as-completed"},
		},
		Evidence: "an outcome after a response that was cut off and does not say so in all its places",
		Sources: []rules.Source{
			{URL: rules.ResponseObjectDocs, Says: "status: incomplete; incomplete_details.reason is optional"},
			{URL: "https://github.com/BerriAI/litellm/pull/40833", Says: "a gateway: incomplete_details null, also in the response.completed of a stream"},
			{URL: "https://github.com/anomalyco/opencode/pull/38374", Says: "an incomplete response without a reason did not fit the schema"},
			{URL: "https://github.com/RISE-X-Lab/OpenCollab/pull/73", Says: "response.completed with another status than completed"},
		},
		RunQuirks: cutIsNotSuccess,
	},
}

// cutIsNotSuccess demands that an answer that was cut off, and says so in some of the places alone,
// is not reported as completed.
func cutIsNotSuccess(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, x := range r.Served() {
		quirk, shown := rules.QuirkOf(x.Turn, quirks)
		if !shown {
			continue
		}
		j = finish.NotSuccess(r, wire.FinishLength)
		for i := range j.Findings {
			j.Findings[i].Message = "the provider " + quirk.Does + ", and the answer was reported as completed"
		}
	}
	return j
}
