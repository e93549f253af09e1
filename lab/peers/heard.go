package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// request is one request: Ask is a method and a path. Has is a JSON pointer to what the answer of
// the API always has.
type request struct {
	API  string      `yaml:"api"`
	What string      `yaml:"what"`
	Ask  string      `yaml:"ask"`
	JSON wire.Fields `yaml:"json"`
	Form string      `yaml:"form"` // the field of a file
	Has  string      `yaml:"has"`
	Text string      `yaml:"-"` // the body, instead of JSON
}

// heard is an answer, and when it came.
type heard struct {
	status               int
	header               http.Header
	body                 []byte
	first, lasted, pause time.Duration // until the first byte, until the last, and the longest wait between
	err                  error         // no answer, or half of one
}

// sent sends the request.
func (r *request) sent(ctx context.Context, base string, header map[string]string) heard {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	method, path, _ := strings.Cut(r.Ask, " ")
	body, kind := r.body()
	req, err := http.NewRequestWithContext(ctx, method, base+path, bytes.NewReader(body))
	if err != nil {
		return heard{err: err}
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Authorization", "Bearer sk-test")
	if r.API == "Anthropic" {
		req.Header.Set("X-Api-Key", "test")
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	began := time.Now()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return heard{err: errors.New("no answer")}
	}
	defer resp.Body.Close()
	h := heard{status: resp.StatusCode, header: resp.Header}
	h.read(resp.Body, began)
	return h
}

// read reads a body, and measures the waits in it.
func (h *heard) read(body io.Reader, began time.Time) {
	last, part := began, make([]byte, 64<<10)
	for {
		n, err := body.Read(part)
		now := time.Now()
		if n > 0 {
			if h.body == nil {
				h.first = now.Sub(began)
			} else {
				h.pause = max(h.pause, now.Sub(last))
			}
			h.body, last = append(h.body, part[:n]...), now
		}
		if err != nil {
			h.lasted = now.Sub(began)
			if !errors.Is(err, io.EOF) {
				h.err = err
			}
			return
		}
	}
}

func (r *request) body() (body []byte, kind string) {
	if r.Text != "" {
		return []byte(r.Text), "application/json"
	}
	if r.Form == "" {
		if r.JSON != nil {
			body = r.JSON.JSON()
		}
		return body, "application/json"
	}
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	form.WriteField("model", "whisper-1")
	form.WriteField("purpose", "batch")
	form.WriteField("prompt", "a cat")
	file, _ := form.CreateFormFile(r.Form, "a.mp3")
	file.Write([]byte("ID3"))
	form.Close()
	return b.Bytes(), form.FormDataContentType()
}

// events are the data of a stream of server-sent events, without [DONE].
func (h *heard) events() (list []string, done bool) {
	for line := range strings.Lines(string(h.body)) {
		data, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "data:")
		data = strings.TrimSpace(data)
		switch {
		case !ok:
		case data == "[DONE]":
			done = true
		default:
			list = append(list, data)
		}
	}
	return list, done
}

// ends says how a stream ended.
func (h *heard) ends() string {
	list, done := h.events()
	for _, data := range list {
		if at([]byte(data), "/error") != "" {
			return "error"
		}
	}
	for _, data := range list {
		if !json.Valid([]byte(data)) {
			return "malformed"
		}
	}
	switch {
	case h.err != nil:
		return "reset"
	case done:
		return "done"
	case len(list) == 0:
		return "no stream"
	}
	return "cut"
}

// text is the text of an answer in any of the APIs.
func (h *heard) text() string {
	for _, pointer := range []string{"/choices/0/message/content", "/content/0/text", "/candidates/0/content/parts/0/text", "/output/0/content/0/text"} {
		if n := wire.Parsed(h.body).At(pointer); n != nil {
			return decoded(n)
		}
	}
	return h.joined("/choices/0/delta/content")
}

// calls are the first call of an answer of Chat Completions: its name and its arguments.
func (h *heard) calls() string {
	call := wire.Parsed(h.body).At("/choices/0/message/tool_calls/0/function")
	if call == nil {
		return h.joined("/choices/0/delta/tool_calls/0/function/name") + " " + h.joined("/choices/0/delta/tool_calls/0/function/arguments")
	}
	return decoded(call.At("/name")) + " " + decoded(call.At("/arguments"))
}

// joined puts the texts at a pointer of all events together.
func (h *heard) joined(pointer string) (all string) {
	list, _ := h.events()
	for _, data := range list {
		all += decoded(wire.Parsed([]byte(data)).At(pointer))
	}
	return all
}

func decoded(n *wire.Node) (text string) {
	if n != nil {
		json.Unmarshal(n.Raw, &text)
	}
	return text
}
