package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
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
