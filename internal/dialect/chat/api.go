package chat

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "chat"

// API is the dialect.
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Chat Completions",
	Standard: "openai",
	Models:   openai.Models,
	Endpoint: wire.Endpoint{
		Paths:    paths,
		BasePath: "/v1",
		Env:      "OPENAI",
		Headers:  map[string]string{"Content-Type": "content-type"},
		Keys:     []string{"Authorization", "Api-Key"}, // the latter is Azure's
	},
	Request: wire.RequestForm{
		Messages:        "messages",
		Prompt:          []string{"/tools", "/functions", "/response_format"},
		Role:            "role",
		ResultID:        "tool_call_id",
		Arguments:       wire.String,
		Roles:           []string{"system", "developer", "user", "assistant", "tool", "function"},
		ReasoningFields: ReasoningFields,
		ToolName:        64,
		ChosenTool:      chosenTool,
	},
	Images: wire.ImageForm{
		Read:  ReadImage,
		Place: imagePlace,
		Data:  "a data URL such as data:image/png;base64,iVBORw0",

		Tokens: openai.ImageTokens,
	},
	Errors:  openai.Errors,
	Choices: "choices",
	Abilities: wire.MixedTurns | wire.BigIntegers | wire.TextArguments | wire.BlankCalls | wire.NullCalls | wire.RepeatedIDs | wire.SignedCalls | wire.Refusals |
		wire.ShownReasoning | wire.ReadableReasoning | wire.ReasoningBlocks | wire.SealedReasoning | wire.ReasoningNames | wire.ImageResults |
		wire.FinishWords | wire.FilterFinish | wire.CallsFinish | wire.LooseFinish | wire.OpenFinishes | wire.AnswerChoices |
		wire.CallPieces | wire.CallDeltas | wire.CallIndexes | wire.AnyIDs | wire.CallTypes | wire.CallLists | wire.InterleavedCalls |
		wire.TextBesideCalls | wire.ReasoningBeside | wire.TextAtFinish | wire.EarlyFinishKeys | wire.LooseRoles | wire.UsageInPieces |
		wire.EndMark | wire.StreamComments,
	Terms: wire.Terms{
		Stop: "finish_reason", Answers: "choices", Call: "tool_calls", Result: "tool_call_id", EndOfTurn: Done,
		Docs: append([]string{"platform.openai.com/docs/api-reference/chat"}, openai.Docs...),
	},
	Form:        func() wire.Form { return Form() },
	ReadRequest: read,
	ReadURL:     readURL,
	Doors:       []*wire.Door{deployments, openapi},
	Likeness:    likeness,
	ReadAnswer:  ReadAnswer,
	EndsStream:  func(payload []byte) bool { return string(payload) == Done },
	NewShape:    func() wire.Shape { return new(Shape) },
	Places: map[string][]string{
		"AnswerPlaces": AnswerPlaces, "CallPlaces": CallPlaces, "UsagePlaces": UsagePlaces,
		"ChunkPlaces": ChunkPlaces, "ChoicePlaces": ChoicePlaces, "DeltaPlaces": DeltaPlaces,
	},
	Quirks:      Quirks,
	Demands:     Demands,
	UsageWanted: UsageWanted,
}

// deployments is where Azure has each deployment of a model, with the version of the API in the query. Under this one it
// answers that it has no such resource: https://github.com/openai/openai-python/issues/362
var deployments = &wire.Door{Name: "deployments", Title: "Azure's deployments", Query: "api-version", Never: []string{"2022-12-01"}}

// openapi is where Vertex AI has models of many publishers.
var openapi = &wire.Door{Name: "openapi", Title: "Vertex AI"}

// readURL takes the deployment of Azure for the model of a request that names none.
func readURL(req *wire.Request, u *url.URL) {
	_, deployment, is := strings.Cut(u.Path, "/openai/deployments/")
	if !is {
		if strings.HasSuffix(u.Path, "/endpoints/openapi/chat/completions") {
			req.Door = openapi
		}
		return
	}
	req.Door, req.Version = deployments, u.Query().Get(deployments.Query)
	if req.Model == "" {
		req.Model, _, _ = strings.Cut(deployment, "/")
	}
}

// UsageWanted reports whether a request for a stream asks for the usage chunk.
func UsageWanted(req *wire.Request) bool {
	return req.Body.Get("stream_options").Get("include_usage").True()
}

func chosenTool(req *wire.Request) *wire.Node {
	return req.Body.Get("tool_choice").Get("function").Get("name")
}

// imagePlace returns messages[3].content[1].image_url.url, as OpenAI writes it.
func imagePlace(part *wire.Node) string {
	steps := strings.Split(strings.TrimPrefix(part.Pointer(), "/"), "/")
	return fmt.Sprintf("messages[%s].content[%s].image_url.url", steps[1], steps[len(steps)-1])
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape {
	c := *s
	c.Finish = maps.Clone(s.Finish)
	return &c
}

// Traits returns what answers of the provider can show.
func (s *Shape) Traits() wire.Traits {
	return wire.Traits{
		Reasoning:          s.ReasoningField != "" || s.ReasoningInContent,
		ReasoningBlocks:    s.ReasoningDetails,
		ReasoningField:     s.ReasoningField,
		ReasoningInContent: s.ReasoningInContent,
		CallSignature:      s.CallSignature,
		Refusals:           s.Answer.Has("refusal"),
		UsageWhenAsked:     s.Chunks.Usage == UsageWhenAsked,
		Finish:             s.Finish,
	}
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
	c.Expect(!s.ReasoningDetails || s.ReasoningField != "", "/reasoning-details", "a provider that shows blocks of reasoning has a reasoning-field too")
	signed := len(s.CallSignature) > 0
	c.Expect(signed == s.Call.Has("extra"), "/call", "a call has the place $extra where call-signature says what fills it, and only there")
	s.Chunks.check(c, signed, s.ReasoningField != "")
}

func (s *StreamShape) check(c wire.ShapeChecker, signed, reasons bool) {
	c.Expect(signed == s.Call.Has("extra"), "/stream/call", "a call has the place $extra where call-signature says what fills it, and only there")
	c.Template("/stream/prelude", s.Prelude, false, ChunkPlaces)
	c.Template("/stream/first-chunk", s.FirstChunk, false, ChunkPlaces)
	c.Template("/stream/finish-chunk", s.FinishChunk, false, ChunkPlaces)
	c.Template("/stream/fragment", s.Fragment, false, CallPlaces)
	c.Word("/stream/arguments", "form of the arguments", string(cmp.Or(s.Arguments, ArgumentsInFragments)), wire.Words(ArgumentsForms()))
	c.Template("/stream/chunk", s.Chunk, true, ChunkPlaces)
	c.Template("/stream/choice", s.Choice, true, ChoicePlaces)
	c.Template("/stream/opening", s.Opening, false, DeltaPlaces)
	c.Template("/stream/opening-of-calls", s.OpeningOfCalls, false, DeltaPlaces)
	c.Template("/stream/text", s.Text, true, DeltaPlaces)
	c.Template("/stream/reasoning", s.Reasoning, reasons, DeltaPlaces)
	c.Template("/stream/calls", s.Calls, true, DeltaPlaces)
	c.Template("/stream/call", s.Call, true, CallPlaces)
	c.Template("/stream/end", s.End, true, DeltaPlaces)
	c.Template("/stream/again", s.Again, s.Usage == UsageAgain, DeltaPlaces)
	c.Word("/stream/usage", "place of the token counts", string(s.Usage), wire.Words(UsageChunks()))
}
