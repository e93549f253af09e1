package refloop

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// MCPClient asks a server of MCP that answers each request with a document:
// https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#streamable-http
type MCPClient struct {
	URL     string
	HTTP    *http.Client
	Session string // "" for a server that answers each request by itself

	// asked counts the requests of a session, which are on their way at the same time and have an id
	// of their own each: https://modelcontextprotocol.io/specification/2025-06-18/basic#requests
	asked *atomic.Int64
}

// Connect begins a session, where the server has them.
func (m *MCPClient) Connect(ctx context.Context) error {
	hello := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "reference loop", "version": "1"}}
	header, err := m.send(ctx, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}, new(json.RawMessage))
	if err != nil {
		return err
	}
	m.Session, m.asked = header.Get("Mcp-Session-Id"), new(atomic.Int64)
	m.asked.Store(1)
	_, err = m.send(ctx, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}, nil)
	return err
}

// MCPResult is what a tool of a server of MCP returned:
// https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result
type MCPResult struct {
	Content    []MCPBlock      `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// MCPBlock is a block of it: a text, an image, a sound, an embedded resource, or a link to one.
type MCPBlock struct {
	Type     string `json:"type"`
	URI      string `json:"uri"`
	Text     string `json:"text"`
	Data     []byte `json:"data"`
	MIMEType string `json:"mimeType"`
	Resource struct {
		Text     string `json:"text"`
		Blob     []byte `json:"blob"`
		MIMEType string `json:"mimeType"`
	} `json:"resource"`
}

// Tools returns the tools of the server.
func (m MCPClient) Tools(ctx context.Context) ([]protocol.Tool, error) {
	var list struct {
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if err := m.ask(ctx, "tools/list", map[string]any{}, &list); err != nil {
		return nil, err
	}
	tools := make([]protocol.Tool, len(list.Tools))
	for i, t := range list.Tools {
		tools[i] = protocol.Tool{Name: t.Name, Description: t.Description, Parameters: t.InputSchema}
	}
	return tools, nil
}

// Call runs a tool.
func (m MCPClient) Call(ctx context.Context, tool, arguments, callID string) (result MCPResult, err error) {
	err = m.ask(ctx, "tools/call", map[string]any{
		"name": tool, "arguments": json.RawMessage(arguments), "_meta": map[string]any{protocol.CallIDHeader: callID},
	}, &result)
	return result, err
}

// Read returns the texts of a resource.
func (m MCPClient) Read(ctx context.Context, uri string) (text string, err error) {
	var read struct {
		Contents []struct {
			Text string `json:"text"`
		} `json:"contents"`
	}
	err = m.ask(ctx, "resources/read", map[string]any{"uri": uri}, &read)
	for _, c := range read.Contents {
		text += c.Text
	}
	return text, err
}

func (m MCPClient) ask(ctx context.Context, method string, params map[string]any, result any) error {
	id := int64(1)
	if m.asked != nil {
		id = m.asked.Add(1)
	}
	_, err := m.send(ctx, map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}, result)
	return err
}

// send sends a message, and reads the result of one that has one.
func (m MCPClient) send(ctx context.Context, message map[string]any, result any) (http.Header, error) {
	body, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	req, err := m.request(ctx, http.MethodPost, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := m.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if result == nil && resp.StatusCode == http.StatusAccepted {
		return resp.Header, nil
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	switch err := json.Unmarshal(data, &answer); {
	case resp.StatusCode != http.StatusOK || err != nil:
		return nil, fmt.Errorf("%s of the MCP server: %s: %s", message["method"], resp.Status, data)
	case answer.Result == nil:
		return nil, fmt.Errorf("%s of the MCP server: %s", message["method"], cmp.Or(answer.Error.Message, "no result"))
	}
	return resp.Header, json.Unmarshal(answer.Result, result)
}

func (m MCPClient) request(ctx context.Context, method string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, m.URL, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if m.Session != "" {
		req.Header.Set("Mcp-Session-Id", m.Session)
		req.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	return req, nil
}

// Texts returns the texts of the blocks.
func (r MCPResult) Texts() (all []string) {
	for _, b := range r.Content {
		if b.Type == "text" {
			all = append(all, b.Text)
		}
	}
	return all
}

// Resources returns the texts of the embedded resources.
func (r MCPResult) Resources() (all []string) {
	for _, b := range r.Content {
		if b.Resource.Text != "" {
			all = append(all, b.Resource.Text)
		}
	}
	return all
}

// Files returns the files that are no images.
func (r MCPResult) Files() (all []*neutral.Image) {
	for _, b := range r.Content {
		switch {
		case b.Type == "audio":
			all = append(all, &neutral.Image{MediaType: b.MIMEType, Data: b.Data})
		case b.Resource.Blob != nil:
			all = append(all, &neutral.Image{MediaType: b.Resource.MIMEType, Data: b.Resource.Blob})
		}
	}
	return all
}

// Image returns the image of a result, "" for none.
func (r MCPResult) Image() (data, mediaType string) {
	for _, b := range r.Content {
		if b.Type == "image" {
			return string(b.Data), b.MIMEType
		}
	}
	return "", ""
}

// ImageAlone returns the image of a result that has no text.
func (r MCPResult) ImageAlone() (data, mediaType string) {
	if len(r.Texts()) > 0 {
		return "", ""
	}
	return r.Image()
}

// StructuredText returns the structured content as a list of one text, or none.
func (r MCPResult) StructuredText() []string {
	if len(r.Structured) == 0 {
		return nil
	}
	return []string{string(r.Structured)}
}

// Besides returns the texts that say something else than the structured content does.
func (r MCPResult) Besides() (all []string) {
	var content any
	json.Unmarshal(r.Structured, &content)
	for _, text := range r.Texts() {
		var same any
		if json.Unmarshal([]byte(text), &same) != nil || len(r.Structured) == 0 || !reflect.DeepEqual(same, content) {
			all = append(all, text)
		}
	}
	return all
}

// Links names the resources to which a result links.
func (r MCPResult) Links() (all []string) {
	for _, b := range r.Content {
		if b.Type == "resource_link" {
			all = append(all, "[a resource that can be read: "+b.URI+"]")
		}
	}
	return all
}

// Said returns all that a result says.
func (r MCPResult) Said() []string { return append(r.Texts(), r.StructuredText()...) }

// ReadMCP puts all that a result says into the text of a result of a call, and its image, or else
// the first PDF, beside it. Any other file is named in the text.
func ReadMCP(r MCPResult, into *neutral.Result) {
	texts := slices.Concat(r.Besides(), r.Resources(), r.Links(), r.StructuredText())
	if data, mediaType := r.Image(); data != "" {
		into.Image = &neutral.Image{MediaType: mediaType, Data: []byte(data)}
	}
	for _, f := range r.Files() {
		if f.IsPDF() && into.Image == nil && !r.IsError { // beside an error, Anthropic takes texts alone
			into.Image = f
			continue
		}
		texts = append(texts, Unshown(f))
	}
	into.Text = strings.Join(texts, "\n\n")
}

// Unshown names a file that the model is not shown.
func Unshown(f *neutral.Image) string {
	return fmt.Sprintf("[a file of the type %s and of %d bytes, which is not shown]", f.MediaType, len(f.Data))
}

// Base64 is a file as a text.
func Base64(f *neutral.Image) string { return base64.StdEncoding.EncodeToString(f.Data) }

// connect begins a session with the server of MCP, where the task wants its tools, and lets it tell
// the loop when they have changed, where the loop listens.
func (c *conversation) connect(ctx context.Context) error {
	if !c.task.MCPTools {
		return nil
	}
	c.mcp = MCPClient{URL: c.task.MCPURL, HTTP: c.loop.Client}
	if err := c.mcp.Connect(ctx); err != nil || !c.loop.Listens {
		return err
	}
	c.toolsChanged = &atomic.Bool{}
	c.toolsChanged.Store(true) // the first list
	req, err := c.mcp.request(ctx, http.MethodGet, nil)
	if err != nil {
		return err
	}
	resp, err := c.loop.Client.Do(req)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK { // nothing changes there
		return resp.Body.Close()
	}
	go func() {
		defer resp.Body.Close()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if strings.Contains(lines.Text(), "notifications/tools/list_changed") {
				c.toolsChanged.Store(true)
			}
		}
	}()
	return nil
}

// takeTools asks the server of MCP for the tools, where the task wants so: before each request, or
// when it was told that they have changed.
func (c *conversation) takeTools(ctx context.Context) (err error) {
	if c.task.MCPTools && (c.toolsChanged == nil || c.toolsChanged.Swap(false)) {
		c.task.Tools, err = c.mcp.Tools(ctx)
	}
	return err
}

// callMCP runs a tool of the server of MCP.
func (c *conversation) callMCP(ctx context.Context, tool, arguments string, r *neutral.Result) error {
	result, err := c.mcp.Call(ctx, tool, arguments, r.CallID)
	if err != nil {
		return err
	}
	if c.loop.ReadsLinks {
		c.readLinks(ctx, &result)
	}
	c.loop.ReadMCP(result, r)
	if result.IsError {
		return errors.New(r.Text)
	}
	return nil
}

// readLinks puts what stands behind the links of a result in their places.
func (c *conversation) readLinks(ctx context.Context, result *MCPResult) {
	for i, b := range result.Content {
		if b.Type != "resource_link" {
			continue
		}
		if text, err := c.mcp.Read(ctx, b.URI); err == nil {
			result.Content[i] = MCPBlock{Type: "text", Text: text}
		}
	}
}
