package scripts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// groupRecordings groups the recordings by the prompt with which they begin. All that is known of a
// request decides which of a group it belongs to, not their order.
func (r *Set) groupRecordings() {
	r.recordings = map[string][]Candidate{}
	for _, c := range r.tried {
		if s := c.Script.Scenario; c.Step < 0 && len(s.Facts().Recorded) > 0 {
			r.recordings[s.Prompts[0]] = append(r.recordings[s.Prompts[0]], c)
		}
	}
	for _, group := range r.recordings {
		slices.SortStableFunc(group, func(a, b Candidate) int { return earlier(a.Script.Scenario.ID, b.Script.Scenario.ID) })
	}
}

// earlier compares the names of recordings in the order in which the recorder gave them: hello,
// hello-2, hello-10.
func earlier(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// bestRecording returns the recording to which a request belongs, among those that fit it and begin
// with the same prompt as one that does: the one that was recorded with the same system prompt,
// tools and way of answering, and with the history that the request carries. Of several that are as
// good it is the one that was recorded first.
func (r *Set) bestRecording(first Candidate, ask scenarios.Ask) Candidate {
	s := first.Script.Scenario
	if first.Step >= 0 || len(s.Facts().Recorded) == 0 || len(r.recordings[s.Prompts[0]]) < 2 {
		return first
	}
	best, most := first, []int(nil)
	for _, c := range r.recordings[s.Prompts[0]] {
		if !c.fits(ask) {
			continue
		}
		if n := c.likeness(ask); slices.Compare(n, most) > 0 {
			best, most = c, n
		}
	}
	return best
}

// likeness says how well a request fits a recording, what counts most first.
func (c Candidate) likeness(ask scenarios.Ask) []int {
	s := c.Script.Scenario
	system := strings.Join(strings.Fields(ask.System()), " ") == strings.Join(strings.Fields(s.System), " ")
	tools := !slices.ContainsFunc(ask.Tools(), func(name string) bool { return s.Tool(name) == nil }) && len(ask.Tools()) == len(s.Tools)
	prompts, agree := c.prompts(ask)
	return []int{one(system), one(tools), one(agree), c.conditions(), prompts, c.said(ask), one(c.streams(ask))}
}

func one(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// prompts returns how many of the user's texts are those that were recorded, and whether all are.
func (c Candidate) prompts(ask scenarios.Ask) (same int, agree bool) {
	spoken := ask.UserTexts()
	for i, text := range spoken {
		if i == len(c.Script.Scenario.Prompts) || strings.TrimSpace(text) != c.Script.Scenario.Prompts[i] {
			return i, false
		}
	}
	return len(spoken), true
}

// said returns how many turns of the model in the history are those that were recorded.
func (c Candidate) said(ask scenarios.Ask) (same int) {
	for _, m := range ask.Request.Messages {
		if m.Role == wire.Assistant && slices.ContainsFunc(c.Script.Turns, func(t *scenarios.Turn) bool { return t.Answer != nil && says(m, t.Answer) }) {
			same++
		}
	}
	return same
}

// says reports whether a message of the history is an answer that was given.
func says(m wire.Message, a *wire.Answer) bool {
	if len(m.Calls) != len(a.Calls) {
		return false
	}
	for i, call := range m.Calls {
		if call.ID != a.Calls[i].ID {
			return false
		}
	}
	return len(a.Calls) > 0 || strings.TrimSpace(m.Content.Text) == strings.TrimSpace(a.Text)
}

// streams reports whether the answers were recorded in the form in which the request wants one.
func (c Candidate) streams(ask scenarios.Ask) bool {
	for i := range c.Script.Scenario.Model {
		if f := c.Script.Scenario.Model[i].Recorded(); f != nil {
			return f.Streamed() == ask.Request.Stream
		}
	}
	return false
}
