// Package myloop is a small agent loop over Chat Completions, so that the test runs as it is.
// Delete it when your loop is in its place.
package myloop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// ErrStopped says that the loop gave up by itself.
var ErrStopped = errors.New("stopped")

// Tool is a function that the model may call. Run gets the arguments as JSON.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
	Run         func(ctx context.Context, callID, arguments string) (string, error)
}

// Loop holds one conversation with a model.
type Loop struct {
	BaseURL, APIKey, Model string
	System                 string
	Tools                  []Tool
	MaxTurns               int
	Timeout                time.Duration // how long to wait for an answer of the model or for a tool

	history []message
	turns   int
}

type message struct {
	Role       string  `json:"role"`
	Content    *string `json:"content"`
	ToolCalls  []call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
	Refusal    string  `json:"refusal,omitempty"`
}

type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Ask returns the model's answer to a question, the next one of the conversation.
func (l *Loop) Ask(ctx context.Context, question string) (string, error) {
	if l.history == nil && l.System != "" {
		l.history = append(l.history, message{Role: "system", Content: &l.System})
	}
	l.history = append(l.history, message{Role: "user", Content: &question})
	for {
		answer, err := l.turn(ctx)
		if err != nil {
			return "", err
		}
		l.history = append(l.history, echo(answer))
		if len(answer.ToolCalls) == 0 {
			return *answer.Content, nil
		}
		for _, c := range answer.ToolCalls {
			result := l.run(ctx, c)
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			l.history = append(l.history, message{Role: "tool", ToolCallID: c.ID, Content: &result})
		}
	}
}

// echo returns a turn as it goes back: some providers parse the arguments of its calls, and refuse
// anything but JSON.
func echo(answer message) message {
	answer.ToolCalls = slices.Clone(answer.ToolCalls)
	for i := range answer.ToolCalls {
		if arguments := &answer.ToolCalls[i].Function.Arguments; !json.Valid([]byte(*arguments)) {
			*arguments = "{}"
		}
	}
	return answer
}

// run returns the result of a call, or an error that the model can read.
func (l *Loop) run(ctx context.Context, c call) string {
	arguments := c.Function.Arguments
	if arguments == "" || arguments == "null" {
		arguments = "{}"
	}
	if err := json.Unmarshal([]byte(arguments), &map[string]any{}); err != nil {
		return "Error: the arguments have to be an object: " + err.Error()
	}
	for _, t := range l.Tools {
		if t.Name != c.Function.Name {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, l.Timeout)
		defer cancel()
		result, err := t.Run(ctx, c.ID, arguments)
		if err != nil {
			return "Error: " + err.Error()
		}
		return result
	}
	return "Error: there is no tool " + c.Function.Name
}

// turn asks the model for its next answer.
func (l *Loop) turn(ctx context.Context) (message, error) {
	if l.turns == l.MaxTurns {
		return message{}, fmt.Errorf("%w: turn limit", ErrStopped)
	}
	l.turns++
	body, err := l.post(ctx)
	if err != nil {
		return message{}, err
	}
	var reply struct {
		Choices []struct {
			Message message `json:"message"`
			Finish  string  `json:"finish_reason"`
			Error   any     `json:"error"` // some gateways report a failure of the provider here, with the status 200
		} `json:"choices"`
	}
	if err := json.Unmarshal(body, &reply); err != nil || len(reply.Choices) == 0 || reply.Choices[0].Error != nil {
		return message{}, fmt.Errorf("no answer: %s", body)
	}
	answer, finish := reply.Choices[0].Message, reply.Choices[0].Finish
	if finish == "length" || finish == "content_filter" { // cut off, and the calls may be, too: they are not run
		return message{}, fmt.Errorf("%w: %s", ErrStopped, finish)
	}
	if answer.Refusal != "" {
		return message{}, errors.New("the model refused: " + answer.Refusal)
	}
	if len(answer.ToolCalls) == 0 && (answer.Content == nil || *answer.Content == "") {
		return message{}, errors.New("the model said nothing")
	}
	for i := range answer.ToolCalls {
		answer.ToolCalls[i].Type = "function" // not all providers say so
	}
	answer.Role = "assistant"
	return answer, nil
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

type offeredTool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

func (l *Loop) post(ctx context.Context) ([]byte, error) {
	var tools []offeredTool
	for _, t := range l.Tools {
		tools = append(tools, offeredTool{"function", function{t.Name, t.Description, t.Parameters}})
	}
	body, err := json.Marshal(struct {
		Model    string        `json:"model"`
		Messages []message     `json:"messages"`
		Tools    []offeredTool `json:"tools,omitempty"`
	}{l.Model, l.history, tools})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+l.APIKey)
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: l.Timeout}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the provider answered %s: %s", resp.Status, answer)
	}
	return answer, err
}
