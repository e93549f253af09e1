package refloop

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

// cutReader hands out bytes in pieces of the given lengths, over and over; a length of 0 is treated
// as 1.
type cutReader struct {
	data    []byte
	lengths []byte
	next    int
}

func (c *cutReader) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := 1
	if len(c.lengths) > 0 {
		n = max(1, int(c.lengths[c.next%len(c.lengths)]))
		c.next++
	}
	n = copy(p[:min(n, len(p))], c.data)
	c.data = c.data[n:]
	return n, nil
}

type readEvent struct{ Name, Data string }

// eventsIn returns the events of a stream, up to its end.
func eventsIn(r io.Reader) (all []readEvent) {
	events := eventReader{newLineReader(r)}
	for {
		name, data, err := events.next()
		if err != nil {
			return all
		}
		all = append(all, readEvent{name, string(data)})
	}
}

// However the bytes of a stream are cut, the events are the same. The reader of the mock provider,
// which is another one, reads the same events, and those whose data is empty, which the loop leaves
// out.
func FuzzCutStreams(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: {\"x\":\"\xc3\xa9\"}\r\n\r\n: comment\n\ndata: [DONE]\n\n"), []byte{1, 3})
	f.Add([]byte("\xef\xbb\xbfdata:a\rdata: b\r\rdata"), []byte{2})
	f.Add([]byte("data: a\r\rdata:\r\r"), []byte{0})
	f.Fuzz(func(t *testing.T, stream, lengths []byte) {
		want := eventsIn(bytes.NewReader(stream))
		for _, cut := range [][]byte{nil, lengths} {
			if diff := cmp.Diff(want, eventsIn(&cutReader{data: stream, lengths: cut})); diff != "" {
				t.Errorf("in pieces of %v (-whole +cut):\n%s", cut, diff)
			}
		}
		var data []string
		for _, e := range want {
			data = append(data, e.Data)
		}
		var other []string
		for _, e := range wire.ReadEvents(stream) {
			if len(e) > 0 {
				other = append(other, string(e))
			}
		}
		if diff := cmp.Diff(data, other); diff != "" {
			t.Errorf("the two readers differ (-loop +provider):\n%s", diff)
		}
	})
}
