package gemini

import (
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/google"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "gemini"

// API is the dialect.
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Gemini",
	Standard: "gemini-3",
	Models:   google.Models,

	Embeddings: embeddings,
	Endpoint: wire.Endpoint{
		Paths:     paths,
		Operation: "generate_content",
		Env:       "GEMINI",
		URLEnv:    "GOOGLE_GEMINI_BASE_URL",
		Headers:   map[string]string{"Content-Type": "content-type"},
		Telling:   []string{"X-Goog-Api-Key", "X-Goog-Api-Client"},
		Keys:      []string{"X-Goog-Api-Key", "Authorization"},
		KeyInURL:  "key",
	},
	Request: wire.RequestForm{
		Messages:    "contents",
		OutsideList: []string{"systemInstruction", "system_instruction"},
		Prompt: []string{
			"/tools", "/generationConfig/responseSchema", "/generationConfig/responseJsonSchema",
			"/generation_config/response_schema", "/generation_config/response_json_schema",
		},
		Counted:           "generateContentRequest",
		Role:              "role",
		DefaultRole:       defaultRole,
		ResultID:          "id",
		Arguments:         wire.Object,
		Roles:             []string{"user", "model"},
		Foreign:           foreign(),
		ModelInURL:        true,
		ToolName:          64,
		ToolNameMore:      ".:",
		ToolNamedDirectly: true,
		OpenAPISchemas:    true,
		ChosenTool:        chosenTool,
	},
	Images: wire.ImageForm{
		InResults: true,
		Read:      ReadImage,
		Place:     func(part *wire.Node) string { return Place(part) + ".inline_data.data" },
		Data:      "base64 without a prefix",
		Tokens:    258, // https://ai.google.dev/gemini-api/docs/tokens
	},
	Usage: wire.UsageForm{ReasoningApart: true}, // https://ai.google.dev/gemini-api/docs/thinking#pricing
	Reasoning: wire.ReasoningForm{
		ThoughtsAlone: true,
		Wanted:        thoughtsWanted,
		Visible:       func([]wire.ReasoningBlock, *wire.Request) []wire.ReasoningBlock { return nil },
		ReadBlock:     func(*wire.Node) wire.ReasoningBlock { return wire.ReasoningBlock{} },
	},
	Errors: wire.ErrorForm{ // Google reports limits in the errors about them, and in no headers
		RetryDetails: retryDetails,
		WaitMessage:  waitMessage,
		Reading:      &wire.ReadingForm{Finds: foundInReading, Words: badRequest},
		Code:         errorCode,
		Body:         func(said wire.Fields) wire.Fields { return wire.Fields{{Key: "error", Value: said}} },
	},
	Choices: "candidates",
	Abilities: wire.MixedTurns | wire.BlankCalls | wire.NullCalls | wire.RepeatedIDs | wire.SignedCalls | wire.PartsOfAnswers | wire.OwnParts | wire.ShownReasoning | wire.ReadableReasoning | wire.ImageResults |
		wire.FinishWords | wire.FilterFinish | wire.ManyFinishes | wire.PromptFeedback | wire.ApartThoughts | wire.AnswerChoices | wire.DetailedWaits |
		wire.AnyIDs | wire.TextBesideCalls | wire.ReasoningBeside | wire.TextAtFinish | wire.UsageInPieces | wire.OddComments,
	OfGateways: wire.NullCalls | wire.RepeatedIDs,
	Terms: wire.Terms{
		OwnStops: true, Stop: "finishReason", Answers: "candidates", Call: "functionCall", Result: "functionResponse",
		Docs: []string{"ai.google.dev/", "cloud.google.com/vertex-ai/"},
	},
	ReadRequest: read,
	Form:        func() wire.Form { return Form() },
	Likeness:    likeness,
	ReadURL:     readURL,
	ReadAnswer:  ReadAnswer,
	EndsStream:  endsStream,
	NewShape:    func() wire.Shape { return new(Shape) },
	Places:      places,
	Quirks:      Quirks,
	Demands:     Demands,
	TokenCount:  func(tokens int) wire.Fields { return wire.Fields{{Key: "totalTokens", Value: tokens}} },
}

var places = map[string][]string{
	"AnswerPlaces": AnswerPlaces, "CandidatePlaces": CandidatePlaces, "TextPlaces": TextPlaces, "CallPlaces": CallPlaces, "UsagePlaces": UsagePlaces,
}

// keysOfOthers are the keys of requests of other APIs.
const keysOfOthers = `messages max_tokens max_completion_tokens max_output_tokens temperature top_p top_k stream stream_options tool_choice
	parallel_tool_calls system stop stop_sequences user n metadata input instructions response_format reasoning reasoning_effort
	frequency_penalty presence_penalty seed logprobs top_logprobs logit_bias thinking functions function_call extra_body prompt
	previous_response_id anthropic_version max_tokens_to_sample modalities prediction verbosity include truncation text
	config thinking_config thinking_budget response_mime_type response_schema candidate_count response_modalities function_declarations`

// foreign are the keys of requests of other APIs, and of objects in a request of this one, in both
// spellings.
func foreign() []string {
	keys := strings.Fields(keysOfOthers)
	for _, key := range slices.Clone(keys) {
		keys = append(keys, form.Camel(key))
	}
	return keys
}

// get returns the value of a key in either spelling.
func get(n *wire.Node, key string) *wire.Node {
	if v := n.Get(key); v != nil || n == nil {
		return v
	}
	for _, m := range slices.Backward(n.Members) {
		if isSnake(m.Key, key) {
			return m.Value
		}
	}
	return nil
}

// isSnake reports whether a key is another one in the spelling of the protos, without making that.
func isSnake(said, key string) bool {
	at := 0
	for i := range len(key) {
		c := key[i]
		if c >= 'A' && c <= 'Z' {
			if at >= len(said) || said[at] != '_' {
				return false
			}
			at++
			c += 'a' - 'A'
		}
		if at >= len(said) || said[at] != c {
			return false
		}
		at++
	}
	return at == len(said)
}

// readURL reads the model and whether a stream is wanted: as events with alt=sse, and as one JSON
// array without.
func readURL(req *wire.Request, u *url.URL) {
	path := u.Path
	name, method, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":")
	req.Model = name
	req.Stream = method == "streamGenerateContent"
	req.Array = req.Stream && u.Query().Get("alt") != "sse"
}

// endsStream reports whether a chunk says why the model stopped, as the last one does.
func endsStream(payload []byte) bool {
	chunk, err := wire.ParseNode(payload)
	if err != nil {
		return false
	}
	for _, candidate := range firstOf(chunk.Get("candidates")) {
		return candidate.Get("finishReason").Text() != ""
	}
	return chunk.Get("promptFeedback").Get("blockReason") != nil
}

// thoughtsWanted reports whether a request lets the model show its reasoning.
func thoughtsWanted(req *wire.Request) bool {
	return get(get(generationConfig(req), "thinkingConfig"), "includeThoughts").True()
}

func generationConfig(req *wire.Request) *wire.Node { return get(req.Body, "generationConfig") }
