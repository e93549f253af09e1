package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// The streams that are held open: so many words, an event each, at so many tokens a second. The
// answers count 157 tokens in 103 events, so that an event comes about every 20 ms; how often
// exactly, each stream tells.
const (
	words     = 100
	tokenRate = 77
	duration  = 2 * time.Second      // of a stream
	inTime    = 5 * time.Millisecond // after which an event is late
)

// streamsResult is what the client of many streams saw.
type streamsResult struct {
	Server         string
	Streams, Whole int           // that were opened, and that came to their end
	Late99         time.Duration // 99 % of the events came at most so long after their time
	Late50         time.Duration
	PerStream      int64 // bytes of memory of the server
	Events         int
	PerEvent       time.Duration // processor time of the server
	InTime         int           // the most streams of which 99 % of the events come in time
}

// measureStreams holds many streams open. The client is a process of its own.
func (b *bench) measureStreams(ctx context.Context) error {
	script := filepath.Join(b.dir, "stream.yaml")
	text := fmt.Sprintf("loopproof: 1\ntitle: A slow stream\nbehaviour: {tokens-per-second: %d, chunk: %d}\nmodel:\n  - text: %s\n", tokenRate, len("token "), strings.TrimSpace(strings.Repeat("token ", words)))
	if err := writeFile(script, text); err != nil {
		return err
	}
	ours := &server{Name: "Loopproof", path: loopproofPath, command: func(port int) []string {
		return []string{b.binary, "serve", "--addr", address(port), "--scenario", script}
	}}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	answers := filepath.Join(b.dir, "streams")
	tokens, err := writeAnswer(ctx, ours, streamWorkload, answers)
	if err != nil {
		return err
	}
	spread := time.Duration(tokens) * time.Second / tokenRate
	bare := &server{Name: "floor", path: floorPath, command: func(port int) []string {
		return []string{self, "floor", "--addr", address(port), "--answers", answers, "--spread", spread.String()}
	}}
	for _, s := range []*server{bare, ours} {
		result, err := b.holdStreams(ctx, self, s)
		if err != nil {
			return err
		}
		b.results.Streams = append(b.results.Streams, result)
	}
	return nil
}

// streamWorkload is the request for a stream.
var streamWorkload = workload{Name: "paced", api: chatCompletions, body: strings.Replace(chatBody(true), "{", `{"stream_options":{"include_usage":true},`, 1)}

// writeAnswer stores what a server answers, and returns how many tokens the answer counts.
func writeAnswer(ctx context.Context, s *server, w workload, folder string) (tokens int, err error) {
	r, err := s.start(ctx)
	if err != nil {
		return 0, err
	}
	defer r.stop()
	answer, err := r.ask(ctx, w)
	if err != nil {
		return 0, err
	}
	return tokensIn(string(answer)), writeFile(filepath.Join(folder, w.Name), string(answer))
}

// tokensIn returns how many tokens of the model a text counts; 0: it counts none.
func tokensIn(text string) (tokens int) {
	if _, count, found := strings.Cut(text, `"completion_tokens":`); found {
		fmt.Sscan(count, &tokens)
	}
	return tokens
}

// holdStreams holds many streams of one server open, and then as many as it can serve in time.
func (b *bench) holdStreams(ctx context.Context, self string, s *server) (*streamsResult, error) {
	r, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	defer r.stop()
	before, _, _ := r.memory()
	used, _ := r.cpu()
	result, err := b.readStreams(ctx, self, r, b.streams)
	if err != nil {
		return nil, err
	}
	_, most, _ := r.memory()
	result.PerStream = (most - before) / int64(max(1, b.streams))
	if now, err := r.cpu(); err == nil {
		result.PerEvent = (now - used) / time.Duration(max(1, result.Events))
	}
	result.InTime, err = mostInTime(b.streams, func(count int) (bool, error) {
		few, err := b.readStreams(ctx, self, r, count)
		return err == nil && few.Whole == few.Streams && few.Late99 <= inTime, err
	})
	return result, err
}

// readStreams lets a process of its own read so many streams of a server.
func (b *bench) readStreams(ctx context.Context, self string, r *running, count int) (*streamsResult, error) {
	addr := strings.TrimPrefix(r.url, "http://")
	out, err := exec.CommandContext(ctx, self, "streams", "--addr", addr, "--path", r.server.path(streamWorkload), "--count", fmt.Sprint(count)).Output()
	if err != nil {
		return nil, fmt.Errorf("the client of the streams of %s: %w", r.server.Name, err)
	}
	result := &streamsResult{}
	if err := json.Unmarshal(out, result); err != nil {
		return nil, err
	}
	result.Server = r.server.Name
	return result, nil
}

// mostInTime returns the largest number of streams, up to a limit and to an eighth, that a server
// serves in time. A number is given up when it is missed twice, since a machine does other things,
// too.
func mostInTime(limit int, serves func(count int) (bool, error)) (int, error) {
	try := func(count int) (bool, error) {
		ok, err := serves(count)
		if !ok && err == nil {
			ok, err = serves(count)
		}
		return ok, err
	}
	most, missed := 0, min(limit, 50)
	for {
		ok, err := try(missed)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		if most = missed; most >= limit {
			return most, nil
		}
		missed = min(2*missed, limit)
	}
	for missed-most > most/8+1 {
		middle := (most + missed) / 2
		ok, err := try(middle)
		switch {
		case err != nil:
			return 0, err
		case ok:
			most = middle
		default:
			missed = middle
		}
	}
	return most, nil
}

// streamsCommand is the client of many streams, as a process.
func streamsCommand() *cobra.Command {
	var addr, path string
	var count int
	c := &cobra.Command{
		Use: "streams", Short: "Hold many streams open", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return json.NewEncoder(c.OutOrStdout()).Encode(openStreams(addr, path, count))
		},
	}
	c.Flags().StringVar(&addr, "addr", "", "the `address` of the server")
	c.Flags().StringVar(&path, "path", chatCompletions.path, "the `path` of the requests")
	c.Flags().IntVar(&count, "count", 1000, "open so many streams")
	return c
}

// openStreams opens streams at an even pace during the time of one stream, and reads them to their
// end.
func openStreams(addr, path string, count int) streamsResult {
	body := streamWorkload.body
	request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", path, addr, len(body), body)
	result := streamsResult{Streams: count}
	var mu sync.Mutex
	var late []time.Duration
	var all sync.WaitGroup
	begin := time.Now()
	for i := range count {
		time.Sleep(time.Until(begin.Add(duration * time.Duration(i) / time.Duration(count))))
		all.Go(func() {
			times, tokens, whole := readStream(addr, strings.Replace(request, numberPlace, fmt.Sprintf("%016d", begin.UnixMicro()+int64(i)), 1))
			mu.Lock()
			defer mu.Unlock()
			result.Events += len(times)
			late = append(late, lateness(times, time.Duration(tokens)*time.Second/tokenRate)...)
			if whole {
				result.Whole++
			}
		})
	}
	all.Wait()
	slices.Sort(late)
	if len(late) > 0 {
		result.Late50, result.Late99 = late[len(late)/2], late[len(late)*99/100]
	}
	return result
}

// readStream returns when each event came, how many tokens the answer counts, and whether the
// stream came to its end.
func readStream(addr, request string) (times []time.Time, tokens int, whole bool) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, 0, false
	}
	defer conn.Close()
	io.WriteString(conn, request)
	lines := bufio.NewReaderSize(conn, 1024)
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "data: ") {
			times = append(times, time.Now())
		}
		tokens = max(tokens, tokensIn(line))
		if strings.HasPrefix(line, "data: [DONE]") {
			return times, tokens, true
		}
		if err != nil {
			return times, tokens, false
		}
	}
}

// lateness returns how much later than its time each event came, counted from the first one. The
// events of a stream are spread over its time.
func lateness(times []time.Time, all time.Duration) []time.Duration {
	late := make([]time.Duration, len(times))
	for i, t := range times {
		due := all * time.Duration(i) / time.Duration(max(1, len(times)-1))
		late[i] = max(0, t.Sub(times[0])-due)
	}
	return late
}
