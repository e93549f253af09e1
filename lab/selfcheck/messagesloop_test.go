package selfcheck

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/suite"
)

// TestLoopOverTheMessagesSDK judges a loop that does on the wire what Anthropic's official Go SDK
// does: its client, its accumulator of streams, its retries. It lets the model think.
func TestLoopOverTheMessagesSDK(t *testing.T) {
	result, err := suite.Play(context.Background(), suite.Config{
		Loop: suite.LoopFunc(func(ctx context.Context, task suite.Task) (suite.Outcome, error) { return messagesLoop(ctx, task) }),
		Seed: 41,
		Claims: suite.Claims{
			Dialects: []string{"messages"},
			Features: []suite.Feature{
				suite.Streaming, suite.ParallelCalls, suite.Reasoning, suite.MultiPrompt, suite.TurnLimit, suite.Retries, suite.UsageCounts,
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", len(result.Cases))
	var musts []string
	for _, rule := range result.Rules {
		if rule.Level == trace.Must && (rule.Verdict == trace.Failed || rule.Verdict == trace.Untested) {
			musts = append(musts, rule.ID)
		}
	}
	if broken := failedRules(result); len(musts) > 0 || !slices.Equal(broken, messagesSDKBreaks) {
		t.Errorf("it breaks %q, of which musts or never tested are %q, want %q and no must", broken, musts, messagesSDKBreaks)
		tell(t, result)
	}
}

// messagesSDKBreaks are the rules that the loop is known to break.
var messagesSDKBreaks = []string{
	"pairing/ids-present",  // the empty id of a gateway goes back as it came
	"egress/no-white-text", // what the model wrote goes back as it came, blank texts too
	"egress/no-empty-text",
	"execution/invalid-json-not-run", // the accumulator makes {} of an input that is not JSON, so that nobody can tell it from none
	"stream/index-missing",           // Accumulate wants the indexes to count from zero
	"stream/index-odd",
	"stream/index-shared",
	"stream/id-missing",           // the empty id again
	"stream/no-delta",             // an event without its delta ends no message for it
	"stream/line-ends",            // a carriage return alone ends no line for it
	"stream/ends-at-done",         // [DONE] after message_stop is parsed as JSON
	"retry/absurd-wait-not-slept", // an info: the SDK sleeps for as long as Retry-After says, a day too
	"limits/silent-tool-given-up", // a tool is waited for
}

// messagesLoop is a loop over the SDK's client.
func messagesLoop(ctx context.Context, task suite.Task, through ...option.RequestOption) (suite.Outcome, error) {
	options := []option.RequestOption{option.WithBaseURL(task.BaseURL), option.WithAPIKey(task.APIKey), option.WithRequestTimeout(time.Duration(task.TimeoutMS) * time.Millisecond / 2)}
	client := anthropic.NewClient(append(options, through...)...)
	params := anthropic.MessageNewParams{Model: task.Model, MaxTokens: 16_000, Thinking: thinking(task.Profile)}
	if task.System != "" {
		params.System = []anthropic.TextBlockParam{{Text: task.System}}
	}
	for _, tool := range task.Tools {
		schema := param.Override[anthropic.ToolInputSchemaParam](tool.Parameters)
		params.Tools = append(params.Tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: tool.Name, Description: anthropic.String(tool.Description), InputSchema: schema,
		}})
	}
	var outcome suite.Outcome
	used := suite.Usage{}
	turns := 0
	for _, prompt := range task.Prompts {
		params.Messages = append(params.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(prompt)))
		for outcome = (suite.Outcome{}); outcome.Status == ""; turns++ {
			if turns == task.MaxTurns {
				return suite.Outcome{Status: suite.Stopped, Reason: "turn limit"}, nil
			}
			message, err := converse(ctx, client, params, task.Stream)
			if err != nil {
				return suite.Outcome{}, err
			}
			used.InputTokens += int(message.Usage.InputTokens)
			used.OutputTokens += int(message.Usage.OutputTokens)
			outcome = takeMessage(ctx, &params, message, task.Tools)
		}
		if outcome.Status != suite.Completed {
			break
		}
	}
	outcome.Usage = &used
	return outcome, nil
}

// thinking asks for the model's reasoning in the way of its generation.
func thinking(profile string) anthropic.ThinkingConfigParamUnion {
	if profile == "anthropic-4.5" {
		return anthropic.ThinkingConfigParamOfEnabled(4_000)
	}
	return anthropic.ThinkingConfigParamUnion{OfAdaptive: &anthropic.ThinkingConfigAdaptiveParam{}}
}

// converse asks for one turn of the model. The end of a stream before its last event is no error to
// the SDK.
func converse(ctx context.Context, client anthropic.Client, params anthropic.MessageNewParams, stream bool) (*anthropic.Message, error) {
	if !stream {
		return client.Messages.New(ctx, params)
	}
	events := client.Messages.NewStreaming(ctx, params)
	defer events.Close()
	var whole anthropic.Message
	for events.Next() {
		if err := whole.Accumulate(events.Current()); err != nil {
			return nil, err
		}
	}
	if events.Err() == nil && whole.StopReason == "" {
		return nil, errors.New("the answer broke off")
	}
	return &whole, events.Err()
}

// takeMessage takes an answer into the history and runs its tools. An outcome without a status says
// that the loop goes on. A turn that was paused goes back as it is, and the model takes it up.
func takeMessage(ctx context.Context, params *anthropic.MessageNewParams, message *anthropic.Message, tools []suite.Tool) suite.Outcome {
	text := ""
	var results []anthropic.ContentBlockParamUnion
	switch message.StopReason {
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonRefusal, "model_context_window_exceeded":
		return suite.Outcome{Status: suite.Stopped, Reason: string(message.StopReason)}
	}
	for _, block := range message.Content {
		switch block.Type {
		case "text":
			text += block.Text
		case "tool_use":
			results = append(results, answer(ctx, tools, block))
		}
	}
	if len(message.Content) > 0 {
		params.Messages = append(params.Messages, message.ToParam())
	}
	if message.Container.ID != "" { // as the SDK's own tool runner does
		params.Container = anthropic.MessageCreateParamsContainerUnion{OfString: anthropic.String(message.Container.ID)}
	}
	switch {
	case len(results) > 0:
		params.Messages = append(params.Messages, anthropic.NewUserMessage(results...))
		return suite.Outcome{}
	case message.StopReason == anthropic.StopReasonPauseTurn:
		return suite.Outcome{}
	case text == "":
		return suite.Outcome{Status: suite.Failed, Error: "the model answered with nothing"}
	}
	return suite.Outcome{Status: suite.Completed, Text: text}
}

// answer runs the tool of a call. What said nothing is left out of the result, for an empty text
// block is refused.
func answer(ctx context.Context, tools []suite.Tool, call anthropic.ContentBlockUnion) anthropic.ContentBlockParamUnion {
	text, err := runCalled(ctx, tools, call.ID, call.Name, string(call.Input))
	result := anthropic.ToolResultBlockParam{ToolUseID: call.ID}
	if err != nil {
		text, result.IsError = "Error: "+err.Error(), anthropic.Bool(true)
	}
	if text != "" {
		result.Content = []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: text}}}
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &result}
}
