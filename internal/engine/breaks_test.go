package engine_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	streamed = `{"model":"m","stream":true,"messages":[{"role":"user","content":"Go."}]}`
	tale     = "model:\n  - text: One two three four.\n" // a turn of role, five pieces and finish
	inBand   = `{"error":{"message":"Fell over.","type":"server_error","param":null,"code":null}}`
)

// play asks for the first turn of a scenario that always has the same ids.
func play(t *testing.T, text, body string, d wire.Delivery) answer {
	t.Helper()
	srv := start(t, engine.Config{})
	_, base := begin(t, srv, text, engine.RunConfig{Secret: "secret", Delivery: d})
	return ask(t, base, body)
}

// payloads returns the data of the events of an unbroken stream.
func payloads(t *testing.T) []string {
	t.Helper()
	a := play(t, tale, streamed, wire.DeliverSSE)
	var data []string
	for _, event := range strings.Split(strings.TrimSuffix(a.body, "\n\n"), "\n\n") {
		payload, ok := strings.CutPrefix(event, "data: ")
		if !ok {
			t.Fatalf("the event %q has no data", event)
		}
		data = append(data, payload)
	}
	if len(data) != 8 || data[7] != "[DONE]" {
		t.Fatalf("the stream has %d events: %q", len(data), data)
	}
	return data
}

// TestCutInTheMiddle: half of an event arrives in every delivery.
func TestCutInTheMiddle(t *testing.T) {
	events := payloads(t)
	srv := start(t, engine.Config{})
	text := "needs: [streaming]\ndeliveries: [sse]\n" + tale + "    cut: {after: each event}\n"
	_, base := begin(t, srv, text, engine.RunConfig{Secret: "secret", Cut: 4})
	first := "data: " + events[0] + "\n\n"
	whole := first + "data: " + events[1] + "\n\n"
	if a := ask(t, base, streamed); !strings.HasPrefix(a.body, first) || !strings.HasPrefix(whole, a.body) || len(a.body) >= len(whole)-2 {
		t.Errorf("what arrived is %q, of %q", a.body, whole)
	}
}

// What comes before a break arrives whole and nothing after it does, in every delivery. Only a
// reset may overtake bytes that the client was slow to read.
func TestBrokenStreams(t *testing.T) {
	events := payloads(t)
	for _, c := range []struct {
		name, at string
		want     []string
		reset    bool
	}{
		{"no break", "", events, false},
		{"cut after nothing", "cut: {after: 0 events}", nil, false},
		{"cut after three", "cut: {after: 3 events}", events[:3], false},
		{"cut before the finish reason", "cut: {before: finish}", events[:6], false},
		{"cut before the end mark", "cut: {before: done}", events[:7], false},
		{"reset after three", "reset: {after: 3 events}", events[:3], true},
		{"reset before the finish reason", "reset: {before: finish}", events[:6], true},
		{"error after two", "in-band-error: {after: 2 events, error: {message: Fell over., type: server_error}}", append(events[:2:2], inBand), false},
		{"error instead of the end mark", "in-band-error: {before: done, error: {message: Fell over., type: server_error}}", append(events[:7:7], inBand), false},
	} {
		for _, d := range wire.Deliveries() {
			if !d.Streams() {
				continue
			}
			t.Run(c.name+"/"+string(d), func(t *testing.T) {
				got := play(t, tale+"    "+c.at+"\n", streamed, d)
				if want := written(d, c.want); got.body != want && !(c.reset && strings.HasPrefix(want, got.body)) {
					t.Errorf("arrived\n%q\nwant\n%q", got.body, want)
				}
				if got.status != http.StatusOK || got.header.Get("Content-Type") != "text/event-stream; charset=utf-8" {
					t.Errorf("answered %d, %v", got.status, got.header)
				}
				if c.reset != errors.Is(got.err, syscall.ECONNRESET) || !c.reset && got.err != nil {
					t.Errorf("the body ended with %v", got.err)
				}
			})
		}
	}
}

// A stream names its charset, but where the quirk says that the provider names none.
func TestCharsetOfStreams(t *testing.T) {
	for quirks, want := range map[string]string{"": "text/event-stream; charset=utf-8", ", quirks: [charset-missing]": "text/event-stream"} {
		srv := start(t, engine.Config{})
		_, base := begin(t, srv, "model: [{text: Köln."+quirks+"}]", engine.RunConfig{Profile: profile(t, "gateway"), Delivery: wire.DeliverSSE})
		if got := ask(t, base, streamed); got.status != http.StatusOK || got.header.Get("Content-Type") != want {
			t.Errorf("with %q the answer is %d, %q", quirks, got.status, got.header.Get("Content-Type"))
		}
	}
}

// written returns payloads as the bytes of a delivery.
func written(d wire.Delivery, payloads []string) string {
	var events []wire.Event
	for _, p := range payloads {
		events = append(events, wire.Event{Data: []byte(p)})
	}
	return string(bytes.Join(d.Writes(events), nil))
}

// An answer that is not streamed breaks in its middle, though its length was promised.
func TestBrokenWholeAnswers(t *testing.T) {
	good := play(t, tale, hello, wire.DeliverJSON)
	if good.status != 200 || good.err != nil || !good.says("One two three four.") {
		t.Fatalf("answered %d %s", good.status, good.body)
	}
	for _, c := range []struct {
		name, at, want string
		err            error
	}{
		{"cut", "cut: {after: 3 events}", good.body[:len(good.body)/2], io.ErrUnexpectedEOF},
		{"cut before the end mark, of which it has none", "cut: {before: done}", good.body, nil},
		{"reset", "reset: {before: finish}", good.body[:len(good.body)/2], syscall.ECONNRESET},
		{"error", "in-band-error: {after: 2 events, error: {message: Fell over., type: server_error}}", inBand, nil},
		{"error in the words of the profile", "in-band-error: {after: 2 events}", string(profile(t, "openai").Error(500, profile(t, "openai").WordsFor(500))), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := play(t, tale+"    "+c.at+"\n", hello, wire.DeliverJSON)
			if got.status != 200 || got.body != c.want || !errors.Is(got.err, c.err) {
				t.Errorf("arrived %d %q and %v, want %q and %v", got.status, got.body, got.err, c.want, c.err)
			}
		})
	}
}

// A client that did not ask for a stream gets none, whatever the delivery of the run.
func TestRequestDecidesWhetherToStream(t *testing.T) {
	if got := play(t, tale, hello, wire.DeliverSSE); got.header.Get("Content-Type") != "application/json" || !got.says(`"object":"chat.completion"`) {
		t.Errorf("a plain request is answered %v %s", got.header, got.body)
	}
	if got := play(t, tale, streamed, wire.DeliverJSON); !strings.HasPrefix(got.body, "data: ") {
		t.Errorf("a request for a stream is answered %v %s", got.header, got.body)
	}
}
