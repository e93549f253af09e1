package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const (
	openAIImages    = "https://platform.openai.com/docs/guides/images-vision"
	anthropicImages = "https://platform.claude.com/docs/en/build-with-claude/vision"
)

// images are the rules about the images that tools return.
var images = []Rule{
	{
		ID:       "images/reach-the-model",
		Level:    Must,
		Text:     "An image that a tool returned reaches the model as an image: in the result of its call, or in a message of the user behind the results.",
		Why:      "The model answers about something that it never saw.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with a result for a call whose tool returned an image",
		Sources: []Source{
			{openAIImages, "images are parts of the content of a message"},
			{toolCallDocs, "a result may hold image blocks"},
			{"https://github.com/querymt/querymt/pull/895", "images that became placeholders"},
			{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227", "images that were dropped"},
		},
		Run: imagesReachTheModel,
	},
	{
		ID:       "images/arrive-whole",
		Level:    Must,
		Text:     "An image arrives as the tool returned it, or as another one that can be read to its end.",
		Why:      "Half an image is refused, and stays in the history of every later request.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with the image that a tool returned",
		Sources: []Source{
			{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227", "images cut in the middle, as long texts are"},
			{"https://github.com/NousResearch/hermes-agent/issues/76884", "the 400 for an image that was cut, in every later request"},
		},
		Run: imagesArriveWhole,
	},
	{
		ID:       "images/not-as-text",
		Level:    Should,
		Text:     "No text of a request holds the bytes of an image.",
		Why:      "The model cannot see it so, and what costs a thousand tokens as an image costs hundreds of thousands as a text.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with a result for a call whose tool returned an image",
		Sources: []Source{
			{"https://github.com/open-webui/open-webui/pull/29665", "images within results that were sent as text"},
			{"https://github.com/decolua/9router/pull/4058", "915 tokens as an image, 268,000 as a text"},
		},
		Run: imagesNotAsText,
	},
	{
		ID:       "images/in-the-result",
		Level:    Info,
		Where:    imagesInResults,
		Text:     "An image stands in the tool_result of the call that brought it.",
		Why:      "The model sees there which call brought it.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with the image that a tool returned",
		Sources:  []Source{{toolCallDocs, "a result may hold image blocks"}},
		Run:      imagesInTheResult,
	},
	{
		ID:        "images/where-they-are-taken",
		Level:     Should,
		Where:     noImagesInResults,
		Text:      "Images stand in messages of the user, and in tool messages only where the provider takes them there.",
		Why:       "OpenAI refuses the request, or drops the image and lets the model guess.",
		Invariant: true,
		Evidence:  "a request with an image",
		Sources: []Source{
			{createDocs, "parts of a tool message are text"},
			{"https://github.com/OpenHands/OpenHands/issues/7700", "the 400 of OpenAI"},
			{"https://github.com/openai/openai-openapi/issues/523", "newer models take it and do not see it"},
			{"https://github.com/QwenLM/qwen-code/issues/3616", "refused by LM Studio, taken by others"},
		},
		Vars:    []string{"index", "role"},
		Request: imagesWhereTaken,
	},
	{
		ID:        "images/encoded",
		Level:     Must,
		Text:      "An image that is sent is a data URL in Chat Completions, and base64 without a prefix in Messages.",
		Why:       "Anything else is taken for an address, or refused.",
		Invariant: true,
		Evidence:  "a request with an image",
		Sources: []Source{
			{openAIImages, "a URL, or a data URL with base64"},
			{anthropicImages, "source.data in base64"},
			{"https://github.com/vercel/ai/pull/16655", "base64 without the prefix, to OpenAI"},
			{"https://github.com/livekit/agents/issues/3867", "base64 with the prefix, to Anthropic"},
		},
		Vars:    []string{"at", "problem"},
		Request: imagesEncoded,
	},
	{
		ID:        "images/media-type-true",
		Level:     Should,
		Text:      "The media type of an image is that of its bytes.",
		Why:       "Anthropic refuses the request, and every later one with the same history.",
		Invariant: true,
		Evidence:  "a request with an image",
		Sources: []Source{
			{"https://github.com/vybestack/llxprt-code/issues/2130", "the 400 of Anthropic"},
			{"https://github.com/anthropics/claude-code/issues/15746", "the same, in older words"},
		},
		Vars:    []string{"at", "said", "found"},
		Request: imageTypesTrue,
	},
	{
		ID:        "images/media-type-known",
		Level:     Should,
		Where:     imageTypes,
		Text:      "The media type of an image is image/jpeg, image/png, image/gif or image/webp.",
		Why:       "Anthropic knows no other word, not even image/jpg.",
		Invariant: true,
		Evidence:  "a request with an image",
		Sources: []Source{
			{anthropicImages, "the four types"},
			{"https://github.com/anthropics/claude-code/issues/2438", "the 400 of Anthropic"},
		},
		Vars:    []string{"at"},
		Request: imageTypesKnown,
	},
}

func imagesWhereTaken(p *profiles.Profile, req *wire.Request) (j Judged) {
	for _, image := range picturesIn(req) {
		j.Seen = true
		m := req.Messages[image.message]
		if m.Role == wire.User || m.Role == wire.Tool && p.Images.Taken(profiles.InToolResults) {
			continue
		}
		expected := "images in messages of the user"
		if p.Images.Taken(profiles.InToolResults) {
			expected += " and of tools"
		}
		j.Find(Finding{
			Pointer:  image.node.Pointer(),
			Message:  fmt.Sprintf("an image in a message with the role %s", m.RoleWord),
			Expected: expected,
			Actual:   show(image.node),
			Vars:     map[string]string{"index": strconv.Itoa(image.message), "role": m.RoleWord},
		})
	}
	return j
}

func imagesEncoded(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for _, image := range picturesIn(req) {
		j.Seen = true
		if image.Problem == "" {
			continue
		}
		j.Find(Finding{
			Pointer: image.node.Pointer(), Message: "an image that cannot be read: " + image.Problem, Expected: req.Dialect.ImageForm, Actual: show(image.node),
			Vars: map[string]string{"at": image.place(req), "problem": image.Problem},
		})
	}
	return j
}

func imageTypesTrue(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for _, image := range picturesIn(req) {
		found := image.Detected()
		if found == "" {
			continue // it is elsewhere, or cannot be read, or is of a kind that is not known here
		}
		j.Seen = true
		if said := strings.ToLower(image.MediaType); said != found && !(said == "image/jpg" && found == "image/jpeg") {
			j.Find(Finding{
				Pointer: image.node.Pointer(), Message: "an image of another type than it says", Expected: found, Actual: image.MediaType,
				Vars: map[string]string{"at": image.place(req), "said": image.MediaType, "found": found},
			})
		}
	}
	return j
}

func imageTypesKnown(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for _, image := range picturesIn(req) {
		if image.URL != "" {
			continue
		}
		j.Seen = true
		if !slices.Contains(req.Dialect.Request.ImageTypes, image.MediaType) {
			j.Find(Finding{
				Pointer: image.node.Pointer() + "/source/media_type", Message: "the media type of an image that the provider does not know",
				Expected: "one of " + strings.Join(req.Dialect.Request.ImageTypes, ", "), Actual: quote(image.MediaType),
				Vars: map[string]string{"at": image.place(req)},
			})
		}
	}
	return j
}
