// Lets Loopproof judge the tool runner of anthropic-sdk-go, over the Messages API.
//
//	go build -o anthropic-tool-runner . && loopproof run -- ./anthropic-tool-runner
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/toolrunner"

	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

func main() {
	adapter.Serve(protocol.Hello{
		Name:     "Anthropic tool runner (Go)",
		Version:  "2.15.0",
		Dialects: []string{"messages"},
		Features: []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt,
			protocol.ResumeAfterFailure, protocol.Cancel, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.Images},
		Concurrency: 8,
	}, converse)
}

// converse holds the conversation as tools.md of the SDK shows it. A further prompt goes on from
// the runner's messages.
func converse(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	client := anthropic.NewClient(option.WithBaseURL(task.BaseURL), option.WithAPIKey(task.APIKey))
	tools, err := asTools(task.Tools)
	if err != nil {
		return protocol.Outcome{}, err
	}
	var history []anthropic.BetaMessageParam
	var last *anthropic.BetaMessage
	var usage protocol.Usage
	err = adapter.EachPrompt(ctx, task, func(ctx context.Context, prompt string) (more bool, err error) {
		params := paramsFor(task)
		params.Messages = append(history[:len(history):len(history)], anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(prompt)))
		message, messages, err := ask(ctx, client, tools, params, task.Stream, &usage)
		if err != nil {
			return false, err
		}
		last = message
		if reasonToStop(message) != "" {
			return false, nil // there is no answer that the user could go on from
		}
		history = messages
		return true, nil
	})
	if err != nil {
		return protocol.Outcome{Usage: &usage}, err
	}
	return report(last, usage), nil
}

func paramsFor(task protocol.Task) anthropic.BetaToolRunnerParams {
	params := anthropic.BetaToolRunnerParams{MaxIterations: task.MaxTurns}
	params.Model = task.Model
	params.MaxTokens = 16000
	if task.System != "" {
		params.System = []anthropic.BetaTextBlockParam{{Text: task.System}}
	}
	if task.Profile == "anthropic-4.5" {
		params.Thinking = anthropic.BetaThinkingConfigParamOfEnabled(4000)
	} else {
		params.Thinking.OfAdaptive = &anthropic.BetaThinkingConfigAdaptiveParam{}
	}
	return params
}

// ask returns the last message of the model, and the conversation.
func ask(ctx context.Context, client anthropic.Client, tools []anthropic.BetaTool, params anthropic.BetaToolRunnerParams, stream bool, usage *protocol.Usage) (*anthropic.BetaMessage, []anthropic.BetaMessageParam, error) {
	if stream {
		return askStreaming(ctx, client, tools, params, usage)
	}
	runner := client.Beta.Messages.NewToolRunner(tools, params)
	for message, err := range runner.All(ctx) {
		if err != nil {
			return nil, nil, err
		}
		count(usage, message)
	}
	return runner.LastMessage(), runner.Messages(), nil
}

func askStreaming(ctx context.Context, client anthropic.Client, tools []anthropic.BetaTool, params anthropic.BetaToolRunnerParams, usage *protocol.Usage) (*anthropic.BetaMessage, []anthropic.BetaMessageParam, error) {
	runner := client.Beta.Messages.NewToolRunnerStreaming(tools, params)
	for events := range runner.AllStreaming(ctx) {
		before := runner.LastMessage()
		for _, err := range events {
			if err != nil {
				return nil, nil, err
			}
		}
		if message := runner.LastMessage(); message != before { // the last round only ends the run
			count(usage, message)
		}
	}
	return runner.LastMessage(), runner.Messages(), nil
}

func count(usage *protocol.Usage, message *anthropic.BetaMessage) {
	usage.InputTokens += int(message.Usage.InputTokens)
	usage.OutputTokens += int(message.Usage.OutputTokens)
}

// asTools offers the tools of the task to the runner, which does not tell a tool the call that it
// serves.
func asTools(tools []protocol.Tool) ([]anthropic.BetaTool, error) {
	var offered []anthropic.BetaTool
	for _, each := range tools {
		run := func(ctx context.Context, arguments json.RawMessage) (anthropic.BetaToolResultBlockParamContentUnion, error) {
			contentType, body, err := each.RunForImages(ctx, "", string(arguments))
			if err != nil {
				return anthropic.BetaToolResultBlockParamContentUnion{}, err
			}
			return asContent(contentType, body), nil
		}
		tool, err := toolrunner.NewBetaToolFromBytes(each.Name, each.Description, each.Parameters, run)
		if err != nil {
			return nil, err
		}
		offered = append(offered, tool)
	}
	return offered, nil
}

func asContent(contentType string, body []byte) anthropic.BetaToolResultBlockParamContentUnion {
	if !strings.HasPrefix(contentType, "image/") {
		return anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: string(body)}}
	}
	return anthropic.BetaToolResultBlockParamContentUnion{OfImage: &anthropic.BetaImageBlockParam{
		Source: anthropic.BetaImageBlockParamSourceUnion{OfBase64: &anthropic.BetaBase64ImageSourceParam{
			Data:      base64.StdEncoding.EncodeToString(body),
			MediaType: anthropic.BetaBase64ImageSourceMediaType(contentType),
		}},
	}}
}

// report says how the conversation ended, from the last message that the runner returned.
func report(message *anthropic.BetaMessage, usage protocol.Usage) protocol.Outcome {
	outcome := protocol.Outcome{Status: protocol.Completed, FinishReason: string(message.StopReason), Usage: &usage}
	for _, block := range message.Content {
		if block.Type == "text" {
			outcome.Text += block.Text
		}
	}
	if reason := reasonToStop(message); reason != "" {
		outcome.Status, outcome.Reason = protocol.Stopped, reason
	}
	return outcome
}

// reasonToStop returns why the last turn of the model is no answer, or nothing. At MaxIterations
// the runner returns the last turn that it got, which asks for tools.
func reasonToStop(message *anthropic.BetaMessage) string {
	switch message.StopReason {
	case anthropic.BetaStopReasonMaxTokens, anthropic.BetaStopReasonRefusal, anthropic.BetaStopReasonModelContextWindowExceeded, anthropic.BetaStopReasonPauseTurn:
		return string(message.StopReason)
	case anthropic.BetaStopReasonToolUse:
		for _, block := range message.Content {
			if block.Type == "tool_use" {
				return "turn limit"
			}
		}
	}
	return ""
}
