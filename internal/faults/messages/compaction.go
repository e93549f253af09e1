package messages

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// compactions are faults about how the provider is asked to make the history shorter.
var compactions = []raw.Fault{
	{
		Name:     "compaction/takes-the-summary-for-the-answer",
		Does:     "The provider is asked to stop behind the summary, and where it stops is treated as the answer.",
		Breaks:   []string{"finish/compaction-is-continued"},
		Profiles: []string{"anthropic"},
		Make: func() raw.Mutation {
			return raw.Mutation{Request: pauseAfterCompaction, Loop: func(l *refloop.Loop) {
				l.Hooks.Turn = func(t *neutral.Turn) {
					if t.Word == "compaction" {
						t.Finish = neutral.Stop
						t.Parts = append(t.Parts, &neutral.Text{Text: "The conversation was summarised."})
					}
				}
			}}
		},
	},
	{
		Name:     "compaction/asks-for-a-summary-under-the-other-beta",
		Does:     "The request for a summary alone names the beta of the edit that makes one.",
		Breaks:   []string{"egress/context-betas-named", "egress/user-comes-first"}, // the block is not there
		Profiles: []string{"anthropic"},
		Make:     onDemand("compact-2026-01-12").Make,
	},
}
