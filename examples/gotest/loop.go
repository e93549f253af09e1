// Package myloop is somebody's agent loop: as small as one can be that gets everything right that it claims.
package myloop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// Tool is a function that the model may call. Run gets the arguments as the model wrote them.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
	Run         func(ctx context.Context, callID, arguments string) (string, error)
}

// Loop asks one model, with some tools.
type Loop struct {
	BaseURL, APIKey, Model string
	System                 string
	Tools                  []Tool
}

type message struct {
	Role       string  `json:"role"`
	Content    *string `json:"content"`
	ToolCalls  []call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Ask returns the model's answer to a question.
func (l Loop) Ask(ctx context.Context, question string) (string, error) {
	var history []message
	if l.System != "" {
		history = append(history, message{Role: "system", Content: &l.System})
	}
	history = append(history, message{Role: "user", Content: &question})
	for {
		answer, finish, err := l.request(ctx, history)
		switch {
		case err != nil:
			return "", err
		case finish == "length" || finish == "content_filter":
			return "", fmt.Errorf("the answer was cut off: %s", finish)
		case len(answer.ToolCalls) == 0 && (answer.Content == nil || *answer.Content == ""):
			return "", errors.New("the model answered with nothing")
		case len(answer.ToolCalls) == 0:
			return *answer.Content, nil
		}
		history = append(history, answer)
		for _, c := range answer.ToolCalls {
			result := l.run(ctx, c)
			history = append(history, message{Role: "tool", ToolCallID: c.ID, Content: &result})
		}
	}
}

// run returns the result of a call, or an error that the model can read.
func (l Loop) run(ctx context.Context, c call) string {
	if args := c.Function.Arguments; args == "" || args == "null" {
		c.Function.Arguments = "{}"
	}
	if !json.Valid([]byte(c.Function.Arguments)) {
		return "error: the arguments are not JSON"
	}
	for _, t := range l.Tools {
		if t.Name == c.Function.Name {
			result, err := t.Run(ctx, c.ID, c.Function.Arguments)
			if err != nil {
				return "error: " + err.Error()
			}
			return result
		}
	}
	return "error: there is no tool " + c.Function.Name
}

func (l Loop) request(ctx context.Context, history []message) (answer message, finish string, err error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type tool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	var tools []tool
	for _, t := range l.Tools {
		tools = append(tools, tool{"function", function{t.Name, t.Description, t.Parameters}})
	}
	body, err := json.Marshal(struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
		Tools    []tool    `json:"tools,omitempty"`
	}{l.Model, history, tools})
	if err != nil {
		return message{}, "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return message{}, "", err
	}
	req.Header.Set("Authorization", "Bearer "+l.APIKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return message{}, "", err
	}
	defer resp.Body.Close()

	var reply struct {
		Choices []struct {
			Message message `json:"message"`
			Finish  string  `json:"finish_reason"`
		} `json:"choices"`
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"` // where the provider wraps its errors in nothing
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return message{}, "", err
	}
	if resp.StatusCode != http.StatusOK || len(reply.Choices) == 0 || len(reply.Error) > 0 {
		return message{}, "", fmt.Errorf("the provider answered %s: %s %s", resp.Status, reply.Error, reply.Message)
	}
	answer = reply.Choices[0].Message
	for i := range answer.ToolCalls {
		answer.ToolCalls[i].Type = "function" // not all providers say so
	}
	return answer, reply.Choices[0].Finish, nil
}
