package hooks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/protocol"
)

// transport is between the reference loop and its servers.
type transport struct {
	mutation Mutation
	task     protocol.Task
	world    http.RoundTripper

	mu       sync.Mutex
	requests int
}

// ToolRun is a tool about to be run.
type ToolRun struct {
	Name      string
	CallID    string
	Arguments string
	URL       string

	Context context.Context   // ends when the loop gives the tool up
	world   http.RoundTripper // through which it is run
}

// ToolResult is what came of it.
type ToolResult struct {
	Status int
	Type   string // of the content
	Body   string
}

var ErrAborted = errors.New("the loop gave up")

// RoundTrip tells requests for the model from runs of tools, and from those for a server of MCP, by
// their path.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.Contains(req.URL.Path, "/tools/") {
		return t.tool(req)
	}
	if strings.HasSuffix(req.URL.Path, "/mcp") {
		return t.world.RoundTrip(req)
	}
	return t.model(req)
}

func (t *transport) model(req *http.Request) (*http.Response, error) {
	if req.Body == nil { // a redirected request that has lost its method
		return t.world.RoundTrip(req)
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if t.mutation.RawRequest != nil {
		t.mu.Lock()
		t.requests++
		r := &raw.Request{Body: string(body), Number: t.requests, Task: t.task}
		t.mutation.RawRequest(r)
		t.mu.Unlock()
		body = []byte(r.Body)
	}
	req = req.Clone(req.Context())
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	send := t.world.RoundTrip
	if t.mutation.Send != nil {
		send = func(req *http.Request) (*http.Response, error) {
			return t.mutation.Send(req, t.world.RoundTrip)
		}
	}
	resp, err := send(req)
	if err != nil {
		if t.mutation.Lost != nil {
			t.mutation.Lost(err)
		}
		return nil, err
	}
	return t.answer(resp), nil
}

// IsStream reports whether an answer with a content type is a stream. One without, it is where the
// task wants one.
func IsStream(kind string, task protocol.Task) bool {
	return strings.HasPrefix(kind, "text/event-stream") || strings.HasPrefix(kind, "application/x-ndjson") || kind == "" && task.Stream
}

func (t *transport) answer(resp *http.Response) *http.Response {
	kind := resp.Header.Get("Content-Type")
	streamed := IsStream(kind, t.task)
	if t.mutation.Waits && streamed {
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		resp.Body = raw.Body(data, err)
	}
	if t.mutation.Reads != nil && streamed {
		resp.Body = &eachRead{ReadCloser: resp.Body, change: t.mutation.Reads}
	}
	if t.mutation.Bytes != nil && streamed {
		data, err := raw.ReadToDone(resp.Body)
		resp.Body.Close()
		resp.Body = raw.Body(t.mutation.Bytes(data), err)
	}
	if t.mutation.RawAnswer != nil {
		a := raw.Read(resp, streamed)
		t.mutation.RawAnswer(a)
		a.Into(resp)
	}
	return resp
}

// eachRead is a body of which each read is changed by itself.
type eachRead struct {
	io.ReadCloser
	change func([]byte) []byte
	ready  []byte
	err    error // after what is ready
}

func (r *eachRead) Read(p []byte) (int, error) {
	if len(r.ready) == 0 && r.err == nil {
		buffer := make([]byte, 32<<10)
		n, err := r.ReadCloser.Read(buffer)
		r.ready, r.err = r.change(buffer[:n]), err
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	if len(r.ready) > 0 {
		return n, nil
	}
	return n, r.err
}

func (t *transport) tool(req *http.Request) (*http.Response, error) {
	arguments, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	run := &ToolRun{
		Name:      req.URL.Path[strings.LastIndexByte(req.URL.Path, '/')+1:],
		CallID:    req.Header.Get(protocol.CallIDHeader),
		Arguments: string(arguments),
		URL:       req.URL.String(),
		Context:   req.Context(),
		world:     t.world,
	}
	post := (*ToolRun).Post
	result := ToolResult{}
	if t.mutation.Tool != nil {
		result = t.mutation.Tool(run, post)
	} else {
		result = post(run)
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: result.Status,
		Header:     http.Header{"Content-Type": {result.Type}},
		Body:       io.NopCloser(strings.NewReader(result.Body)),
		Request:    req,
	}, nil
}

// RunTool runs a tool of the task, whatever the model said, for the call with an id or for none.
func (r *Request) RunTool(tool protocol.Tool, callID, arguments string) ToolResult {
	return (&ToolRun{Name: tool.Name, CallID: callID, URL: tool.URL, Arguments: arguments, Context: context.Background(), world: r.world}).Post()
}

// Post runs the tool.
func (r *ToolRun) Post() ToolResult {
	req, err := http.NewRequestWithContext(r.Context, http.MethodPost, r.URL, strings.NewReader(r.Arguments))
	if err != nil {
		return ToolResult{Status: 500, Body: err.Error()}
	}
	req.Header.Set(protocol.CallIDHeader, r.CallID)
	resp, err := (&http.Client{Transport: r.world}).Do(req)
	if err != nil {
		return ToolResult{Status: 500, Body: err.Error()}
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return ToolResult{Status: resp.StatusCode, Type: resp.Header.Get("Content-Type"), Body: string(body)}
}

// UntilCancelled returns a context that ends when the user cancels another one, and not when the
// time of that is over.
func UntilCancelled(other context.Context) context.Context {
	ctx, cancel := context.WithCancel(context.WithoutCancel(other))
	context.AfterFunc(other, func() {
		if other.Err() == context.Canceled {
			cancel()
		}
	})
	return ctx
}
