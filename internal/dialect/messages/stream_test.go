package messages_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

var answers = map[string]wire.Answer{
	"text":    {Text: "Il fait 4 °C à Oslo.", Finish: wire.FinishStop},
	"refusal": {Refusal: "I won't.", Finish: wire.FinishContentFilter},
	"nothing": {Finish: wire.FinishStop},
	"a tool of the provider": {Text: "It is cold.", Finish: wire.FinishStop, Blocks: []wire.Raw{
		wire.Raw(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo in November"}}`),
		wire.Raw(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`),
	}},
	"all at once": {
		Text: "One moment.",
		Details: []wire.ReasoningBlock{
			{Type: wire.BlockText, Text: "I look it up.", Signature: "sig"},
			{Type: wire.BlockEncrypted, Data: "opaque"},
			{Type: wire.BlockText, Signature: "only"},
		},
		Calls: []wire.AnswerCall{
			{ID: "t1", Name: "look", Arguments: `{"city": "Oslo", "n": 9007199254740993}`},
			{ID: "t2", Name: "look", Arguments: ""},
			{ID: "t3", Name: "look", Arguments: "null"},
		},
		Finish: wire.FinishCalls,
		Usage:  wire.Usage{Prompt: 40, Completion: 12},
	},
}

// message is an answer as a client puts it together.
type message struct {
	Type    string            `json:"type"`
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
	Stop    *string           `json:"stop_reason"`
	Usage   struct {
		In  int `json:"input_tokens"`
		Out int `json:"output_tokens"`
	} `json:"usage"`
}

// The same answer, whole or streamed, is the same to a client, under every profile; the events keep
// to the grammar.
func TestStreamSaysWhatTheWholeAnswerSays(t *testing.T) {
	for _, p := range profiles.Of("messages", profiles.All()) {
		for name, answer := range answers {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				reply := wire.Reply{ID: "msg_1", Model: "m"}
				var whole message
				if err := json.Unmarshal(p.Shape.Write(&answer, reply), &whole); err != nil {
					t.Fatal(err)
				}
				streamed := assemble(t, append(p.Shape.Stream(&answer, reply), p.Shape.End()...))
				if !p.Shape.(*messages.Shape).Start.Empty() { // it need not say what a client knows anyway
					streamed.Type, streamed.Role = whole.Type, whole.Role
				}
				if diff := cmp.Diff(plain(t, whole), plain(t, streamed)); diff != "" {
					t.Errorf("the stream differs (-whole +streamed):\n%s", diff)
				}
			})
		}
	}
}

// plain makes the blocks comparable: parsed, with numbers as they were written.
func plain(t *testing.T, m message) any {
	t.Helper()
	var blocks []any
	for _, raw := range m.Content {
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		var b any
		if err := d.Decode(&b); err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	return []any{m.Type, m.Role, blocks, *m.Stop, m.Usage.In, m.Usage.Out}
}

// assemble puts a message together from the events of a stream, and watches over their order.
func assemble(t *testing.T, events []wire.Event) message {
	t.Helper()
	var m message
	var open map[string]any // the block that has begun and not stopped
	var input strings.Builder
	for i, e := range events {
		name := strings.TrimPrefix(e.Lines[0], "event: ")
		var data struct {
			Type    string         `json:"type"`
			Index   int            `json:"index"`
			Message *message       `json:"message"`
			Block   map[string]any `json:"content_block"`
			Delta   map[string]any `json:"delta"`
			Usage   struct {
				Out int `json:"output_tokens"`
			} `json:"usage"`
		}
		if err := json.Unmarshal(e.Data, &data); err != nil || data.Type != name {
			t.Fatalf("event %d, %s: %s, %v", i, name, e.Data, err)
		}
		first, last := i == 0, i == len(events)-1
		switch {
		case first != (name == "message_start"), last != (name == "message_stop"), e.Finish != (name == "message_delta"):
			t.Fatalf("event %d of %d is %s", i, len(events), name)
		case name == "message_start":
			m = *data.Message
		case name == "content_block_start":
			if open != nil || data.Index != len(m.Content) {
				t.Fatalf("block %d starts at event %d", data.Index, i)
			}
			open = data.Block
			input.Reset()
		case name == "content_block_delta":
			grow(open, data.Delta, &input)
		case name == "content_block_stop":
			if input.Len() > 0 {
				open["input"] = json.RawMessage(input.String())
			}
			raw, _ := json.Marshal(open)
			m.Content, open = append(m.Content, raw), nil
		case name == "message_delta":
			stop := data.Delta["stop_reason"].(string)
			m.Stop, m.Usage.Out = &stop, data.Usage.Out
		}
	}
	return m
}

func grow(block, delta map[string]any, input *strings.Builder) {
	switch delta["type"] {
	case "text_delta":
		block["text"] = block["text"].(string) + delta["text"].(string)
	case "thinking_delta":
		block["thinking"] = block["thinking"].(string) + delta["thinking"].(string)
	case "signature_delta":
		block["signature"] = delta["signature"]
	case "input_json_delta":
		input.WriteString(delta["partial_json"].(string))
	}
}

func TestBlank(t *testing.T) {
	for text, want := range map[string]bool{"": true, " ": true, "null": true, "{}": false, `""`: false} {
		if got := wire.BlankArguments(text); got != want {
			t.Errorf("%q is blank: %v", text, got)
		}
	}
}
