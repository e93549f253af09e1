package selfcheck

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/suite"
)

// TestOllamaLoopOverItsClient judges a loop over Ollama's own client for Go, whose types are those of
// its server.
func TestOllamaLoopOverItsClient(t *testing.T) {
	result, err := suite.Play(t.Context(), suite.Config{
		Loop: suite.LoopFunc(ollamaLoop),
		Seed: 41,
		Claims: suite.Claims{
			Dialects: []string{"ollama-chat"},
			Features: []suite.Feature{suite.Streaming, suite.ParallelCalls, suite.Reasoning, suite.MultiPrompt, suite.TurnLimit, suite.UsageCounts},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", len(result.Cases))
	if broken := failedRules(result); !slices.Equal(broken, ollamaClientBreaks) {
		t.Errorf("breaks   %q\nexpected %q", broken, ollamaClientBreaks)
		tell(t, result)
	}
	if len(result.Cases) < 300 {
		t.Errorf("only %d cases were played", len(result.Cases))
	}
}

// ollamaClientBreaks are the rules that the loop is known to break.
var ollamaClientBreaks = []string{
	"failure/error-says-why",      // of a 401 the client's error has the status alone
	"failure/odd-error-says-why",  // an error without a body has no line, and is none to the client
	"limits/silent-tool-given-up", // the time of the task is given to the client's requests; a tool is waited for
}

// ollamaLoop is a loop over the client.
func ollamaLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	base, err := url.Parse(task.BaseURL)
	if err != nil {
		return suite.Outcome{}, err
	}
	client := api.NewClient(base, &http.Client{Timeout: time.Duration(task.TimeoutMS) * time.Millisecond / 2})
	asked := &api.ChatRequest{Model: task.Model, Stream: &task.Stream}
	if task.System != "" {
		asked.Messages = append(asked.Messages, api.Message{Role: "system", Content: task.System})
	}
	for _, tool := range task.Tools {
		offered := api.Tool{Type: "function", Function: api.ToolFunction{Name: tool.Name, Description: tool.Description}}
		if err := json.Unmarshal(tool.Parameters, &offered.Function.Parameters); err != nil {
			return suite.Outcome{}, err
		}
		asked.Tools = append(asked.Tools, offered)
	}
	outcome, used, turns := suite.Outcome{}, suite.Usage{}, 0
	for _, prompt := range task.Prompts {
		asked.Messages = append(asked.Messages, api.Message{Role: "user", Content: prompt})
		for outcome = (suite.Outcome{}); outcome.Status == ""; turns++ {
			if turns == task.MaxTurns {
				return suite.Outcome{Status: suite.Stopped, Reason: "turn limit", Usage: &used}, nil
			}
			said, err := ollamaAnswer(ctx, client, asked)
			if err != nil {
				return suite.Outcome{}, err
			}
			used.InputTokens += said.PromptEvalCount
			used.OutputTokens += said.EvalCount
			outcome = takeOllama(ctx, asked, said, task.Tools)
		}
		if outcome.Status != suite.Completed {
			break
		}
	}
	outcome.Usage = &used
	return outcome, nil
}

// ollamaAnswer asks for one answer, and returns its last line with the message of all of them.
func ollamaAnswer(ctx context.Context, client *api.Client, asked *api.ChatRequest) (whole api.ChatResponse, err error) {
	message := api.Message{Role: "assistant"}
	err = client.Chat(ctx, asked, func(line api.ChatResponse) error {
		message.Content += line.Message.Content
		message.Thinking += line.Message.Thinking
		message.ToolCalls = append(message.ToolCalls, line.Message.ToolCalls...)
		whole = line
		return nil
	})
	if err == nil && !whole.Done {
		err = errors.New("the answer broke off")
	}
	whole.Message = message
	return whole, err
}

// takeOllama takes an answer into the history and runs its tools. An outcome without a status says
// that the loop goes on.
func takeOllama(ctx context.Context, asked *api.ChatRequest, said api.ChatResponse, tools []suite.Tool) suite.Outcome {
	if said.DoneReason != "stop" {
		return suite.Outcome{Status: suite.Stopped, Reason: said.DoneReason}
	}
	calls := said.Message.ToolCalls
	if len(calls) == 0 && strings.TrimSpace(said.Message.Content) == "" {
		return suite.Outcome{Status: suite.Failed, Error: "the model answered with nothing"}
	}
	asked.Messages = append(asked.Messages, said.Message)
	if len(calls) == 0 {
		return suite.Outcome{Status: suite.Completed, Text: said.Message.Content}
	}
	for _, call := range calls {
		result, err := runCalled(ctx, tools, call.ID, call.Function.Name, call.Function.Arguments.String())
		if err != nil {
			result = "Error: " + err.Error()
		}
		asked.Messages = append(asked.Messages, api.Message{Role: "tool", ToolName: call.Function.Name, ToolCallID: call.ID, Content: result})
	}
	return suite.Outcome{}
}

// TestOllamaModelsAreRead: the client reads the models, those that run, one of them, and vectors.
func TestOllamaModelsAreRead(t *testing.T) {
	played, err := profiles.Get("ollama-native")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Profile: played, Models: []string{"qwen3:8b"}})
	t.Cleanup(srv.Close)
	base, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := api.NewClient(base, http.DefaultClient)
	if all, err := client.List(t.Context()); err != nil || len(all.Models) != 1 || all.Models[0].Name != "qwen3:8b" || all.Models[0].Details.Format != "gguf" {
		t.Errorf("the client lists %+v, %v", all, err)
	}
	if all, err := client.ListRunning(t.Context()); err != nil || len(all.Models) != 1 || all.Models[0].Model != "qwen3:8b" || all.Models[0].ExpiresAt.IsZero() {
		t.Errorf("of those that run the client lists %+v, %v", all, err)
	}
	if one, err := client.Show(t.Context(), &api.ShowRequest{Model: "qwen3:8b"}); err != nil || len(one.Capabilities) == 0 {
		t.Errorf("the client is shown %+v, %v", one, err)
	}
	var refused api.StatusError
	if one, err := client.Show(t.Context(), &api.ShowRequest{Model: "other"}); !errors.As(err, &refused) || refused.StatusCode != http.StatusNotFound {
		t.Errorf("of a model that there is not the client is shown %+v, %v", one, err)
	}
	if vectors, err := client.Embed(t.Context(), &api.EmbedRequest{Model: "nomic-embed-text", Input: []string{"cat"}}); err != nil || len(vectors.Embeddings) != 1 {
		t.Errorf("the client reads %+v, %v", vectors, err)
	}
	if version, err := client.Version(t.Context()); err != nil || version == "" {
		t.Errorf("the client reads the version %q, %v", version, err)
	}
}
