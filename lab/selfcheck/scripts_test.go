package selfcheck

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
	"google.golang.org/genai"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const sdkScript = `loopproof: 1
embeddings: [{input: cat, vector: [1, 0, 0.5]}]
model:
  - when: {wants-json: true}
    from-schema: true
  - text: 'Yes, sure.'
    logprobs: [{'Yes': -0.1, 'No': -2.4}, {', sure.': -1}]
    annotations: [{url: 'https://a.example/', title: A, of: sure}]
`

// sdkServer plays the script to the SDKs.
func sdkServer(t *testing.T) string {
	t.Helper()
	s, err := scenarios.Parse("sdk.yaml", []byte(sdkScript), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	var all []*profiles.Profile
	for _, name := range []string{"openai", "openai-responses", "anthropic", "vertex"} {
		p, err := profiles.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	srv := engine.NewServer(engine.Config{Profile: all[0], ExtraProfiles: all[1:], Scenarios: []*scenarios.Scenario{s}})
	t.Cleanup(srv.Close)
	return srv.URL
}

// TestScriptsAreReadByOpenAI: the SDK reads the probabilities, the sources, the vectors and the
// answers of a schema that scripts give, whole and streamed.
func TestScriptsAreReadByOpenAI(t *testing.T) {
	ctx := context.Background()
	client := openai.NewClient(option.WithBaseURL(sdkServer(t)+"/v1"), option.WithAPIKey("any"))
	ask := openai.ChatCompletionNewParams{Model: "gpt-4.1", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Sure?")}, Logprobs: openai.Bool(true), TopLogprobs: openai.Int(2)}
	whole, err := client.Chat.Completions.New(ctx, ask)
	if err != nil {
		t.Fatal(err)
	}
	tokens, cited := whole.Choices[0].Logprobs.Content, whole.Choices[0].Message.Annotations
	if len(tokens) != 2 || tokens[0].Token != "Yes" || tokens[0].TopLogprobs[1].Logprob != -2.4 || len(cited) != 1 || cited[0].URLCitation.StartIndex != 5 {
		t.Errorf("the SDK reads %+v and %+v", tokens, cited)
	}
	var streamed []string
	stream := client.Chat.Completions.NewStreaming(ctx, ask)
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			for _, token := range choice.Logprobs.Content {
				streamed = append(streamed, token.Token)
			}
		}
	}
	if stream.Err() != nil || !slices.Equal(streamed, []string{"Yes", ", sure."}) {
		t.Errorf("streamed are %q, %v", streamed, stream.Err())
	}
	answer, err := client.Responses.New(ctx, responses.ResponseNewParams{
		Model: "gpt-4.1", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("Sure?")},
		Include: []responses.ResponseIncludable{responses.ResponseIncludableMessageOutputTextLogprobs}, TopLogprobs: openai.Int(2),
	})
	if err != nil {
		t.Fatal(err)
	}
	part := answer.Output[len(answer.Output)-1].Content[0]
	if len(part.Logprobs) != 2 || part.Logprobs[1].Token != ", sure." || len(part.Annotations) != 1 || part.Annotations[0].URL != "https://a.example/" {
		t.Errorf("the SDK reads %+v", part)
	}
	vectors, err := client.Embeddings.New(ctx, openai.EmbeddingNewParams{Model: "m", Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"cat"}}})
	if err != nil || !slices.Equal(vectors.Data[0].Embedding, []float64{1, 0, 0.5}) {
		t.Errorf("the SDK reads %+v, %v", vectors, err)
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"}, "additionalProperties": false}
	ask.Logprobs, ask.TopLogprobs = openai.Bool(false), openai.ChatCompletionNewParams{}.TopLogprobs
	ask.ResponseFormat = openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
		JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "City", Strict: openai.Bool(true), Schema: schema},
	}}
	formed, err := client.Chat.Completions.New(ctx, ask)
	var city struct{ City string }
	if err != nil || json.Unmarshal([]byte(formed.Choices[0].Message.Content), &city) != nil || city.City != "city" {
		t.Errorf("the SDK reads %+v, %v", formed, err)
	}
}

// TestScriptsAreReadByAnthropic: the SDK reads the sources of a text, whole and streamed.
func TestScriptsAreReadByAnthropic(t *testing.T) {
	client := anthropic.NewClient(anthropicoption.WithBaseURL(sdkServer(t)), anthropicoption.WithAPIKey("any"))
	ask := anthropic.MessageNewParams{Model: "claude", MaxTokens: 99, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Sure?"))}}
	whole, err := client.Messages.New(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	var streamed anthropic.Message
	stream := client.Messages.NewStreaming(context.Background(), ask)
	for stream.Next() {
		if err := streamed.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []anthropic.Message{*whole, streamed} {
		if cited := m.Content[0].Citations; m.Content[0].Text != "Yes, sure." || len(cited) != 1 || cited[0].URL != "https://a.example/" || cited[0].CitedText != "sure" {
			t.Errorf("the SDK reads %+v", m.Content[0])
		}
	}
}

// TestScriptsAreReadByGenAI: Google's SDK reads the probabilities and the sources, whole and
// streamed.
func TestScriptsAreReadByGenAI(t *testing.T) {
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{APIKey: "any", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: sdkServer(t)}})
	if err != nil {
		t.Fatal(err)
	}
	ask, config := genai.Text("Sure?"), &genai.GenerateContentConfig{ResponseLogprobs: true, Logprobs: genai.Ptr[int32](2)}
	text, tokens := "", []string{}
	read := func(r *genai.GenerateContentResponse) {
		text += r.Text()
		if result := r.Candidates[0].LogprobsResult; result != nil {
			for _, chosen := range result.ChosenCandidates {
				tokens = append(tokens, chosen.Token)
			}
		}
		if grounding := r.Candidates[0].GroundingMetadata; grounding != nil {
			text += " " + grounding.GroundingChunks[0].Web.URI + " " + grounding.GroundingSupports[0].Segment.Text + ";"
		}
	}
	whole, err := client.Models.GenerateContent(ctx, "gemini-2.5-flash", ask, config)
	if err != nil {
		t.Fatal(err)
	}
	read(whole)
	for piece, err := range client.Models.GenerateContentStream(ctx, "gemini-2.5-flash", ask, config) {
		if err != nil {
			t.Fatal(err)
		}
		read(piece)
	}
	const want = "Yes, sure. https://a.example/ sure;"
	if text != strings.Repeat(want, 2) || !slices.Equal(tokens, []string{"Yes", ", sure.", "Yes", ", sure."}) {
		t.Errorf("the SDK reads %q, %q", text, tokens)
	}
}
