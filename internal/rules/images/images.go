package images

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const (
	openAIImages    = "https://platform.openai.com/docs/guides/images-vision"
	anthropicImages = "https://platform.claude.com/docs/en/build-with-claude/vision"
)

// coreRules are the rules about the images that tools return.
var coreRules = []rules.Rule{
	{
		ID:       "images/reach-the-model",
		Level:    trace.Must,
		Text:     "An image that a tool returned reaches the model as an image: in the result of its call, or in a message of the user after the results.",
		Why:      "Otherwise the model answers without seeing the image.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with a result for a call whose tool returned an image",
		Sources: []rules.Source{
			{URL: openAIImages, Says: "images are parts of the content of a message"},
			{URL: rules.ToolCallDocs, Says: "a result may hold image blocks"},
			{URL: "https://github.com/querymt/querymt/pull/895", Says: "images that became placeholders"},
			{URL: "https://github.com/esengine/DeepSeek-Reasonix/pull/6227", Says: "images that were dropped"},
		},
		Run: imagesReachTheModel,
	},
	{
		ID:       "images/arrive-whole",
		Level:    trace.Must,
		Text:     "An image is sent as the tool returned it, or as another complete image.",
		Why:      "A truncated image is refused, and stays in the history of every later request.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with the image that a tool returned",
		Sources: []rules.Source{
			{URL: "https://github.com/esengine/DeepSeek-Reasonix/pull/6227", Says: "images cut in the middle, as long texts are"},
			{URL: "https://github.com/NousResearch/hermes-agent/issues/76884", Says: "the 400 for an image that was cut, in every later request"},
		},
		Run: imagesArriveWhole,
	},
	{
		ID:       "images/not-as-text",
		Level:    trace.Should,
		Text:     "No text of a request holds the bytes of an image.",
		Why:      "The model cannot see it, and it costs hundreds of thousands of tokens instead of a thousand.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with a result for a call whose tool returned an image",
		Sources: []rules.Source{
			{URL: "https://github.com/open-webui/open-webui/pull/29665", Says: "images within results that were sent as text"},
			{URL: "https://github.com/decolua/9router/pull/4058", Says: "915 tokens as an image, 268,000 as a text"},
		},
		Run: imagesNotAsText,
	},
	{
		ID:       "images/in-the-result",
		Level:    trace.Info,
		Where:    rules.ImagesInResults,
		Text:     "An image is in the result of its call.",
		Why:      "This tells the model which call returned it.",
		Needs:    []protocol.Feature{protocol.Images},
		Evidence: "a request with the image that a tool returned",
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "a result may hold image blocks"},
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the output of a call may be a list of images and files"},
			{URL: "https://ai.google.dev/api/caching#FunctionResponsePart", Says: "a part of a response with media"},
		},
		Run: imagesInTheResult,
	},
	{
		ID:        "images/where-they-are-taken",
		Level:     trace.Should,
		Where:     rules.NoImagesInResults,
		Text:      "Images are in messages of the user, and in tool messages only where the provider takes them there.",
		Why:       "OpenAI refuses the request, or drops the image and lets the model guess.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with an image",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "parts of a tool message are text"},
			{URL: "https://github.com/OpenHands/OpenHands/issues/7700", Says: "the 400 of OpenAI"},
			{URL: "https://github.com/openai/openai-openapi/issues/523", Says: "newer models take it and do not see it"},
			{URL: "https://github.com/QwenLM/qwen-code/issues/3616", Says: "refused by LM Studio, taken by others"},
		},
		Vars:    []string{"index", "role"},
		Request: imagesWhereTaken,
	},
	{
		ID:        "images/encoded",
		Level:     trace.Must,
		Text:      "An image that is sent is a data URL in Chat Completions, and base64 without a prefix in Messages.",
		Why:       "Anything else is treated as a URL, or refused.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with an image",
		Sources: []rules.Source{
			{URL: openAIImages, Says: "a URL, or a data URL with base64"},
			{URL: anthropicImages, Says: "source.data in base64"},
			{URL: "https://github.com/vercel/ai/pull/16655", Says: "base64 without the prefix, to OpenAI"},
			{URL: "https://github.com/livekit/agents/issues/3867", Says: "base64 with the prefix, to Anthropic"},
			{URL: "https://github.com/mkht/PSOpenAI/issues/43", Says: "the 400 of OpenAI for a PDF as an image: unsupported MIME type"},
		},
		Vars:    []string{"at", "in", "problem", "found"},
		Request: imagesEncoded,
	},
	{
		ID:        "images/media-type-true",
		Level:     trace.Should,
		Text:      "The media type of an image matches its bytes.",
		Why:       "Anthropic refuses the request, and every later one with the same history.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with an image",
		Sources: []rules.Source{
			{URL: "https://github.com/vybestack/llxprt-code/issues/2130", Says: "the 400 of Anthropic"},
			{URL: "https://github.com/anthropics/claude-code/issues/15746", Says: "the same, in older words"},
		},
		Vars:    []string{"at", "said", "found"},
		Request: imageTypesTrue,
	},
	{
		ID:        "images/decodable",
		Level:     trace.Should,
		Text:      "What is sent as a PNG, JPEG, GIF or WebP image is one of them.",
		Why:       "Providers refuse what they cannot decode, such as a drawing in SVG or the text of an error, and every later request with the same history.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with an image",
		Sources: []rules.Source{
			{URL: "https://github.com/anthropics/claude-code/issues/55338", Says: "the 400 of Anthropic for an SVG under the name of a PNG"},
			{URL: "https://github.com/STranslate/STranslate/issues/277", Says: "the 400 of OpenAI: the four formats"},
			{URL: "https://github.com/anomalyco/opencode/issues/48476", Says: "the 400 of the Responses API"},
		},
		Vars:    []string{"at", "in", "said"},
		Request: imagesDecodable,
	},
	{
		ID:        "images/media-type-known",
		Level:     trace.Should,
		Where:     rules.ImageTypes,
		Text:      "The media type of an image is image/jpeg, image/png, image/gif or image/webp.",
		Why:       "Anthropic accepts no other type, not even image/jpg.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with an image",
		Sources: []rules.Source{
			{URL: anthropicImages, Says: "the four types"},
			{URL: "https://github.com/anthropics/claude-code/issues/2438", Says: "the 400 of Anthropic"},
		},
		Vars:    []string{"at"},
		Request: imageTypesKnown,
	},
}

func imagesWhereTaken(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, image := range picturesIn(req) {
		j.HasEvidence = true
		m := req.Messages[image.message]
		if m.Role == wire.User || m.Role == wire.Tool && p.Images.Taken(profiles.InToolResults) {
			continue
		}
		expected := "images in messages of the user"
		if p.Images.Taken(profiles.InToolResults) {
			expected += " and of tools"
		}
		j.Find(trace.Finding{
			Pointer:  image.node.Pointer(),
			Message:  fmt.Sprintf("an image in a message with the role %s", m.RoleWord),
			Expected: expected,
			Actual:   rules.Show(image.node),
			Vars:     map[string]string{"index": strconv.Itoa(image.message), "role": m.RoleWord},
		})
	}
	return j
}

func imagesEncoded(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, image := range picturesIn(req) {
		j.HasEvidence = true
		if image.Scheme != "" && slices.Contains(p.Accepts.ImageSchemes, image.Scheme) {
			continue
		}
		if image.Bare && !p.Accepts.ImageTexts {
			image.Problem = wire.NoURLObject
		}
		if image.Problem == "" && unknownToOpenAI(p, req, image.Image) {
			image.Problem = "unsupported MIME type '" + image.MediaType + "'"
		}
		if image.Problem == "" {
			continue
		}
		at, found := image.place(req), ""
		if image.Bare {
			found = "a string"
		}
		j.Find(trace.Finding{
			Pointer: image.node.Pointer(), Message: "an image that cannot be read: " + image.Problem, Expected: req.Dialect.Images.Data, Actual: rules.Show(image.node),
			Vars: map[string]string{"at": at, "in": at[:max(0, strings.LastIndex(at, "."))], "problem": image.Problem, "found": found},
		})
	}
	return j
}

// typesOfOpenAI are the media types of images that OpenAI takes:
// https://platform.openai.com/docs/guides/images-vision
var typesOfOpenAI = []string{"image/png", "image/jpeg", "image/jpg", "image/webp", "image/gif"}

// unknownToOpenAI reports whether an image is of a type that OpenAI does not take. Others that
// speak its APIs take more, such as PDF.
func unknownToOpenAI(p *profiles.Profile, req *wire.Request, image wire.Image) bool {
	_, refuses := p.Refusal("images/encoded")
	return refuses && rules.OfOpenAI(req.Dialect) && image.Data != nil && !slices.Contains(typesOfOpenAI, strings.ToLower(image.MediaType))
}

func imageTypesTrue(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, image := range picturesIn(req) {
		found := image.Detected()
		if found == "" {
			continue // it is elsewhere, or cannot be read, or is of a kind that is not known here
		}
		j.HasEvidence = true
		if said := strings.ToLower(image.MediaType); said != found && !(said == "image/jpg" && found == "image/jpeg") {
			j.Find(trace.Finding{
				Pointer: image.node.Pointer(), Message: "an image of another type than it says", Expected: found, Actual: image.MediaType,
				Vars: map[string]string{"at": image.place(req), "said": image.MediaType, "found": found},
			})
		}
	}
	return j
}

func imageTypesKnown(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, image := range picturesIn(req) {
		if image.URL != "" {
			continue
		}
		j.HasEvidence = true
		if !slices.Contains(req.Dialect.Images.Types, image.MediaType) {
			j.Find(trace.Finding{
				Pointer: image.node.Pointer() + "/source/media_type", Message: "the media type of an image that the provider does not know",
				Expected: "one of " + strings.Join(req.Dialect.Images.Types, ", "), Actual: rules.Quote(image.MediaType),
				Vars: map[string]string{"at": image.place(req)},
			})
		}
	}
	return j
}

// decodable are the types of images whose bytes are looked at.
var decodable = []string{"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"}

// imagesDecodable leaves an image of another kind than it says to media-type-true.
func imagesDecodable(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, image := range picturesIn(req) {
		said := strings.ToLower(image.MediaType)
		if image.Problem != "" || len(image.Data) == 0 || !slices.Contains(decodable, said) {
			continue
		}
		j.HasEvidence = true
		if image.Detected() != "" {
			continue
		}
		at := image.place(req)
		j.Find(trace.Finding{
			Pointer: image.node.Pointer(), Message: "the data of an image is no image", Expected: said, Actual: rules.Quote(string(image.Data[:min(len(image.Data), maxShownData)])),
			Vars: map[string]string{"at": at, "in": at[:max(0, strings.LastIndex(at, "."))], "said": said},
		})
	}
	return j
}

// maxShownData is how many bytes of what is no image are shown.
const maxShownData = 40
