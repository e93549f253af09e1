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

// The streams that are held open: so many words, an event each, at so many tokens a second. The answers count
// 157 tokens in 103 events, so that an event comes about every 20 ms; how often exactly, each stream tells.
const (
	words     = 100
	tokenRate = 77
	duration  = 2 * time.Second // of a stream
)

// streamsResult is what the client of many streams saw.
type streamsResult struct {
	Streams, Whole int           // that were opened, and that came to their end
	Late99         time.Duration // 99 % of the events came at most so long after their time
	Late50         time.Duration
	PerStream      int64 // bytes of memory of the server
}

// measureStreams holds many streams open. The client is a process of its own.
func (b *bench) measureStreams(ctx context.Context) error {
	script := filepath.Join(b.dir, "stream.yaml")
	text := fmt.Sprintf("loopproof: 1\ntitle: A slow stream\nbehaviour: {tokens-per-second: %d, chunk: %d}\nmodel:\n  - text: %s\n", tokenRate, len("token "), strings.TrimSpace(strings.Repeat("token ", words)))
	if err := writeFile(script, text); err != nil {
		return err
	}
	s := &server{Name: "Loopproof", path: loopproofPath, command: func(port int) []string {
		return []string{b.binary, "serve", "--addr", address(port), "--scenario", script}
	}}
	r, err := s.start(ctx)
	if err != nil {
		return err
	}
	defer r.stop()
	before, _, _ := r.memory()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, self, "streams", "--addr", strings.TrimPrefix(r.url, "http://"), "--count", fmt.Sprint(b.streams)).Output()
	if err != nil {
		return fmt.Errorf("the client of the streams: %w", err)
	}
	result := &streamsResult{}
	if err := json.Unmarshal(out, result); err != nil {
		return err
	}
	_, most, _ := r.memory()
	result.PerStream = (most - before) / int64(max(1, b.streams))
	b.results.Streams = result
	return nil
}

// streamsCommand is the client of many streams, as a process.
func streamsCommand() *cobra.Command {
	var addr string
	var count int
	c := &cobra.Command{
		Use: "streams", Short: "Hold many streams open", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return json.NewEncoder(c.OutOrStdout()).Encode(openStreams(addr, count))
		},
	}
	c.Flags().StringVar(&addr, "addr", "", "the `address` of the server")
	c.Flags().IntVar(&count, "count", 1000, "open so many streams")
	return c
}

// openStreams opens streams at an even pace during the time of one stream, and reads them to their end.
func openStreams(addr string, count int) streamsResult {
	body := strings.Replace(chatBody(true), "{", `{"stream_options":{"include_usage":true},`, 1)
	request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", chatCompletions.path, addr, len(body), body)
	result := streamsResult{Streams: count}
	var mu sync.Mutex
	var late []time.Duration
	var all sync.WaitGroup
	begin := time.Now()
	for i := range count {
		time.Sleep(time.Until(begin.Add(duration * time.Duration(i) / time.Duration(count))))
		all.Go(func() {
			times, tokens, whole := readStream(addr, request)
			mu.Lock()
			defer mu.Unlock()
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

// readStream returns when each event came, how many tokens the answer counts, and whether the stream came to its end.
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
		if _, count, found := strings.Cut(line, `"completion_tokens":`); found {
			fmt.Sscan(count, &tokens)
		}
		if strings.HasPrefix(line, "data: [DONE]") {
			return times, tokens, true
		}
		if err != nil {
			return times, tokens, false
		}
	}
}

// lateness returns how much later than its time each event came, counted from the first one. The events of a stream are
// spread over its time.
func lateness(times []time.Time, all time.Duration) []time.Duration {
	late := make([]time.Duration, len(times))
	for i, t := range times {
		due := all * time.Duration(i) / time.Duration(max(1, len(times)-1))
		late[i] = max(0, t.Sub(times[0])-due)
	}
	return late
}
