package responsesrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressParts are the rules of the area egress about the parts of the contents of items.
var egressParts = []rules.Rule{
	{
		ID:        "egress/output-part-types",
		Level:     trace.Must,
		Text:      "The parts of an output are input_text, input_image or input_file.",
		Why:       "Parts of other types, such as those of Chat Completions or of the model's own messages, are refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "FunctionCallOutputItemParam: a list of InputTextContentParam, InputImageContentParamAutoParam and InputFileContentParam"},
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_multimodal_tool_returns", Says: "a part that is refused for what it is"},
		},
		Vars:    []string{"at", "found"},
		Request: outputPartTypes,
	},
	{
		ID:        "egress/input-part-types",
		Level:     trace.Must,
		Text:      "The parts of a message of the user, the system or the developer are input_text, input_image or input_file, and for some models input_audio or scoped_content.",
		Why:       "The types of Chat Completions, text and image_url, and those of the model's own messages are refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "InputMessageContentList"},
			{URL: openResponses, Says: "UserMessageItemParam: the parts of its content"},
		},
		Vars:    []string{"at", "found"},
		Request: inputPartTypes,
	},
	{
		ID:        "egress/answer-part-types",
		Level:     trace.Must,
		Text:      "The parts of a message of the assistant are output_text or refusal.",
		Why:       "The provider refuses input_text there, and names the two types that it takes.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "OutputMessage: the parts of its content"},
			{URL: openResponses, Says: "AssistantMessageItemParam: the same"},
		},
		Vars:    []string{"at", "found"},
		Request: answerPartTypes,
	},
	{
		ID:        "egress/content-part-form",
		Level:     trace.Must,
		Text:      "A part of a content has the value of its type: a text as a string, a refusal as a string, an image by a URL as a string or by a file_id.",
		Why:       "The provider refuses a part without it, and one whose image is an object, as in Chat Completions.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "InputTextContent, InputImageContent, OutputTextContent, RefusalContent"},
			{URL: openResponses, Says: "image_url: a string"},
		},
		Vars:    []string{"at", "key", "found"},
		Request: contentPartForm,
	},
}

var inputParts = []string{"input_text", "input_image", "input_file"}

// messageParts are those of a message that is not the model's: a model may refuse the last two.
var messageParts = append(slices.Clone(inputParts), "input_audio", "scoped_content")

var outputPartTypes = inKind([]string{"function_call_output"}, func(item *wire.Node) []trace.Finding {
	return partsOf(item.Get("output"), inputParts, "an output")
})

var inputPartTypes = inItems(func(item *wire.Node, kind string) []trace.Finding {
	if kind != "message" || item.Get("role").Text() == "assistant" {
		return nil
	}
	return partsOf(item.Get("content"), messageParts, "a message of the "+item.Get("role").Text())
})

var answerPartTypes = inItems(func(item *wire.Node, kind string) []trace.Finding {
	if kind != "message" || item.Get("role").Text() != "assistant" {
		return nil
	}
	return partsOf(item.Get("content"), []string{"output_text", "refusal"}, "a message of the assistant")
})

// partsOf finds the parts of a content that are of none of some types.
func partsOf(content *wire.Node, types []string, in string) (all []trace.Finding) {
	if !content.Is(wire.Array) {
		return nil
	}
	for _, part := range content.Items {
		found := part.Get("type").Text()
		if slices.Contains(types, found) {
			continue
		}
		f := at(part, "", fmt.Sprintf("%s has a part of the type %q", in, found), strings.Join(types, " or "), map[string]string{"found": found})
		all = append(all, f)
	}
	return all
}

// textOfPart is the key under which a part of a type says what it says.
var textOfPart = map[string]string{"input_text": "text", "output_text": "text", "refusal": "refusal"}

var contentPartForm = inItems(func(item *wire.Node, _ string) (all []trace.Finding) {
	for _, content := range []*wire.Node{item.Get("content"), item.Get("output")} {
		if !content.Is(wire.Array) {
			continue
		}
		for _, part := range content.Items {
			all = append(all, formOfPart(part)...)
		}
	}
	return all
})

func formOfPart(part *wire.Node) []trace.Finding {
	kind := part.Get("type").Text()
	key, isText := textOfPart[kind]
	switch {
	case isText && !part.Get(key).Is(wire.String):
		return []trace.Finding{at(part, key, fmt.Sprintf("a part of the type %q has no %s as a string", kind, key), "a string", map[string]string{"key": key, "found": rules.KindOf(part.Get(key))})}
	case kind == "input_image" && !part.Get("file_id").Is(wire.String) && !part.Get("image_url").Is(wire.String):
		return []trace.Finding{at(part, "image_url", "an image has no URL as a string", "a URL or a data URL, as a string", map[string]string{"key": "image_url", "found": rules.KindOf(part.Get("image_url"))})}
	}
	return nil
}
