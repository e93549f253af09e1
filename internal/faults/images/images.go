// Package images holds faults: loops that lose or change images on their way to the model.
package images

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, changed) }

// eachImage changes every image that goes to the model, wherever it is.
func eachImage(change func(*neutral.Image)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		hooks.EachPart(r, change)
		hooks.EachPart(r, func(x *neutral.Result) {
			if x.Image != nil {
				change(x.Image)
			}
		})
	})
}

func dataURL(i *neutral.Image) string {
	return "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// showing is a round whose images are shown by a message of the user.
type showing struct {
	*hooks.Round
	images []*neutral.Image  // of each result, nil for none
	shown  *neutral.Message  // nil if no message shows them
	behind []neutral.Message // that come last
}

// eachImage tells for each result which image it brought.
func (s *showing) eachImage(change func(*neutral.Result, *neutral.Image)) {
	for n, x := range s.Results {
		if s.images[n] != nil {
			change(x, s.images[n])
		}
	}
}

// eachShowing changes every round whose images are shown by a message of the user.
func eachShowing(change func(*showing)) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		var all []neutral.Message
		for i := 0; i < len(r.Messages); i++ {
			m := r.Messages[i]
			if i+2 >= len(r.Messages) || m.Role != neutral.Assistant || r.Messages[i+1].Role != neutral.Tool || len(neutral.Of[*neutral.Image](r.Messages[i+2].Parts)) == 0 {
				all = append(all, m)
				continue
			}
			s := &showing{Round: &hooks.Round{Turn: m, Results: r.Messages[i+1].Results()}, shown: &r.Messages[i+2]}
			s.images = imagesOf(s.Results, s.shown.Parts)
			change(s)
			all = append(all, s.Messages()...)
			if s.shown != nil {
				all = append(all, *s.shown)
			}
			all = append(all, s.behind...)
			i += 2
		}
		r.Messages = all
	})
}

// imagesOf returns the image of each result, nil for none. The text before an image names the call
// that brought it.
func imagesOf(results []*neutral.Result, shown []neutral.Part) []*neutral.Image {
	images := make([]*neutral.Image, len(results))
	for n, x := range results {
		for i := 1; i < len(shown); i++ {
			caption, says := shown[i-1].(*neutral.Text)
			if image, is := shown[i].(*neutral.Image); is && says && strings.Contains(caption.Text, x.CallID) {
				images[n] = image
			}
		}
	}
	return images
}

var basic = []hooks.Fault{
	{
		Name:      "images/leaves-a-placeholder",
		Does:      "In the place of an image the model is told that there was one.",
		Reports:   []string{"https://github.com/querymt/querymt/pull/895", "https://github.com/0xPlaygrounds/rig/issues/1735"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "the placeholder is in the result, and nothing is said for the user.",
		Needs:     wire.ImageResults,
		Breaks:    []string{"history/nothing-said-for-the-user", "images/reach-the-model"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.WithoutImages(r)
			r.Each(neutral.User, func(m *neutral.Message) {
				if len(neutral.Of[*neutral.Image](m.Parts)) > 0 {
					*m = neutral.Says(neutral.User, "[image]")
				}
			})
		}),
	},
	{
		Name:      "images/shows-one-of-two",
		Does:      "Of several images of a turn the model sees the first.",
		Reports:   []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "each image is in its result.",
		Breaks:    []string{"images/reach-the-model"},
		Make:      eachShowing(func(s *showing) { s.shown.Parts = s.shown.Parts[:2] }),
	},
	{
		Name:      "images/writes-them-down",
		Does:      "What a tool returned is written down as JSON, images in base64.",
		Reports:   []string{"https://github.com/decolua/9router/pull/4058", "https://github.com/browser-use/browser-use/issues/4742"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "each image is in its result.",
		Breaks:    []string{"images/reach-the-model", "images/not-as-text"},
		Make: eachShowing(func(s *showing) {
			s.eachImage(func(x *neutral.Result, i *neutral.Image) { x.Text = `{"image_url":{"url":"` + dataURL(i) + `"}}` })
			s.shown = nil
		}),
	},
	{
		Name:      "images/writes-them-down-as-well",
		Does:      "The model sees an image, and reads its base64.",
		Reports:   []string{"https://github.com/open-webui/open-webui/pull/29665"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "each image is in its result, and a text has no place alongside it.",
		Breaks:    []string{"images/not-as-text"},
		Make: eachShowing(func(s *showing) {
			s.eachImage(func(x *neutral.Result, i *neutral.Image) { x.Text = dataURL(i) })
		}),
	},
	{
		Name:      "images/puts-them-into-tool-messages",
		Does:      "An image is in the tool message with every provider.",
		Reports:   []string{"https://github.com/OpenHands/OpenHands/issues/7700", "https://github.com/QwenLM/qwen-code/issues/3616"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "they belong there.",
		Needs:     wire.ImageResults,
		Breaks:    []string{"images/where-they-are-taken"},
		Make: eachShowing(func(s *showing) {
			s.eachImage(func(x *neutral.Result, i *neutral.Image) { x.Image = i })
			s.shown = nil
		}),
	},
	{
		Name:      "images/shows-each-behind-its-result",
		Does:      "The image of a call is shown directly after its result, in front of the results of other calls.",
		Reports:   []string{"https://github.com/github/copilot-sdk/issues/1922"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "each image is in its result.",
		Needs:     wire.ImageResults,
		Breaks:    []string{"pairing/results-directly-follow"},
		Make: eachShowing(func(s *showing) {
			for n, x := range s.Results {
				s.behind = append(s.behind, hooks.Answering(x))
				if s.images[n] != nil {
					s.behind = append(s.behind, neutral.Message{Role: neutral.User, Parts: []neutral.Part{s.images[n]}})
				}
			}
			s.Results, s.shown = nil, nil
		}),
	},
	{
		Name:      "images/leaves-the-call-open",
		Does:      "A call that brought an image gets no result: the image is shown by the user, and that is all.",
		Reports:   []string{"https://github.com/charmbracelet/fantasy/pull/221", "https://github.com/netease-lcap/wave-agent/pull/1368"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "each image is in its result.",
		Needs:     wire.ImageResults,
		Breaks:    []string{"pairing/every-call-answered"},
		Make: eachShowing(func(s *showing) {
			var texts []*neutral.Result
			for n, x := range s.Results {
				if s.images[n] == nil {
					texts = append(texts, x)
				}
			}
			s.Results = texts
		}),
	},
	{
		Name:    "images/cuts-them",
		Does:    "An image is cut to a length, as long texts are.",
		Reports: []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227", "https://github.com/NousResearch/hermes-agent/issues/76884"},
		Breaks:  []string{"images/arrive-whole"},
		Make:    eachImage(func(i *neutral.Image) { i.Data = i.Data[:len(i.Data)/6*3] }),
	},
	{
		Name:     "images/shows-a-drawing-as-png",
		Does:     "The prompt has a picture of the loop's own, which is an SVG under the name of a PNG.",
		Reports:  []string{"https://github.com/anthropics/claude-code/issues/55338", "https://github.com/anthropics/claude-code/issues/15941"},
		Profiles: []string{"openai"}, // others of Chat Completions take no images
		Needs:    wire.ImageResults,
		Breaks:   []string{"images/decodable"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			drawing := neutral.Image{MediaType: "image/png", Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>`)}
			for i := range r.Messages {
				if r.Messages[i].Role == neutral.User {
					r.Messages[i].Parts = append(r.Messages[i].Parts[:len(r.Messages[i].Parts):len(r.Messages[i].Parts)], &drawing)
					return
				}
			}
		}),
	},
	{
		Name:    "images/takes-them-for-jpeg",
		Does:    "Whatever an image is, it goes out as image/jpeg.",
		Reports: []string{"https://github.com/vybestack/llxprt-code/issues/2130"},
		Needs:   wire.ImageResults,
		Breaks:  []string{"images/media-type-true"},
		Unless:  neutral.PlainContents, Elsewhere: "an image does not say its type.",
		Make: eachImage(func(i *neutral.Image) { i.MediaType = "image/jpeg" }),
	},
	{
		Name:    "images/dropped-beside-a-text",
		Does:    "Of a result of a server of MCP that has a text, the model sees no image.",
		Reports: []string{"https://github.com/openJiuwen-ai/agent-core/issues/290"},
		Breaks:  []string{"images/reach-the-model"},
		Make:    hooks.OverMCPWith(hooks.MCPResult.Said, hooks.MCPResult.ImageAlone),
	},
}
