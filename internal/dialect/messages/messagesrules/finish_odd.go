package messagesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/finish"
	"github.com/loopproof/loopproof/internal/trace"
)

// oddFinishRules are the rules about odd finish reasons.
var oddFinishRules = []rules.Rule{
	{
		ID:    "finish/unknown-stop-reason",
		Level: trace.Should,
		Text:  "An answer with a stop_reason that the loop does not know is accepted or reported as a failure.",
		Why:   "The provider adds reasons; some loops crash, or retry forever.",
		Quirks: []rules.Quirk{
			{Name: "stop-reason-unknown", In: "answer"},
			{Name: "finish-other", In: "answer"},
		},
		Evidence: "an outcome after an answer with an unknown reason to stop",
		Sources: []rules.Source{
			{URL: rules.StopReasonDocs, Says: "handle the reasons to stop, also those that are added"},
			{URL: "https://ai.google.dev/api/generate-content#FinishReason", Says: "OTHER: the reason is unknown"},
			{URL: "https://github.com/earendil-works/pi/pull/1868", Says: "a reason that was new: Unhandled stop reason, and the end of the loop"},
		},
		RunQuirks: finish.TakenOrReported,
	},
}
