package failure

import (
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// resumed are faults of loops that go on after a prompt without an answer.
var resumed = []hooks.Fault{
	{
		Name:    "failure/ends-at-the-first-failure",
		Does:    "After a prompt that came to no answer the conversation takes no other one.",
		Reports: []string{"https://github.com/open-webui/open-webui/issues/26892"},
		Breaks:  []string{"failure/next-prompt-asked"},
		Make:    hooks.OnTask(func(t *protocol.Task) { t.ResumeAfterFailure = false }),
	},
	{
		Name:    "failure/asks-what-failed-again",
		Does:    "After a prompt that failed, the model is asked for that one again, and what the user says is lost.",
		Reports: []string{"https://github.com/sbenodiz/ai_agent_ha/pull/51"},
		Breaks:  []string{"failure/next-prompt-asked"},
		Make: hooks.BehindFailures(func(parts [][]neutral.Message, failed int) [][]neutral.Message {
			first := failed
			for first > 1 && !hooks.AnsweredPrompt(parts[first-1]) {
				first--
			}
			return parts[:first+1]
		}),
	},
	{
		Name:    "failure/keeps-broken-calls-for-the-next-prompt",
		Does:    "A call whose answer broke off stays in the history of the next prompt, with a result which says so.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/14322", "https://github.com/earendil-works/pi/issues/4189"},
		Breaks:  []string{"failure/broken-turn-not-kept"},
		Unless:  neutral.CallsByName, Elsewhere: "calls have no ids.",
		Make: hooks.KeepCallsOf(func(a *hooks.Answer) bool {
			return a.BrokeOff() && !slices.ContainsFunc(a.Calls(), func(c *neutral.Call) bool { return !json.Valid([]byte(c.Arguments)) })
		}, hooks.Interrupted),
	},
}
