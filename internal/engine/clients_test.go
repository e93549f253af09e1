package engine_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// pipes is a listener without a network: its connections hold no bytes, so that a writer waits for
// its reader.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func newPipes() *pipes { return &pipes{connections: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// dial returns the client's end of a new connection.
func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.connections <- server
	return client
}

// client returns an HTTP client that connects through the pipes.
func (p *pipes) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return p.dial(), nil },
		DisableKeepAlives: true,
	}}
}

// request is a request as it goes over a connection.
func request(method, path, body string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: mock\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// A client that does not read its stream delays no other client, and Close does not wait for it
// either.
func TestSlowClientBlocksNobody(t *testing.T) {
	l := newPipes()
	srv := engine.Serve(l, engine.New(engine.Config{}))
	run := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done., times: 9}]"), Profile: profile(t, "openai")})
	path := "/run/" + run.ID + "/v1/chat/completions"

	slow := l.dial()
	defer slow.Close()
	io.WriteString(slow, request("POST", path, streamed))
	line, err := bufio.NewReaderSize(slow, 16).ReadString('\n') // it is being answered, and reads no further
	if err != nil || !strings.Contains(line, "200") {
		t.Fatalf("the slow client got %q, %v", line, err)
	}
	for range 3 {
		resp, err := l.client().Post("http://mock"+path, "application/json", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.Contains(string(body), "Done.") {
			t.Errorf("another client got %s, %v", body, err)
		}
	}
	srv.Close()
	if _, err := io.ReadAll(slow); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("after Close the slow client reads %v", err)
	}
}

// waiting is a clock on which every sleep lasts until its context ends. It tells of each sleep that
// begins.
type waiting struct {
	clock
	begun chan struct{}
}

func (w *waiting) Sleep(ctx context.Context, _ time.Duration) bool {
	w.begun <- struct{}{}
	<-ctx.Done()
	return false
}

const slowTool = "tools: {look: {results: [{after: 1h, text: a}]}}\nmodel: [{text: Done.}]"

// A client that goes away while its tool runs ends the tool.
func TestClientGoesAway(t *testing.T) {
	w := &waiting{begun: make(chan struct{})}
	srv := start(t, engine.Config{Clock: w})
	run, base := begin(t, srv, slowTool, engine.RunConfig{})
	ctx, leave := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, base+"/tools/look", strings.NewReader("{}"))
		_, err := http.DefaultClient.Do(req)
		gone <- err
	}()
	<-w.begun
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the client ended with %v", err)
	}
	srv.Close() // returns only when the tool has ended
	if _, executions := run.Record(); len(executions) != 1 {
		t.Errorf("%d executions are recorded", len(executions))
	}
}

// Close ends what is being served, and waits for it.
func TestCloseWaits(t *testing.T) {
	w := &waiting{begun: make(chan struct{})}
	srv := engine.NewServer(engine.Config{Clock: w})
	run, base := begin(t, srv, slowTool, engine.RunConfig{})
	failed := make(chan error)
	go func() {
		resp, err := http.Post(base+"/tools/look", "application/json", strings.NewReader("{}"))
		if err == nil {
			resp.Body.Close()
		}
		failed <- err
	}()
	<-w.begun
	srv.Close()
	if err := <-failed; err == nil {
		t.Error("the tool answered although the server was closed")
	}
	if _, executions := run.Record(); len(executions) != 1 || executions[0].End < executions[0].Start {
		t.Errorf("recorded %+v", executions)
	}
	if _, err := http.Get(srv.URL + "/loopproof/healthz"); err == nil {
		t.Error("the server still answers")
	}
}

func TestShutdownLetsAnswersEnd(t *testing.T) {
	l := newPipes()
	srv := engine.Serve(l, engine.New(engine.Config{}))
	run := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}]"), Profile: profile(t, "openai")})
	conn := l.dial()
	defer conn.Close()
	io.WriteString(conn, request("POST", "/run/"+run.ID+"/v1/chat/completions", streamed))
	r := bufio.NewReader(conn)
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error)
	go func() { stopped <- srv.Shutdown(context.Background()) }()
	rest, err := io.ReadAll(r)
	if err != nil || !strings.Contains(string(rest), "[DONE]") {
		t.Errorf("the answer that was begun ended with %v: %q", err, rest)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// Whatever clients do, nothing is left of a closed server.
func TestNoGoroutineIsLeft(t *testing.T) {
	leavesNothing(t, func() {
		srv := engine.NewServer(engine.Config{Scenarios: []*scenarios.Scenario{scenario(t, "model: [{text: Done.}]")}})
		for _, d := range wire.Deliveries() {
			_, base := begin(t, srv, tale, engine.RunConfig{Delivery: d})
			ask(t, base, streamed)
			_, base = begin(t, srv, tale+"    reset: {after: 2 events}\n", engine.RunConfig{Delivery: d})
			ask(t, base, streamed)
		}
		ask(t, srv.URL, hello)
		ask(t, srv.URL, "{")
		half, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://")) // a client that stops in the middle of its request
		if err != nil {
			t.Fatal(err)
		}
		defer half.Close()
		io.WriteString(half, "POST /v1/chat/completions HTTP/1.1\r\nHost: mock\r\nContent-Length: 100\r\n\r\n{")
		srv.Close()
	})
}

// Nor of one whose clients still wait for it.
func TestNoGoroutineIsLeftOfHangingClients(t *testing.T) {
	const completions = "/v1/chat/completions"
	ignore := func(scenarios.Cancel) {}
	for name, hangs := range map[string]struct {
		config               engine.RunConfig
		scenario, path, body string
	}{
		"before the head":            {engine.RunConfig{}, "model: [{stall: {before: headers, for: 1h}}]", completions, hello},
		"in a stream":                {engine.RunConfig{}, "model: [{text: Done., stall: {after: 1 event, for: 1h}}]", completions, streamed},
		"after the end of a stream":  {engine.RunConfig{Profile: profile(t, "gateway"), Delivery: wire.DeliverSSE}, "model: [{text: Done., quirks: [left-open]}]", completions, streamed},
		"in a slow stream":           {engine.RunConfig{Profile: profile(t, "gateway"), Delivery: wire.DeliverSSE}, "model: [{text: Done., quirks: [slow]}]", completions, streamed},
		"in a tool":                  {engine.RunConfig{}, slowTool, "/tools/look", "{}"},
		"as the user cancels":        {engine.RunConfig{OnCancel: ignore}, "needs: [cancel]\nmodel: [{text: Done., cancel: {during: answer}}]", completions, hello},
		"as the user cancels a wait": {engine.RunConfig{OnCancel: ignore}, "needs: [cancel]\nmodel: [{status: 429, headers: {retry-after: 9}, cancel: {during: wait}}]", completions, hello},
	} {
		t.Run(name, func(t *testing.T) {
			leavesNothing(t, func() {
				w := &waiting{begun: make(chan struct{}, 9)}
				srv := engine.NewServer(engine.Config{Clock: w})
				_, base := begin(t, srv, hangs.scenario, hangs.config)
				client := hang(t, srv, strings.TrimPrefix(base, srv.URL)+hangs.path, hangs.body)
				defer client.Close()
				<-w.begun
				srv.Close()
			})
		})
	}
	t.Run("until something happens", func(t *testing.T) {
		leavesNothing(t, func() {
			w := &waiting{begun: make(chan struct{}, 9)}
			srv := engine.NewServer(engine.Config{Clock: w})
			client := hang(t, srv, "/loopproof/wait?called=look&within=1m", "")
			defer client.Close()
			<-w.begun
			srv.Close()
		})
	})
}

// hang sends a request and leaves the connection open, without reading anything.
func hang(t *testing.T, srv *engine.Server, path, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	io.WriteString(conn, request(method, path, body))
	return conn
}

// leavesNothing demands that no goroutine is left of what a function does.
func leavesNothing(t *testing.T, do func()) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	do()
	http.DefaultClient.CloseIdleConnections()
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(time.Millisecond) // the client's own goroutines end in their own time
	}
}
