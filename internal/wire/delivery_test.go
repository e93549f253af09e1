package wire_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

// readEvents is a small reader of server-sent events of its own: it takes \n and \r\n and returns
// the data of the events.
func readEvents(t *testing.T, stream string) []string {
	t.Helper()
	var data []string
	for _, block := range strings.SplitAfter(strings.ReplaceAll(stream, "\r\n", "\n"), "\n\n") {
		if block == "" {
			continue
		}
		line, ok := strings.CutSuffix(block, "\n\n")
		if !ok {
			t.Fatalf("the event %q has no end", block)
		}
		if payload, ok := strings.CutPrefix(line, "data: "); ok {
			data = append(data, payload)
		} else if !strings.HasPrefix(line, ":") {
			t.Fatalf("the line %q is neither data nor a comment", line)
		}
	}
	return data
}

// eventsOf makes a stream out of a text: the text itself as JSON, in between a comment, and the end
// mark.
func eventsOf(text string) []wire.Event {
	payload := wire.Fields{{Key: "content", Value: text}}.JSON()
	return []wire.Event{{Comment: " begin"}, {Data: payload}, {Data: payload, Finish: true}, {Data: []byte("[DONE]")}}
}

var texts = []string{"", "plain", "Zürich 4 °C 🌧️", "\r\n\n\r", "data: [DONE]\n\n", "\u2028\u2029\u0085", "\xff\xfe", "👩‍👩‍👧"}

// A loop must not be able to tell deliveries apart once the bytes are together.
func FuzzDeliveriesCarryTheSame(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		events := eventsOf(text)
		want := []string{string(events[1].Data), string(events[2].Data), "[DONE]"}
		for _, d := range wire.Deliveries() {
			if !d.Streams() {
				continue
			}
			got := readEvents(t, string(bytes.Join(d.Writes(events), nil)))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %q (-want +got):\n%s", d, text, diff)
			}
		}
	})
}

func TestWrites(t *testing.T) {
	events := []wire.Event{{Comment: " hi"}, {Data: []byte(`"é"`)}}
	for _, c := range []struct {
		delivery wire.Delivery
		want     []string
	}{
		{wire.DeliverSSE, []string{": hi\n\n", "data: \"é\"\n\n"}},
		{wire.DeliverMerged, []string{": hi\n\ndata: \"é\"\n\n"}},
		{wire.DeliverBytes, bytesOf(": hi\n\ndata: \"é\"\n\n")},
		{wire.DeliverSplit, []string{": hi\r", "\n\r", "\ndat", "a: \"\xc3", "\xa9\"\r", "\n\r", "\n"}},
		{wire.DeliverComments, []string{": connected\n\n", ": hi\n\n", ": keep-alive\n\n", "data: \"é\"\n\n", ": keep-alive\n\n", ":\n\n"}},
	} {
		var got []string
		for _, w := range c.delivery.Writes(events) {
			got = append(got, string(w))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.delivery, diff)
		}
	}
}

func bytesOf(s string) []string {
	split := make([]string, len(s))
	for i := range split {
		split[i] = s[i : i+1]
	}
	return split
}

// A long stream begins and ends with single bytes, and nothing of it is lost.
func TestLongStreamInBytes(t *testing.T) {
	for _, size := range []int{1, 8 << 10, 8<<10 + 1, 8<<10 + 100, 1 << 20} {
		event := wire.Event{Data: bytes.Repeat([]byte("x"), size)}
		writes := wire.DeliverBytes.Writes([]wire.Event{event})
		if got, want := bytes.Join(writes, nil), wire.DeliverMerged.Writes([]wire.Event{event})[0]; !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: other bytes are written", size)
		}
		ends := min(4<<10, len(writes))
		for _, w := range slices.Concat(writes[:ends], writes[len(writes)-ends:]) {
			if len(w) != 1 {
				t.Fatalf("%d bytes: %d share a write at an end", size, len(w))
			}
		}
		if most := 10_000 + size/50; len(writes) > most {
			t.Errorf("%d bytes: %d writes, want %d at most", size, len(writes), most)
		}
	}
}

// Every rune of more than one byte is torn apart, and every \r from its \n.
func TestSplitTearsEverythingApart(t *testing.T) {
	for _, text := range texts {
		writes := wire.DeliverSplit.Writes(eventsOf(text))
		for i, w := range writes {
			if bytes.Contains(w, []byte("\r\n")) {
				t.Errorf("in %q the write %q holds a whole line end", text, w)
			}
			for j := range w {
				if _, size := utf8.DecodeRune(w[j:]); size > 1 {
					t.Errorf("in %q the write %q holds a whole rune of %d bytes", text, w, size)
				}
			}
			if len(w) == 0 {
				t.Errorf("in %q the write %d is empty", text, i)
			}
		}
	}
}

func TestNoEventsAreNoBytes(t *testing.T) {
	for _, d := range wire.Deliveries() {
		if d == wire.DeliverComments || !d.Streams() {
			continue
		}
		if got := bytes.Join(d.Writes(nil), nil); len(got) != 0 {
			t.Errorf("%s writes %q for no events", d, got)
		}
	}
}
