package refloop

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// mostMisfits is how often the model is asked for another answer where one does not fit the schema
// of the task.
const mostMisfits = 2

// AnswerTool is a tool by whose call the model answers where a task has a schema of the answer. The
// zero value is none: the answer is a text.
type AnswerTool struct {
	Name     string
	Argument string // which holds the answer; "": the arguments are the answer
	RunsAll  bool   // calls beside the answer are run; else they are answered as not run
	Alone    bool   // an answer beside another call is none: the model is asked for it again
}

// InForm returns a system prompt which says that the answer fits a schema; nil: it is of any form.
// The formats for answers that wire APIs have are not taken by every provider beside tools.
func InForm(system string, schema json.RawMessage) string {
	if schema == nil {
		return system
	}
	return strings.TrimSpace(system + "\n\nAnswer with a JSON object of this schema, and nothing else: " + string(schema))
}

// misfit says how an answer breaks the schema of the task; nil: it fits, or there is none.
func (c *conversation) misfit(answer string) error {
	if c.task.AnswerSchema == nil {
		return nil
	}
	return check(c.task.AnswerSchema, answer)
}

// answersByTool reports whether the model answers by a call.
func (c *conversation) answersByTool() bool {
	return c.loop.AnswerTool.Name != "" && c.task.AnswerSchema != nil
}

// offerAnswer adds the tool for the answer to a request, in place of the words in its system prompt.
func (c *conversation) offerAnswer(r *neutral.Request) {
	if !c.answersByTool() {
		r.System = InForm(r.System, c.task.AnswerSchema)
		return
	}
	tool, schema := c.loop.AnswerTool, c.task.AnswerSchema
	if tool.Argument != "" {
		schema = json.RawMessage(`{"type":"object","properties":{"` + tool.Argument + `":` + string(schema) + `},"required":["` + tool.Argument + `"]}`)
	}
	r.Tools = append(slices.Clip(r.Tools), protocol.Tool{Name: tool.Name, Description: "Give the answer.", Parameters: schema})
}

// isAnswer reports whether a call gives an answer, and which.
func (c *conversation) isAnswer(call *neutral.Call) (answer string, is bool) {
	if !c.answersByTool() || call.Name != c.loop.AnswerTool.Name {
		return "", false
	}
	if c.loop.AnswerTool.Argument == "" {
		return call.Arguments, true
	}
	var held map[string]json.RawMessage
	if json.Unmarshal([]byte(call.Arguments), &held) != nil {
		return "", true
	}
	return string(held[c.loop.AnswerTool.Argument]), true
}

// answerAmong returns the first answer among some calls that fits the schema.
func (c *conversation) answerAmong(calls []*neutral.Call) (answer string, found bool) {
	for _, call := range calls {
		if answer, is := c.isAnswer(call); is && c.misfit(answer) == nil && !c.asksForOne(calls) {
			return answer, true
		}
	}
	return "", false
}

// asksForOne reports whether the model is asked for its answer again, alone.
func (c *conversation) asksForOne(calls []*neutral.Call) bool {
	return c.loop.AnswerTool.Alone && len(calls) > 1
}

// refusedAnswer says why the model has to give an answer again; nil: it is taken, or the call gives
// none.
func (c *conversation) refusedAnswer(call *neutral.Call, calls []*neutral.Call) error {
	answer, is := c.isAnswer(call)
	switch {
	case !is:
		return nil
	case c.asksForOne(calls):
		return errors.New("give the answer alone, in one call")
	default:
		return c.misfit(answer)
	}
}

// answerTaken is the result of a call that gives an answer.
const answerTaken = "The answer is taken."

var errNotRun = errors.New("not run, since the answer was given beside it")

// settle gives each call of a turn with an answer its result, so that the next prompt can follow.
func (c *conversation) settle(ctx context.Context, calls []*neutral.Call) {
	if c.loop.AnswerTool.RunsAll {
		c.addResults(c.runTools(ctx, calls))
		return
	}
	results := make([]*neutral.Result, len(calls))
	for i, call := range calls {
		results[i] = &neutral.Result{CallID: call.ID, Name: call.Name, Text: "Error: " + errNotRun.Error(), Failed: true}
		if _, is := c.isAnswer(call); is {
			results[i].Text, results[i].Failed = answerTaken, false
		}
	}
	c.addResults(results)
}
