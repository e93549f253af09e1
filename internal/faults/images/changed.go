package images

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
)

// changed are loops that show another image than the tool returned, or in another place.
var changed = []hooks.Fault{
	{
		Name:      "images/says-that-there-was-one",
		Does:      "In the place of an image the result says that there was one.",
		Reports:   []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Only:      neutral.ImagesInResults,
		Elsewhere: "the placeholder is said by the user as well.",
		Breaks:    []string{"images/reach-the-model"},
		Make:      hooks.OnRequest(hooks.WithoutImages),
	},
	{
		Name:   "images/puts-them-beside-the-results",
		Does:   "Images are after the results, as in Chat Completions.",
		Breaks: []string{"images/in-the-result"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			r.Each(neutral.Tool, func(m *neutral.Message) {
				for _, x := range m.Results() {
					if x.Image != nil {
						m.Parts = append(m.Parts, x.Image)
						x.Text, x.Image = "See below.", nil
					}
				}
			})
		}),
	},
	{
		Name:    "images/says-jpg",
		Does:    "The media type of a photograph is image/jpg.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/2438"},
		Breaks:  []string{"images/media-type-known"},
		Make: eachImage(func(i *neutral.Image) {
			if i.MediaType == "image/jpeg" {
				i.MediaType = "image/jpg"
			}
		}),
	},
	{
		Name:    "images/says-png",
		Does:    "Whatever an image is, it goes out as image/png.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/15746"},
		Needs:   wire.ImageResults,
		Breaks:  []string{"images/media-type-true"},
		Unless:  neutral.PlainContents, Elsewhere: "an image does not say its type.",
		Make: eachImage(func(i *neutral.Image) { i.MediaType = "image/png" }),
	},
	{
		Name:    "images/splices-them",
		Does:    "The middle of a long result is left out, of images too.",
		Reports: []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Breaks:  []string{"images/arrive-whole"},
		Make:    eachImage(func(i *neutral.Image) { i.Data = slices.Concat(i.Data[:len(i.Data)/9*3], i.Data[len(i.Data)/9*6:]) }),
	},
}
