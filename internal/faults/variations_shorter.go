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
		Does:    "When a request is too large, a note takes the place of what the tools returned so far, and it is sent once more.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/sliding_window_conversation_manager.py (reduce_context truncates tool results)"},
		Make:    func() Mutation { return new(clearing).mutation() },
	},
	keepsRecords(Variation{
		Name:    "records/shorter-when-too-large",
		Does:    "What was cleared since a request was too large is cleared in the transcript as well.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/sliding_window_conversation_manager.py (it is the agent's own list of messages that is changed)"},
		Make: func() Mutation {
			c := clearing{}
			m := c.mutation()
			m.Loop = inForm(recordsOfChat)().Loop
			m.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if o.TranscriptFormat == recordsOfChat {
					o.Transcript = changed(o.Transcript, c.inTranscript)
				}
				return o
			}
			return m
		},
	}),
}

// clearing has a request that was refused as too large sent again, once, with a note instead of
// each result in it.
type clearing struct {
	sent    int // results in the last request
	cleared int // results, the first ones of the conversation, that a note stands for
}

func (c *clearing) mutation() Mutation {
	return Mutation{
		Request: func(r *Request) {
			c.sent = 0
			r.Each(neutral.Tool, func(m *neutral.Message) {
				for _, x := range m.Results() {
					if c.sent++; c.sent <= c.cleared {
						x.Text, x.Image = cleared, nil
					}
				}
			})
		},
		Answer: func(a *Answer) {
			if a.Status == http.StatusRequestEntityTooLarge && c.cleared == 0 && c.sent > 0 {
				c.cleared, a.Status = c.sent, http.StatusServiceUnavailable // which the reference loop tries again
			}
		},
	}
}

// inTranscript puts the notes into a transcript of Chat Completions, too.
func (c *clearing) inTranscript(messages []string) []string {
	results := 0
	for i, m := range messages {
		if !strings.Contains(m, `"tool_call_id"`) {
			continue
		}
		if results++; results <= c.cleared {
			messages[i] = raw.Set(m, "content", cleared)
		}
	}
	return messages
}
