package refloop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// delegate lets a sub-agent do what a call asks for, in a conversation of its own. Its answer is the
// result of the call; that it came to none is an error, which the model can read.
func (c *conversation) delegate(ctx context.Context, tool protocol.Tool, arguments string, r *neutral.Result) error {
	var asked map[string]string // the one parameter, whatever it is called
	if err := json.Unmarshal([]byte(arguments), &asked); err != nil {
		return err
	}
	task := c.task
	task.ID += "/" + cmp.Or(r.CallID, r.Name)
	task.System, task.Prompts, task.Tools, task.MaxTurns = tool.Agent.System, nil, tool.Agent.Tools, tool.Agent.MaxTurns
	for _, text := range asked {
		task.Prompts = append(task.Prompts, text)
	}
	task.Session, task.Steered, task.PromptContext, task.TimeoutMS, task.TranscriptFormat = nil, nil, nil, 0, ""
	run := func(task protocol.Task) protocol.Outcome { return c.loop.Run(ctx, task) }
	var came protocol.Outcome
	if c.loop.Hooks.Delegate != nil {
		came = c.loop.Hooks.Delegate(c.history.messages, task, run)
	} else {
		came = run(task)
	}
	if came.Status != protocol.Completed {
		return errors.New("the sub-agent gave no answer: " + cmp.Or(came.Error, came.Reason))
	}
	r.Text = came.Text
	return nil
}
