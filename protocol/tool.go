package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Run runs the tool at its URL. callID is the id of the call, or "" if the loop does not expose it;
// arguments are sent as they are. The error is the message of a tool that failed.
func (t Tool) Run(ctx context.Context, callID, arguments string) (string, error) {
	_, body, err := t.RunForImages(ctx, callID, arguments)
	return string(body), err
}

// RunForImages is Run for loops that claim images: if the content type begins with image/, the body
// is an image, else a text.
func (t Tool) RunForImages(ctx context.Context, callID, arguments string) (contentType string, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, strings.NewReader(arguments))
	if err != nil {
		return "", nil, err
	}
	if callID != "" {
		req.Header.Set(CallIDHeader, callID)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	if err != nil {
		return "", nil, fmt.Errorf("the result of the tool %s could not be read: %w", t.Name, err)
	}
	if resp.StatusCode != http.StatusOK {
		return "", nil, errors.New(string(body))
	}
	return resp.Header.Get("Content-Type"), body, nil
}
