package converse

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// kinds are the keys of a block that say what it is.
var kinds = []string{
	"text", "toolUse", "toolResult", "reasoningContent", "image", "document", "cachePoint", "json", "video", "audio", "guardContent",
	"citationsContent", "searchResult", "toolAddition", "toolRemoval",
}

// kindOf returns what a block is: the key of the union that it has, or one that is not known.
func kindOf(block *wire.Node) string {
	for _, kind := range kinds {
		if block.Has(kind) {
			return kind
		}
	}
	if keys := block.Keys(); len(keys) > 0 {
		return keys[0]
	}
	return ""
}

var roles = map[string]wire.Role{"user": wire.User, "assistant": wire.Assistant, "system": wire.System}

// read reads the body of a request. The system prompt, which is apart from the messages here, becomes
// the first of them.
func read(req *wire.Request) {
	req.Model, req.Stream = "", false // which the URL says
	if system := req.Body.Get("system"); system != nil {
		req.Messages = append(req.Messages, wire.Message{Node: system, Role: wire.System, RoleWord: "system", Content: readContent(system)})
	}
	req.ReadMessages(req.Body.Get("messages").All(), readMessage)
	for _, t := range req.Body.Get("toolConfig").Get("tools").All() {
		switch spec := t.Get("toolSpec"); {
		case spec != nil:
			req.Tools = append(req.Tools, wire.ToolDefinition{
				Node: spec, Name: spec.Get("name").Text(), NameNode: spec.Get("name"), Description: spec.Get("description").Text(),
				Parameters: spec.Get("inputSchema").Get("json"), Strict: spec.Get("strict").True(),
			})
		case t.Has("systemTool"):
			req.Tools = append(req.Tools, wire.ToolDefinition{Node: t, Own: true})
		}
	}
}

func readMessage(n *wire.Node) wire.Message {
	word := n.Get("role").Text()
	m := wire.Message{Node: n, Role: roles[word], RoleWord: word, Content: readContent(n.Get("content"))}
	for _, block := range m.Content.Parts {
		said := block.Node.Get(block.Type)
		switch block.Type {
		case "toolUse":
			call := wire.Call{Node: block.Node, ID: said.Get("toolUseId").Text(), IDNode: said.Get("toolUseId"), Name: said.Get("name").Text(), ArgsNode: said.Get("input")}
			if call.ArgsNode != nil {
				call.Arguments = string(call.ArgsNode.Raw)
			}
			if said.Get("type").Text() == "" { // else it is a call of a tool of the provider's own
				m.Calls = append(m.Calls, call)
			}
		case "toolResult":
			if said.Get("type").Text() == "" {
				m.Results = append(m.Results, wire.Result{
					Node: block.Node, CallID: said.Get("toolUseId").Text(), IDNode: said.Get("toolUseId"),
					Content: readContent(said.Get("content")), Failed: said.Get("status").Text() == "error",
				})
			}
		case "reasoningContent":
			m.Reasoning.Details = append(m.Reasoning.Details, block.Node)
		}
	}
	return m
}

// readContent reads a list of blocks. JSON, which a tool may return, is a text, too.
func readContent(n *wire.Node) wire.Content {
	c := wire.Content{Node: n}
	var text strings.Builder
	text.WriteString(n.Text()) // which is refused
	for _, block := range n.All() {
		p := wire.Part{Node: block, Type: kindOf(block)}
		switch p.Type {
		case "text":
			p.Text = block.Get("text").Text()
		case "json":
			p.Text = string(block.Get("json").Raw)
		case "document":
			text.WriteString(block.Get("document").Get("source").Get("text").Text())
		}
		text.WriteString(p.Text)
		c.Parts = append(c.Parts, p)
	}
	c.Text = text.String()
	return c
}

// readReasoning reads a block of reasoning, in a request or an answer.
func readReasoning(block *wire.Node) wire.ReasoningBlock {
	said := block.Get("reasoningContent")
	if sealed := said.Get("redactedContent"); sealed != nil {
		return wire.ReasoningBlock{Type: wire.BlockEncrypted, Data: unsealed(sealed.Text())}
	}
	text := said.Get("reasoningText")
	return wire.ReasoningBlock{Type: wire.BlockText, Text: text.Get("text").Text(), Signature: text.Get("signature").Text()}
}

// sealed and unsealed are encrypted data as blobs are on the wire, and back.
func sealed(data string) string { return base64.StdEncoding.EncodeToString([]byte(data)) }

func unsealed(blob string) string {
	data, err := base64.StdEncoding.DecodeString(blob)
	if err != nil {
		return blob
	}
	return string(data)
}

// reasoningWanted reports whether a request asks to see what the model thinks, in the words of the
// makers of its models: thinking of Anthropic, reasoningConfig of Amazon, reasoning_effort of OpenAI.
func reasoningWanted(req *wire.Request) bool {
	more := req.Body.Get("additionalModelRequestFields")
	kind := more.Get("thinking").Get("type").Text()
	return slices.Contains([]string{"enabled", "adaptive"}, kind) || more.Get("reasoningConfig").Get("type").Text() == "enabled" || more.Has("reasoning_effort")
}

// visible leaves out what blocks do not have here, an index and a format; a summary is a text, too.
func visible(blocks []wire.ReasoningBlock, _ *wire.Request) []wire.ReasoningBlock {
	seen := make([]wire.ReasoningBlock, len(blocks))
	for i, b := range blocks {
		if b.Type == wire.BlockSummary {
			b.Type = wire.BlockText
		}
		seen[i] = wire.ReasoningBlock{Type: b.Type, Text: b.Text, Data: b.Data, Signature: b.Signature}
	}
	return seen
}

// readImage reads the image of a block: its bytes, or a place in S3.
func readImage(block wire.Part) (wire.Image, bool) {
	if block.Type != "image" {
		return wire.Image{}, false
	}
	said := block.Node.Get("image")
	source := said.Get("source")
	if at := source.Get("s3Location"); at != nil {
		return wire.Image{URL: at.Get("uri").Text()}, true
	}
	data := source.Get("bytes").Text()
	if strings.HasPrefix(data, "data:") {
		return wire.Image{MediaType: "image/" + said.Get("format").Text(), Problem: "a value with a 'data:' prefix"}, true
	}
	return wire.DecodeImage("image/"+said.Get("format").Text(), data), true
}
