package scenarios

import (
	"bytes"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// BytesPerToken is how long a token is taken to be.
const BytesPerToken = 4

// Tokens returns how many tokens the prompt of a request has: one for every four bytes of what the
// model reads, which is the messages, the system prompt, the tools and the form of the answer, as
// JSON without white space and without escapes in its texts. An image and a file have a fixed
// number. It does not depend on how the answer is asked for, and is what the paths answer that
// count tokens.
func Tokens(req *wire.Request) int {
	form, body := &req.Dialect.Request, req.Body
	if counted := body.Get(form.Counted); counted.Is(wire.Object) {
		body = counted
	}
	c := counter{dialect: req.Dialect}
	if list := body.Get(form.Messages); list.Is(wire.Array) && list == req.MessageList() {
		c.addMessages(req, list)
	} else {
		c.add(list)
	}
	for _, key := range form.OutsideList {
		c.add(body.Get(key))
	}
	for _, pointer := range form.Prompt {
		c.add(body.At(pointer))
	}
	return 1 + c.bytes/BytesPerToken
}

// counter counts the bytes of what a model reads.
type counter struct {
	dialect *wire.Dialect
	bytes   int
}

func (c *counter) add(n *wire.Node) {
	switch n.Type() {
	case wire.Absent:
	case wire.Object:
		c.object(n)
	case wire.Array:
		c.bytes += len("[]") + max(0, len(n.Items)-1)
		for _, item := range n.Items {
			c.add(item)
		}
	case wire.String:
		if said := n.Raw; bytes.HasPrefix(said, []byte(`"data:`)) && bytes.Contains(said[:min(len(said), 200)], []byte(";base64,")) {
			c.bytes += c.fileBytes()
		} else {
			c.bytes += len(`""`) + n.TextLen()
		}
	default:
		c.bytes += len(n.Raw)
	}
}

// addMessages is add of the messages of a request, of which some may have been counted already.
func (c *counter) addMessages(req *wire.Request, list *wire.Node) {
	type counted struct{}
	known, what := req.Found(counted{})
	c.bytes, _ = what.(int)
	for _, item := range list.Items[known:] {
		c.add(item)
	}
	req.NoteFound(counted{}, c.bytes)
	c.bytes += len("[]") + max(0, len(list.Items)-1)
}

func (c *counter) object(n *wire.Node) {
	if _, is := c.dialect.ImageIn(wire.Part{Node: n, Type: n.Get("type").Text()}); is {
		c.bytes += c.fileBytes()
		return
	}
	c.bytes += len("{}") + max(0, len(n.Members)-1)
	for _, m := range n.Members {
		c.bytes += len(`"":`) + len(m.Key)
		if files := filesUnder(n, m); files > 0 {
			c.bytes += files * c.fileBytes()
			continue
		}
		c.add(m.Value)
	}
}

// filesUnder returns how many files in base64 a key of an object holds: a sound of Chat
// Completions, a document of Messages, any part of Gemini, the images of Ollama.
func filesUnder(n *wire.Node, m wire.Member) int {
	switch m.Key {
	case "data":
		for _, kind := range []string{"media_type", "mimeType", "mime_type", "format"} {
			if said := n.Get(kind).Text(); said != "" && !strings.HasPrefix(said, "text/") {
				return 1
			}
		}
	case "file_data":
		return 1
	case "images":
		return len(m.Value.Items)
	}
	return 0
}

// fileBytes returns how many bytes of text an image or a file counts as.
func (c *counter) fileBytes() int { return c.dialect.Images.Tokens * BytesPerToken }
