// Package refloop is the reference loop: a correct agent loop over Chat Completions and Anthropic's Messages, written
// from the providers' documentation and small enough to be read in one sitting. It shares no code with the mock provider, so that a
// misreading of the wire format cannot be made twice and cancel out.
//
//	loop := refloop.Loop{}
//	outcome := loop.Run(ctx, task)
package refloop

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/protocol"
)

// Loop holds conversations. The zero value is ready for use.
type Loop struct {
	Client   *http.Client  // nil: http.DefaultClient
	Attempts int           // for each turn of the model; 0: 3
	Backoff  time.Duration // before the second attempt, doubled for each further one; 0: 50 ms
	Longest  time.Duration // that it waits when a provider asks it to; what asks for more is given up; 0: a minute

	// Wait waits before another attempt, and returns early with an error when the context ends; nil: [ByTheClock].
	Wait func(context.Context, time.Duration) error

	// Threads lets providers that keep conversations keep the history, so that requests hold only what is new.
	Threads bool

	// Transcript is the format of the transcript for tasks that wish for none; "" is the one that fits the wire API best.
	Transcript string
}

// conversation is one task being carried out.
type conversation struct {
	loop    Loop
	task    protocol.Task
	history history
	turns   int
	usage   protocol.Usage
	diary   diary
}

// history is what a conversation has come to, in the words of one wire API.
type history interface {
	user(text string)         // says something
	turn(*turn)               // is what the model said
	results([]result)         // are those of the calls of the turn before, in their order
	request() ([]byte, error) // asks for the next turn
	path() string             // is where to ask, behind the base URL
	sign(http.Header)         // says who asks
	beginAgain(*failure) bool // whether the request failed for what the provider was to keep; the next one says all
	readStream(io.Reader) (*turn, error)
	readWhole(io.Reader) (*turn, error)
}

func (l Loop) newHistory(task protocol.Task) history {
	if task.Dialect != "messages" {
		return newChatHistory(task)
	}
	h := &messagesHistory{task: task}
	if l.Threads && keepsThreads(task.Profile) {
		h.thread = &thread{}
	}
	return h
}

// Run carries out a task. The outcome is what a caller of the loop is told.
func (l Loop) Run(ctx context.Context, task protocol.Task) protocol.Outcome {
	c := &conversation{loop: l.withDefaults(), task: task, history: l.newHistory(task)}
	if task.TimeoutMS > 0 { // a provider that has gone silent says so to nobody
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(task.TimeoutMS)*time.Millisecond)
		defer cancel()
	}
	var outcome protocol.Outcome
	for _, prompt := range task.Prompts {
		c.history.user(prompt)
		c.diary.keepPrompt(prompt)
		promptContext := ctx
		if task.PromptContext != nil {
			promptContext = task.PromptContext(ctx)
		}
		outcome = c.answer(promptContext)
		cancelled := promptContext.Err() == context.Canceled
		if cancelled {
			outcome = protocol.Outcome{Status: protocol.Stopped, Reason: "cancelled"}
		}
		// When the user cancelled only what they had asked for last, the conversation goes on: what was cancelled has left
		// nothing in the history, or a turn with a result for each of its calls.
		if outcome.Status != protocol.Completed && !(cancelled && ctx.Err() == nil) {
			break
		}
	}
	outcome.Type, outcome.ID, outcome.Usage = protocol.TypeOutcome, task.ID, &c.usage
	c.handOver(&outcome)
	return outcome
}

func (l Loop) withDefaults() Loop {
	if l.Client == nil {
		l.Client = http.DefaultClient
	}
	if l.Attempts == 0 {
		l.Attempts = 3
	}
	if l.Backoff == 0 {
		l.Backoff = 50 * time.Millisecond
	}
	if l.Longest == 0 {
		l.Longest = time.Minute
	}
	if l.Wait == nil {
		l.Wait = ByTheClock
	}
	return l
}

// answer asks the model, runs the tools that it calls, and asks again, until it answers.
func (c *conversation) answer(ctx context.Context) protocol.Outcome {
	for {
		if c.turns == c.task.MaxTurns {
			return protocol.Outcome{Status: protocol.Stopped, Reason: fmt.Sprintf("the limit of %d turns is reached", c.turns)}
		}
		turn, err := c.ask(ctx)
		c.diary.keepTurn(turn, err)
		if err != nil {
			return protocol.Outcome{Status: protocol.Failed, Error: err.Error()}
		}
		c.turns++
		c.usage.InputTokens += turn.Usage.PromptTokens
		c.usage.OutputTokens += turn.Usage.CompletionTokens

		switch {
		case turn.Truncated:
			// The turn is not whole: none of its calls is run, and it stays out of the history.
			return protocol.Outcome{Status: protocol.Stopped, Reason: turn.Finish, FinishReason: turn.Finish, Text: turn.Text}
		case turn.Finish == "pause_turn": // https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
			c.history.turn(turn)
		case len(turn.Calls) > 0:
			c.history.turn(turn)
			c.history.results(c.runTools(ctx, turn.Calls))
			if ctx.Err() != nil {
				return protocol.Outcome{Status: protocol.Failed, Error: ctx.Err().Error()}
			}
		case turn.blank():
			return protocol.Outcome{Status: protocol.Failed, Error: "the model answered with nothing"}
		default:
			c.history.turn(turn)
			return protocol.Outcome{Status: protocol.Completed, Text: turn.Text + turn.Refusal, FinishReason: turn.Finish}
		}
	}
}
