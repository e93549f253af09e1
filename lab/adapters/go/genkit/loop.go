package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"

	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

// conversation is what is kept between the prompts of a task.
type conversation struct {
	g       *genkit.Genkit
	options []ai.GenerateOption
	history []*ai.Message
	last    *ai.ModelResponse
	usage   protocol.Usage
}

// converse holds the conversation as the documentation shows it: the history of a response is what
// the next prompt is asked with. https://genkit.dev/docs/go/models/
func converse(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	c, err := begin(ctx, task)
	if err != nil {
		return protocol.Outcome{}, err
	}
	err = adapter.EachPrompt(ctx, task, func(ctx context.Context, prompt string) (more bool, err error) {
		if err := c.ask(ctx, prompt); err != nil {
			return false, err
		}
		return reasonToStop(c.last) == "", nil
	})
	var failure *core.GenkitError
	if errors.As(err, &failure) && failure.Status == core.ABORTED && strings.Contains(err.Error(), "exceeded maximum tool call iterations") {
		return protocol.Outcome{Status: protocol.Stopped, Reason: "turn limit", Usage: &c.usage}, nil
	}
	if err != nil {
		return protocol.Outcome{}, err
	}
	return c.report(), nil
}

// begin sets up the library for a task: its model, its tools and its limits.
func begin(ctx context.Context, task protocol.Task) (*conversation, error) {
	const provider = "loopproof"
	plugin := &compat_oai.OpenAICompatible{Provider: provider, APIKey: task.APIKey, BaseURL: task.BaseURL}
	c := &conversation{g: genkit.Init(ctx, genkit.WithPlugins(plugin))}
	model := plugin.DefineModel(provider, task.Model, ai.ModelOptions{Supports: &compat_oai.Multimodal})
	genkit.RegisterAction(c.g, model.(ai.Model))
	tools, err := asTools(task.Tools)
	if err != nil {
		return nil, err
	}
	c.options = []ai.GenerateOption{ai.WithModel(model), ai.WithTools(tools...), limit(task.MaxTurns)}
	if task.Stream {
		c.options = append(c.options, ai.WithStreaming(func(context.Context, *ai.ModelResponseChunk) error { return nil }))
	}
	if task.System != "" {
		c.history = append(c.history, ai.NewSystemTextMessage(task.System))
	}
	return c, nil
}

// ask asks one prompt. A failed one leaves the history as it was.
func (c *conversation) ask(ctx context.Context, prompt string) error {
	messages := append(append([]*ai.Message(nil), c.history...), ai.NewUserTextMessage(prompt))
	response, err := genkit.Generate(ctx, c.g, append(c.options, ai.WithMessages(messages...))...)
	if err != nil {
		return err
	}
	c.history, c.last = response.History(), response
	if response.Usage != nil {
		c.usage.InputTokens += response.Usage.InputTokens
		c.usage.OutputTokens += response.Usage.OutputTokens
	}
	return nil
}

// limit is that of the answers of the model. The library has one of rounds of tools, after which the
// model is asked once more, and 0 is its default. One answer is what it gives without running tools.
func limit(turns int) ai.GenerateOption {
	if turns == 1 {
		return ai.WithReturnToolRequests(true)
	}
	return ai.WithMaxTurns(turns - 1)
}

func (c *conversation) report() protocol.Outcome {
	outcome := protocol.Outcome{Status: protocol.Completed, Text: c.last.Text(), FinishReason: string(c.last.FinishReason), Usage: &c.usage}
	if reason := reasonToStop(c.last); reason != "" {
		outcome.Status, outcome.Reason = protocol.Stopped, reason
	}
	if outcome.Text == "" { // what the model said when it refused
		outcome.Text = c.last.FinishMessage
	}
	return outcome
}

// reasonToStop returns why a response is not an answer, or nothing.
func reasonToStop(response *ai.ModelResponse) string {
	if len(response.ToolRequests()) > 0 { // it was told not to run them
		return "turn limit"
	}
	switch response.FinishReason {
	case ai.FinishReasonLength, ai.FinishReasonBlocked, ai.FinishReasonInterrupted:
		return string(response.FinishReason)
	}
	return ""
}

// asTools offers the tools of a task with their own schemas. The library tells a tool no id of the
// call.
func asTools(tools []protocol.Tool) (offered []ai.ToolRef, err error) {
	for _, tool := range tools {
		var schema map[string]any
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			return nil, err
		}
		offered = append(offered, ai.NewToolWithInputSchema(tool.Name, tool.Description, schema, func(ctx *ai.ToolContext, input any) (string, error) {
			arguments, err := json.Marshal(input)
			if err != nil {
				return "", err
			}
			return tool.Run(ctx, "", string(arguments))
		}))
	}
	return offered, nil
}
