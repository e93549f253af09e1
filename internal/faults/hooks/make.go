package hooks

import (
	"context"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// OnRawRequest changes the JSON of requests.
func OnRawRequest(change func(*raw.Request)) func() Mutation {
	return func() Mutation { return Mutation{RawRequest: change} }
}

// OnBytes changes what is read of a stream, before it is decoded.
func OnBytes(change func([]byte) []byte) func() Mutation {
	return func() Mutation { return Mutation{Bytes: change} }
}

// OnLoop changes how the loop is set up.
func OnLoop(change func(*refloop.Loop)) func() Mutation {
	return func() Mutation { return Mutation{Loop: change} }
}

// OnTool changes how tools are run.
func OnTool(run func(*ToolRun, func(*ToolRun) ToolResult) ToolResult) func() Mutation {
	return func() Mutation { return Mutation{Tool: run} }
}

// OnTask changes the task before the loop sees it.
func OnTask(change func(*protocol.Task)) func() Mutation {
	return func() Mutation {
		return Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			change(&task)
			return run(task)
		}}
	}
}

// OnOutcome changes what is reported.
func OnOutcome(change func(*protocol.Outcome)) func() Mutation {
	return func() Mutation {
		return Mutation{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := run(task)
			change(&o)
			return o
		}}
	}
}

// LongRun is how many rounds go well for the faults that only show in long runs.
const LongRun = 4

// Waits returns the wait of a loop with its time changed.
func Waits(l *refloop.Loop, change func(time.Duration) time.Duration) func(context.Context, time.Duration) error {
	wait := l.Wait
	if wait == nil {
		wait = refloop.ByTheClock
	}
	return func(ctx context.Context, d time.Duration) error { return wait(ctx, change(d)) }
}

// OnSend changes how a request for the model is sent.
func OnSend(change func(*http.Request)) func() Mutation {
	return func() Mutation {
		return Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			change(req)
			return send(req)
		}}
	}
}
