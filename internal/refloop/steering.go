package refloop

import (
	"context"
	"errors"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Steering says what becomes of a prompt that the user says while tools run.
type Steering int

// The ways. SendWithResults waits for the tools, and sends the prompt behind their results.
// InterruptTools gives the tools up, and sends the prompt behind results that say so. QueuePrompts
// answers the prompt before first.
const (
	SendWithResults Steering = iota
	InterruptTools
	QueuePrompts
)

// Interrupted is how a result begins, behind "Error: ", of a tool that was given up for a prompt.
const Interrupted = "interrupted"

var errInterrupted = errors.New(Interrupted + ", since the user said something; it may have done its work, or a part of it")

// takeSteered takes what the user said while tools ran.
func (c *conversation) takeSteered() {
	select {
	case prompt := <-c.task.Steered: // never, where there is none
		c.steered = append(c.steered, prompt)
	default:
	}
}

// steerable runs the calls of a turn, and interrupts them for a prompt where the loop does so.
func (c *conversation) steerable(ctx context.Context, calls []*neutral.Call) []*neutral.Result {
	if c.loop.Steering != InterruptTools || c.task.Steered == nil {
		return c.runTools(ctx, calls)
	}
	tools, interrupt := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case prompt := <-c.task.Steered:
			c.steered = append(c.steered, prompt)
			interrupt(errInterrupted)
		case <-tools.Done():
		}
	}()
	results := c.runTools(tools, calls)
	interrupt(nil)
	<-watched
	return results
}

// answerAll answers a prompt, and then what the user said meanwhile and the model was not sent yet.
func (c *conversation) answerAll(ctx context.Context) protocol.Outcome {
	outcome := c.answer(ctx)
	for outcome.Status == protocol.Completed {
		if c.takeSteered(); len(c.steered) == 0 {
			break
		}
		c.sendSteered()
		outcome = c.answer(ctx)
	}
	return outcome
}

// say sends what the user said while tools ran behind the results of these.
func (c *conversation) say(ctx context.Context) {
	c.takeSteered()
	if c.loop.Steering != QueuePrompts && ctx.Err() == nil {
		c.sendSteered()
	}
}

// sendSteered puts what the user said while tools ran into the history.
func (c *conversation) sendSteered() {
	for _, prompt := range c.steered {
		c.history.add(neutral.Says(neutral.User, prompt))
		c.callerRecord.keepPrompt(prompt)
	}
	c.steered = nil
}
