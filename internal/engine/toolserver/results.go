package toolserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/loopproof/loopproof/internal/trace"
)

// resultOf writes what a tool returned: its texts, its image, its resources and its files, and the
// structured content beside them.
func resultOf(e trace.Execution) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: e.Failed}
	texts := []string{e.Result}
	switch {
	case e.Blocks != nil:
		texts = e.Blocks.Texts
		if e.Blocks.Structured != "" {
			result.StructuredContent = json.RawMessage(e.Blocks.Structured)
		}
	case e.Image != nil:
		texts = nil
	}
	for _, text := range texts {
		result.Content = append(result.Content, &mcp.TextContent{Text: text})
	}
	if e.Image != nil {
		result.Content = append(result.Content, &mcp.ImageContent{Data: e.Image.Data, MIMEType: e.Image.MediaType})
	}
	if e.Blocks != nil {
		result.Content = append(result.Content, inBlocks(e.Blocks)...)
	}
	return result
}

// inBlocks writes the resources and the files of a result.
func inBlocks(b *trace.Blocks) (all []mcp.Content) {
	for i, text := range b.Resources {
		all = append(all, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: fmt.Sprintf("loopproof://notes/%d", i+1), MIMEType: "text/plain", Text: text}})
	}
	for _, link := range b.Links {
		all = append(all, &mcp.ResourceLink{URI: link.URI, Name: link.Name, MIMEType: "text/plain"})
	}
	for i, m := range b.Media {
		if strings.HasPrefix(m.MediaType, "audio/") {
			all = append(all, &mcp.AudioContent{Data: m.Data, MIMEType: m.MediaType})
			continue
		}
		all = append(all, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: fmt.Sprintf("loopproof://files/%d.pdf", i+1), MIMEType: m.MediaType, Blob: m.Data}})
	}
	return all
}
