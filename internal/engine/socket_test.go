package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// overSocket opens a connection with OpenAI's own client.
func overSocket(t *testing.T, base string) *responses.ResponseConnection {
	t.Helper()
	client := openai.NewClient(option.WithBaseURL(base+"/v1"), option.WithAPIKey("key"))
	conn, err := client.Responses.Connect(t.Context(), responses.ResponseConnectionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Abort)
	return conn
}

func sendEvent(t *testing.T, conn *responses.ResponseConnection, keys string) {
	t.Helper()
	if err := conn.SendRaw(t.Context(), json.RawMessage(`{"type":"response.create","model":"m",`+lookTool+`,`+keys+`}`)); err != nil {
		t.Fatal(err)
	}
}

// TestSocket: OpenAI's client holds a conversation over one connection, which keeps the last
// response although it is not stored.
func TestSocket(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai-responses")})
	conn := overSocket(t, srv.URL+"/run/"+run.ID)
	sendEvent(t, conn, `"store":false,"input":"Go.","stream_id":"main"`)
	var kinds []string
	var first responses.ResponsesServerEventUnion
	for first.Type != "response.completed" {
		event, err := conn.Recv(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if id := gjson.Get(event.RawJSON(), "stream_id").String(); id != "main" {
			t.Errorf("an event is of the stream %q", id)
		}
		first, kinds = event, append(kinds, event.Type)
	}
	if kinds[0] != "response.created" || kinds[2] != "response.output_item.added" {
		t.Errorf("the events are %q", kinds)
	}
	id := gjson.Get(first.RawJSON(), "response.id").String()
	call := gjson.Get(first.RawJSON(), `response.output.#(type="function_call").call_id`).String()
	sendEvent(t, conn, fmt.Sprintf(`"store":false,"stream_id":"main","previous_response_id":%q,"input":[{"type":"function_call_output","call_id":%q,"output":"a"}]`, id, call))
	last, err := conn.FinalResponse(t.Context())
	if err != nil || last.OutputText() != "Done." {
		t.Fatalf("the last response is %v, %v", last, err)
	}
	exchanges, _ := run.Record()
	if x := exchanges[1]; len(exchanges) != 2 || len(x.Request.Messages) != 3 || !x.Request.Stream {
		t.Errorf("of %d requests the last one has %d messages", len(exchanges), len(x.Request.Messages))
	}

	sendEvent(t, conn, fmt.Sprintf(`"store":false,"previous_response_id":%q,"input":"More."`, id)) // the connection keeps the newest alone
	var refused *responses.ResponseProtocolError
	if _, err = conn.FinalResponse(t.Context()); !errors.As(err, &refused) || gjson.Get(refused.Event.RawJSON(), "status").Int() != 400 || gjson.Get(refused.Event.RawJSON(), "error.code").String() != "previous_response_not_found" {
		t.Errorf("an older response is answered by %v %+v", err, refused)
	}
}

// TestSocketWarmsUp: a request that lets the model say nothing is kept for the next one.
func TestSocketWarmsUp(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai-responses")})
	conn := overSocket(t, srv.URL+"/run/"+run.ID)
	sendEvent(t, conn, `"store":false,"generate":false,"instructions":"Be terse.","input":[]`)
	warm, err := conn.FinalResponse(t.Context())
	if err != nil || len(warm.Output) != 0 {
		t.Fatalf("the first response is %v, %v", warm, err)
	}
	sendEvent(t, conn, `"store":false,"previous_response_id":"`+warm.ID+`","input":"Go."`)
	if said, err := conn.FinalResponse(t.Context()); err != nil || len(said.Output) != 1 {
		t.Fatalf("the next one is %v, %v", said, err)
	}
}

// TestSocketRefuses: what is not a request is answered by an error, and the connection stays.
func TestSocketRefuses(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	conn := overSocket(t, srv.URL)
	for _, c := range []struct{ message, want string }{
		{`{"type":"response.cancel"}`, `Invalid value: "response.cancel". Supported values are: 'response.create'.`},
		{`[1]`, "We could not parse the JSON body of your request."},
		{`{"type":"response.create","model":"m","frobnicate":1,"input":"Go."}`, "Unknown parameter: 'frobnicate'."},
	} {
		if err := conn.SendRaw(t.Context(), json.RawMessage(c.message)); err != nil {
			t.Fatal(err)
		}
		event, err := conn.RecvRaw(t.Context())
		if err != nil || gjson.GetBytes(event, "error.message").String() != c.want || gjson.GetBytes(event, "status").Int() != 400 {
			t.Errorf("%s is answered by %s, %v", c.message, event, err)
		}
	}
	if got := do(t, http.MethodGet, srv.URL+"/v1/responses", ""); got.status != http.StatusMethodNotAllowed || !strings.Contains(got.body, "Not allowed to GET") {
		t.Errorf("without an upgrade it is %d %s", got.status, got.body)
	}
}

// TestSocketForgetsWhatFailed: the connection keeps no response from which a client continued in
// vain.
func TestSocketForgetsWhatFailed(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai-responses")})
	conn := overSocket(t, srv.URL+"/run/"+run.ID)
	sendEvent(t, conn, `"store":false,"input":"Go."`)
	first, err := conn.FinalResponse(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ input, code, message string }{
		{`[{"type":"function_call_output","call_id":"call_of_nobody","output":"a"}]`, "", "No tool"},
		{`"More."`, "previous_response_not_found", "not found"},
	} {
		sendEvent(t, conn, fmt.Sprintf(`"store":false,"previous_response_id":%q,"input":%s`, first.ID, c.input))
		event, err := conn.RecvRaw(t.Context())
		if said := gjson.GetBytes(event, "error"); err != nil || said.Get("code").String() != c.code || !strings.Contains(said.Get("message").String(), c.message) {
			t.Errorf("%s is answered by %s, %v", c.input, event, err)
		}
	}
}

// TestSocketStreams: a connection keeps the latest response of each stream, from which another one
// may go on as well. An error forgets it where its own stream went on from it.
func TestSocketStreams(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	conn := overSocket(t, srv.URL)
	ask := func(stream, follows, input string) (id, code string) {
		t.Helper()
		keys := fmt.Sprintf(`"store":false,"stream_id":%q,"input":%s`, stream, input)
		if follows != "" {
			keys += fmt.Sprintf(`,"previous_response_id":%q`, follows)
		}
		sendEvent(t, conn, keys)
		for {
			event, err := conn.RecvRaw(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			said := gjson.ParseBytes(event)
			if got := said.Get("stream_id").String(); got != stream {
				t.Errorf("an event is of the stream %q, want %q: %s", got, stream, event)
			}
			switch said.Get("type").String() {
			case "response.completed":
				return said.Get("response.id").String(), ""
			case "error":
				return "", said.Get("error.code").String() + said.Get("error.message").String()
			}
		}
	}
	const more, nobody = `"More."`, `[{"type":"function_call_output","call_id":"call_of_nobody","output":"a"}]`
	main, _ := ask("main", "", more)
	fork, problem := ask("fork", main, more)
	if fork == "" || fork == main {
		t.Fatalf("another stream does not go on from it: %s", problem)
	}
	if _, problem := ask("fork", main, nobody); !strings.Contains(problem, "No tool") {
		t.Errorf("an unknown call is answered by %q", problem)
	}
	next, problem := ask("main", main, more)
	if next == "" {
		t.Fatalf("an error of another stream has forgotten it: %s", problem)
	}
	if _, problem := ask("late", main, more); !strings.HasPrefix(problem, "previous_response_not_found") {
		t.Errorf("a stream goes on from a response that is not the latest of its own: %q", problem)
	}
	if again, problem := ask("fork", fork, more); again == "" {
		t.Errorf("the latest response of a stream is lost: %s", problem)
	}
	if _, problem := ask("main", next, nobody); !strings.Contains(problem, "No tool") {
		t.Errorf("an unknown call is answered by %q", problem)
	}
	if _, problem := ask("main", next, more); !strings.HasPrefix(problem, "previous_response_not_found") {
		t.Errorf("a stream goes on from a response that it continued in vain: %q", problem)
	}
}

// rawSocket opens a connection of which each message is seen as it came.
func rawSocket(t *testing.T, url, how string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url+"/v1/responses", &websocket.DialOptions{HTTPHeader: http.Header{engine.BehaviourHeader: {how}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return conn
}

// askOver sends a request over a connection, and returns the messages that come until the answer
// has ended or the connection is closed.
func askOver(t *testing.T, conn *websocket.Conn) (messages []string, closed error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := conn.Write(ctx, websocket.MessageText, []byte(`{"type":"response.create","model":"m","input":"Go."}`)); err != nil {
		t.Fatal(err)
	}
	for {
		_, data, err := conn.Read(ctx)
		if ctx.Err() != nil {
			t.Fatalf("the client still waits after %d messages: %q", len(messages), messages)
		}
		if err != nil {
			return messages, err
		}
		messages = append(messages, string(data))
		if kind := gjson.GetBytes(data, "type").String(); kind == "response.completed" || kind == "error" {
			return messages, nil
		}
	}
}

// TestSocketDeliveries: however the bytes of a stream are divided and its lines end, each event is
// a message.
func TestSocketDeliveries(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	want, _ := askOver(t, rawSocket(t, srv.URL, ""))
	for _, delivery := range wire.StreamDeliveries() {
		if got, err := askOver(t, rawSocket(t, srv.URL, "delivery: "+delivery)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d messages came, want %d: %v", delivery, len(got), len(want), err)
		}
	}
}

// TestSocketBreaksOff: a client that gets no whole answer is told by the end of the connection, as
// it is over HTTP by that of the body, and does not wait for the rest.
func TestSocketBreaksOff(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	for how, want := range map[string]int{
		"faults: [{cut: {after: 1 event}}]": 1, "faults: [{cut: {before: headers}}]": 0, "faults: [{reset: {after: 2 events}}]": 2,
		"faults: [{stall: {after: 1 event, for: 1ms}}]": 1,
	} {
		if got, err := askOver(t, rawSocket(t, srv.URL, how)); err == nil || len(got) != want {
			t.Errorf("%s: %d messages came, want %d, and the connection ended with %v", how, len(got), want, err)
		}
	}
}

// TestSocketSendsABrokenEvent: it is a message like any other, and the connection stays.
func TestSocketSendsABrokenEvent(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	conn := rawSocket(t, srv.URL, "faults: [{malformed: {after: 1 event}, times: 1}]")
	got, err := askOver(t, conn)
	if err != nil || len(got) < 2 || gjson.Valid(got[1]) {
		t.Errorf("a broken event comes as %.300q, %v", got[min(1, len(got)-1)], err)
	}
	if again, err := askOver(t, conn); err != nil || len(again) != len(got) {
		t.Errorf("after a broken event %d messages came, want %d: %v", len(again), len(got), err)
	}
}

// TestSocketFailsOnce: an error in the stream is the last event of it, and what comes next belongs to
// the next request.
func TestSocketFailsOnce(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	conn := rawSocket(t, srv.URL, "faults: [{in-band-error: {after: 3 events}, times: 1}]")
	failed, err := askOver(t, conn)
	if err != nil || len(failed) != 4 || gjson.Get(failed[3], "type").String() != "error" {
		t.Fatalf("the first answer is %q, %v", failed, err)
	}
	if again, err := askOver(t, conn); err != nil || gjson.Get(again[0], "type").String() != "response.created" {
		t.Errorf("the next one is %q, %v", again, err)
	}
}

// TestSocketOfARunThatEnds: what is still being answered ends with the run.
func TestSocketOfARunThatEnds(t *testing.T) {
	w := &waiting{begun: make(chan struct{}, 1)}
	srv := start(t, engine.Config{Clock: w, Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	run, err := srv.StartTestRun(engine.TestRunConfig{ID: "one"})
	if err != nil {
		t.Fatal(err)
	}
	conn := rawSocket(t, srv.URL+"/run/one", "tokens-per-second: 1")
	go func() {
		<-w.begun
		srv.EndTestRun(run)
	}()
	if got, err := askOver(t, conn); err == nil || len(got) != 1 {
		t.Errorf("%d messages came, and the connection ended with %v", len(got), err)
	}
}

// TestSocketOfAClientThatLeaves: the answer ends with its client, and while it is slow the client
// learns by pings that we are there.
func TestSocketOfAClientThatLeaves(t *testing.T) {
	leavesNothing(t, func() {
		w := &waiting{begun: make(chan struct{}, 1)}
		srv := engine.NewServer(engine.Config{Clock: w, Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
		defer srv.Close()
		conn := rawSocket(t, srv.URL, "first-token: 1h")
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"response.create","model":"m","input":"Go."}`)); err != nil {
			t.Fatal(err)
		}
		<-w.begun
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		reading := conn.CloseRead(ctx)
		if err := conn.Ping(ctx); err != nil {
			t.Errorf("a ping is not answered: %v", err)
		}
		conn.CloseNow()
		<-reading.Done()
		for srv.Journal().Sum().Requests == 0 || !srv.Journal().Entries()[0].Done {
			if ctx.Err() != nil {
				t.Fatal("the answer goes on without its client")
			}
			time.Sleep(time.Millisecond)
		}
	})
}
