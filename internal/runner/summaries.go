package runner

import "github.com/loopproof/loopproof/internal/rules"

// summaries is whether the loop made its history shorter in cases whose task names no limit.
type summaries struct{ unasked bool }

// add notes a run.
func (s *summaries) add(r *rules.Run) { s.unasked = s.unasked || r.SummarisedUnasked() }

// notes says so in a sentence, which names no case.
func (s *summaries) notes() []string {
	if !s.unasked {
		return nil
	}
	return []string{`the loop asked for a summary of its history, and went on with it, in cases whose task has no "context_limit": ` +
		`what it breaks of the history there may follow from that; claim compaction, and make the history shorter only below the limit of the task`}
}
