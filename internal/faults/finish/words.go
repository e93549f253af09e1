package finish

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// words are loops that trust the finish reason too much.
var words = []hooks.Fault{
	{
		Name: "finish/throws-at-unknown-words",
		Does: "A finish reason that is not among the known ones ends the run.",
		Reports: []string{
			"https://github.com/badlogic/pi-mono/issues/2142",
			"https://github.com/anomalyco/opencode/issues/49414",
		},
		Breaks: []string{"finish/unknown-word"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if t := a.Turn(); t.Finish == neutral.Other {
				a.Fail("unhandled stop reason: " + t.Word)
			}
		}),
	},
	{
		Name:      "finish/holds-the-last-piece-back",
		Does:      "The last piece of a text is held back until a finish reason comes.",
		Reports:   []string{"https://github.com/vercel/ai/issues/19165"},
		Only:      neutral.WordlessEnds,
		Elsewhere: "an answer without a word is not whole.",
		Breaks:    []string{"finish/no-word"},
		Make: hooks.OnStreamed(func(a *hooks.Answer) {
			if !a.OK() || a.Err != nil || a.Finish() != neutral.NoReason {
				return
			}
			places := map[string]bool{}
			last := -1
			for i, p := range a.Pieces {
				if _, text := p.Part.(*neutral.Text); text {
					places[p.At] = true
				}
				if places[p.At] && p.Text != "" {
					last = i
				}
			}
			if last >= 0 {
				a.Pieces[last].Text = ""
			}
		}),
	},
	{
		Name:    "finish/believes-in-calls",
		Does:    "After the word for a turn with calls the loop asks again, although there is no call.",
		Reports: []string{"https://github.com/anomalyco/opencode/pull/5139", "https://github.com/shareAI-lab/learn-claude-code/pull/522"},
		Breaks:  []string{"finish/calls-without-call"},
		Make: hooks.OnTurn(func(t *neutral.Turn) {
			if t.Finish == neutral.Calls && len(t.Calls()) == 0 {
				t.Finish = neutral.Pause
			}
		}),
	},
}
