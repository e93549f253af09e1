package messages_test

import (
	"bytes"
	"testing"

	"github.com/loopproof/loopproof/wire"
	"github.com/loopproof/loopproof/wire/messages"
)

// smallStream is a stream with a text, as little of each event as quirks look at.
var smallStream = []wire.Event{
	{Data: []byte(`{"type":"message_start"}`)},
	{Data: []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"text"}}`)},
	{Data: []byte(`{"type":"content_block_stop","index":0}`)},
	{Data: []byte(`{"type":"message_stop"}`)},
}

func TestQuirks(t *testing.T) {
	for name, want := range map[string]struct {
		events int
		holds  string // somewhere in the payloads
	}{
		"unknown-events":     {7, `{"type":"progress","index":7,"delta":{"type":"steps","done":1}}`},
		"pings-anywhere":     {7, `{"type": "ping"}`},
		"unknown-deltas":     {5, `{"type":"content_block_delta","index":0,"delta":{"type":"confidence_delta","confidence":0.9}}`},
		"citations":          {5, `"citations_delta"`},
		"spaces-in-payloads": {4, `{"type":"message_start"     }`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range messages.Quirks() {
				if q.Name != name {
					continue
				}
				changed := q.Events(smallStream)
				var all [][]byte
				for _, e := range changed {
					all = append(all, e.Data)
				}
				if len(changed) != want.events || !bytes.Contains(bytes.Join(all, []byte("\n")), []byte(want.holds)) {
					t.Errorf("the stream becomes\n%s", bytes.Join(all, []byte("\n")))
				}
				return
			}
			t.Error("there is no such quirk")
		})
	}
}
