package protocol

import "slices"

// Design is something that a loop does otherwise than most, on purpose, and that its documentation says. Nobody holds
// against it what it does not set out to do.
type Design string

// The designs.
const (
	// WindowedHistory: a request carries the newest part of a long conversation, and not the whole of it.
	WindowedHistory Design = "windowed-history"

	// AnswersByTool: the model ends a conversation by a call of a tool that the loop offers for it, and not by a text.
	AnswersByTool Design = "answers-by-tool"

	// CachedResults: a call like one before in the conversation may be answered with the result of that one, and is not
	// run again.
	CachedResults Design = "cached-results"
)

// Designs returns all designs.
func Designs() []Design { return []Design{WindowedHistory, AnswersByTool, CachedResults} }

// Lacks returns the feature that a loop of this design does not claim, or "".
func (d Design) Lacks() Feature {
	if d == WindowedHistory {
		return WholeHistory
	}
	return ""
}

// Has reports whether the loop is of a design.
func (h Hello) Has(d Design) bool { return slices.Contains(h.Designs, d) }

// lacks reports whether the loop does not claim a feature, since it is of another design.
func (h Hello) lacks(f Feature) bool {
	return slices.ContainsFunc(h.Designs, func(d Design) bool { return d.Lacks() == f })
}

// AnswerTool is the tool by which the model answers a loop of the design [AnswersByTool]: a call of it ends the
// conversation, and the argument is the answer.
type AnswerTool struct {
	Name     string `json:"name"`
	Argument string `json:"argument"`
}

// AnswersBy returns the tool by which the model answers the loop, or nil where it answers by a text. Without another word
// it is final_answer with the argument answer.
func (h Hello) AnswersBy() *AnswerTool {
	switch {
	case !h.Has(AnswersByTool):
		return nil
	case h.AnswerTool != nil:
		return h.AnswerTool
	default:
		return &AnswerTool{Name: "final_answer", Argument: "answer"}
	}
}
