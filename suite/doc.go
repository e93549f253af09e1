// Package suite judges an agent loop: it plays scripted conversations to it and judges what it does
// by rules. A loop in Go is judged inside go test:
//
//	func TestMyLoop(t *testing.T) {
//		suite.Run(t, suite.Config{
//			Loop:   suite.LoopFunc(runMyLoop),
//			Claims: suite.Claims{Features: []suite.Feature{suite.Streaming, suite.ParallelCalls}},
//		})
//	}
//
//	func runMyLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
//		answer, err := myloop.New(task.BaseURL, task.APIKey).Ask(ctx, task.Prompts[0])
//		return suite.Outcome{Status: suite.Completed, Text: answer}, err
//	}
//
// [Run] and [Register] use Ginkgo; [Play] needs no test framework.
package suite
