package runner

import "github.com/loopproof/loopproof/internal/rules"

// streamMismatch is whether the loop asked for streams in cases whose task has none, or for none
// where the task asks for one.
type streamMismatch struct{ streamed, whole bool }

// add notes a run.
func (m *streamMismatch) add(r *rules.Run) {
	m.streamed = m.streamed || r.StreamedUnasked()
	m.whole = m.whole || r.WentWithoutStreams()
}

// notes says so in a sentence each. They name no case, so that the parts of a run say the same as
// the whole.
func (m *streamMismatch) notes() (all []string) {
	if m.streamed {
		all = append(all, `the loop asked for streams in cases whose task has "stream":false: they do not show that it reads whole answers; `+
			`follow the stream of the task, or claim only the deliveries sse* (--takes 'sse*' with --runner command)`)
	}
	if m.whole {
		all = append(all, `the loop asked for no stream in cases whose task has "stream":true: they are no evidence for rules about streams; `+
			`follow the stream of the task, or do not claim streaming`)
	}
	return all
}
