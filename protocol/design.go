package protocol

// Design is a documented, deliberate way in which a loop differs from most loops. The loop is not
// judged by rules that contradict it.
type Design string

// The designs.
const (
	// WindowedHistory: a request contains only the newest part of a long conversation.
	WindowedHistory Design = "windowed-history"

	// AnswersByTool: the model ends a conversation by calling a tool that the loop offers for this,
	// not with a text.
	AnswersByTool Design = "answers-by-tool"

	// CachedResults: a call that repeats an earlier one of the conversation may be answered with
	// the earlier result, without running the tool.
	CachedResults Design = "cached-results"

	// OwnModel: what the loop does depends on the name of the model, so that it asks one that it
	// knows by name, and not that of the task.
	OwnModel Design = "own-model"
)

// Designs returns all designs.
func Designs() []Design { return []Design{WindowedHistory, AnswersByTool, CachedResults, OwnModel} }

// AnswerTool is the tool by which the model answers a loop of the design [AnswersByTool]: calling
// it ends the conversation, and its argument is the answer. The default is final_answer with the
// argument answer.
type AnswerTool struct {
	Name     string `json:"name"`     // of the tool
	Argument string `json:"argument"` // of the tool, whose value is the answer
}
