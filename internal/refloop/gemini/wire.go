package gemini

import "encoding/json"

// The types of https://ai.google.dev/api/generate-content, as far as a loop needs them.

type request struct {
	SystemInstruction *instruction `json:"systemInstruction,omitempty"`
	Contents          []content    `json:"contents"`
	Tools             []tools      `json:"tools,omitzero"`
	ToolConfig        *toolConfig  `json:"toolConfig,omitempty"`
	GenerationConfig  config       `json:"generationConfig"`
	ServiceTier       string       `json:"serviceTier,omitempty"`
}

type instruction struct {
	Parts []textPart `json:"parts"`
}

type content struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}

type tools struct {
	Functions []function `json:"functionDeclarations"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parametersJsonSchema,omitempty"`
}

type toolConfig struct {
	Calling calling `json:"functionCallingConfig"`
}

type calling struct {
	Mode string `json:"mode"`
}

type config struct {
	Temperature   *float64 `json:"temperature,omitempty"`
	StopSequences []string `json:"stopSequences,omitempty"`
	Thinking      thinking `json:"thinkingConfig"`

	// The form of the answer: https://ai.google.dev/gemini-api/docs/structured-output
	MediaType string          `json:"responseMimeType,omitempty"`
	Schema    json.RawMessage `json:"responseJsonSchema,omitempty"`
}

type thinking struct {
	Include bool   `json:"includeThoughts,omitempty"`
	Level   string `json:"thinkingLevel,omitempty"`
	Budget  *int   `json:"thinkingBudget,omitempty"`
}

type textPart struct {
	Text string `json:"text"`
}

type responsePart struct {
	Response functionResponse `json:"functionResponse"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
	Parts    []imagePart       `json:"parts,omitempty"`
}

type imagePart struct {
	Data blob `json:"inlineData"`
}

type blob struct {
	MediaType string `json:"mimeType"`
	Data      []byte `json:"data"`
}

// reply is an answer, or a chunk of a stream.
type reply struct {
	ID         string          `json:"responseId"`
	Error      json.RawMessage `json:"error"`
	Candidates []struct {
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		Finish string          `json:"finishReason"`
		Error  json.RawMessage `json:"error"`
	} `json:"candidates"`
	Feedback struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *usage `json:"usageMetadata"`
}

type usage struct {
	Prompt   *int `json:"promptTokenCount"`
	Said     *int `json:"candidatesTokenCount"`
	Thoughts int  `json:"thoughtsTokenCount"`
}

// call is what a part with a call says.
type call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}
