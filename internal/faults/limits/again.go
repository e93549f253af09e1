package limits

import (
	"bytes"
	"io"
	"net/http"
	"regexp"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// askedForTools is how an answer with calls ends that came whole, where a word says so. Elsewhere
// it is a response that is completed, and has a call among its items.
var (
	askedForTools = regexp.MustCompile(`"(finish_r|stop_r|stopR)eason": ?"(?i:tool_(calls?|use))"|"status": ?"requires_action"`)
	completed     = regexp.MustCompile(`(?s)"type": ?"response\.completed"|"object": ?"response".*"status": ?"completed"`)
	calledInParts = regexp.MustCompile(`(?s)"functionCall":.*"finishReason": ?"STOP"`)
	calledInLines = regexp.MustCompile(`(?s)"tool_calls": ?\[\{.*"done": ?true`)
	calledInItems = regexp.MustCompile(`"type": ?"function_call"`)
)

// sendsTwice sends each request again whose answer asks for tools, and drops the first answer,
// unless there is no second one.
func sendsTwice() hooks.Mutation {
	return hooks.Mutation{Send: func(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		again := func() (*http.Response, error) {
			req.Body = io.NopCloser(bytes.NewReader(body))
			return send(req)
		}
		resp, err := again()
		if err != nil || resp.StatusCode != http.StatusOK {
			return resp, err
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil && (askedForTools.Match(data) || completed.Match(data) && calledInItems.Match(data) || calledInParts.Match(data) || calledInLines.Match(data)) {
			if second, err := again(); err == nil {
				return second, nil
			}
		}
		resp.Body = raw.Body(data, err)
		return resp, nil
	}}
}
