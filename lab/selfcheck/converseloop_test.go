package selfcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/loopproof/loopproof/suite"
)

// TestConverseLoopOverTheSDK judges a loop over AWS's SDK for Go, which checks the length and the
// checksums of each message of a stream, and reads answers and exceptions by its service model. It
// signs its requests, which the server takes without a check; bearer tokens, which the reference loop
// sends, the SDK sends over TLS alone.
func TestConverseLoopOverTheSDK(t *testing.T) {
	result, err := suite.Play(t.Context(), suite.Config{
		Loop: suite.LoopFunc(converseLoop),
		Seed: 41,
		Claims: suite.Claims{
			Dialects: []string{"converse"}, Profiles: []string{"bedrock-claude", "bedrock-nova"},
			Features: []suite.Feature{suite.Streaming, suite.ParallelCalls, suite.Reasoning, suite.MultiPrompt, suite.TurnLimit, suite.Retries},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", len(result.Cases))
	if broken := failedRules(result); !slices.Equal(broken, converseSDKBreaks) {
		t.Errorf("breaks   %q\nexpected %q", broken, converseSDKBreaks)
		tell(t, result)
	}
	if len(result.Cases) < 300 {
		t.Errorf("only %d cases were played", len(result.Cases))
	}
}

// converseSDKBreaks are the rules that the loop is known to break.
var converseSDKBreaks = []string{
	"failure/redirect-followed",   // the SDK follows none
	"limits/silent-tool-given-up", // the time of the task is given to the SDK's requests; a tool is waited for
}

// converseLoop is a loop over the SDK's client.
func converseLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	client := bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1", BaseEndpoint: &task.BaseURL,
		HTTPClient: &http.Client{Timeout: time.Duration(task.TimeoutMS) * time.Millisecond / 2, Transport: readBodies{}},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "any", SecretAccessKey: "any"}, nil
		}),
	})
	asked := &bedrockruntime.ConverseInput{
		ModelId:                      &task.Model,
		AdditionalModelRequestFields: document.NewLazyDocument(map[string]any{"thinking": map[string]any{"type": "adaptive"}}),
	}
	if task.System != "" {
		asked.System = []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: task.System}}
	}
	for _, tool := range task.Tools {
		var schema map[string]any
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			return suite.Outcome{}, err
		}
		if asked.ToolConfig == nil {
			asked.ToolConfig = &types.ToolConfiguration{}
		}
		asked.ToolConfig.Tools = append(asked.ToolConfig.Tools, &types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: &tool.Name, Description: &tool.Description, InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(schema)},
		}})
	}
	var outcome suite.Outcome
	turns := 0
	for _, prompt := range task.Prompts {
		asked.Messages = append(asked.Messages, types.Message{Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: prompt}}})
		for outcome = (suite.Outcome{}); outcome.Status == ""; turns++ {
			if turns == task.MaxTurns {
				return suite.Outcome{Status: suite.Stopped, Reason: "turn limit"}, nil
			}
			said, stop, err := converseOnce(ctx, client, asked, task.Stream)
			if err != nil {
				return suite.Outcome{}, err
			}
			outcome = takeConverse(ctx, asked, said, stop, task.Tools)
		}
		if outcome.Status != suite.Completed {
			break
		}
	}
	return outcome, nil
}

// converseOnce asks for one answer. What a stream begins, its messageStop ends.
func converseOnce(ctx context.Context, client *bedrockruntime.Client, asked *bedrockruntime.ConverseInput, streamed bool) ([]types.ContentBlock, types.StopReason, error) {
	if !streamed {
		said, err := client.Converse(ctx, asked)
		if err != nil {
			return nil, "", err
		}
		message, is := said.Output.(*types.ConverseOutputMemberMessage)
		if !is {
			return nil, "", errors.New("an answer without a message")
		}
		return message.Value.Content, said.StopReason, nil
	}
	said, err := client.ConverseStream(ctx, &bedrockruntime.ConverseStreamInput{
		ModelId: asked.ModelId, Messages: asked.Messages, System: asked.System, ToolConfig: asked.ToolConfig, AdditionalModelRequestFields: asked.AdditionalModelRequestFields,
	})
	if err != nil {
		return nil, "", err
	}
	stream := said.GetStream()
	defer stream.Close()
	whole := &converseBlocks{}
	for event := range stream.Events() {
		whole.add(event)
	}
	if err := stream.Err(); err != nil {
		return nil, "", err
	}
	if whole.stop == "" {
		return nil, "", errors.New("the stream ended before the message did")
	}
	return whole.content(), whole.stop, nil
}

// readBodies sends requests whose bodies can be read, and not written by themselves. smithy-go 1.28.9 closes
// a body when the head of the response is there. On a busy machine net/http may not have looked for its
// end by then, asks it to write what is left, and is told io.EOF, which no WriterTo returns: it closes the
// connection from which the response is being read.
type readBodies struct{}

func (readBodies) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil && req.Body != http.NoBody {
		req = req.Clone(req.Context())
		req.Body = struct{ io.ReadCloser }{req.Body}
	}
	return http.DefaultTransport.RoundTrip(req)
}

// TestSmithyClosesBodies fails when readBodies is needed no longer.
func TestSmithyClosesBodies(t *testing.T) {
	sent, err := smithyhttp.NewStackRequest().(*smithyhttp.Request).SetStream(strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	body := sent.Build(t.Context()).Body
	body.Close()
	if _, err := io.Copy(io.Discard, body); !errors.Is(err, io.EOF) {
		t.Errorf("a closed body is copied with the error %v: send requests as they are", err)
	}
}

// converseBlocks are the blocks of a stream, put together.
type converseBlocks struct {
	all  []*converseBlock
	stop types.StopReason
}

type converseBlock struct {
	index                    int32
	call                     *types.ToolUseBlockStart
	text, input, thought, by string
	sealed                   []byte
}

func (c *converseBlocks) at(index *int32) *converseBlock {
	for _, b := range c.all {
		if b.index == aws.ToInt32(index) {
			return b
		}
	}
	b := &converseBlock{index: aws.ToInt32(index)}
	c.all = append(c.all, b)
	return b
}

func (c *converseBlocks) add(event types.ConverseStreamOutput) {
	switch e := event.(type) {
	case *types.ConverseStreamOutputMemberContentBlockStart:
		if start, is := e.Value.Start.(*types.ContentBlockStartMemberToolUse); is {
			c.at(e.Value.ContentBlockIndex).call = &start.Value
		}
	case *types.ConverseStreamOutputMemberContentBlockDelta:
		b := c.at(e.Value.ContentBlockIndex)
		switch delta := e.Value.Delta.(type) {
		case *types.ContentBlockDeltaMemberText:
			b.text += delta.Value
		case *types.ContentBlockDeltaMemberToolUse:
			b.input += aws.ToString(delta.Value.Input)
		case *types.ContentBlockDeltaMemberReasoningContent:
			switch thought := delta.Value.(type) {
			case *types.ReasoningContentBlockDeltaMemberText:
				b.thought += thought.Value
			case *types.ReasoningContentBlockDeltaMemberSignature:
				b.by += thought.Value
			case *types.ReasoningContentBlockDeltaMemberRedactedContent:
				b.sealed = append(b.sealed, thought.Value...)
			}
		}
	case *types.ConverseStreamOutputMemberMessageStop:
		c.stop = e.Value.StopReason
	}
}

func (c *converseBlocks) content() (all []types.ContentBlock) {
	for _, b := range c.all {
		switch {
		case b.call != nil:
			all = append(all, &types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{Name: b.call.Name, ToolUseId: b.call.ToolUseId, Input: document.NewLazyDocument(inputOf(b.input))}})
		case b.sealed != nil:
			all = append(all, &types.ContentBlockMemberReasoningContent{Value: &types.ReasoningContentBlockMemberRedactedContent{Value: b.sealed}})
		case b.thought+b.by != "":
			said := types.ReasoningTextBlock{Text: &b.thought}
			if b.by != "" {
				said.Signature = &b.by
			}
			all = append(all, &types.ContentBlockMemberReasoningContent{Value: &types.ReasoningContentBlockMemberReasoningText{Value: said}})
		default:
			all = append(all, &types.ContentBlockMemberText{Value: b.text})
		}
	}
	return all
}

// notAnInput is the key under which what is no object goes back, for the model to see.
const notAnInput = "INVALID_JSON"

func inputOf(written string) map[string]any {
	if strings.TrimSpace(written) == "" {
		return map[string]any{}
	}
	numbers := json.NewDecoder(strings.NewReader(written))
	numbers.UseNumber()
	var object map[string]any
	if err := numbers.Decode(&object); err != nil || object == nil || numbers.More() {
		return map[string]any{notAnInput: written}
	}
	return exact(object).(map[string]any)
}

// exact makes numbers those of the SDK's documents, which would write others as texts.
func exact(value any) any {
	switch v := value.(type) {
	case json.Number:
		return smithydocument.Number(v)
	case map[string]any:
		for key := range v {
			v[key] = exact(v[key])
		}
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	}
	return value
}

// takeConverse takes an answer into the history and runs its tools. An outcome without a status says
// that the loop goes on.
func takeConverse(ctx context.Context, asked *bedrockruntime.ConverseInput, said []types.ContentBlock, stop types.StopReason, tools []suite.Tool) suite.Outcome {
	if stop != types.StopReasonEndTurn && stop != types.StopReasonToolUse && stop != types.StopReasonStopSequence {
		return suite.Outcome{Status: suite.Stopped, Reason: string(stop)}
	}
	var text strings.Builder
	var back, results []types.ContentBlock
	for _, block := range said {
		switch b := block.(type) {
		case *types.ContentBlockMemberText:
			if text.WriteString(b.Value); strings.TrimSpace(b.Value) == "" {
				continue // which is refused
			}
		case *types.ContentBlockMemberToolUse:
			results = append(results, runConverse(ctx, b.Value, tools))
		}
		back = append(back, block)
	}
	if len(back) == 0 {
		return suite.Outcome{Status: suite.Failed, Error: "the model answered with nothing"}
	}
	asked.Messages = append(asked.Messages, types.Message{Role: types.ConversationRoleAssistant, Content: back})
	if len(results) > 0 {
		asked.Messages = append(asked.Messages, types.Message{Role: types.ConversationRoleUser, Content: results})
		return suite.Outcome{}
	}
	if strings.TrimSpace(text.String()) == "" {
		return suite.Outcome{Status: suite.Failed, Error: "the model answered with nothing"}
	}
	return suite.Outcome{Status: suite.Completed, Text: text.String()}
}

func runConverse(ctx context.Context, call types.ToolUseBlock, tools []suite.Tool) types.ContentBlock {
	written, err := call.Input.MarshalSmithyDocument()
	var result string
	switch {
	case err != nil:
	case strings.Contains(string(written), notAnInput):
		err = errors.New("the input is not a JSON object")
	default:
		result, err = runCalled(ctx, tools, *call.ToolUseId, *call.Name, string(written))
	}
	answer := types.ToolResultBlock{ToolUseId: call.ToolUseId}
	if err != nil {
		answer.Status, result = types.ToolResultStatusError, fmt.Sprint("Error: ", err)
	}
	answer.Content = []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: result}}
	return &types.ContentBlockMemberToolResult{Value: answer}
}
