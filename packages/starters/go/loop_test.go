package myloop

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/loopproof/loopproof/suite"
)

// TestMyLoop judges the loop by every scenario that it claims to handle:
//
//	go test                                        everything
//	go test -ginkgo.label-filter='area:pairing'    one area
//
// It runs as it is, with the small loop of loop.go. Put your loop in its place: change what is
// marked YOURS.
func TestMyLoop(t *testing.T) {
	suite.Run(t, suite.Config{
		Loop: suite.LoopFunc(runMyLoop),
		Name: "my loop", // YOURS: what the report calls it

		// What you claim is judged in full; what you do not claim is listed, and never passed.
		// Begin with little, then add: ResumeAfterFailure (task.ResumeAfterFailure: ask the next
		// prompt also after one without an answer), Streaming, Reasoning, Retries, UsageCounts,
		// Images, Transcript, Events.
		Claims: suite.Claims{
			Features: []suite.Feature{suite.ParallelCalls, suite.MultiPrompt, suite.TurnLimit, suite.Cancel},

			// Dialects: []string{"chat"}, the wire APIs that the loop speaks: chat, messages,
			// responses, gemini, converse; without it, chat.
		},

		// Select: suite.Select{Quick: true}, each scenario under one profile of each dialect, for a
		// first look.
	})
}

// runMyLoop holds one conversation. Create a new client for each task: the base URL is different
// each time. An error is reported as a failure, with its message. When the user cancels, ctx ends.
func runMyLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	loop := Loop{ // YOURS: create your loop, as its documentation shows it
		BaseURL:  task.BaseURL, // what the official SDK takes as its base URL
		APIKey:   task.APIKey,
		Model:    task.Model,
		System:   task.System,   // "" when there is none
		MaxTurns: task.MaxTurns, // after how many answers of the model the loop stops by itself
		Timeout:  time.Duration(task.TimeoutMS) * time.Millisecond,
	}
	for _, tool := range task.Tools {
		loop.Tools = append(loop.Tools, asTool(tool))
	}
	var answer string
	for _, prompt := range task.Prompts { // several only if you claim MultiPrompt: turns of the same conversation
		var err error
		answer, err = loop.Ask(ctx, prompt) // YOURS
		switch {
		case errors.Is(err, ErrStopped): // the loop gave up by itself: turn limit, truncated answer, content filter
			return suite.Outcome{Status: suite.Stopped, Reason: err.Error()}, nil
		case ctx.Err() != nil:
			return suite.Outcome{Status: suite.Stopped, Reason: "cancelled"}, nil
		case err != nil:
			return suite.Outcome{}, err
		}
	}
	return suite.Outcome{Status: suite.Completed, Text: answer}, nil
}

// asTool offers a tool of the task to the loop. The work is done at the tool's URL: tool.Run posts
// the arguments there, and returns the text of the tool, or an error where the tool fails, as a
// tool of your users would.
func asTool(tool suite.Tool) Tool {
	return Tool{ // YOURS: how your loop takes a tool
		Name:        tool.Name,
		Description: tool.Description,
		Parameters:  tool.Parameters, // JSON Schema; json.Unmarshal it if your loop wants a map or a struct
		Run:         tool.Run,        // func(ctx, callID, arguments) (string, error)
	}
}
