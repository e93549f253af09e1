package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// eachPicture changes every image that goes to the model in Chat Completions, wherever it stands.
func eachPicture(change func(r *RawRequest, path string, part gjson.Result)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		for i, m := range r.Get("messages").Array() {
			for n, part := range m.Get("content").Array() {
				if part.Get("type").String() == "image_url" {
					change(r, fmt.Sprintf("messages.%d.content.%d", i, n), part)
				}
			}
		}
	})
}

// eachURL changes the data URL of every image.
func eachURL(change func(url string) string) func() Changes {
	return eachPicture(func(r *RawRequest, path string, part gjson.Result) {
		r.Set(path+".image_url.url", change(part.Get("image_url.url").String()))
	})
}

// showing returns the message of the user that shows the images of a turn, which stands behind its results, and where
// it stands; -1 is nowhere.
func showing(messages []string, turn int) (shown string, at int) {
	for at = turn + 1; at < len(messages); at++ {
		switch m := gjson.Parse(messages[at]); {
		case m.Get("role").String() == "tool":
		case m.Get("content.#(type==image_url)").Exists() && m.Get("role").String() == "user":
			return messages[at], at
		default:
			return "", -1
		}
	}
	return "", -1
}

// withPictures changes every turn whose images are shown by a message of the user. change gets the results and, for each
// of them, the part with its image, or "", and returns the messages that take the place of all these.
func withPictures(change func(results []string, pictures []string, shown string) []string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		messages := r.Messages()
		for turn := len(messages) - 1; turn >= 0; turn-- {
			shown, at := showing(messages, turn)
			if !gjson.Get(messages[turn], "tool_calls.0").Exists() || at < 0 {
				continue
			}
			results := slices.Clone(messages[turn+1 : at])
			messages = slices.Concat(messages[:turn+1], change(results, picturesOf(results, shown), shown), messages[at+1:])
		}
		r.SetMessages(messages)
	})
}

// picturesOf returns the image of each result, or "". The text before an image names the call that brought it.
func picturesOf(results []string, shown string) []string {
	pictures := make([]string, len(results))
	parts := gjson.Get(shown, "content").Array()
	for i, result := range results {
		id := gjson.Get(result, "tool_call_id").String()
		for n := 1; n < len(parts); n++ {
			if parts[n].Get("type").String() == "image_url" && strings.Contains(parts[n-1].Get("text").String(), id) {
				pictures[i] = parts[n].Raw
			}
		}
	}
	return pictures
}

var images = []Fault{
	{
		Name:    "images/leaves-a-placeholder",
		Does:    "In the place of an image the model is told that there was one.",
		Models:  []string{"https://github.com/querymt/querymt/pull/895", "https://github.com/0xPlaygrounds/rig/issues/1735"},
		Dialect: inChat,
		Breaks:  []string{"history/nothing-said-for-the-user", "images/reach-the-model"},
		Make: onRawRequest(func(r *RawRequest) {
			for _, role := range []string{"tool", "user"} {
				r.Each(role, func(path string, m gjson.Result) {
					if m.Get("content").IsArray() {
						r.Set(path+".content", "[image]")
					}
				})
			}
		}),
	},
	{
		Name:    "images/shows-one-of-two",
		Does:    "Of several images of a turn the model sees the first.",
		Models:  []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Dialect: inChat,
		Breaks:  []string{"images/reach-the-model"},
		Make: withPictures(func(results, _ []string, shown string) []string {
			kept := gjson.Get(shown, "content").Array()[:2]
			return append(results, setRaw(shown, "content", "["+strings.Join(raws(kept), ",")+"]"))
		}),
	},
	{
		Name:    "images/writes-them-down",
		Does:    "What a tool returned is written down as JSON, images in base64.",
		Models:  []string{"https://github.com/decolua/9router/pull/4058", "https://github.com/browser-use/browser-use/issues/4742"},
		Dialect: inChat,
		Breaks:  []string{"images/reach-the-model", "images/not-as-text"},
		Make: withPictures(func(results, pictures []string, _ string) []string {
			for i, picture := range pictures {
				if picture != "" {
					results[i] = set(results[i], "content", picture)
				}
			}
			return results
		}),
	},
	{
		Name:    "images/writes-them-down-as-well",
		Does:    "The model sees an image, and reads its base64.",
		Models:  []string{"https://github.com/open-webui/open-webui/pull/29665"},
		Dialect: inChat,
		Breaks:  []string{"images/not-as-text"},
		Make: withPictures(func(results, pictures []string, shown string) []string {
			for i, picture := range pictures {
				if picture != "" {
					results[i] = set(results[i], "content", gjson.Get(picture, "image_url.url").String())
				}
			}
			return append(results, shown)
		}),
	},
	{
		Name:    "images/puts-them-into-tool-messages",
		Does:    "An image stands in the tool message, whoever the provider is.",
		Models:  []string{"https://github.com/OpenHands/OpenHands/issues/7700", "https://github.com/QwenLM/qwen-code/issues/3616"},
		Dialect: inChat,
		Breaks:  []string{"images/where-they-are-taken"},
		Make: withPictures(func(results, pictures []string, _ string) []string {
			for i, picture := range pictures {
				if picture != "" {
					results[i] = setRaw(results[i], "content", "["+picture+"]")
				}
			}
			return results
		}),
	},
	{
		Name:    "images/shows-each-behind-its-result",
		Does:    "The image of a call is shown directly behind its result, in front of the results of other calls.",
		Models:  []string{"https://github.com/github/copilot-sdk/issues/1922"},
		Dialect: inChat,
		Breaks:  []string{"pairing/results-directly-follow"},
		Make: withPictures(func(results, pictures []string, _ string) []string {
			var messages []string
			for i, result := range results {
				messages = append(messages, result)
				if pictures[i] != "" {
					messages = append(messages, `{"role":"user","content":[`+pictures[i]+`]}`)
				}
			}
			return messages
		}),
	},
	{
		Name:    "images/leaves-the-call-open",
		Does:    "A call that brought an image gets no result: the image is shown by the user, and that is all.",
		Models:  []string{"https://github.com/charmbracelet/fantasy/pull/221", "https://github.com/netease-lcap/wave-agent/pull/1368"},
		Dialect: inChat,
		Breaks:  []string{"pairing/every-call-answered"},
		Make: withPictures(func(results, pictures []string, shown string) []string {
			var texts []string
			for i, result := range results {
				if pictures[i] == "" {
					texts = append(texts, result)
				}
			}
			return append(texts, shown)
		}),
	},
	{
		Name:    "images/cuts-them",
		Does:    "An image is cut to a length, as long texts are.",
		Models:  []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227", "https://github.com/NousResearch/hermes-agent/issues/76884"},
		Dialect: inChat,
		Breaks:  []string{"images/arrive-whole"},
		Make: eachURL(func(url string) string {
			head, data, _ := strings.Cut(url, ",")
			return head + "," + data[:len(data)/8*4]
		}),
	},
	{
		Name:    "images/takes-them-for-jpeg",
		Does:    "Whatever an image is, it goes out as image/jpeg.",
		Models:  []string{"https://github.com/vybestack/llxprt-code/issues/2130"},
		Dialect: inChat,
		Breaks:  []string{"images/media-type-true"},
		Make: eachURL(func(url string) string {
			_, data, _ := strings.Cut(url, ",")
			return "data:image/jpeg;base64," + data
		}),
	},
	{
		Name:    "images/leaves-out-the-prefix",
		Does:    "Base64 alone stands where a URL belongs.",
		Models:  []string{"https://github.com/vercel/ai/pull/16655", "https://github.com/WordPress/php-ai-client/issues/137"},
		Dialect: inChat,
		Breaks:  []string{"images/encoded"},
		Make: eachURL(func(url string) string {
			_, data, _ := strings.Cut(url, ",")
			return data
		}),
	},
}

// eachSource changes the source of every image in Messages.
func eachSource(change func(r *RawRequest, path string, source gjson.Result)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.EachBlock("tool_result", func(path string, b gjson.Result) {
			for n, inner := range b.Get("content").Array() {
				if inner.Get("type").String() == "image" {
					change(r, fmt.Sprintf("%s.content.%d.source", path, n), inner.Get("source"))
				}
			}
		})
	})
}

var imagesInBlocks = inMessages(
	Fault{
		Name:   "images/says-that-there-was-one",
		Does:   "In the place of an image the result says that there was one.",
		Models: []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Breaks: []string{"images/reach-the-model"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if b.Get("content.#(type==image)").Exists() {
					r.Set(path+".content", "[image]")
				}
			})
		}),
	},
	Fault{
		Name:   "images/puts-them-beside-the-results",
		Does:   "Images stand behind the results, as in Chat Completions.",
		Breaks: []string{"images/in-the-result"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachContent("user", func(blocks []gjson.Result) []string {
				var kept, behind []string
				for _, b := range blocks {
					if image := b.Get("content.#(type==image)"); image.Exists() {
						behind = append(behind, image.Raw)
						kept = append(kept, set(b.Raw, "content", "See below."))
						continue
					}
					kept = append(kept, b.Raw)
				}
				return append(kept, behind...)
			})
		}),
	},
	Fault{
		Name:   "images/says-jpg",
		Does:   "The media type of a photograph is image/jpg.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/2438"},
		Breaks: []string{"images/media-type-known"},
		Make: eachSource(func(r *RawRequest, path string, source gjson.Result) {
			if source.Get("media_type").String() == "image/jpeg" {
				r.Set(path+".media_type", "image/jpg")
			}
		}),
	},
	Fault{
		Name:   "images/says-png",
		Does:   "Whatever an image is, it goes out as image/png.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/15746"},
		Breaks: []string{"images/media-type-true"},
		Make: eachSource(func(r *RawRequest, path string, _ gjson.Result) {
			r.Set(path+".media_type", "image/png")
		}),
	},
	Fault{
		Name:   "images/keeps-the-prefix",
		Does:   "A whole data URL stands where base64 belongs.",
		Models: []string{"https://github.com/livekit/agents/issues/3867", "https://github.com/felixarntz/ai-services/pull/19"},
		Breaks: []string{"images/encoded"},
		Make: eachSource(func(r *RawRequest, path string, source gjson.Result) {
			r.Set(path+".data", "data:"+source.Get("media_type").String()+";base64,"+source.Get("data").String())
		}),
	},
	Fault{
		Name:   "images/splices-them",
		Does:   "The middle of a long result is left out, of images too.",
		Models: []string{"https://github.com/esengine/DeepSeek-Reasonix/pull/6227"},
		Breaks: []string{"images/arrive-whole"},
		Make: eachSource(func(r *RawRequest, path string, source gjson.Result) {
			data := source.Get("data").String()
			r.Set(path+".data", data[:len(data)/12*4]+data[len(data)/12*8:])
		}),
	},
)
