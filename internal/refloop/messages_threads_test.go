package refloop_test

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

const (
	calledIn = `{"id":"msg_1","content":[{"type":"tool_use","id":"a","name":"look","input":{"at":"x"}}],"stop_reason":"tool_use","usage":{}}`
	again    = `{"id":"msg_2","content":[{"type":"tool_use","id":"b","name":"look","input":{"at":"y"}}],"stop_reason":"tool_use","usage":{}}`
	gone     = `404 {"type":"error","error":{"type":"not_found_error","message":"gone","details":{"error_code":"thread_not_found"}}}`
	noThread = `400 {"type":"error","error":{"type":"invalid_request_error","message":"no","details":{"error_code":"thread_unsupported_request"}}}`
)

// What the provider keeps is not sent again; what it has lost, or never kept, is.
func TestThreads(t *testing.T) {
	for name, c := range map[string]struct {
		replies []string
		threads []string // of the requests: how a thread is meant, and how many messages and tools go with it
	}{
		"kept":       {[]string{calledIn, again, answered}, []string{"create 1 1", "continue msg_1 1 0", "continue msg_2 1 0"}},
		"lost":       {[]string{calledIn, gone, again, answered}, []string{"create 1 1", "continue msg_1 1 0", "create 3 1", "continue msg_2 1 0"}},
		"never kept": {[]string{noThread, calledIn, answered}, []string{"create 1 1", "1 1", "3 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, requests := runMessages(t, "anthropic-threads", false, c.replies...)
			if out.Status != protocol.Completed || out.Text != "Done." {
				t.Errorf("the outcome is %+v", out)
			}
			for i, r := range requests {
				thread := gjson.Get(r, "thread")
				said := strings.Join(strings.Fields(strings.Join([]string{
					thread.Get("type").String(), thread.Get("previous_message_id").String(), gjson.Get(r, "messages.#").String(), or0(gjson.Get(r, "tools.#").String()),
				}, " ")), " ")
				if i >= len(c.threads) || said != c.threads[i] {
					t.Errorf("request %d is %q of %q", i, said, c.threads)
				}
				if continues := thread.Get("type").String() == "continue"; continues == gjson.Get(r, "system").Exists() {
					t.Errorf("request %d has a system prompt: %s", i, r)
				}
			}
		})
	}
}

func or0(count string) string {
	if count == "" {
		return "0"
	}
	return count
}

// An error of another kind does not make the loop begin again.
func TestThreadsAndOtherErrors(t *testing.T) {
	out, requests := runMessages(t, "anthropic-threads", false, calledIn, `404 {"error":{"message":"model: m"}}`, answered)
	if out.Status != protocol.Failed || len(requests) != 2 {
		t.Errorf("%d requests, and the outcome is %+v", len(requests), out)
	}
}

// A message that begins again takes the place of what came of the one before.
func TestMessageThatBeginsAgain(t *testing.T) {
	stream := func(events ...string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }
	start := `{"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":1}}}`
	half := `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	out, _ := runMessages(t, "anthropic", true, stream(
		start, half, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Do"}}`,
		start, half, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}`, `{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`))
	if out.Status != protocol.Completed || out.Text != "Done." {
		t.Errorf("the outcome is %+v", out)
	}
}
