package refloop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// failure is a request that gave no turn.
type failure struct {
	err   error
	again bool          // another attempt may succeed
	after time.Duration // when the provider says how long to wait
}

func (f *failure) Error() string { return f.err.Error() }

// longest is how long the loop waits at most when a provider asks it to.
const longest = time.Minute

// ask gets the next turn of the model. A request has no effect on the world, so it is repeated when it fails for a
// reason that may pass; nothing of a failed attempt is kept.
func (c *conversation) ask(ctx context.Context) (*turn, error) {
	body, err := c.request()
	if err != nil {
		return nil, err
	}
	wait := c.loop.Backoff
	for attempt := 1; ; attempt++ {
		t, err := c.attempt(ctx, body)
		var f *failure
		if err == nil || !errors.As(err, &f) || !f.again || attempt == c.loop.Attempts || f.after > longest {
			return t, err
		}
		select {
		case <-time.After(max(wait, f.after)):
			wait *= 2
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *conversation) request() ([]byte, error) {
	r := request{Model: c.task.Model, Messages: c.messages, Stream: c.task.Stream}
	if c.task.Stream {
		r.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	for _, t := range c.task.Tools {
		r.Tools = append(r.Tools, tool{Type: "function", Function: functionDef{Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	err := e.Encode(r)
	return body.Bytes(), err
}

func (c *conversation) attempt(ctx context.Context, body []byte) (*turn, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.task.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.task.APIKey)
	resp, err := c.loop.Client.Do(req)
	if err != nil {
		return nil, &failure{err: err, again: ctx.Err() == nil}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, statusError(resp)
	}
	// An error, or a gateway that does not stream, answers a request for a stream with plain JSON.
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return readStream(resp.Body)
	}
	return readWhole(resp.Body)
}

func statusError(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return &failure{
		err:   fmt.Errorf("the provider answered %s: %s", resp.Status, errorText(body)),
		again: resp.StatusCode == 408 || resp.StatusCode == 409 || resp.StatusCode == 429 || resp.StatusCode >= 500,
		after: retryAfter(resp.Header),
	}
}

// errorText finds the message in the various envelopes of providers, or returns the body as it is.
func errorText(body []byte) string {
	var e struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &e) != nil {
		return string(body)
	}
	var nested struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(e.Error, &nested) == nil && nested.Message != "" {
		return nested.Message
	}
	if e.Message != "" {
		return e.Message
	}
	return string(body)
}

// retryAfter reads how long to wait: in milliseconds, in seconds, or until a date.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return time.Duration(s * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return time.Until(date)
	}
	return 0
}
