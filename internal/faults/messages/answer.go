package messages

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// kindOf returns the type of an event of the dialect messages.
func kindOf(payload string) string { return gjson.Get(payload, "type").String() }

// fragments returns how many pieces of its input each block of a stream has, by its index.
func fragments(a *raw.Answer) map[int64]int {
	count := map[int64]int{}
	for _, p := range a.Payloads {
		if gjson.Get(p, "delta.type").String() == "input_json_delta" {
			count[gjson.Get(p, "index").Int()]++
		}
	}
	return count
}

// eachCallStart changes the start of every call in a stream that has no pieces of its input.
func eachCallStart(change func(a *raw.Answer, i int, input gjson.Result)) func() raw.Mutation {
	return raw.OnStream(func(a *raw.Answer) {
		pieces := fragments(a)
		if slices.ContainsFunc(a.Payloads, func(p string) bool { return kindOf(p) == "content_block_stop" && !gjson.Get(p, "index").Exists() }) {
			return
		}
		for i, p := range a.Payloads {
			if gjson.Get(p, "content_block.type").String() == "tool_use" && pieces[gjson.Get(p, "index").Int()] == 0 {
				change(a, i, gjson.Get(p, "content_block.input"))
			}
		}
	})
}

// knownEvents are the types of events that a stream of the dialect messages has had from the
// beginning.
var knownEvents = map[string]bool{
	"message_start": true, "content_block_start": true, "content_block_delta": true, "content_block_stop": true,
	"message_delta": true, "message_stop": true, "ping": true, "error": true,
}

// parsedToTheEnd asks the model, and gives nothing of an answer on whose end mark is that of
// another API.
func parsedToTheEnd(req *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	resp, err := send(req)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if bytes.Contains(data, []byte("event: done")) {
		data, err = nil, io.ErrUnexpectedEOF
	}
	resp.Body = raw.Body(data, err)
	return resp, nil
}

// eventName returns the name of an event, "" when it has none.
func eventName(event []byte) string {
	for line := range bytes.Lines(event) {
		if name, found := strings.CutPrefix(string(line), "event:"); found {
			return strings.TrimSpace(name)
		}
	}
	return ""
}
