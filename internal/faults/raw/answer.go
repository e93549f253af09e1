package raw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Answer is an answer of the model on its way in: one document, or the payloads of a stream without
// the end mark.
type Answer struct {
	Status   int
	Header   http.Header
	Streamed bool
	Packed   bool // it came compressed
	Payloads []string

	Done bool  // the stream had its end mark
	Err  error // the reading ended with
}

// Read reads an answer.
func Read(resp *http.Response, streamed bool) *Answer {
	read := io.ReadAll
	if streamed {
		read = ReadToDone
	}
	data, err := read(resp.Body)
	resp.Body.Close()
	a := &Answer{Status: resp.StatusCode, Header: resp.Header, Streamed: streamed, Packed: resp.Uncompressed, Err: err}
	if !streamed {
		a.Payloads = []string{string(data)}
		return a
	}
	for _, payload := range payloads(string(data)) {
		if payload == "[DONE]" {
			a.Done = true
			break
		}
		a.Payloads = append(a.Payloads, payload)
	}
	return a
}

// Into writes the answer into a response.
func (a *Answer) Into(resp *http.Response) {
	resp.StatusCode = a.Status
	resp.Status = strconv.Itoa(a.Status) + " " + http.StatusText(a.Status)
	if !a.Streamed {
		resp.Body = Body([]byte(strings.Join(a.Payloads, "")), a.Err)
		return
	}
	var b bytes.Buffer
	for _, p := range a.Payloads {
		fmt.Fprintf(&b, "data: %s\n\n", strings.ReplaceAll(p, "\n", "\ndata: "))
	}
	if a.Done {
		b.WriteString("data: [DONE]\n\n")
	}
	resp.Body = Body(b.Bytes(), a.Err)
}

// Cancelled reports whether the answer broke off since the user cancelled.
func (a *Answer) Cancelled() bool { return errors.Is(a.Err, context.Canceled) }
