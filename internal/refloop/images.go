package refloop

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// picture is an image that a tool returned.
type picture struct {
	mediaType string
	data      []byte
}

// pictureOf returns the image that a tool answered with, or nil where it answered with a text.
func pictureOf(resp *http.Response, body []byte) *picture {
	mediaType := resp.Header.Get("Content-Type")
	if !strings.HasPrefix(mediaType, "image/") {
		return nil
	}
	return &picture{mediaType, body}
}

// takesPictures reports whether a provider of Chat Completions takes images in tool messages. Most do not, and some drop
// them there without a word.
func takesPictures(profile string) bool {
	switch profile {
	case "llamacpp", // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
		"openrouter": // https://github.com/OpenRouterTeam/typescript-sdk/blob/main/src/models/chattoolmessage.ts
		return true
	}
	return false
}

type imageURL struct {
	URL string `json:"url"`
}

// part returns the image as a part of a content: https://platform.openai.com/docs/guides/images-vision
func (p *picture) part() contentPart {
	return contentPart{Type: "image_url", ImageURL: &imageURL{URL: "data:" + p.mediaType + ";base64," + base64.StdEncoding.EncodeToString(p.data)}}
}

// showPictures returns the message of the user that shows the images of results, or nil where there are none. It comes
// behind all results of a turn, since nothing may stand between them.
func showPictures(results []result) *message {
	var parts []contentPart
	for _, r := range results {
		if r.picture != nil {
			parts = append(parts, contentPart{Type: "text", Text: fmt.Sprintf("The image that %s returned for the call %s:", r.call.Function.Name, r.call.ID)}, r.picture.part())
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return &message{Role: "user", Content: &content{parts: parts}}
}

type imageBlock struct {
	Type   string      `json:"type"`
	Source imageSource `json:"source"`
}

type imageSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // encoding/json writes base64
}

// block returns the image as a block of a tool_result: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
func (p *picture) block() imageBlock {
	return imageBlock{Type: "image", Source: imageSource{Type: "base64", MediaType: p.mediaType, Data: p.data}}
}
