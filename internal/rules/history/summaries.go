package history

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

var summaryRules = []rules.Rule{
	{
		ID:          "history/summary-as-claimed",
		Level:       trace.Must,
		Text:        "A loop that asks the model for a summary of its history, and goes on with it, claims compaction, and does so where its task has a limit of tokens.",
		Why:         "In other tasks the model answers as the script says, and the request for a summary takes the answer of a turn: whatever is broken after it only follows from that.",
		Invariant:   true,
		AnyDelivery: true,
		Unending:    true,
		Evidence:    "a second request, in a task without a limit of tokens",
		Sources:     []rules.Source{{URL: rules.AdapterDocs, Says: "a loop that makes its history shorter claims compaction, and is told the limit in context_limit"}},
		Run:         summaryAsClaimed,
	},
}

func summaryAsClaimed(r *rules.Run) (j rules.CheckResult) {
	// A run that ran out of time before it did so proves nothing: it may still do so.
	j.HasEvidence = r.Task.ContextLimit == 0 && len(r.Served()) > 1 && r.Ending.How != trace.Hung
	aside, next := r.UnaskedSummary()
	if aside == nil {
		return j
	}
	actual := "the run ends there"
	if next != nil {
		actual = fmt.Sprintf("request %d goes on without what was said before", next.Number)
	}
	j.Find(trace.Finding{
		Request: aside.Number,
		Pointer: aside.Request.HistoryPointer(),
		Message: "this loop compacts, in a task without a limit of tokens: claim compaction",
		Expected: "compaction among the features of the loop, and a history that it only makes shorter near the context_limit " +
			"of its task; without one, the whole history",
		Actual: fmt.Sprintf("request %d asks the model for a summary, and %s", aside.Number, actual),
	})
	return j
}
