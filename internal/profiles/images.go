package profiles

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Images says where a provider takes images, for models that see. Without places no scenario with
// images is played to a loop under the profile.
type Images struct {
	In    []ImagePlace `yaml:"in"`
	Proof `yaml:",inline"`
}

// ImagePlace is a place in a request at which an image may be.
type ImagePlace string

// The places. What tools return is in the results of their calls; where a provider takes no images
// there, they follow in a message of the user.
const (
	InUserMessages ImagePlace = "user-messages"
	InToolResults  ImagePlace = "tool-results"
)

var imagePlaces = []ImagePlace{InUserMessages, InToolResults}

// Taken reports whether the provider takes images at a place.
func (i Images) Taken(at ImagePlace) bool { return slices.Contains(i.In, at) }

// String lists the places, in words: "user messages and tool results".
func (i Images) String() string {
	return strings.ReplaceAll(strings.Join(wire.Words(i.In), " and "), "-", " ")
}

// Seeing returns the names of those of some profiles under which models see images.
func Seeing(all []*Profile) []string {
	return Names(slices.DeleteFunc(slices.Clone(all), func(p *Profile) bool { return len(p.Images.In) == 0 }))
}

func (c *checker) images() {
	images := c.p.Images
	if len(images.In) == 0 {
		c.expect(images.KnownBy == "" && len(images.Sources) == 0, "/images", "images say where they are taken: `in: [user-messages]`")
		return
	}
	for _, place := range images.In {
		c.word("/images/in", "place of images", string(place), wire.Words(imagePlaces))
	}
	c.knownBy("/images", images.KnownBy)
	c.expect(len(images.Sources) > 0, "/images", "where a provider takes images needs a source")
}
