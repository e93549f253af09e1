package suite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/loopproof/loopproof/suite"
)

// ask is the smallest loop: one question, one answer, no tools.
func ask(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body, err := json.Marshal(map[string]any{"model": task.Model, "messages": []message{{"user", task.Prompts[0]}}})
	if err != nil {
		return suite.Outcome{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, task.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return suite.Outcome{}, err
	}
	req.Header.Set("Authorization", "Bearer "+task.APIKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return suite.Outcome{}, err
	}
	defer resp.Body.Close()
	var answer struct{ Choices []struct{ Message message } }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || len(answer.Choices) == 0 {
		return suite.Outcome{}, errors.Join(errors.New("no answer"), err)
	}
	return suite.Outcome{Status: suite.Completed, Text: answer.Choices[0].Message.Content}, nil
}

// oneCase judges the loop by one case.
func oneCase() suite.Config {
	return suite.Config{
		Loop:   suite.LoopFunc(ask),
		Select: suite.Select{Cases: []string{"egress/no-tools@chat/openai/json"}},
	}
}

// Run judges a loop inside go test.
func TestRun(t *testing.T) {
	suite.Run(t, oneCase())
}

// Play needs no testing framework.
func ExamplePlay() {
	r, err := suite.Play(context.Background(), oneCase())
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Result, len(r.Cases), r.Cases[0].ID)
	// Output:
	// partial 1 egress/no-tools@chat/openai/json
}

// In a Ginkgo suite, call Register at the top level:
//
//	var _ = suite.Register(suite.Config{Loop: suite.LoopFunc(ask)})
func ExampleRegister() {
	fmt.Println(suite.Register(oneCase()))
	// Output:
	// true
}

// A loop in another language needs an adapter. An adapter that does not start is an error, not a result.
func ExampleAdapter() {
	_, err := suite.Play(context.Background(), suite.Config{Loop: suite.Adapter{Command: "no-such-adapter"}})
	fmt.Println(err != nil)
	// Output:
	// true
}

// A program that takes a prompt and prints an answer is judged by what it sends.
func ExampleCommand() {
	_, err := suite.Play(context.Background(), suite.Config{
		Loop:   suite.Command{Command: "no-such-agent", Args: []string{"--ask", "{prompt}"}},
		Claims: suite.Claims{Features: []suite.Feature{suite.Streaming}, NoExecutions: true},
	})
	fmt.Println(err != nil)
	// Output:
	// true
}

// Hooks report the progress of a run.
func ExampleHooks() {
	c := oneCase()
	c.Hooks = suite.Hooks{OnPlan: func(cases []string) { fmt.Println("to play:", cases) }}
	if _, err := suite.Play(context.Background(), c); err != nil {
		panic(err)
	}
	// Output:
	// to play: [egress/no-tools@chat/openai/json]
}
