package protocol

import "slices"

// Design is a documented, deliberate way in which a loop differs from most loops. The loop is not judged by rules that
// contradict it.
type Design string

// The designs.
const (
	// WindowedHistory: a request contains only the newest part of a long conversation.
	WindowedHistory Design = "windowed-history"

	// AnswersByTool: the model ends a conversation by calling a tool that the loop offers for this, not with a text.
	AnswersByTool Design = "answers-by-tool"

	// CachedResults: a call that repeats an earlier one of the conversation may be answered with the earlier result, without
	// running the tool.
	CachedResults Design = "cached-results"

	// OwnModel: what the loop does depends on the name of the model, so that it asks one that it knows by name, and not that of
	// the task.
	OwnModel Design = "own-model"
)

// Designs returns all designs.
func Designs() []Design { return []Design{WindowedHistory, AnswersByTool, CachedResults, OwnModel} }

// Lacks returns the feature that a loop of this design does not claim, or "".
func (d Design) Lacks() Feature {
	if d == WindowedHistory {
		return WholeHistory
	}
	return ""
}

// Has reports whether the loop has a design.
func (h Hello) Has(d Design) bool { return slices.Contains(h.Designs, d) }

// lacks reports whether a design of the loop excludes a feature.
func (h Hello) lacks(f Feature) bool {
	return slices.ContainsFunc(h.Designs, func(d Design) bool { return d.Lacks() == f })
}

// AnswerTool is the tool by which the model answers a loop of the design [AnswersByTool]: calling it ends the conversation,
// and its argument is the answer.
type AnswerTool struct {
	Name     string `json:"name"`     // of the tool
	Argument string `json:"argument"` // of the tool, whose value is the answer
}

// AnswersBy returns the tool by which the model answers the loop, or nil if it answers with a text. The default is
// final_answer with the argument answer.
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
