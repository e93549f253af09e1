package scenarios

import (
	"encoding/binary"
	"fmt"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/wire"
)

// The kinds of files that tools return.
var mediaKinds = []string{"pdf", "wav"}

// Media draws the files that a tool returns for some arguments. The same secret gives the same files.
func (s *Script) Media(tool, arguments string, r *Result) (all []wire.Image) {
	for i, b := range r.More {
		if b.Media == "" {
			continue
		}
		chance := digest.New(s.secret, s.Scenario.ID, "media", tool, arguments, fmt.Sprint(i))
		if b.Media == "wav" {
			all = append(all, wire.Image{MediaType: "audio/wav", Data: sound(chance.Next)})
		} else {
			all = append(all, wire.Image{MediaType: "application/pdf", Data: page(chance.Next)})
		}
	}
	return all
}

// page is a PDF of one empty page, with a comment by which it differs from others:
// https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf (7.5)
func page(next func() byte) []byte {
	pdf := []byte("%PDF-1.4\n%")
	for range 60 {
		pdf = append(pdf, 'a'+next()%26)
	}
	pdf = append(pdf, '\n')
	var at []int
	for i, object := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Resources<<>>>>"} {
		at = append(at, len(pdf))
		pdf = fmt.Appendf(pdf, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := len(pdf)
	pdf = append(pdf, "xref\n0 4\n0000000000 65535 f \n"...)
	for _, offset := range at {
		pdf = fmt.Appendf(pdf, "%010d 00000 n \n", offset)
	}
	return fmt.Appendf(pdf, "trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table)
}

// sound is an eighth of a second of noise, in WAV: http://soundfile.sapp.org/doc/WaveFormat/
func sound(next func() byte) []byte {
	const rate, samples = 8000, 1000
	wav := append([]byte("RIFF"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(wav[4:], 36+samples)
	wav = append(wav, "WAVEfmt "...)
	for _, n := range []uint32{16, 1<<16 | 1, rate, rate, 8<<16 | 1} { // PCM, one channel, a byte for each sample
		wav = binary.LittleEndian.AppendUint32(wav, n)
	}
	wav = append(wav, "data"...)
	wav = binary.LittleEndian.AppendUint32(wav, samples)
	for range samples {
		wav = append(wav, next())
	}
	return wav
}
