package myloop

import (
	"context"
	"testing"

	"github.com/loopproof/loopproof/suite"
)

func TestMyLoop(t *testing.T) {
	suite.Run(t, suite.Config{
		Loop:     suite.LoopFunc(runMyLoop),
		Features: []suite.Feature{suite.ParallelCalls},
	})
}

func runMyLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	loop := Loop{BaseURL: task.BaseURL, APIKey: task.APIKey, Model: task.Model, System: task.System}
	for _, t := range task.Tools {
		loop.Tools = append(loop.Tools, Tool{t.Name, t.Description, t.Parameters, t.Run})
	}
	answer, err := loop.Ask(ctx, task.Prompts[0])
	return suite.Outcome{Status: suite.Completed, Text: answer}, err
}
