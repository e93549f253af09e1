package responses

import (
	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "responses"

// API is the dialect.
var API = &wire.Dialect{
	Name:        Dialect,
	Title:       "Responses",
	Standard:    "openai-responses",
	KeptHistory: stored,
	Models:      openai.Models,
	Endpoint: wire.Endpoint{
		Paths:    paths,
		BasePath: "/v1",
		Env:      "OPENAI",
		Socket:   socket,
		Headers:  map[string]string{"Content-Type": "content-type"},
		Keys:     []string{"Authorization", "Api-Key"}, // the latter is Azure's
	},
	Request: wire.RequestForm{
		Messages:          "input",
		OutsideList:       []string{"instructions"},
		Typed:             true,
		Template:          "prompt",
		Histories:         []string{"previous_response_id", "conversation"},
		Role:              "role",
		ResultsAnywhere:   true,
		ResultID:          "call_id",
		Arguments:         wire.String,
		Roles:             []string{"user", "assistant", "system", "developer"},
		Keys:              requestKeys,
		Values:            valueForms,
		Parameters:        parameters,
		OptionKeys:        optionKeys,
		ToolName:          64,
		ToolNamedDirectly: true,
		ToolsMayBeEmpty:   true, // every response says so itself; OpenAI's own Agents SDKs send it
		ChosenTool:        chosenTool,
		IDsDistinct:       true,
	},
	Images: wire.ImageForm{
		InResults: true,
		Read:      ReadImage,
		Place:     imagePlace,
		Data:      "a data URL such as data:image/png;base64,iVBORw0",
	},
	Reasoning: wire.ReasoningForm{
		Visible:   visible,
		ReadBlock: ReadBlock,
		Sealed:    compactions,
	},
	Errors: openai.Errors,
	Speech: wire.Speech{Refusals: true, Interleaved: true, OwnFinishes: true},
	Terms: wire.Terms{
		Stop: "incomplete_details.reason", Call: "function_call", Result: "function_call_output", EndOfTurn: "response.completed",
		Docs: append([]string{"platform.openai.com/docs/api-reference/responses", "platform.openai.com/docs/api-reference/conversations"}, openai.Docs...),
	},
	ReadRequest: read,
	Likeness:    likeness,
	ReadAnswer:  ReadAnswer,
	EndsStream:  endsStream,
	NewShape:    func() wire.Shape { return new(Shape) },
	Places:      places,
	Quirks:      Quirks,
	Demands:     Demands,
	Repeated:    repeatedKeys(),
	TokenCount: func(tokens int) wire.Fields {
		return wire.Fields{{Key: "object", Value: "response.input_tokens"}, {Key: "input_tokens", Value: tokens}}
	},
}

var places = map[string][]string{
	"AnswerPlaces": AnswerPlaces, "MessagePlaces": MessagePlaces, "TextPlaces": TextPlaces, "CallPlaces": CallPlaces,
	"ReasoningPlaces": ReasoningPlaces, "UsagePlaces": UsagePlaces,
}

// requestKeys are the keys of a request in OpenAI's reference: CreateResponse of openai-openapi at f85dbe2. Alongside them are
// client_metadata, which OpenAI's own Codex sends with each request (codex-rs/codex-api/src/common.rs of openai/codex), and the two
// penalties, which are in the reference of Open Responses, and of which OpenAI's API checks the types.
var requestKeys = []string{
	"access_programs", "background", "background_options", "client_metadata", "context_management", "conversation", "frequency_penalty", "image", "include",
	"input", "instructions", "max_output_tokens", "max_tool_calls", "metadata",
	"model", "moderation", "parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt", "prompt_cache_key", "prompt_cache_options",
	"prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store", "stream", "stream_options", "temperature", "text",
	"tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user",
}

// parameters are the types of keys of a request in the same reference.
var parameters = map[string]wire.ParameterType{
	"temperature": wire.ANumber, "top_p": wire.ANumber, "frequency_penalty": wire.ANumber, "presence_penalty": wire.ANumber, "max_output_tokens": wire.APositive, "max_tool_calls": wire.AWholeNumber,
	"top_logprobs": wire.AWholeNumber, "stream": wire.AFlag, "store": wire.AFlag, "background": wire.AFlag, "parallel_tool_calls": wire.AFlag,
	"include": wire.AList, "user": wire.AText, "safety_identifier": wire.AText, "prompt_cache_key": wire.AText,
	"previous_response_id": wire.AText, "text": wire.AnObject, "prompt": wire.AnObject, "moderation": wire.AnObject,
	"stream_options": wire.AnObject, "tools": wire.AnyList, "context_management": wire.AnyList,
}

// optionKeys are the keys of objects in a request that have no others. generate_summary is a deprecated one, which newer models do
// not take.
var optionKeys = map[string][]string{
	"reasoning":            {"context", "effort", "generate_summary", "mode", "summary"},
	"text":                 {"format", "verbosity"},
	"prompt_cache_options": {"comparison_response_id", "mode", "prewarm", "ttl"},
}

func endsStream(payload []byte) bool {
	if string(payload) == Done {
		return true
	}
	e, err := wire.ParseNode(payload)
	if err != nil {
		return false
	}
	switch e.Get("type").Text() {
	case "response.completed", "response.incomplete", "response.failed", "error":
		return true
	default:
		return false
	}
}

// visible returns the items of reasoning as an answer to a request shows them.
func visible(blocks []wire.ReasoningBlock, req *wire.Request) []wire.ReasoningBlock {
	var seen []wire.ReasoningBlock
	for _, t := range thoughts(&wire.Answer{Details: blocks}) {
		b := wire.ReasoningBlock{Type: wire.BlockText}
		for _, text := range t.texts {
			b.Text += text
		}
		if encryptionWanted(WhenIncluded, req) {
			b.Data = t.encrypted
		}
		seen = append(seen, b)
	}
	return seen
}
