package engine_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/virtualtime"
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

// TestSocketLastsAnHour: as OpenAI's does, a connection ends after an hour, whether anything was asked over it or not, if the
// client answers pings until then. The client is told why.
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

// TestSocketOfAClientThatIsGone: a connection whose client answers no ping is given up, whether it ever asked or not.
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

// TestSocketOfAClientThatIsBusy: a client that asks again after a minute in which it read nothing is answered.
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
