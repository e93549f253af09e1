package faults

import (
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

const cleared = "The tool result was too large!"

// variationsShorter are correct loops that shorten what they send when the provider takes no more.
var variationsShorter = []Variation{
	{
		Name:    "retries/shorter-when-too-large",
		Does:    "When a request is too large, a note takes the place of what the tools returned, and it is sent once more.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/sliding_window_conversation_manager.py (reduce_context truncates tool results)"},
		Make:    clearsWhenTooLarge,
	},
	keepsRecords(Variation{
		Name:    "records/shorter-when-too-large",
		Does:    "What was cleared since a request was too large is cleared in the transcript as well.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/sliding_window_conversation_manager.py (it is the agent's own list of messages that is changed)"},
		Make: func() Mutation {
			c := clearsWhenTooLarge()
			c.Loop = inForm(recordsOfChat)().Loop
			var tooLarge bool
			answer := c.Answer
			c.Answer = func(a *Answer) {
				tooLarge = tooLarge || a.Status == http.StatusRequestEntityTooLarge
				answer(a)
			}
			c.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if tooLarge && o.TranscriptFormat == recordsOfChat {
					o.Transcript = changed(o.Transcript, clearedResults)
				}
				return o
			}
			return c
		},
	}),
}

// clearsWhenTooLarge has a request that was refused as too large sent again, with a note instead of each result.
func clearsWhenTooLarge() Mutation {
	clearing := false
	return Mutation{
		Request: func(r *Request) {
			if !clearing {
				return
			}
			r.Each(neutral.Tool, func(m *neutral.Message) {
				for _, x := range m.Results() {
					x.Text, x.Image = cleared, nil
				}
			})
		},
		Answer: func(a *Answer) {
			if a.Status == http.StatusRequestEntityTooLarge && !clearing {
				clearing, a.Status = true, http.StatusServiceUnavailable // which the reference loop tries again
			}
		},
	}
}

// clearedResults is a transcript of Chat Completions with a note instead of each result.
func clearedResults(messages []string) []string {
	for i, m := range messages {
		if strings.Contains(m, `"tool_call_id"`) {
			messages[i] = raw.Set(m, "content", cleared)
		}
	}
	return messages
}
