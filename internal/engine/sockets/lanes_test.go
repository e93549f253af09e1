package sockets

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/wire"
)

// held is a connection to a provider that begins each answer by response.created, and ends it when
// it is let go. What is asked is the name by which it is let go.
type held struct {
	t    *testing.T
	conn *websocket.Conn
	let  chan string
}

func openHeld(t *testing.T) *held {
	h := &held{t: t, let: make(chan string)}
	waiting := make(chan map[string]chan struct{}, 1)
	waiting <- map[string]chan struct{}{}
	let := func(name string) chan struct{} {
		all := <-waiting
		defer func() { waiting <- all }()
		if all[name] == nil {
			all[name] = make(chan struct{})
		}
		return all[name]
	}
	go func() {
		for name := range h.let {
			close(let(name))
		}
	}()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Serve(w, r, Options{
			Socket: responses.API.Endpoint.Socket, Frames: wire.SSE, MaxMessage: 1 << 20, Patience: time.Minute,
			Failed: func(wire.SocketRequest) {},
			Answer: func(w http.ResponseWriter, r *http.Request, _ wire.SocketRequest) {
				body, _ := io.ReadAll(r.Body)
				name := gjson.GetBytes(body, "input").String()
				w.Header().Set("Content-Type", wire.SSE.Type)
				fmt.Fprintf(w, "data: {\"type\":\"response.created\",\"of\":%q}\n\n", name)
				select {
				case <-let(name):
				case <-r.Context().Done():
				}
				fmt.Fprintf(w, "data: {\"type\":\"response.completed\",\"of\":%q}\n\n", name)
			},
		})
	}))
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(srv.URL, "http", "ws", 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	h.conn = conn
	t.Cleanup(func() { conn.CloseNow(); srv.Close(); close(h.let) })
	return h
}

// ask asks for an answer of a name in a stream; "" is the one without a name.
func (h *held) ask(stream, name string) {
	h.t.Helper()
	keys := map[string]any{"type": "response.create", "input": name}
	if stream != "" {
		keys["stream_id"] = stream
	}
	h.send(keys)
}

func (h *held) send(keys map[string]any) {
	h.t.Helper()
	message, _ := json.Marshal(keys)
	if err := h.conn.Write(h.t.Context(), websocket.MessageText, message); err != nil {
		h.t.Fatal(err)
	}
}

// wants reads the next message, and compares it: a word for its type, and what it is about.
func (h *held) wants(want ...string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 10*time.Second)
	defer cancel()
	for _, want := range want {
		_, data, err := h.conn.Read(ctx)
		if err != nil {
			h.t.Fatalf("no message came, want %s: %v", want, err)
		}
		said := gjson.ParseBytes(data)
		got := strings.TrimPrefix(said.Get("type").String(), "response.") + " " + said.Get("of").String() + said.Get("error.code").String()
		if stream := said.Get("stream_id"); stream.Exists() {
			got += " in " + stream.String()
		}
		if got != want {
			h.t.Fatalf("the message is %q, want %q: %s", got, want, data)
		}
	}
}

// TestLanes: requests of one stream are answered one after the other, and those of several at the
// same time.
func TestLanes(t *testing.T) {
	h := openHeld(t)
	h.ask("main", "a")
	h.wants("created a in main")
	h.ask("main", "b") // waits for a
	h.ask("side", "c")
	h.wants("created c in side")
	h.ask("", "d")
	h.wants("created d")
	h.ask("", "e") // waits for d
	h.let <- "c"
	h.wants("completed c in side")
	h.let <- "a"
	h.wants("completed a in main", "created b in main")
	h.let <- "d"
	h.wants("completed d", "created e")
}

// TestLanesAtATime: of seventeen answers the last one waits until another one has ended.
func TestLanesAtATime(t *testing.T) {
	h := openHeld(t)
	for i := range 16 {
		h.ask(fmt.Sprintf("s%d", i), fmt.Sprint(i))
		h.wants(fmt.Sprintf("created %d in s%d", i, i))
	}
	h.ask("", "more")
	h.let <- "3"
	h.wants("completed 3 in s3", "created more")
}

// TestLanesWithNames: a connection has thirty-two streams with names, besides the one without; what
// is no name is refused.
func TestLanesWithNames(t *testing.T) {
	h := openHeld(t)
	h.let <- "x"
	for i := range 32 {
		h.ask(fmt.Sprintf("s%d", i), "x")
		h.wants(fmt.Sprintf("created x in s%d", i), fmt.Sprintf("completed x in s%d", i))
	}
	h.ask("s32", "x")
	h.wants("error websocket_stream_limit_reached in s32")
	h.ask("s7", "x")
	h.wants("created x in s7", "completed x in s7")
	for _, id := range []any{"", "a b", strings.Repeat("a", 257), 3} {
		h.send(map[string]any{"type": "response.create", "input": "x", "stream_id": id})
		h.wants("error invalid_stream_id")
	}
	h.send(map[string]any{"type": "response.cancel", "stream_id": "s7"})
	h.wants("error invalid_value in s7")
	h.ask("", "x")
	h.wants("created x", "completed x")
}

// TestLanesOfAnAnswerThatBreaksOff: the connection ends, and what is answered in other streams with it.
func TestLanesOfAnAnswerThatBreaksOff(t *testing.T) {
	ended := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { ended <- struct{}{} }()
		Serve(w, r, Options{
			Socket: responses.API.Endpoint.Socket, Frames: wire.SSE, MaxMessage: 1 << 20, Patience: time.Minute,
			Answer: func(_ http.ResponseWriter, r *http.Request, asked wire.SocketRequest) {
				if asked.Stream == "b" {
					panic(http.ErrAbortHandler)
				}
				<-r.Context().Done()
			},
		})
	}))
	defer srv.Close()
	h := &held{t: t}
	var err error
	if h.conn, _, err = websocket.Dial(t.Context(), strings.Replace(srv.URL, "http", "ws", 1), nil); err != nil {
		t.Fatal(err)
	}
	defer h.conn.CloseNow()
	h.ask("a", "x")
	h.ask("b", "x")
	if _, _, err := h.conn.Read(t.Context()); err == nil {
		t.Error("a message came")
	}
	<-ended
}
