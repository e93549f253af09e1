package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/tidwall/gjson"
)

// A conversation that the servers keep has so many turns, and each server is asked in turn.
const keptTurns = 5

// keptForms are the requests of conversations that the servers keep, by their paths: with a number,
// and with the keys that name the answer before. Each path has the key of an answer's id.
var keptForms = map[string]struct{ body, before string }{
	"/v1/responses":        {`{"model":"m","input":"Say hello to number %d."%s}`, `,"previous_response_id":%q`},
	"/v1beta/interactions": {`{"model":"m","input":"Say hello to number %d."%s}`, `,"previous_interaction_id":%q`},
}

// keptOn is the last turn of a conversation that a server keeps, which is reached by a path.
func keptOn(path string) string { return "the last turn over " + path }

// continueKept holds conversations of which each request has what is new alone. One whose answer
// was lost by a fault begins again.
func (e *enduring) continueKept(t *testing.T, seed int) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for path, form := range keptForms {
		before := ""
		for i := range keptTurns {
			resp, err := client.Post(e.url(i+seed)+path, "application/json", strings.NewReader(fmt.Sprintf(form.body, e.sent.Add(1), before)))
			if before = ""; err != nil {
				e.unanswered(err)
				continue
			}
			var body bytes.Buffer
			_, err = body.ReadFrom(resp.Body)
			resp.Body.Close()
			if id := gjson.GetBytes(body.Bytes(), "id").String(); err == nil && resp.StatusCode == http.StatusOK && id != "" {
				e.answered.Store(path, true)
				if i == keptTurns-1 {
					e.answered.Store(keptOn(path), true)
				}
				before = fmt.Sprintf(form.before, id)
			}
		}
	}
}

// continueOverSocket holds a conversation over a WebSocket, whose connection keeps the last answer.
// A fault ends it.
func (e *enduring) continueOverSocket(t *testing.T, seed int) {
	ctx, leave := context.WithTimeout(context.Background(), time.Minute)
	defer leave()
	conn, _, err := websocket.Dial(ctx, e.url(seed)+"/v1/responses", nil)
	if err != nil {
		t.Errorf("a WebSocket cannot be opened: %v", err)
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	before := ""
	for i := range keptTurns {
		text := fmt.Sprintf(`{"type":"response.create","model":"m","store":false,"input":"Say hello to number %d."%s}`, e.sent.Add(1), before)
		if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			t.Errorf("a WebSocket cannot be written to: %v", err)
			return
		}
		id := responseOver(ctx, conn)
		if id == "" {
			return
		}
		before = fmt.Sprintf(`,"previous_response_id":%q`, id)
		if i == keptTurns-1 {
			e.answered.Store(keptOn("a socket"), true)
		}
	}
}

// responseOver reads the events of a response, and returns its id, or "" when it is not whole.
func responseOver(ctx context.Context, conn *websocket.Conn) string {
	for {
		_, event, err := conn.Read(ctx)
		switch kind := gjson.GetBytes(event, "type").String(); {
		case err != nil || kind == "error" || kind == "response.failed" || kind == "response.incomplete":
			return ""
		case kind == "response.completed":
			return gjson.GetBytes(event, "response.id").String()
		}
	}
}
