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
	KeptHistory: keptResponses,
	Models:      openai.Models,
	Endpoint: wire.Endpoint{
		Paths:    paths,
		BasePath: "/v1",
		Env:      "OPENAI",
		Socket:   socket,
		Realtime: realtime,
		Headers:  map[string]string{"Content-Type": "content-type"},
		Keys:     []string{"Authorization", "Api-Key"}, // the latter is Azure's
	},
	Request: wire.RequestForm{
		Messages:          "input",
		OutsideList:       []string{"instructions"},
		Prompt:            []string{"/tools", "/text/format"},
		Typed:             true,
		Template:          "prompt",
		Histories:         []string{"previous_response_id", "conversation"},
		Role:              "role",
		ResultsAnywhere:   true,
		ResultID:          "call_id",
		Arguments:         wire.String,
		Roles:             []string{"user", "assistant", "system", "developer"},
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
		Tokens:    openai.ImageTokens,
	},
	Reasoning: wire.ReasoningForm{
		Visible:   visible,
		ReadBlock: ReadBlock,
		Sealed:    compactions,
	},
	Programs:   programs,
	Compaction: compactionForm,
	Errors:     openai.Errors,
	Abilities: wire.MixedTurns | wire.FilterFinish | wire.BigIntegers | wire.TextArguments | wire.BlankCalls | wire.NullCalls | wire.RepeatedIDs | wire.CustomTools | wire.Refusals | wire.PhasesOfTexts | wire.PartsOfAnswers | wire.OwnItems |
		wire.ShownReasoning | wire.ReadableReasoning | wire.ReasoningBlocks | wire.SealedReasoning | wire.ImageResults | wire.Compactions | wire.Programs |
		wire.OpenFinishes | wire.CallPieces | wire.CallIndexes | wire.AnyIDs | wire.EarlyFinishKeys | wire.InterleavedCalls | wire.TypedEvents | wire.StartEvents | wire.StreamComments,
	Terms: wire.Terms{
		OwnStops: true, Stop: "incomplete_details.reason", Call: "function_call", Result: "function_call_output", EndOfTurn: "response.completed",
		Docs: append([]string{"platform.openai.com/docs/api-reference/responses", "platform.openai.com/docs/api-reference/conversations"}, openai.Docs...),
	},
	Form:        func() wire.Form { return Form() },
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
