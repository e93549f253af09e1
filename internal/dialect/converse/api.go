// Package converse is Converse and ConverseStream of Amazon Bedrock, one API for the models of several
// makers: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
//
// The path names the model, and whether a stream is wanted, which is binary messages of AWS. A content
// is a list of blocks, and the key of a block says what it is. Signatures of AWS are taken and not
// checked.
package converse

import (
	"net/url"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Dialect is the name of this dialect.
const Dialect = "converse"

// API is the dialect. It is written after the service model in botocore 1.44.8,
// data/bedrock-runtime/2023-09-30/service-2.json.
var API = &wire.Dialect{
	Name:     Dialect,
	Title:    "Bedrock Converse",
	Standard: "bedrock-claude",
	Endpoint: wire.Endpoint{
		Paths:   wire.Paths{Turns: []string{"/model/{model}/converse", "/model/{model}/converse-stream", "/model/{model:.+}/{method:converse|converse-stream}"}},
		Env:     "BEDROCK",
		URLEnv:  "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
		KeyEnv:  "AWS_ACCESS_KEY_ID", // botocore sends no bearer token without TLS
		MoreEnv: []string{"AWS_SECRET_ACCESS_KEY=any", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1"},
		Keys:    []string{"Authorization"},
	},
	Request: wire.RequestForm{
		Messages:          "messages",
		OutsideList:       []string{"system"},
		Prompt:            []string{"/toolConfig", "/outputConfig/textFormat"},
		Role:              "role",
		ResultID:          "toolUseId",
		Arguments:         wire.Object,
		Roles:             []string{"user", "assistant", "system"},
		KeyedBlocks:       true,
		ModelInURL:        true,
		ToolsIn:           "toolConfig",
		ToolName:          64,
		ToolNamedDirectly: true,
		ChosenTool:        func(req *wire.Request) *wire.Node { return toolChoice(req).Get("tool").Get("name") },
		FailureFlag:       true,
	},
	Images: wire.ImageForm{
		InResults: true,
		Types:     []string{"image/png", "image/jpeg", "image/gif", "image/webp"},
		Read:      readImage,
		Place:     func(block *wire.Node) string { return place(block) + ".image.source.bytes" },
		Data:      "base64 without a prefix",
		Tokens:    1334,
	},
	Usage: wire.UsageForm{CachedApart: true}, // https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
	Reasoning: wire.ReasoningForm{
		InBlocks:  true,
		Wanted:    reasoningWanted,
		Visible:   visible,
		ReadBlock: readReasoning,
	},
	Errors: wire.ErrorForm{
		InStreamsAlone: true,
		TypeHeader:     "X-Amzn-ErrorType",
		Body:           wire.MessageAlone("message"),
	},
	Abilities: wire.MixedTurns | wire.BigIntegers | wire.BlankCalls | wire.PartsOfAnswers | wire.ShownReasoning | wire.ReadableReasoning | wire.ReasoningBlocks |
		wire.SealedReasoning | wire.ImageResults | wire.FinishWords | wire.FilterFinish | wire.CallsFinish | wire.WindowFinish |
		wire.CallPieces | wire.CallIndexes | wire.Checksums,
	Terms: wire.Terms{
		OwnStops: true, Stop: "stopReason", Answers: "output.message", Call: "toolUse", Result: "toolResult", Failed: `"status":"error"`, EndOfTurn: "messageStop",
		Docs: []string{"docs.aws.amazon.com/bedrock/"},
	},
	Form:        func() wire.Form { return Form() },
	Framer:      wire.AWSEventStream,
	Quirks:      Quirks,
	ReadRequest: read,
	ReadURL:     readURL,
	ReadAnswer:  readAnswer,
	EndsStream:  func(payload []byte) bool { return wire.Parsed(payload).Get("metrics") != nil },
	NewShape:    func() wire.Shape { return new(Shape) },
	Places: map[string][]string{
		"AnswerPlaces": AnswerPlaces, "CallPlaces": CallPlaces, "UsagePlaces": UsagePlaces, "MetadataPlaces": MetadataPlaces,
	},
	Demands:  demands,
	Likeness: likeness,
}

// place returns where a block is, as AWS writes it: messages.1.content.0.
func place(n *wire.Node) string {
	return strings.ReplaceAll(strings.TrimPrefix(n.Pointer(), "/"), "/", ".")
}

// readURL reads the model and whether a stream is wanted.
func readURL(req *wire.Request, u *url.URL) {
	_, model, _ := strings.Cut(u.Path, "/model/")
	if name, streams := strings.CutSuffix(model, "/converse-stream"); streams {
		req.Model, req.Stream = name, true
	} else {
		req.Model = strings.TrimSuffix(model, "/converse")
	}
}

func toolChoice(req *wire.Request) *wire.Node { return req.Body.Get("toolConfig").Get("toolChoice") }

// demands returns what a request demands of its answer. A schema is a text here, which holds JSON.
func demands(req *wire.Request) wire.Demands {
	limits := req.Body.Get("inferenceConfig")
	d := wire.Demands{MaxKey: "inferenceConfig.maxTokens", StopKey: "inferenceConfig.stopSequences"}
	d.MaxTokens, d.Stop = wire.CountOf(limits.Get("maxTokens")), wire.TextsOf(limits.Get("stopSequences"))
	switch choice := toolChoice(req); {
	case choice.Get("tool") != nil:
		d.Tools.Choice = wire.ChoiceRequired
		if name := choice.Get("tool").Get("name").Text(); name != "" {
			d.Tools.Only = []string{name}
		}
	case choice.Get("any") != nil:
		d.Tools.Choice = wire.ChoiceRequired
	}
	format := req.Body.Get("outputConfig").Get("textFormat")
	if schema := format.Get("structure").Get("jsonSchema"); schema != nil {
		d.WantsJSON, d.JSON, d.FormatKey = true, true, "outputConfig.textFormat"
		d.Schema, d.WishedName = wire.Parsed([]byte(schema.Get("schema").Text())), schema.Get("name").Text()
		d.Wished = d.Schema
	}
	return d
}

// likeness tells requests from those of Messages, which have a type in every block.
func likeness(body *wire.Node) wire.Likeness {
	messages := body.Get("messages")
	if !wire.HasObjects(messages, "role") {
		return wire.Unlike
	}
	if body.Has("toolConfig") || body.Has("inferenceConfig") {
		return wire.Certain
	}
	for _, m := range messages.Items {
		blocks := m.Get("content").All()
		if len(blocks) == 0 {
			continue
		}
		if first := blocks[0]; first.Has("type") || kindOf(first) == "" {
			return wire.Unlike
		}
		return wire.Certain
	}
	return wire.Unlike
}
