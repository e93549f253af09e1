package engine_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// idleSocket opens a connection over a simulated network.
func idleSocket(t *testing.T, n *virtualtime.Network, answersPings bool) *websocket.Conn {
	t.Helper()
	srv := engine.NewServer(engine.Config{Listen: n.Listen, Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
	t.Cleanup(srv.Close)
	conn, _, err := websocket.Dial(t.Context(), srv.URL+"/v1/responses", &websocket.DialOptions{
		HTTPClient:     &http.Client{Transport: n},
		OnPingReceived: func(context.Context, []byte) bool { return answersPings },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return conn
}

// TestSocketLastsAnHour: as OpenAI's does, a connection ends after an hour, whether anything was
// asked over it or not, if the client answers pings until then. The client is told why.
func TestSocketLastsAnHour(t *testing.T) {
	for name, asks := range map[string]bool{"without a message": false, "after an answer": true} {
		t.Run(name, func(t *testing.T) {
			virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
				conn := idleSocket(t, n, true)
				begin := time.Now()
				if asks {
					askOver(t, conn)
				}
				_, last, err := conn.Read(t.Context()) // which answers pings, too
				if took := time.Since(begin); err != nil || took != time.Hour {
					t.Fatalf("after %v it got %s, %v", took, last, err)
				}
				const want = `{"type":"error","status":400,"error":{"type":"invalid_request_error","code":"websocket_connection_limit_reached",` +
					`"message":"Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue."}}`
				if string(last) != want {
					t.Errorf("it is told %s", last)
				}
				if _, _, err = conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
					t.Errorf("the connection ends with %v", err)
				}
			})
		})
	}
}

// TestSocketOfAClientThatIsGone: a connection whose client answers no ping is given up, whether it
// ever asked or not.
func TestSocketOfAClientThatIsGone(t *testing.T) {
	for name, asks := range map[string]bool{"without a message": false, "after an answer": true} {
		t.Run(name, func(t *testing.T) {
			virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
				conn := idleSocket(t, n, false)
				begin := time.Now()
				if asks {
					if _, err := askOver(t, conn); err != nil {
						t.Fatal(err)
					}
				}
				_, _, err := conn.Read(t.Context())
				var closed websocket.CloseError
				if !errors.As(err, &closed) || closed.Code != websocket.StatusInternalError || closed.Reason != "keepalive ping timeout" {
					t.Errorf("the connection ends with %v", err)
				}
				if took := time.Since(begin); took > 3*time.Minute {
					t.Errorf("it was given up after %v", took)
				}
			})
		})
	}
}

// TestSocketOfAClientThatIsBusy: a client that asks again after a minute in which it read nothing
// is answered.
func TestSocketOfAClientThatIsBusy(t *testing.T) {
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		conn := idleSocket(t, n, true)
		for range 5 {
			if messages, err := askOver(t, conn); err != nil || len(messages) < 10 {
				t.Fatalf("%d messages came, and %v", len(messages), err)
			}
			time.Sleep(time.Minute) // in which it runs a tool
		}
	})
}

// TestSocketOfAClientThatAsksAheadAndLeaves: the answer ends with its client also when another
// message waits behind it.
func TestSocketOfAClientThatAsksAheadAndLeaves(t *testing.T) {
	leavesNothing(t, func() {
		w := &waiting{begun: make(chan struct{}, 1)}
		srv := engine.NewServer(engine.Config{Clock: w, Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
		defer srv.Close()
		conn := rawSocket(t, srv.URL, "first-token: 1h")
		for range 20 {
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"response.create","model":"m","input":"Go."}`)); err != nil {
				t.Fatal(err)
			}
		}
		<-w.begun
		conn.CloseNow()
		for end := time.Now().Add(10 * time.Second); srv.Journal().Sum().Requests == 0 || !srv.Journal().Entries()[0].Done; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the answer goes on without its client")
			}
		}
		srv.Close()
		if n := srv.Journal().Count(); n != 1 {
			t.Errorf("%d requests were answered, and the client left at the first", n)
		}
	})
}

// TestSocketOfAClientThatAsksTooMuchAhead: what waits for an answer is bounded, by its number and
// by its bytes.
func TestSocketOfAClientThatAsksTooMuchAhead(t *testing.T) {
	for name, c := range map[string]struct{ messages, size int }{"messages": {2000, 10}, "bytes": {10, 300_000}} {
		t.Run(name, func(t *testing.T) {
			w := &waiting{begun: make(chan struct{}, 1)}
			srv := start(t, engine.Config{
				Clock: w, Limits: engine.Limits{Body: 1 << 20}, Profile: profile(t, "openai-responses"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)},
			})
			conn := rawSocket(t, srv.URL, "first-token: 1h")
			message := []byte(`{"type":"response.create","model":"m","input":"` + strings.Repeat("a", c.size) + `"}`)
			for range c.messages {
				if conn.Write(t.Context(), websocket.MessageText, message) != nil {
					break // it is closed by now
				}
			}
			_, _, err := conn.Read(t.Context())
			var closed websocket.CloseError
			if !errors.As(err, &closed) || closed.Code != websocket.StatusPolicyViolation || closed.Reason != "too many messages wait for their answers" {
				t.Errorf("the connection ends with %v", err)
			}
		})
	}
}
