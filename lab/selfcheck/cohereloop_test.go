package selfcheck

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	cohere "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/client"
	"github.com/cohere-ai/cohere-go/v2/option"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/suite"
)

// TestCohereLoopOverItsClient judges a loop over Cohere's client for Go. Streams are not played: where what has arrived ends
// within a line, the client takes it for the whole line (scannerStreamReader.parse of core/stream.go, which does not look
// whether more comes), so that a stream is read or not as its bytes happen to arrive.
func TestCohereLoopOverItsClient(t *testing.T) {
	result, err := suite.Play(t.Context(), suite.Config{
		Loop: suite.LoopFunc(cohereLoop),
		Seed: 41,
		Claims: suite.Claims{
			Dialects: []string{"cohere-chat"},
			Features: []suite.Feature{suite.ParallelCalls, suite.Reasoning, suite.MultiPrompt, suite.TurnLimit, suite.UsageCounts},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", len(result.Cases))
	if broken := failedRules(result); !slices.Equal(broken, cohereClientBreaks) {
		t.Errorf("breaks   %q\nexpected %q", broken, cohereClientBreaks)
		tell(t, result)
	}
	if len(result.Cases) < 100 {
		t.Errorf("only %d cases were played", len(result.Cases))
	}
}

// cohereClientBreaks are the rules that the loop is known to break.
var cohereClientBreaks = []string{
	"execution/bad-call-survived", // the client cannot write a result that is empty
	"limits/silent-tool-given-up", // the time of the task is given to the client's requests; a tool is waited for
}

// cohereLoop is a loop over the client.
func cohereLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	asks := client.NewClient(option.WithBaseURL(task.BaseURL), option.WithToken(task.APIKey),
		option.WithHTTPClient(&http.Client{Timeout: time.Duration(task.TimeoutMS) * time.Millisecond / 2}))
	asked := &cohere.V2ChatRequest{Model: task.Model}
	if task.System != "" {
		system := &cohere.SystemMessageV2{Content: &cohere.SystemMessageV2Content{String: task.System}}
		asked.Messages = append(asked.Messages, &cohere.ChatMessageV2{Role: "system", System: system})
	}
	for _, tool := range task.Tools {
		offered := &cohere.ToolV2Function{Name: tool.Name, Description: &tool.Description}
		if err := json.Unmarshal(tool.Parameters, &offered.Parameters); err != nil {
			return suite.Outcome{}, err
		}
		asked.Tools = append(asked.Tools, &cohere.ToolV2{Type: cohere.String("function"), Function: offered})
	}
	outcome, used, turns := suite.Outcome{}, suite.Usage{}, 0
	for _, prompt := range task.Prompts {
		user := &cohere.UserMessageV2{Content: &cohere.UserMessageV2Content{String: prompt}}
		asked.Messages = append(asked.Messages, &cohere.ChatMessageV2{Role: "user", User: user})
		for outcome = (suite.Outcome{}); outcome.Status == ""; turns++ {
			if turns == task.MaxTurns {
				return suite.Outcome{Status: suite.Stopped, Reason: "turn limit", Usage: &used}, nil
			}
			said, err := asks.V2.Chat(ctx, asked)
			if err != nil {
				return suite.Outcome{}, err
			}
			used.InputTokens += count(said.Usage.GetTokens().GetInputTokens())
			used.OutputTokens += count(said.Usage.GetTokens().GetOutputTokens())
			outcome = takeCohere(ctx, asked, said, task.Tools)
		}
		if outcome.Status != suite.Completed {
			break
		}
	}
	outcome.Usage = &used
	return outcome, nil
}

func count(tokens *float64) int {
	if tokens == nil {
		return 0
	}
	return int(*tokens)
}

func text(said *string) string {
	if said == nil {
		return ""
	}
	return *said
}

// takeCohere takes an answer into the history and runs its tools. An outcome without a status says
// that the loop goes on.
func takeCohere(ctx context.Context, asked *cohere.V2ChatRequest, said *cohere.V2ChatResponse, tools []suite.Tool) suite.Outcome {
	switch said.FinishReason {
	case "COMPLETE", "TOOL_CALL", "STOP_SEQUENCE":
	case "MAX_TOKENS":
		return suite.Outcome{Status: suite.Stopped, Reason: string(said.FinishReason)}
	default:
		return suite.Outcome{Status: suite.Failed, Error: "the model failed: " + string(said.FinishReason)}
	}
	var answer strings.Builder
	turn := &cohere.AssistantMessage{ToolCalls: said.Message.GetToolCalls(), ToolPlan: said.Message.GetToolPlan()}
	for _, block := range said.Message.GetContent() {
		answer.WriteString(block.GetText().GetText())
		if turn.Content == nil {
			turn.Content = &cohere.AssistantMessageV2Content{}
		}
		back := &cohere.AssistantMessageV2ContentItem{Type: block.Type, Text: block.Text, Thinking: block.Thinking}
		turn.Content.AssistantMessageV2ContentItemList = append(turn.Content.AssistantMessageV2ContentItemList, back)
	}
	if len(turn.ToolCalls) == 0 && strings.TrimSpace(answer.String()) == "" {
		return suite.Outcome{Status: suite.Failed, Error: "the model answered with nothing"}
	}
	asked.Messages = append(asked.Messages, &cohere.ChatMessageV2{Role: "assistant", Assistant: turn})
	if len(turn.ToolCalls) == 0 {
		return suite.Outcome{Status: suite.Completed, Text: answer.String()}
	}
	for _, call := range turn.ToolCalls {
		result, err := runCalled(ctx, tools, text(call.Id), text(call.Function.GetName()), text(call.Function.GetArguments()))
		if err != nil {
			result = "Error: " + err.Error()
		}
		answered := &cohere.ToolMessageV2{ToolCallId: text(call.Id), Content: &cohere.ToolMessageV2Content{String: result}}
		asked.Messages = append(asked.Messages, &cohere.ChatMessageV2{Role: "tool", Tool: answered})
	}
	return suite.Outcome{}
}

// TestCohereReranks: the client reads what /v2/rerank and /v2/embed answer.
func TestCohereReranks(t *testing.T) {
	played, err := profiles.Get("cohere")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Profile: played})
	t.Cleanup(srv.Close)
	asks := client.NewClient(option.WithBaseURL(srv.URL), option.WithToken("any"))
	ranked, err := asks.V2.Rerank(t.Context(), &cohere.V2RerankRequest{Model: "rerank-v4.0-pro", Query: "cat", Documents: []string{"a dog", "a cat"}})
	if err != nil || len(ranked.Results) != 2 || ranked.Results[0].RelevanceScore < ranked.Results[1].RelevanceScore {
		t.Errorf("the client reads %+v, %v", ranked, err)
	}
	floats := []cohere.EmbeddingType{cohere.EmbeddingTypeFloat}
	vectors, err := asks.V2.Embed(t.Context(), &cohere.V2EmbedRequest{Model: "embed-v4.0", Texts: []string{"cat"}, InputType: cohere.EmbedInputTypeSearchQuery, EmbeddingTypes: floats})
	if err != nil || len(vectors.Embeddings.GetFloat()) != 1 {
		t.Errorf("the client reads %+v, %v", vectors, err)
	}
}
