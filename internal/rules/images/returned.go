package images

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/wire"
)

// picture is an image that is in a request.
type picture struct {
	wire.Image
	node    *wire.Node
	message int          // in which it is
	result  *wire.Result // in which it is; nil: in the content of the message itself
}

// picturesIn returns the images of a request.
func picturesIn(req *wire.Request) []picture {
	var found []picture
	look := func(message int, result *wire.Result, parts []wire.Part) {
		for _, part := range parts {
			if image, ok := req.Dialect.ImageIn(part); ok {
				found = append(found, picture{image, part.Node, message, result})
			}
		}
	}
	for i, m := range req.Messages {
		if len(m.Results) == 0 || m.Results[0].Node != m.Node { // a tool message is its result
			look(i, nil, m.Content.Parts)
		}
		for n := range m.Results {
			look(i, &m.Results[n], m.Results[n].Content.Parts)
		}
	}
	return found
}

// place returns where the data of an image is, as the provider writes it.
func (p picture) place(req *wire.Request) string { return req.Dialect.Images.Place(p.node) }

// returnedPicture is an image that a tool returned, and what a request carries of it.
type returnedPicture struct {
	turn rules.ReturnedTurn
	n    int // of the call in its turn
	tool *wire.Image
	sent *picture // nil if there is nothing
}

// eachPicture calls f for every image that a tool returned, once the loop asked again with a result
// for its call. Calls whose result is missing are left to the rules about pairing.
func eachPicture(r *rules.Run, f func(p returnedPicture)) {
	for _, e := range r.Answered() {
		var returned []returnedPicture
		for n := range e.Turn.Answer.Calls {
			if _, ok := e.Result(n); ok && r.ShowsImage(e, n) {
				returned = append(returned, returnedPicture{turn: e, n: n, tool: r.CallRun(e, n).Executions[0].Image})
			}
		}
		if len(returned) == 0 {
			continue
		}
		sent := picturesBehind(e)
		sent = matched(returned, sent, func(p returnedPicture, s picture) bool { return bytes.Equal(p.tool.Data, s.Data) })
		matched(returned, sent, func(returnedPicture, picture) bool { return true }) // a loop may make another one of it
		for _, p := range returned {
			f(p)
		}
	}
}

// picturesBehind returns the images after the calls of a turn, in the first request that returns
// it. Some loops write a turn as several messages, or one of the assistant before what the user
// shows.
func picturesBehind(e rules.ReturnedTurn) []picture {
	return slices.DeleteFunc(picturesIn(e.In.Request), func(p picture) bool { return p.message <= e.Index })
}

// matched gives each image that has none yet the first of those sent that is like it, and returns
// those that are left.
func matched(returned []returnedPicture, sent []picture, alike func(returnedPicture, picture) bool) []picture {
	for i, p := range returned {
		if p.sent != nil {
			continue
		}
		if at := slices.IndexFunc(sent, func(s picture) bool { return alike(p, s) }); at >= 0 {
			found := sent[at]
			returned[i].sent = &found
			sent = slices.Delete(slices.Clone(sent), at, at+1)
		}
	}
	return sent
}

// find reports what happened to an image.
func findPicture(j *rules.CheckResult, p returnedPicture, at *wire.Node, message, expected, actual string) {
	j.FindAt(p.turn.In, at.Pointer(), fmt.Sprintf(message, p.turn.Turn.Answer.Calls[p.n].As), expected, actual)
}

func imagesReachTheModel(r *rules.Run) (j rules.CheckResult) {
	eachPicture(r, func(p returnedPicture) {
		j.HasEvidence = true
		if p.sent == nil {
			res, _ := p.turn.Result(p.n)
			findPicture(&j, p, res.Node, "the image that the call %s brought does not reach the model",
				fmt.Sprintf("an image of the type %s, of %s", p.tool.MediaType, rules.Plural(len(p.tool.Data), "byte")), rules.Show(res.Content.Node))
		}
	})
	return j
}

func imagesArriveWhole(r *rules.Run) (j rules.CheckResult) {
	eachPicture(r, func(p returnedPicture) {
		if p.sent == nil || p.sent.Data == nil { // reach-the-model and encoded have to say something
			return
		}
		j.HasEvidence = true
		if bytes.Equal(p.sent.Data, p.tool.Data) || whole(p.sent.Data) {
			return
		}
		findPicture(&j, p, p.sent.node, "the image that the call %s brought cannot be read any more",
			rules.Plural(len(p.tool.Data), "byte"), fmt.Sprintf("%s, which are no whole image", rules.Plural(len(p.sent.Data), "byte")))
	})
	return j
}

// beginning is how many bytes of an image are looked for, of which the first are the same in all
// images of a type.
const beginning = 30

func imagesNotAsText(r *rules.Run) (j rules.CheckResult) {
	eachPicture(r, func(p returnedPicture) {
		j.HasEvidence = true
		e := p.turn
		for _, m := range e.In.Request.Messages[e.Index+1:] {
			if rules.HoldsBytes(rules.TextOf(m), p.tool.Data[:min(beginning, len(p.tool.Data))]) {
				findPicture(&j, p, m.Node, "a text holds the bytes of the image that the call %s brought", "an image, or no bytes of it", rules.Show(m.Node))
				return
			}
		}
	})
	return j
}

func imagesInTheResult(r *rules.Run) (j rules.CheckResult) {
	eachPicture(r, func(p returnedPicture) {
		if p.sent == nil {
			return
		}
		j.HasEvidence = true
		own, _ := p.turn.Result(p.n)
		if p.sent.result == nil || p.sent.result.Node != own.Node {
			findPicture(&j, p, p.sent.node, "the image that the call %s brought is alongside its result", "the image in "+own.Node.Pointer(), rules.Show(p.sent.node))
		}
	})
	return j
}

// most is how many pixels an image may have to be read to its end.
const most = 4096 * 4096

// whole reports whether data is an image that can be read to its end, or one of a kind that is not
// read here.
func whole(data []byte) bool {
	switch (wire.Image{Data: data}).Detected() {
	case "":
		return false
	case "image/png":
		return readsToTheEnd(data, png.DecodeConfig, png.Decode)
	case "image/jpeg":
		return readsToTheEnd(data, jpeg.DecodeConfig, jpeg.Decode)
	case "image/gif":
		return readsToTheEnd(data, gif.DecodeConfig, gif.Decode)
	default:
		return true
	}
}

func readsToTheEnd(data []byte, size func(io.Reader) (image.Config, error), read func(io.Reader) (image.Image, error)) bool {
	config, err := size(bytes.NewReader(data))
	if err != nil || config.Width*config.Height > most {
		return err == nil
	}
	_, err = read(bytes.NewReader(data))
	return err == nil
}
