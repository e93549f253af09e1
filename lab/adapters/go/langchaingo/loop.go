package main

import (
	"context"
	"errors"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// converse runs the agent as the package's own tests and examples do: an executor, which is a chain.
// https://pkg.go.dev/github.com/tmc/langchaingo/agents
func converse(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	executor, err := newExecutor(task)
	if err != nil {
		return protocol.Outcome{}, err
	}
	var options []chains.ChainCallOption
	if task.Stream {
		options = append(options, chains.WithStreamingFunc(func(context.Context, []byte) error { return nil }))
	}
	var answer string
	err = adapter.EachPrompt(ctx, task, func(ctx context.Context, prompt string) (more bool, err error) {
		answer, err = chains.Run(ctx, executor, prompt, options...)
		return true, err
	})
	if errors.Is(err, agents.ErrNotFinished) {
		return protocol.Outcome{Status: protocol.Stopped, Reason: "turn limit"}, nil
	}
	if err != nil {
		return protocol.Outcome{}, err
	}
	return protocol.Outcome{Status: protocol.Completed, Text: answer}, nil
}

func newExecutor(task protocol.Task) (*agents.Executor, error) {
	model, err := openai.New(openai.WithBaseURL(task.BaseURL), openai.WithToken(task.APIKey), openai.WithModel(task.Model))
	if err != nil {
		return nil, err
	}
	var offered []tools.Tool
	for _, each := range task.Tools {
		offered = append(offered, tool{each})
	}
	var options []agents.Option
	if task.System != "" { // without it, the agent has words of its own
		options = append(options, agents.NewOpenAIOption().WithSystemMessage(task.System))
	}
	agent := agents.NewOpenAIFunctionsAgent(model, offered, options...)
	return agents.NewExecutor(agent, agents.WithMaxIterations(task.MaxTurns)), nil
}

// tool is one of the library's: a name, a description, and a function of one text. There is no place
// for its schema, and none for the id of the call.
type tool struct{ tool protocol.Tool }

func (t tool) Name() string        { return t.tool.Name }
func (t tool) Description() string { return t.tool.Description }

func (t tool) Call(ctx context.Context, input string) (string, error) {
	return t.tool.Run(ctx, "", input)
}
