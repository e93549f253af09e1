package gemini

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// images are faults in how images go to the model.
var images = []raw.Fault{
	{
		Name:   "images/puts-a-prefix-before-the-data",
		Does:   "The data of an image have the prefix of a URL.",
		Breaks: []string{"images/encoded"},
		Make: eachResultImage(func(r *raw.Request, path string, image gjson.Result) {
			r.Set(path+".data", "data:"+image.Get("mimeType").String()+";base64,"+image.Get("data").String())
		}),
	},
	{
		Name:   "images/says-them-in-the-response-as-well",
		Does:   "The model sees an image of a result, and reads its base64 in the response.",
		Breaks: []string{"images/not-as-text"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			if image := part.Get("functionResponse.parts.0.inlineData"); image.Exists() {
				r.Set(path+".functionResponse.response.output", image.Get("data").String())
			}
		}),
	},
}

// eachResultImage makes a loop that changes the images of results.
func eachResultImage(change func(r *raw.Request, path string, image gjson.Result)) func() raw.Mutation {
	return onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
		for i, p := range part.Get("functionResponse.parts").Array() {
			if image := p.Get("inlineData"); image.Exists() {
				change(r, fmt.Sprintf("%s.functionResponse.parts.%d.inlineData", path, i), image)
			}
		}
	})
}
