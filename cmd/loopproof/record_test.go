package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// An answer that a recorder cuts off when it is interrupted is told of, not lost without a word.
func TestAnswersThatTheRecorderCutsOffAreTold(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {}\n\n")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer upstream.Close()
	out, ready := io.Pipe()
	var told bytes.Buffer
	r := &recordingService{
		streams: streams{out: ready, err: &told}, flags: &recordFlags{upstream: upstream.URL, out: t.TempDir(), addr: "127.0.0.1:0"},
		grace: time.Millisecond,
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error)
	go func() { ended <- r.run(ctx) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	ask := `{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello?"}]}`
	resp, err := http.Post(gjson.Get(line, "base_url").String()+"/v1/chat/completions", "application/json", strings.NewReader(ask))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	interrupt()
	err = <-ended
	if err == nil || !strings.Contains(err.Error(), "there was no conversation") {
		t.Errorf("the recorder ends with %v", err)
	}
	for _, want := range []string{"answers that are not complete 1ms after the interrupt are cut off", "an answer is not recorded: the connection to the client ended"} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("this is told, without %q:\n%s", want, told.String())
		}
	}
}

// A page of another site reaches no upstream through a recorder, and writes no recording; one that
// is allowed does, and a browser gets one answer to the question whether it may.
func TestRecorderRefusesStrangers(t *testing.T) {
	reached := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached++
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`)
	}))
	defer upstream.Close()
	out, ready := io.Pipe()
	var told bytes.Buffer
	r := &recordingService{
		streams: streams{out: ready, err: &told}, grace: time.Second,
		flags: &recordFlags{upstream: upstream.URL, out: t.TempDir(), addr: "127.0.0.1:0", access: accessFlags{origins: []string{"https://app.example.com"}}},
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error)
	go func() { ended <- r.run(ctx) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, host string, headers ...string) (*http.Response, string) {
		t.Helper()
		body := strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`)
		req, err := http.NewRequest(method, gjson.Get(line, "base_url").String()+path, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp, string(text)
	}
	for _, path := range []string{"/v1/messages", "/v1/chat/completions", "/admin/secrets"} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			for want, stranger := range map[string][]string{
				"--allow-host evil.example.net":          {"evil.example.net"},
				"--allow-host rebound.example.net":       {"rebound.example.net", "Origin", "http://rebound.example.net", "Content-Type", "text/plain"},
				"--allow-origin http://evil.example.net": {"", "Origin", "http://evil.example.net", "Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain"},
				"Sec-Fetch-Site: cross-site":             {"", "Sec-Fetch-Site", "cross-site"},
			} {
				if resp, text := ask(method, path, stranger[0], stranger[1:]...); resp.StatusCode != 403 || !strings.Contains(text, want) {
					t.Errorf("%s %s with %q is answered %d %s", method, path, stranger, resp.StatusCode, text)
				}
			}
		}
	}
	if reached != 0 {
		t.Errorf("%d requests of strangers reached the upstream", reached)
	}
	page := []string{"Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site", "Access-Control-Request-Method", "POST"}
	if resp, text := ask("OPTIONS", "/v1/chat/completions", "", page...); resp.StatusCode != 204 || resp.Header.Get("Access-Control-Allow-Origin") != "https://app.example.com" {
		t.Errorf("a page that may ask is answered %d %v %s", resp.StatusCode, resp.Header, text)
	}
	if resp, text := ask("POST", "/v1/chat/completions", "", page...); resp.StatusCode != 200 || !slices.Equal(resp.Header["Access-Control-Allow-Origin"], []string{"https://app.example.com"}) {
		t.Errorf("a page that may ask is answered %d %v %s", resp.StatusCode, resp.Header, text)
	}
	if resp, _ := ask("POST", "/v1/chat/completions", "mock"); resp.StatusCode != 200 || reached != 2 {
		t.Errorf("a container is answered %d; %d requests reached the upstream", resp.StatusCode, reached)
	}
	interrupt()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := strings.Count(told.String(), "refused a request: "); n != 4 {
		t.Errorf("%d refusals are told, want each once:\n%s", n, told.String())
	}
}

// A client that does not send the body that it announced is told so when its time is over, and
// nothing is forwarded.
func TestRecorderWaitsForNoBody(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("half a request reaches the upstream") }))
	defer upstream.Close()
	out, ready := io.Pipe()
	var told bytes.Buffer
	r := &recordingService{
		streams: streams{out: ready, err: &told}, grace: time.Second,
		flags: &recordFlags{upstream: upstream.URL, out: t.TempDir(), addr: "127.0.0.1:0", bodyTime: 50 * time.Millisecond},
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error)
	go func() { ended <- r.run(ctx) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(gjson.Get(line, "base_url").String(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
	answer, err := io.ReadAll(conn) // returns when the connection is closed
	interrupt()
	<-ended
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(told.String(), "a request could not be read") {
		t.Errorf("the client is answered %q, %v, and this is told:\n%s", answer, err, told.String())
	}
}
