package main

import (
	"context"
	"errors"
	"io"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// converse holds the conversation as a user of eino would write it by its documentation.
func converse(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	a, err := newAgent(ctx, task)
	if err != nil {
		return protocol.Outcome{}, err
	}
	var history []*schema.Message
	if task.System != "" {
		history = append(history, schema.SystemMessage(task.System))
	}
	var usage protocol.Usage
	var last *schema.Message
	err = adapter.EachPrompt(ctx, task, func(ctx context.Context, prompt string) (more bool, err error) {
		history = append(history, schema.UserMessage(prompt))
		said, err := ask(ctx, a, task.Stream, history)
		if err != nil {
			return false, err
		}
		history = append(history, said...)
		count(&usage, said)
		last = said[len(said)-1]
		return reasonToStop(last) == "", nil
	})
	if errors.Is(err, compose.ErrExceedMaxSteps) {
		return protocol.Outcome{Status: protocol.Stopped, Reason: "turn limit"}, nil
	}
	if err != nil {
		return protocol.Outcome{}, err
	}
	return report(last, usage), nil
}

func newAgent(ctx context.Context, task protocol.Task) (*react.Agent, error) {
	model, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: task.BaseURL, APIKey: task.APIKey, Model: task.Model})
	if err != nil {
		return nil, err
	}
	tools, err := asTools(task.Tools)
	if err != nil {
		return nil, err
	}
	return react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: model,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: tools},
		MaxStep:          2 * task.MaxTurns, // a turn is a step of the model and a step of the tools
	})
}

// ask returns the messages of a run: the turns of the model and the results of the tools.
func ask(ctx context.Context, a *react.Agent, stream bool, history []*schema.Message) ([]*schema.Message, error) {
	option, future := react.WithMessageFuture()
	if !stream {
		if _, err := a.Generate(ctx, history, option); err != nil {
			return nil, err
		}
		return collect(future.GetMessages(), func(m *schema.Message) (*schema.Message, error) { return m, nil })
	}
	if err := listen(ctx, a, history, option); err != nil {
		return nil, err
	}
	return collect(future.GetMessageStreams(), schema.ConcatMessageStream)
}

// listen reads the stream of the answer to its end, where its errors are.
func listen(ctx context.Context, a *react.Agent, history []*schema.Message, option agent.AgentOption) error {
	answer, err := a.Stream(ctx, history, option)
	if err != nil {
		return err
	}
	defer answer.Close()
	for {
		if _, err := answer.Recv(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func collect[T any](from *react.Iterator[T], whole func(T) (*schema.Message, error)) ([]*schema.Message, error) {
	var messages []*schema.Message
	for {
		each, more, err := from.Next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		message, err := whole(each)
		if err != nil {
			return nil, err
		}
		messages = append(messages, message)
	}
	if len(messages) == 0 {
		return nil, errors.New("the agent returned no message")
	}
	return messages, nil
}

func count(usage *protocol.Usage, said []*schema.Message) {
	for _, message := range said {
		if meta := message.ResponseMeta; meta != nil && meta.Usage != nil {
			usage.InputTokens += meta.Usage.PromptTokens
			usage.OutputTokens += meta.Usage.CompletionTokens
		}
	}
}

// report says how the conversation ended, from the last message that eino returned.
func report(last *schema.Message, usage protocol.Usage) protocol.Outcome {
	outcome := protocol.Outcome{Status: protocol.Completed, Text: last.Content, FinishReason: finishReason(last), Usage: &usage}
	if reason := reasonToStop(last); reason != "" {
		outcome.Status, outcome.Reason = protocol.Stopped, reason
	}
	return outcome
}

// reasonToStop returns why a message is not an answer, or nothing.
func reasonToStop(message *schema.Message) string {
	switch reason := finishReason(message); reason {
	case "length", "content_filter", "error":
		return reason
	}
	return ""
}

func finishReason(message *schema.Message) string {
	if message.ResponseMeta == nil {
		return ""
	}
	return message.ResponseMeta.FinishReason
}
