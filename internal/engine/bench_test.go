package engine_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// The request and the answer that are measured: one user message, eight words back.
const (
	plainBody     = `{"model":"loopproof","messages":[{"role":"user","content":"Say hello in eight words."}]}`
	plainScenario = "loopproof: 1\ntitle: t\nprompt: Say hello in eight words.\nmodel:\n  - text: Hello from the mock server, eight words\n"
)

// BenchmarkPlain measures plain completions over loopback, with the journal and all checks on, and in the same run the
// floor: a bare net/http handler that reads the body and writes the same bytes. Rounds of both take turns, so that a
// machine whose speed drifts does not favour one.
//
//	go test ./internal/engine -run '^$' -bench Plain -benchtime 5s
func BenchmarkPlain(b *testing.B) {
	ours := engine.NewServer(engine.Config{Scenarios: []*scenarios.Scenario{parse(b, plainScenario)}})
	defer ours.Close()
	answer := once(b, ours.URL)
	floor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	}))
	defer floor.Close()

	const round = 250 * time.Millisecond
	var mine, bare int
	for b.Loop() {
		mine += requests(b, ours.URL, round)
		bare += requests(b, floor.URL, round)
	}
	b.ReportMetric(float64(mine)/(float64(b.N)*round.Seconds()), "requests/s")
	b.ReportMetric(float64(bare)/(float64(b.N)*round.Seconds()), "floor-requests/s")
	b.ReportMetric(float64(mine)/float64(bare), "of-the-floor")
}

func parse(tb testing.TB, text string) *scenarios.Scenario {
	tb.Helper()
	s, err := scenarios.Parse("bench.yaml", []byte(text), scenarios.Vocabulary{Rules: rulebook.IDs()})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func once(tb testing.TB, url string) []byte {
	tb.Helper()
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(plainBody))
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		tb.Fatal(resp.Status, err)
	}
	return body
}

// requests sends as many requests as go over 16 connections in a time, and returns how many were answered. It speaks
// HTTP by hand, so that the servers are measured and not a client.
func requests(tb testing.TB, url string, during time.Duration) int {
	addr := strings.TrimPrefix(url, "http://")
	request := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", addr, len(plainBody), plainBody)
	var answered [16]int
	var clients sync.WaitGroup
	until := time.Now().Add(during)
	for i := range answered {
		clients.Go(func() {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				tb.Error(err)
				return
			}
			defer conn.Close()
			r := bufio.NewReader(conn)
			for time.Now().Before(until) {
				io.WriteString(conn, request)
				if err := readAnswer(r); err != nil {
					tb.Error(err)
					return
				}
				answered[i]++
			}
		})
	}
	clients.Wait()
	sum := 0
	for _, n := range answered {
		sum += n
	}
	return sum
}

// readAnswer reads an answer that says its length.
func readAnswer(r *bufio.Reader) error {
	length := 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			_, err := r.Discard(length)
			return err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(value[:len(value)-2]))
		}
	}
}

// BenchmarkHandler measures the handler alone, without a network: its allocations do not depend on the machine.
//
//	go test ./internal/engine -run '^$' -bench Handler -benchmem -benchtime 2000x
func BenchmarkHandler(b *testing.B) {
	p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{parse(b, plainScenario)}})
	for _, stream := range []string{"false", "true"} {
		body := strings.Replace(plainBody, `{`, `{"stream":`+stream+`,`, 1)
		b.Run("stream="+stream, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := serve(p, body); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
