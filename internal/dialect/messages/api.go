package messages

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "messages"

// API is the dialect.
var API = &wire.Dialect{
	Name:        Dialect,
	Title:       "Messages",
	Standard:    "anthropic",
	KeptHistory: threads,
	Models:      wire.ModelsForm{List: modelList, One: model, Unknown: func(name string) (string, string, string) { return "model: " + name, "not_found_error", "" }},
	Endpoint: wire.Endpoint{
		Paths:   paths,
		Env:     "ANTHROPIC",
		Headers: map[string]string{"Content-Type": "content-type", "Anthropic-Version": "anthropic-version", "Anthropic-Beta": "anthropic-beta"},
		Telling: []string{"Anthropic-Version"},
		Keys:    []string{"X-Api-Key", "Authorization"},
	},
	Request: wire.RequestForm{
		Messages:          "messages",
		Role:              "role",
		OutsideList:       []string{"system"},
		Prompt:            []string{"/tools", "/output_config/format", "/output_format"},
		RolesJoin:         true,
		ResultID:          "tool_use_id",
		Arguments:         wire.Object,
		Roles:             []string{"user", "assistant", "system"},
		Withdrawn:         withdrawn,
		Limit:             "max_tokens",
		ToolName:          128,
		ToolNamedDirectly: true,
		ChosenTool:        chosenTool,
		FailureFlag:       true,
	},
	Images: wire.ImageForm{
		InResults: true,
		Types:     []string{"image/jpeg", "image/png", "image/gif", "image/webp"},
		Read:      ReadImage,
		Place:     func(block *wire.Node) string { return PlaceOfBlock(block) + ".image.source.base64" },
		Data:      "base64 without a prefix",
		Tokens:    1334, // of 1000 by 1000 pixels: https://platform.claude.com/docs/en/build-with-claude/vision
	},
	Usage: wire.UsageForm{CachedApart: true}, // https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
	Reasoning: wire.ReasoningForm{
		InBlocks:  true,
		Wanted:    ThinkingWanted,
		Visible:   visible,
		ReadBlock: readThinking,
	},
	Compaction: compactionForm,
	Programs:   programs,
	Errors: wire.ErrorForm{
		Types: map[string]string{
			"string": "a valid string", "integer": "a valid integer", "number": "a valid number", "boolean": "a valid boolean", "array": "a valid array", "object": "an object",
		},
		InStreamsAlone:   true,
		RateLimitHeaders: rateLimitHeaders,
		Body: func(said wire.Fields) wire.Fields {
			return wire.Fields{{Key: "type", Value: "error"}, {Key: "error", Value: said}}
		},
	},
	Abilities: wire.MixedTurns | wire.BigIntegers | wire.BlankCalls | wire.RepeatedIDs | wire.PartsOfAnswers | wire.OwnBlocks | wire.Containers |
		wire.ShownReasoning | wire.ReadableReasoning | wire.ReasoningBlocks | wire.SealedReasoning | wire.ImageResults | wire.Compactions | wire.Programs |
		wire.FinishWords | wire.FilterFinish | wire.CallsFinish | wire.PauseFinish | wire.WindowFinish |
		wire.CallPieces | wire.CallIndexes | wire.EarlyFinishKeys | wire.UsageInPieces | wire.TypedEvents | wire.StartEvents | wire.Pings | wire.StreamComments,
	OfGateways: wire.RepeatedIDs,
	Terms: wire.Terms{
		OwnStops: true, Stop: "stop_reason", Call: "tool_use", Result: "tool_result", Failed: `"is_error":true`, EndOfTurn: "message_stop",
		Docs: []string{"platform.claude.com/docs/", "docs.claude.com/", "docs.anthropic.com/"},
	},
	Form:        func() wire.Form { return Form() },
	Doors:       []*wire.Door{onVertex, onBedrock},
	ReadRequest: read,
	ReadURL:     readURL,
	Likeness:    likeness,
	ReadAnswer:  ReadAnswer,
	EndsStream:  endsStream,
	NewShape:    func() wire.Shape { return new(Shape) },
	Places:      map[string][]string{"AnswerPlaces": AnswerPlaces, "CallPlaces": CallPlaces, "UsagePlaces": UsagePlaces},
	Quirks:      Quirks,
	Demands:     Demands,
	TokenCount:  func(tokens int) wire.Fields { return wire.Fields{{Key: "input_tokens", Value: tokens}} },
}

// ThinkingWanted reports whether a request lets the model show its reasoning.
func ThinkingWanted(req *wire.Request) bool {
	switch req.Body.Get("thinking").Get("type").Text() {
	case "enabled", "adaptive":
		return true
	default:
		return false
	}
}

func chosenTool(req *wire.Request) *wire.Node {
	choice := req.Body.Get("tool_choice")
	if choice.Get("type").Text() != "tool" {
		return nil
	}
	return choice.Get("name")
}

func endsStream(payload []byte) bool {
	e, err := wire.ParseNode(payload)
	return err == nil && e.Get("type").Text() == "message_stop"
}

// PlaceOfBlock returns where a block is, as Anthropic writes it: messages.1.content.0 or, within a
// result, messages.1.content.0.tool_result.content.1.
func PlaceOfBlock(n *wire.Node) string {
	steps := strings.Split(strings.TrimPrefix(n.Pointer(), "/"), "/")
	if len(steps) > 4 {
		steps = slices.Insert(steps, 4, "tool_result")
	}
	return strings.Join(steps, ".")
}

// visible leaves out what blocks do not have here, an index and a format; a summary is a thinking
// block, too.
func visible(blocks []wire.ReasoningBlock, _ *wire.Request) []wire.ReasoningBlock {
	seen := make([]wire.ReasoningBlock, len(blocks))
	for i, b := range blocks {
		if b.Type == wire.BlockSummary {
			b.Type = wire.BlockText
		}
		seen[i] = wire.ReasoningBlock{Type: b.Type, Text: b.Text, Data: b.Data, Signature: b.Signature}
	}
	return seen
}

// readThinking reads a block of thinking in a request.
func readThinking(n *wire.Node) wire.ReasoningBlock {
	if n.Get("type").Text() == "redacted_thinking" {
		return wire.ReasoningBlock{Type: wire.BlockEncrypted, Data: n.Get("data").Text()}
	}
	return wire.ReasoningBlock{Type: wire.BlockText, Text: n.Get("thinking").Text(), Signature: n.Get("signature").Text()}
}

// rateLimitHeaders follows https://platform.claude.com/docs/en/api/rate-limits.
func rateLimitHeaders(limits []wire.RateLimit, _ time.Time) map[string]string {
	headers := map[string]string{}
	for _, l := range limits {
		headers["anthropic-ratelimit-"+l.Of+"-limit"] = strconv.Itoa(l.Limit)
		headers["anthropic-ratelimit-"+l.Of+"-remaining"] = strconv.Itoa(l.Left)
		headers["anthropic-ratelimit-"+l.Of+"-reset"] = l.Reset.UTC().Format(time.RFC3339)
	}
	return headers
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
		Reasoning:        s.Thinking != "",
		ReasoningBlocks:  s.Thinking != "",
		ReasoningOmitted: s.Thinking == Omitted,
		ReadableBlocks:   s.Readable,
		UnsignedBlocks:   s.Unsigned,
		KeepsThreads:     s.Threads,
		Compacts:         s.Compacts,
		RunsPrograms:     s.Programs,
	}
}

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/start", s.Start, false, AnswerPlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	c.Template("/end-usage", s.EndUsage, true, UsagePlaces)
	for _, finish := range slices.Sorted(maps.Keys(s.Finish)) {
		c.Word("/finish", "reason to stop", string(finish), wire.Words(wire.Finishes()))
	}
	if s.Thinking != "" {
		c.Word("/thinking", "display of the reasoning", string(s.Thinking), wire.Words(Displays()))
	}
}
