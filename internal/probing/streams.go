package probing

import (
	"context"
	"fmt"
	"mime"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/wire"
)

// mostStreams is how many streams are asked for.
const mostStreams = 3

// streams asks for good requests as streams, where a body can say so.
func (c *Config) streams(ctx context.Context, requests []fixtures.Request) ([]Stream, error) {
	streams := []Stream{}
	if !slices.Contains(c.Dialect.Keys(), "stream") {
		return streams, nil
	}
	for i := range requests {
		if requests[i].Class() != good || len(streams) == mostStreams {
			continue
		}
		body := wire.Parsed(c.withModel(requests[i].Body))
		body.Set("stream", true)
		response, answer, err := c.send(ctx, body.JSON())
		if err != nil {
			return nil, err
		}
		s := Stream{Request: requests[i].ID}
		if response.StatusCode != 200 {
			s.Problem = fmt.Sprintf("the answer is %d: %s", response.StatusCode, messageOf(answer))
		} else {
			s.Problem = c.problemOf(response.Header.Get("Content-Type"), answer)
		}
		streams = append(streams, s)
	}
	return streams, nil
}

// problemOf returns why a stream is not one of the dialect, or "".
func (c *Config) problemOf(contentType string, stream []byte) string {
	framer := c.Dialect.Frames()
	kind, _, _ := mime.ParseMediaType(contentType)
	if want, _, _ := mime.ParseMediaType(framer.Type); kind != want {
		return fmt.Sprintf("its content type is %q, expected %s", contentType, want)
	}
	said, err := c.Dialect.ReadAnswer(stream, true)
	switch {
	case err != nil:
		return err.Error()
	case strings.TrimSpace(said.Text) == "" && len(said.Calls) == 0 && said.Reasoning == nil:
		return "it says nothing"
	}
	return ""
}
