package messages

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
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
			const told = "The conversation was summarised."
			return raw.Mutation{Request: pauseAfterCompaction, Loop: func(l *refloop.Loop) {
				l.Hooks.Turn = func(t *neutral.Turn) {
					if t.Word == "compaction" {
						t.Finish = neutral.Stop
						t.Parts = append(t.Parts, &neutral.Text{Text: told})
					}
				}
				l.Hooks.Request = func(r *neutral.Request) error { // the caller is told, and not the model
					for i := range r.Messages {
						r.Messages[i].Parts = hooks.KeepParts(r.Messages[i].Parts, func(p neutral.Part) bool {
							text, is := p.(*neutral.Text)
							return !is || text.Text != told
						})
					}
					return nil
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
