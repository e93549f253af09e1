package outcome

import (
	"encoding/json"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// answerTool is the tool by whose call the model answers these loops. Calls beside it are run.
var answerTool = refloop.AnswerTool{Name: "final_answer", RunsAll: true}

// answerCalls are the faults of loops that have a tool for the answer.
var answerCalls = []hooks.Fault{
	{
		Name:    "outcome/leaves-the-answer-call-open",
		Does:    "The answer is the call of a tool, which goes back without a result with the next prompt.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/pull/9265"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    answersByCall(hooks.Mutation{Request: leavesOpen(func(_ int, isAnswer bool) bool { return isAnswer })}),
	},
	{
		Name:    "outcome/answers-one-of-two-answer-calls",
		Does:    "The answer is the call of a tool. Where the model makes two, only the first one gets a result.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/issues/11020", "https://github.com/pydantic/pydantic-ai/issues/161"},
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    answersByCall(hooks.Mutation{Request: leavesOpen(func(n int, isAnswer bool) bool { return isAnswer && n > 0 })}),
	},
	{
		Name:    "outcome/leaves-calls-beside-the-answer-open",
		Does:    "The answer is the call of a tool. The calls beside it are not run, and go back without a result with the next prompt.",
		Breaks:  []string{"pairing/every-call-answered"},
		Reports: []string{"https://github.com/pydantic/pydantic-ai/issues/161"},
		Make: func() hooks.Mutation {
			m := answersByCall(hooks.Mutation{Request: leavesOpen(func(_ int, isAnswer bool) bool { return !isAnswer })})()
			m.Loop = func(l *refloop.Loop) { l.AnswerTool = refloop.AnswerTool{Name: answerTool.Name} }
			return m
		},
	},
	{
		Name:   "outcome/runs-calls-beside-the-answer-twice",
		Does:   "The answer is the call of a tool. The calls beside it are run when they come, and when the run ends.",
		Breaks: []string{"execution/no-call-run-twice"},
		Make: func() hooks.Mutation {
			var ends atomic.Bool // tools run at the same time
			return answersByCall(hooks.Mutation{
				Turn: func(t *neutral.Turn) { ends.Store(givesAnswer(t)) },
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					if ends.Load() {
						post(r)
					}
					return post(r)
				},
			})()
		},
	},
	{
		Name:    "outcome/misfit-beside-a-call-taken",
		Does:    "The answer is the call of a tool. One that does not fit the schema ends the run where it comes beside another call.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/40420"},
		Breaks:  []string{"outcome/answer-fits-schema"},
		Make:    takesMisfits,
	},
	{
		Name:    "outcome/answer-of-the-prompt-before",
		Does:    "The answer is the call of a tool, and that of an earlier prompt is reported again.",
		Breaks:  []string{"outcome/answer-as-value"},
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/36957"},
		Make: func() hooks.Mutation {
			first := ""
			return answersByCall(hooks.Mutation{
				Turn: func(t *neutral.Turn) {
					for _, c := range t.Calls() {
						if c.Name == answerTool.Name && first == "" {
							first = c.Arguments
						}
					}
				},
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					o := run(task)
					if o.Status == protocol.Completed && len(task.Prompts) > 1 && first != "" {
						o.Text = first
					}
					return o
				},
			})()
		},
	},
}

// answersByCall is a mutation of a loop that has a tool for the answer.
func answersByCall(m hooks.Mutation) func() hooks.Mutation {
	m.Loop = func(l *refloop.Loop) { l.AnswerTool = answerTool }
	return func() hooks.Mutation { return m }
}

// givesAnswer reports whether a turn has a call that gives an answer.
func givesAnswer(t *neutral.Turn) bool {
	for _, c := range t.Calls() {
		if c.Name == answerTool.Name {
			return true
		}
	}
	return false
}

// leavesOpen drops results of turns that end in an answer, each by its number among those of its tool.
func leavesOpen(drop func(n int, isAnswer bool) bool) func(*hooks.Request) {
	return func(r *hooks.Request) {
		r.EachRound(func(round *hooks.Round) {
			if !givesAnswer(&neutral.Turn{Parts: round.Turn.Parts}) {
				return
			}
			answers := 0
			var kept []*neutral.Result
			for i, call := range round.Calls() {
				isAnswer := call.Name == answerTool.Name
				if !drop(answers, isAnswer) && i < len(round.Results) {
					kept = append(kept, round.Results[i])
				}
				if isAnswer {
					answers++
				}
			}
			round.Results = kept
			round.Become(round.Messages()...)
		})
	}
}

// takesMisfits ends the run at an answer that lacks what the schema requires.
func takesMisfits() hooks.Mutation {
	misfit := ""
	return answersByCall(hooks.Mutation{
		Turn: func(t *neutral.Turn) {
			for _, c := range t.Calls() {
				var answer map[string]any
				if c.Name == answerTool.Name && json.Unmarshal([]byte(c.Arguments), &answer) == nil && answer["degrees_celsius"] == nil {
					misfit = c.Arguments
				}
			}
		},
		Request: func(r *hooks.Request) {
			if misfit != "" {
				r.Abort()
			}
		},
		Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := run(task)
			if misfit != "" {
				o.Status, o.Text, o.Error = protocol.Completed, misfit, ""
			}
			return o
		},
	})()
}
