package outcome

import (
	"encoding/json"
	"regexp"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// fraction is what stands behind the point of a number.
var fraction = regexp.MustCompile(`(\d)\.\d+`)

// inForm are the faults about answers whose form the caller says.
var inForm = []hooks.Fault{
	{
		Name:    "outcome/answer-not-checked",
		Does:    "The model is told the schema of the answer, and what comes back is not compared with it.",
		Reports: []string{"https://github.com/anthropics/claude-agent-sdk-typescript/issues/277"},
		Breaks:  []string{"outcome/answer-fits-schema"},
		Make: func() hooks.Mutation {
			var schema json.RawMessage
			return hooks.Mutation{
				Request: func(r *hooks.Request) { r.System = refloop.InForm(r.System, schema) },
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					schema, task.AnswerSchema = task.AnswerSchema, nil
					return run(task)
				},
			}
		},
	},
	{
		Name:   "outcome/answer-rounded",
		Does:   "An answer in JSON is read, and the fractions of its numbers are lost on the way.",
		Breaks: []string{"outcome/answer-as-value"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if task.AnswerSchema != nil {
					o.Text = fraction.ReplaceAllString(o.Text, "$1")
				}
				return o
			}}
		},
	},
	{
		Name:    "outcome/answer-schema-kept-back",
		Does:    "The answer is compared with a schema of which the model was not told.",
		Reports: []string{"https://github.com/simstudioai/sim/issues/2917"},
		Breaks:  []string{"outcome/answer-schema-told"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { r.System = r.Task.System }),
	},
}
