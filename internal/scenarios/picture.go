package scenarios

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/wire"
)

// The kinds of images that tools return.
var imageKinds = []string{"png", "jpeg", "gif"}

// A picture has so many squares on each side, of so many pixels.
const (
	squares = 4
	pixels  = 16
)

// Picture draws the image that a tool returns for some arguments: squares in random colours. The
// same secret gives the same image.
func (s *Script) Picture(tool, arguments string, r *Result) *wire.Image {
	colours := digest.New(s.secret, s.Scenario.ID, "picture", tool, arguments)
	palette := make(color.Palette, squares*squares)
	for i := range palette {
		palette[i] = color.RGBA{colours.Next(), colours.Next(), colours.Next(), 0xff}
	}
	picture := image.NewPaletted(image.Rect(0, 0, squares*pixels, squares*pixels), palette)
	for i := range picture.Pix {
		x, y := i%picture.Stride, i/picture.Stride
		picture.Pix[i] = uint8(y/pixels*squares + x/pixels)
	}
	var data bytes.Buffer
	if err := encodePicture(&data, picture, r.Pictured()); err != nil {
		panic(err) // a picture in memory
	}
	return &wire.Image{MediaType: "image/" + r.Pictured(), Data: data.Bytes()}
}

func encodePicture(w io.Writer, picture image.Image, kind string) error {
	switch kind {
	case "jpeg":
		return jpeg.Encode(w, picture, nil)
	case "gif":
		return gif.Encode(w, picture, nil)
	default:
		return pngs.Encode(w, picture)
	}
}

// pngs encodes with the memory of earlier images, since a PNG of a few hundred bytes takes more
// than half a megabyte of it.
var pngs = png.Encoder{BufferPool: new(pngBuffers)}

// pngBuffers is a [png.EncoderBufferPool].
type pngBuffers struct{ unused sync.Pool }

func (p *pngBuffers) Get() *png.EncoderBuffer {
	b, _ := p.unused.Get().(*png.EncoderBuffer)
	return b
}

func (p *pngBuffers) Put(b *png.EncoderBuffer) { p.unused.Put(b) }

// seen reports images that no model sees under the profiles in which the scenario is played.
func (c *checker) seen(v Vocabulary) {
	if v.Seeing == nil || !c.s.Facts().Images || len(c.s.Profiles) == 0 {
		return
	}
	seeing := v.Seeing()
	c.expect(slices.ContainsFunc(seeing, c.namesProfile), "/profiles", "none of the profiles that the scenario names takes images; these do: %s", strings.Join(seeing, ", "))
}
