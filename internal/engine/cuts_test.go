package engine_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/wire"
)

// lockstep is a clock whose pauses end when the client has read all that was written before them.
type lockstep struct {
	engine.SystemClock
	written, read atomic.Int64
	pauses        atomic.Int64
}

func (c *lockstep) Sleep(ctx context.Context, _ time.Duration) bool {
	c.pauses.Add(1)
	for c.read.Load() < c.written.Load() && ctx.Err() == nil {
		time.Sleep(50 * time.Microsecond)
	}
	return ctx.Err() == nil
}

// counted counts the bytes of a response.
type counted struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes.Add(int64(n))
	return n, err
}

func (c counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// A client that takes what has piled up meets letters, names of fields and line ends that are cut
// apart.
func TestPausesShowHowBytesAreCut(t *testing.T) {
	const spoken = "In Köln sind es 12 °C, es regnet 🌧."
	s := scenario(t, "model: [{text: '"+spoken+"'}]\n")
	for _, c := range []struct {
		delivery wire.Delivery
		cut      bool
	}{{wire.DeliverSSE, false}, {wire.DeliverMerged, false}, {wire.DeliverBytes, true}, {wire.DeliverSplit, true}} {
		t.Run(string(c.delivery), func(t *testing.T) {
			clock := &lockstep{}
			p := engine.New(engine.Config{Clock: clock})
			counting := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { next.ServeHTTP(counted{w, &clock.written}, req) })
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			srv := engine.Serve(l, p, counting)
			defer srv.Close()
			run := srv.StartRun(engine.RunConfig{Scenario: s, Profile: profile(t, "openai"), Delivery: c.delivery})
			resp, err := http.Post(run.Task(srv.URL).BaseURL+"/chat/completions", "application/json",
				strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"Go."}]}`))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var letters, names, ends int
			var all []byte
			buffer := make([]byte, 32<<10)
			for {
				n, err := resp.Body.Read(buffer)
				read := buffer[:n]
				if len(all) > 0 && n > 0 {
					switch {
					case !utf8.RuneStart(read[0]):
						letters++
					case read[0] == 'a' && strings.HasSuffix(string(all), "dat"):
						names++
					case strings.ContainsRune("\r\n", rune(read[0])):
						ends++
					}
				}
				all = append(all, read...)
				clock.read.Add(int64(n))
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if c.cut && (letters == 0 || names == 0 || ends == 0) {
				t.Errorf("%d letters, %d names and %d line ends were cut apart in %d pauses, expected some of each", letters, names, ends, clock.pauses.Load())
			}
			if !c.cut && clock.pauses.Load() > 0 {
				t.Errorf("%d pauses, expected none", clock.pauses.Load())
			}
			if most := int64(12); clock.pauses.Load() > most {
				t.Errorf("%d pauses, expected %d at most, since they take time", clock.pauses.Load(), most)
			}
			if len(wire.ReadEvents(all)) < 3 {
				t.Errorf("the stream is %q", all)
			}
		})
	}
}
