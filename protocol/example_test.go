package protocol_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/loopproof/loopproof/protocol"
)

// The first line of an adapter identifies it and lists the claims of its loop.
func ExampleHello() {
	hello := protocol.Hello{
		Type: protocol.TypeHello, Protocol: protocol.Version, Name: "my-loop", Dialects: []string{"chat"},
		Features: []protocol.Feature{protocol.Streaming, "retries@json"},
	}
	line, err := json.Marshal(hello)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
	// Output:
	// {"type":"hello","protocol":2,"name":"my-loop","dialects":["chat"],"features":["streaming","retries@json"]}
}

// An adapter reads a task and writes an outcome.
func ExampleTask() {
	var task protocol.Task
	line := `{"type":"task","id":"t1","base_url":"http://127.0.0.1:8080/run/1/v1","prompts":["Hello?"]}`
	if err := json.Unmarshal([]byte(line), &task); err != nil {
		panic(err)
	}
	out, err := json.Marshal(protocol.Outcome{Type: protocol.TypeOutcome, ID: task.ID, Status: protocol.Completed, Text: "Good day."})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
	// Output:
	// {"type":"outcome","id":"t1","status":"completed","text":"Good day."}
}

// A tool runs at its URL.
func ExampleTool_Run() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arguments, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s for %s", arguments, r.Header.Get(protocol.CallIDHeader))
	}))
	defer srv.Close()
	result, err := protocol.Tool{Name: "get_weather", URL: srv.URL}.Run(context.Background(), "call_1", `{"city":"Oslo"}`)
	fmt.Println(result, err)
	// Output:
	// {"city":"Oslo"} for call_1 <nil>
}

func ExampleFeatures() {
	fmt.Println(protocol.Features()[:3])
	// Output:
	// [streaming parallel-calls reasoning]
}

func ExampleDesigns() {
	fmt.Println(protocol.Designs())
	// Output:
	// [windowed-history answers-by-tool cached-results own-model]
}
