package runner

import "github.com/loopproof/loopproof/internal/rules"

// otherwise is whether the loop asked for streams in some case against its task, or for none.
type otherwise struct{ streamed, whole bool }

// add notes a run.
func (o *otherwise) add(r *rules.Run) {
	o.streamed = o.streamed || r.StreamedUnasked()
	o.whole = o.whole || r.WentWithoutStreams()
}

// notes says so in a sentence each. They name no case, so that the parts of a run say the same as the whole.
func (o *otherwise) notes() (all []string) {
	if o.streamed {
		all = append(all, `the loop asked for streams in cases whose task has "stream":false: they do not show that it reads whole answers; `+
			`follow the stream of the task, or claim only the deliveries sse* (--takes 'sse*' with --runner command)`)
	}
	if o.whole {
		all = append(all, `the loop asked for no stream in cases whose task has "stream":true: they are no evidence for rules about streams; `+
			`follow the stream of the task, or do not claim streaming`)
	}
	return all
}
