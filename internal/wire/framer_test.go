package wire_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/wire"
)

// In whichever framing and delivery a stream is written, what is read is what was said.
func FuzzFramersCarryTheSame(f *testing.F) {
	for _, text := range texts {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, parts uint8) {
		payload := wire.Fields{{Key: "content", Value: text}}.JSON()
		events := slices.Repeat([]wire.Event{{Comment: " between"}, {Data: payload, Lines: []string{"event: said"}}}, int(parts%5)+1)
		for _, by := range wire.Framers() {
			for _, d := range by.Deliveries() {
				stream := bytes.Join(d.Writes(events), nil)
				read := by.Payloads(stream)
				if len(read) != len(events)/2 || slices.ContainsFunc(read, func(p []byte) bool { return !bytes.Equal(p, payload) }) {
					t.Errorf("%s: read %q, want %d times %q\n%q", d, read, len(events)/2, payload, stream)
				}
				if by != wire.JSONArray && by.Events(stream)[0].Name() != map[bool]string{true: "said"}[by == wire.SSE || by == wire.AWSEventStream] {
					t.Errorf("%s: the event is called %q", d, by.Events(stream)[0].Name())
				}
				for i := range stream { // of one that is cut off, whole events are read
					if part := by.Payloads(stream[:i]); len(part) > len(read) || slices.ContainsFunc(part, func(p []byte) bool { return !bytes.Equal(p, payload) }) {
						t.Fatalf("%s: read %q of %q", d, part, stream[:i])
					}
				}
			}
		}
	})
}

// An event is as long as its bytes, and has no length before it has ended.
func TestLength(t *testing.T) {
	events := []wire.Event{{Data: []byte(`{"a":"é"}`)}, {Data: []byte(`{}`)}}
	for _, by := range []*wire.Framer{wire.SSE, wire.NDJSON, wire.AWSEventStream, wire.AWSChunks} {
		writes := wire.Delivery(by.Word).Writes(events)
		stream := bytes.Join(writes, nil)
		for i := range stream {
			if want := map[bool]int{true: len(writes[0])}[i >= len(writes[0])]; by.Length(stream[:i], 0) != want {
				t.Errorf("%s: of %q the first event has %d bytes, want %d", by.Word, stream[:i], by.Length(stream[:i], 0), want)
			}
		}
	}
}

// A message is as https://smithy.io/2.0/aws/amazon-eventstream.html says; the EventStreamBuffer of
// botocore reads it so.
func TestAWSMessages(t *testing.T) {
	got := bytes.Join(wire.Delivery("frames").Writes([]wire.Event{{Lines: []string{"event: chunk"}, Data: []byte(`{}`)}}), nil)
	want := "\x00\x00\x00\x5d\x00\x00\x00\x4b"
	if !strings.HasPrefix(string(got), want) || !strings.Contains(string(got), "\x0b:event-type\x07\x00\x05chunk\x0d:content-type\x07\x00\x10application/json\x0d:message-type\x07\x00\x05event{}") {
		t.Errorf("got %q", got)
	}
	damaged := slices.Clone(got)
	damaged[len(damaged)-5]++
	if events := wire.AWSEventStream.Events(damaged); len(events) != 0 {
		t.Errorf("of a damaged message %q was read", events[0].Data)
	}
	failed := bytes.Join(wire.Delivery("frames").Writes([]wire.Event{{Lines: []string{"event: throttlingException"}, Data: []byte(`{}`), Failure: true}}), nil)
	if events := wire.AWSEventStream.Events(failed); len(events) != 1 || !events[0].Failure || events[0].Name() != "throttlingException" {
		t.Errorf("an exception is read as %+v", events)
	}
}

// A damaged message is read by nobody, and the one before it is. An error that the service does not
// describe has a code and a message as headers.
func TestAWSDamage(t *testing.T) {
	said := []wire.Event{{Data: []byte(`{"a":"x"}`)}, {Data: []byte(`{"text":"It is 4 C.","p":"ab"}`)}, {Data: []byte(`{"b":"x"}`)}}
	for part, want := range map[wire.DamagedPart]string{wire.DamagedMessage: `{"text":"Ht is 4 C.","p":"ab"}`, wire.DamagedPrelude: `{"text":"It is 4 C.","p":"ab"}`} {
		stream := bytes.Join(wire.Delivery("frames").FramedWrites(said, wire.Framing{Damaged: wire.Damage{Of: part, At: 1}}), nil)
		if !bytes.Contains(stream, []byte(want)) || len(wire.AWSEventStream.Events(stream)) != 1 {
			t.Errorf("with its %s damaged, %d events are read of %q", part, len(wire.AWSEventStream.Events(stream)), stream)
		}
	}
	failed := bytes.Join(wire.Delivery("frames").Writes([]wire.Event{{Lines: []string{"event: InternalServerError", "error-message: It broke."}, Data: []byte{}, Failure: true}}), nil)
	if events := wire.AWSEventStream.Events(failed); len(events) != 1 || !events[0].Failure || events[0].Name() != "InternalServerError" || string(events[0].Data) != `{"message":"It broke."}` {
		t.Errorf("an error in headers is read as %+v", events)
	}
}

// A chunk is as https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html
// says, and as in recorded traffic: the bytes of an event, and padding.
func TestAWSChunks(t *testing.T) {
	got := bytes.Join(wire.Delivery("chunks").Writes([]wire.Event{
		{Lines: []string{"event: message_stop"}, Data: []byte(`{"type":"message_stop"}`)},
		{Lines: []string{"event: error"}, Data: []byte(`{"message":"It broke."}`), Failure: true},
	}), nil)
	for _, part := range []string{
		"\x0b:event-type\x07\x00\x05chunk", `{"bytes":"eyJ0eXBlIjoibWVzc2FnZV9zdG9wIn0=","p":"abc`,
		"\x0f:exception-type\x07\x00\x17internalServerException", "\x0d:message-type\x07\x00\x09exception", `{"message":"It broke."}`,
	} {
		if !strings.Contains(string(got), part) {
			t.Errorf("%q is not in %q", part, got)
		}
	}
	events := wire.AWSChunks.Events(got)
	if len(events) != 2 || string(events[0].Data) != `{"type":"message_stop"}` || events[0].Failure || !events[1].Failure || events[1].Name() != "internalServerException" {
		t.Errorf("read %+v", events)
	}
}

// A recording of a stream is known by its content type, whatever the framing; an array is a
// document.
func TestContentTypesOfStreams(t *testing.T) {
	for _, by := range wire.Framers() {
		r := fixtures.Response{Headers: http.Header{"Content-Type": {by.ContentType(wire.Framing{})}}}
		if r.Streamed() != (by != wire.JSONArray) {
			t.Errorf("%s: a recording of %s is streamed: %v", by.Word, by.Type, r.Streamed())
		}
	}
}

// Of a delivery in another framing bytes are cut alike, where it can be.
func TestDeliveryIn(t *testing.T) {
	for _, c := range []struct {
		of   wire.Delivery
		in   *wire.Framer
		want wire.Delivery
	}{
		{wire.DeliverJSON, wire.NDJSON, "json"}, {wire.DeliverSSE, wire.NDJSON, "lines"}, {wire.DeliverBytes, wire.AWSEventStream, "frames-bytes"},
		{wire.DeliverComments, wire.NDJSON, "lines"}, {"lines-split", wire.SSE, "sse-split"}, {"lines", wire.SSE, "sse"}, {"", wire.NDJSON, "lines"},
	} {
		if got := c.of.In(c.in); got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.of, c.in.Word, got, c.want)
		}
	}
}
