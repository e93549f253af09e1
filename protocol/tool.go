package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Result is what a tool returned: a text, or for loops that claim images an image.
type Result struct {
	Text      string // of a tool that returned no image
	MediaType string // of an image, such as image/png; else ""
	Image     []byte
}

// Run runs the tool at its URL. callID is the id of the call, or "" if the loop does not expose it; arguments are sent as
// they are. The error is the message of a tool that failed.
func (t Tool) Run(ctx context.Context, callID, arguments string) (string, error) {
	_, body, err := t.post(ctx, callID, arguments)
	return string(body), err
}

// RunForResult is Run for loops that claim images.
func (t Tool) RunForResult(ctx context.Context, callID, arguments string) (Result, error) {
	mediaType, body, err := t.post(ctx, callID, arguments)
	if err != nil {
		return Result{}, err
	}
	if strings.HasPrefix(mediaType, "image/") {
		return Result{MediaType: mediaType, Image: body}, nil
	}
	return Result{Text: string(body)}, nil
}

// post returns the content type and the body of a tool that succeeded.
func (t Tool) post(ctx context.Context, callID, arguments string) (mediaType string, body []byte, err error) {
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
