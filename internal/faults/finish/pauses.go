package finish

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// pauses are loops that take one reason to stop for another.
var pauses = []hooks.Fault{
	{
		Name:   "finish/takes-a-pause-for-the-end",
		Does:   "A turn that pauses is treated as the answer.",
		Breaks: []string{"finish/pause-is-continued"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Pause {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:   "finish/urges-a-pause-on",
		Does:   "After a turn that pauses the user is made to say: go on.",
		Breaks: []string{"finish/pause-is-continued", "pairing/server-uses-have-results"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if last := r.Messages[len(r.Messages)-1]; last.Role == neutral.Assistant {
				r.Add(neutral.Says(neutral.User, "Go on."))
			}
		}),
	},
	{
		Name:   "finish/takes-a-full-window-for-the-end",
		Does:   "An answer that the context window cut off is reported as completed.",
		Breaks: []string{"finish/full-window-is-not-success"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if a.Finish() == neutral.Window {
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:    "finish/asks-on-for-an-unknown-reason",
		Does:    "An answer that stopped for a reason which the loop does not know is sent back, and the user asks to go on.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/49414"},
		Breaks:  []string{"finish/unknown-stop-reason"},
		Make:    hooks.AsksForTheRest(neutral.Other, "Go on."),
	},
}
