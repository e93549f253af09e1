// Package refloop is the reference loop: a correct agent loop, written from the providers'
// documentation and small enough to be read in one sitting. It keeps its history in neutral words
// (package neutral), and a package for each wire API writes and reads them. It shares no code with
// the mock provider, so that a misreading of a wire format cannot be made twice and cancel out.
//
//	loop := refloop.Loop{}
//	outcome := loop.Run(ctx, task)
package refloop

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/refloop/chat"
	"github.com/loopproof/loopproof/internal/refloop/cohere"
	"github.com/loopproof/loopproof/internal/refloop/converse"
	"github.com/loopproof/loopproof/internal/refloop/gemini"
	"github.com/loopproof/loopproof/internal/refloop/interactions"
	"github.com/loopproof/loopproof/internal/refloop/messages"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/refloop/ollama"
	"github.com/loopproof/loopproof/internal/refloop/responses"
	"github.com/loopproof/loopproof/protocol"
)

// Loop holds conversations. The zero value is ready for use.
type Loop struct {
	Client   *http.Client  // nil: http.DefaultClient
	Attempts int           // for each turn of the model; 0: 3
	Backoff  time.Duration // before the second attempt, doubled for each further one; 0: 50 ms
	Longest  time.Duration // that it waits when a provider asks it to; what asks for more is given up; 0: a minute

	// AttemptsBeforeFallback is how often a model is asked before the second one of a task is; 0: 1.
	AttemptsBeforeFallback int

	// FirstAgain lets each turn ask the first model again, after it had failed before.
	FirstAgain bool

	// OfAnother says how a turn of one model goes to another one; nil: as the provider wants it.
	OfAnother func(protocol.Task, neutral.Message) neutral.Message

	// OfAnotherAPI says how a turn that was said in one wire API goes to a model in another one, which
	// is that of the task; nil: without all that no other API reads.
	OfAnotherAPI func(protocol.Task, neutral.Message) neutral.Message

	// Wait waits before another attempt, and returns early with an error when the context ends;
	// nil: [ByTheClock].
	Wait func(context.Context, time.Duration) error

	// Threads lets providers that keep conversations keep the history, so that requests hold only
	// what is new.
	Threads bool

	// Listens lets a server of MCP tell the loop that the tools have changed, which else asks for them
	// before each request.
	Listens bool

	// ReadMCP makes the result of a call of what a tool of a server of MCP returned; nil: [ReadMCP].
	ReadMCP func(MCPResult, *neutral.Result)

	// ReadsLinks lets the loop read the resources to which such a result links, in place of naming them.
	ReadsLinks bool

	// SocketUse says how a WebSocket is used.
	SocketUse SocketUse

	// AnswerTool is the tool by whose call the model gives an answer of a form.
	AnswerTool AnswerTool

	// Steering says what becomes of a prompt that comes while tools run.
	Steering Steering

	// Transcript is the format of the transcript for tasks that wish for none; "" is the one that
	// fits the wire API best.
	Transcript string

	// Dialect is the wire API that it speaks, whatever the task says; nil: that of the task.
	Dialect neutral.Dialect

	// Hooks are the places at which a fault changes what the loop does.
	Hooks Hooks
}

// Hooks are called with what passes through the loop, and may change it. All may be nil.
type Hooks struct {
	Request func(*neutral.Request) error // before each attempt at a request is written; an error ends the run with it
	Answer  func(*neutral.Answer)        // when an answer has been read, before it is put together
	Turn    func(*neutral.Turn)          // when an answer has been put together and is whole

	// Split says which messages of a history a summary replaces, and which stay; nil: [Split].
	// Shorten makes a history shorter instead of a summary. Shortened is called with the history
	// once it is shorter, and returns what it becomes.
	Split     func([]neutral.Message) (old, kept []neutral.Message)
	Shorten   func([]neutral.Message) []neutral.Message
	Shortened func([]neutral.Message) []neutral.Message

	// Restored is called with what was stored of a session before the process was killed.
	Restored func(*Stored)

	// Delegate carries out the task of a sub-agent, with the history of its caller at hand; run does
	// so as the loop does. The ID of the task begins with that of the caller's, and a slash.
	Delegate func(caller []neutral.Message, task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome
}

// dialects are the wire APIs that the loop knows. A new one is a line here.
var dialects = []neutral.Dialect{
	chat.Dialect{},
	messages.Dialect{},
	responses.Dialect{},
	gemini.Dialect{},
	ollama.Dialect{},
	converse.Dialect{},
	cohere.Dialect{},
	interactions.Dialect{},
}

// Dialects returns the wire APIs that the loop knows and that are no drafts.
func Dialects() []neutral.Dialect {
	return slices.DeleteFunc(slices.Clone(dialects), func(d neutral.Dialect) bool { return d.Traits()&neutral.Draft != 0 })
}

// Dialects returns the names of the wire APIs that the loop knows and that are no drafts.
func (l Loop) Dialects() []string { return names(Dialects()) }

// Known returns the names of the wire APIs that the loop knows, drafts among them.
func (l Loop) Known() []string { return names(dialects) }

func names(of []neutral.Dialect) []string {
	names := make([]string, len(of))
	for i, d := range of {
		names[i] = d.Name()
	}
	return names
}

// DialectOf returns the wire API of a task, the first one for a task that names none that the loop
// knows.
func DialectOf(task protocol.Task) neutral.Dialect {
	for _, d := range dialects {
		if d.Name() == task.Dialect {
			return d
		}
	}
	return dialects[0]
}

// conversation is one task being carried out.
type conversation struct {
	loop         Loop
	task         protocol.Task
	dialect      neutral.Dialect
	history      history
	session      session
	first        protocol.API // in which the model of the task is asked
	model        string       // that is asked
	turns        int
	usage        protocol.Usage
	spent        int      // tokens for the prompt that is being answered
	steered      []string // prompts that came while tools ran, and that the model was not sent yet
	callerRecord callerRecord
	socket       *socket      // over which the model is asked; nil: none is open
	noSocket     bool         // it is asked over HTTP from now on
	mcp          MCPClient    // of the server from which the tools come
	toolsChanged *atomic.Bool // the list of the tools is to be asked for; nil: before each request
}

// Run carries out a task. The outcome is what the loop reports to its caller.
func (l Loop) Run(ctx context.Context, task protocol.Task) protocol.Outcome {
	l = l.withDefaults(task)
	c := &conversation{loop: l, task: task, dialect: l.Dialect, first: protocol.API{Dialect: task.Dialect, BaseURL: task.BaseURL, Profile: task.Profile}}
	c.history.kept = l.Threads && c.dialect.Keeps(task) || task.Socket && l.SocketUse == OnlyWhatIsNew
	if task.TimeoutMS > 0 { // otherwise a silent provider blocks the loop forever
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(task.TimeoutMS)*time.Millisecond)
		defer cancel()
	}
	var outcome protocol.Outcome
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	defer c.closeSocket()
	err := c.connect(ctx)
	if err == nil {
		err = c.resume()
	}
	if err != nil {
		return protocol.Outcome{Type: protocol.TypeOutcome, ID: task.ID, Status: protocol.Failed, Error: err.Error()}
	}
	if before := c.session.now.Outcome; before != nil {
		outcome = *before
	}
	for n, prompt := range task.Prompts {
		if c.begin(n, prompt) {
			continue
		}
		c.use(c.modelFor(n))
		c.callerRecord.keepPrompt(prompt)
		promptContext := ctx
		if task.PromptContext != nil {
			promptContext = task.PromptContext(ctx)
		}
		outcome = c.answerAll(promptContext)
		c.store(func(s *Stored) { s.Outcome = &outcome })
		cancelled := promptContext.Err() == context.Canceled
		if cancelled {
			outcome = protocol.Outcome{Status: protocol.Stopped, Reason: "cancelled"}
		}
		// When the user cancelled only what they had asked for last, or asks something else after a
		// failure, the conversation continues: the prompt stays, and what came of it has left
		// nothing in the history, or a turn with a result for each of its calls.
		if outcome.Status != protocol.Completed && (ctx.Err() != nil || !cancelled && !task.ResumeAfterFailure) {
			break
		}
	}
	outcome.Type, outcome.ID, outcome.Usage = protocol.TypeOutcome, task.ID, &c.usage
	c.handOver(&outcome)
	return outcome
}

func (l Loop) withDefaults(task protocol.Task) Loop {
	if l.Dialect == nil {
		l.Dialect = DialectOf(task)
	}
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
	if l.OfAnother == nil {
		l.OfAnother = l.Dialect.OfAnother
	}
	if l.OfAnotherAPI == nil {
		l.OfAnotherAPI = func(task protocol.Task, m neutral.Message) neutral.Message { return DialectOf(task).Adopt(m) }
	}
	if l.Wait == nil {
		l.Wait = ByTheClock
	}
	if l.ReadMCP == nil {
		l.ReadMCP = ReadMCP
	}
	return l
}

// answer asks the model, runs the tools that it calls, and asks again, until it answers.
func (c *conversation) answer(ctx context.Context) protocol.Outcome {
	c.spent = 0
	c.finishTurn(ctx)
	misfits := 0
	for {
		if c.turns == c.task.MaxTurns {
			return protocol.Outcome{Status: protocol.Stopped, Reason: fmt.Sprintf("the limit of %d turns is reached", c.turns)}
		}
		if budget := c.task.TokenBudget; budget > 0 && c.spent >= budget {
			return protocol.Outcome{Status: protocol.Stopped, Reason: fmt.Sprintf("the budget of %d tokens is spent", budget)}
		}
		turn, err := c.ask(ctx)
		c.callerRecord.keepTurn(turn, err)
		if err != nil {
			return protocol.Outcome{Status: protocol.Failed, Error: err.Error()}
		}
		c.turns++
		c.usage.InputTokens += turn.InputTokens
		c.usage.OutputTokens += turn.OutputTokens
		c.spent += turn.InputTokens + turn.OutputTokens

		calls := turn.Calls()
		switch {
		case turn.Finish.Cuts():
			// The turn is not whole: none of its calls is run, and it stays out of the history.
			c.history.leaveOut()
			return protocol.Outcome{Status: protocol.Stopped, Reason: turn.Word, FinishReason: turn.Word, Text: turn.Said()}
		case turn.Finish == neutral.Pause: // https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
			c.echo(turn)
		case len(calls) > 0 || len(turn.Asked()) > 0:
			c.echo(turn)
			if answer, given := c.answerAmong(calls); given {
				c.settle(ctx, calls)
				return protocol.Outcome{Status: protocol.Completed, Text: answer, FinishReason: turn.Word}
			}
			c.decide(turn.Asked())
			if len(calls) > 0 {
				c.addResults(c.steerable(ctx, calls))
				c.say(ctx)
			}
			if ctx.Err() != nil {
				return protocol.Outcome{Status: protocol.Failed, Error: ctx.Err().Error()}
			}
		case turn.Blank():
			c.history.leaveOut()
			return protocol.Outcome{Status: protocol.Failed, Error: "the model answered with nothing"}
		case c.misfit(turn.Reply()) != nil:
			err := c.misfit(turn.Reply())
			if misfits++; misfits > mostMisfits {
				c.history.leaveOut()
				return protocol.Outcome{Status: protocol.Failed, Error: "the answer does not fit the schema: " + err.Error()}
			}
			c.echo(turn)
			c.history.add(neutral.Says(neutral.User, "The answer does not fit the schema: "+err.Error()+". Give it again."))
		default:
			c.echo(turn)
			return protocol.Outcome{Status: protocol.Completed, Text: turn.Reply(), FinishReason: turn.Word}
		}
	}
}

// modelFor returns the model that is asked for the n-th prompt: that of the task, or the one that the
// user has chosen. One that had failed stays left, until the user chooses it.
func (c *conversation) modelFor(n int) string {
	switch {
	case n < len(c.task.PromptModels):
		return c.task.PromptModels[n]
	case c.model != "":
		return c.model
	default:
		return c.task.Model
	}
}

// decide answers what the provider asks the user, who has said in the task what it may do.
func (c *conversation) decide(asked []*neutral.Asked) {
	if len(asked) == 0 {
		return
	}
	m := neutral.Message{Role: neutral.Tool}
	for _, a := range asked {
		m.Parts = append(m.Parts, &neutral.Decision{AskedID: a.ID, Allowed: slices.Contains(c.task.Approve, a.Tool)})
	}
	c.history.add(m)
}

// echo puts a turn of the model into the history.
func (c *conversation) echo(turn *neutral.Turn) {
	if turn.Container != "" { // a request without it is refused while the provider's code waits for a result
		c.history.container = turn.Container
	}
	if echo := c.dialect.Echo(c.task, turn); len(echo) > 0 {
		for i := range echo {
			echo[i].Model = c.model
		}
		c.history.add(echo...)
		c.history.has(turn.ID)
		c.store(func(s *Stored) { s.Results = nil })
	}
}
