package engine_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/respjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/wire"
)

const weather = `
prompt: Compare Oslo and Lima.
tools:
  get_weather: {parameters: {city: string}, results: [{when: {city: Oslo}, text: 4 °C}, {when: {city: Lima}, text: 19 °C}]}
model:
  - text: One moment.
    calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    stream: {interleaved: true}
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: Lima is warmer, by 15 °C 🌡️.
`

// The official client for Go reads every answer, whole or streamed, and finds in it all that it
// requires and nothing that it does not know.
func TestOfficialClient(t *testing.T) {
	for _, d := range wire.Deliveries() {
		t.Run(string(d), func(t *testing.T) {
			srv := start(t, engine.Config{})
			run, base := begin(t, srv, weather, engine.RunConfig{Delivery: d})
			client := openai.NewClient(option.WithBaseURL(base+"/v1"), option.WithAPIKey("key"), option.WithMaxRetries(0))
			params := openai.ChatCompletionNewParams{Model: "gpt-4o", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Compare Oslo and Lima.")}}
			var said []string
			for range run.Script().Turns {
				turn := complete(t, client, params, d.Streams())
				message := turn.Choices[0].Message
				said = append(said, message.Content)
				params.Messages = append(params.Messages, message.ToParam())
				for _, c := range message.ToolCalls {
					said = append(said, c.Function.Name+c.Function.Arguments)
					params.Messages = append(params.Messages, openai.ToolMessage("4 °C", c.ID))
				}
				said = append(said, turn.Choices[0].FinishReason)
			}
			want := []string{
				"One moment.", `get_weather{"city":"Oslo"}`, `get_weather{"city":"Lima"}`, "tool_calls",
				"", `get_weather{"city":"Oslo"}`, "tool_calls",
				"Lima is warmer, by 15 °C 🌡️.", "stop",
			}
			if diff := cmp.Diff(want, said); diff != "" {
				t.Errorf("the client read (-want +got):\n%s", diff)
			}
			exchanges, _ := run.Record()
			for _, x := range exchanges {
				if x.Refusal != nil {
					t.Errorf("request %d of the client is refused: %+v", x.Number, x.Refusal)
				}
			}
		})
	}
}

// complete gets one turn and checks what it was made of.
func complete(t *testing.T, client openai.Client, params openai.ChatCompletionNewParams, stream bool) openai.ChatCompletion {
	t.Helper()
	if !stream {
		whole, err := client.Chat.Completions.New(context.Background(), params)
		if err != nil {
			t.Fatal(err)
		}
		checkFields(t, "", reflect.ValueOf(*whole))
		return *whole
	}
	params.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
	chunks := client.Chat.Completions.NewStreaming(context.Background(), params)
	defer chunks.Close()
	var together openai.ChatCompletionAccumulator
	for chunks.Next() {
		chunk := chunks.Current()
		checkFields(t, "", reflect.ValueOf(chunk))
		if !together.AddChunk(chunk) {
			t.Fatalf("the client cannot add the chunk %s", chunk.RawJSON())
		}
	}
	if err := chunks.Err(); err != nil {
		t.Fatal(err)
	}
	if together.Usage.TotalTokens == 0 {
		t.Error("no token was counted")
	}
	return together.ChatCompletion
}

// checkFields reports keys that the client does not know, and those that it requires and misses, in
// v and all in it.
func checkFields(t *testing.T, at string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			checkFields(t, at, v.Index(i))
		}
	case reflect.Struct:
		if oneOf := v.MethodByName("AsAny"); oneOf.IsValid() { // a union: the kind that was sent
			checkFields(t, at, oneOf.Call(nil)[0].Elem())
			return
		}
		if sent := v.FieldByName("JSON"); sent.IsValid() {
			checkKeys(t, at, v, sent)
		}
	}
}

// checkKeys checks an object of the client. sent holds what was sent for each of its fields.
func checkKeys(t *testing.T, at string, v, sent reflect.Value) {
	t.Helper()
	for key, field := range sent.FieldByName("ExtraFields").Interface().(map[string]respjson.Field) {
		t.Errorf("the client does not know %s/%s: %s", at, key, field.Raw())
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		field := sent.FieldByName(f.Name)
		if !field.IsValid() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch raw := field.Interface().(respjson.Field).Raw(); {
		case raw == "" && f.Tag.Get("api") == "required":
			t.Errorf("the client misses %s/%s", at, name)
		case raw != "" && raw != "null":
			checkFields(t, at+"/"+name, v.Field(i))
		}
	}
}

// The client reports an error of the provider with its status and words, also from the middle of a
// stream.
func TestOfficialClientReadsErrors(t *testing.T) {
	srv := start(t, engine.Config{})
	_, base := begin(t, srv, `
model:
  - status: 429
    error: {message: Too many., type: tokens, code: rate_limit_exceeded}
  - text: One two three.
    in-band-error: {after: 2 events, error: {message: Fell over., type: server_error}}
`, engine.RunConfig{})
	client := openai.NewClient(option.WithBaseURL(base+"/v1"), option.WithAPIKey("key"), option.WithMaxRetries(0))
	params := openai.ChatCompletionNewParams{Model: "gpt-4o", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Go.")}}
	_, err := client.Chat.Completions.New(context.Background(), params)
	var refused *openai.Error
	if !errors.As(err, &refused) || refused.StatusCode != 429 || refused.Message != "Too many." || refused.Code != "rate_limit_exceeded" || refused.Type != "tokens" {
		t.Errorf("the error is %v", err)
	}
	chunks := client.Chat.Completions.NewStreaming(context.Background(), params)
	defer chunks.Close()
	count := 0
	for chunks.Next() {
		count++
	}
	if err := chunks.Err(); count != 2 || err == nil || !strings.Contains(err.Error(), "Fell over.") {
		t.Errorf("after %d chunks the error is %v", count, err)
	}
}
