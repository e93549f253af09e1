package wire

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// Image is an image that a request carries, or that a tool returned.
type Image struct {
	MediaType string // image/png, as its sender says
	Data      []byte // the image itself; nil where it is elsewhere, or cannot be read
	URL       string // of an image that is elsewhere
	Scheme    string // of a URL that is none of http; some providers take their own
	Problem   string // why the data cannot be read; ""
	Bare      bool   // the URL is not in the object that belongs around it
}

// NoURLObject is the problem of an image whose URL is not in an object.
const NoURLObject = "no object with a url"

// DecodeImage returns the image that a text holds in base64, or one with the problem.
func DecodeImage(mediaType, encoded string) Image {
	image := Image{MediaType: mediaType}
	data, err := base64.StdEncoding.DecodeString(encoded)
	switch {
	case err != nil:
		image.Problem = "an invalid base64-encoded value"
	case len(data) == 0:
		image.Problem = "empty base64-encoded bytes"
	default:
		image.Data = data
	}
	return image
}

// Detected returns the media type that the data has by its first bytes, and "" where that is none
// of an image.
func (i Image) Detected() string {
	if found := http.DetectContentType(i.Data); strings.HasPrefix(found, "image/") {
		return found
	}
	return ""
}
