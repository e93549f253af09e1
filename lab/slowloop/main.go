// Slowloop is an adapter for the reference loop whose reading is slow: it reads an answer in single
// bytes, and each read costs the processor some time. With it is measured that a correct loop which
// is slow is not blamed where it is played alongside others. 20 microseconds for each byte make it
// about ten times slower in streams of single bytes:
//
//	cd lab && go build -o slowloop ./slowloop
//	loopproof run --delivery sse-bytes --scenario 'arguments/**' --scenario 'finish/**' --scenario 'history/**' \
//		--scenario 'pairing/**' --scenario 'limits/**' --scenario 'outcome/**' -- ./slowloop --read 20us
//
// Nothing may be broken in these sixty cases, with the default workers and alongside whatever else
// runs. On two cores, at a load of twenty by other programs, they take about a minute, and one or
// two are played again alone.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

func main() {
	read := pflag.Duration("read", 20*time.Microsecond, "how long the processor is busy with each byte of an answer")
	pflag.Parse()
	s := slow{loop: refloop.Loop{Client: &http.Client{Transport: reading{*read}}}, out: json.NewEncoder(os.Stdout), ends: map[string]context.CancelFunc{}}
	if err := s.serve(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "slowloop:", err)
		os.Exit(1)
	}
}

// slow plays tasks, each alongside the others.
type slow struct {
	loop refloop.Loop

	mu   sync.Mutex
	out  *json.Encoder
	ends map[string]context.CancelFunc // by the id of the task
}

func (s *slow) serve(in io.Reader) error {
	s.say(protocol.Hello{
		Type: protocol.TypeHello, Protocol: protocol.Version, Name: "slow reference loop", Version: "1.0.0", Language: "go",
		Dialects: s.loop.Dialects(), Concurrency: 64,
		Features: []protocol.Feature{protocol.Streaming, protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.Cancel, protocol.ResumeAfterFailure},
	})
	var running sync.WaitGroup
	defer running.Wait()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var task protocol.Task
		if err := json.Unmarshal(lines.Bytes(), &task); err != nil {
			return err
		}
		if task.Type == protocol.TypeCancel {
			s.end(task.ID)
			continue
		}
		ctx, end := context.WithCancel(context.Background())
		s.mu.Lock()
		s.ends[task.ID] = end
		s.mu.Unlock()
		running.Go(func() {
			defer s.end(task.ID)
			s.say(s.loop.Run(ctx, task))
		})
	}
	return lines.Err()
}

func (s *slow) end(task string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := s.ends[task]; end != nil {
		end()
	}
	delete(s.ends, task)
}

func (s *slow) say(line any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Encode(line)
}

// reading sends requests, and makes reading their answers slow.
type reading struct{ busy time.Duration }

func (r reading) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		resp.Body = slowBody{resp.Body, r.busy}
	}
	return resp, err
}

type slowBody struct {
	io.ReadCloser
	busy time.Duration
}

func (b slowBody) Read(p []byte) (int, error) {
	for until := time.Now().Add(b.busy); time.Now().Before(until); {
	}
	return b.ReadCloser.Read(p[:min(len(p), 1)])
}
