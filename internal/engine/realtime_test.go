package engine_test

import (
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// realtimeTalk sends events over one connection, and returns the types of all that it is told until
// one of a kind comes, and this one.
type realtimeTalk struct {
	*testing.T
	conn *websocket.Conn
}

func (r realtimeTalk) send(events ...string) {
	r.Helper()
	for _, event := range events {
		if err := r.conn.Write(r.Context(), websocket.MessageText, []byte(event)); err != nil {
			r.Fatal(err)
		}
	}
}

func (r realtimeTalk) until(kind string) (kinds []string, last string) {
	r.Helper()
	for {
		_, data, err := r.conn.Read(r.Context())
		if err != nil {
			r.Fatal(err)
		}
		last = string(data)
		kinds = append(kinds, gjson.Get(last, "type").String())
		if kinds[len(kinds)-1] == kind {
			return kinds, last
		}
	}
}

// TestRealtime: a conversation over the Realtime API, with a call and its result, is answered by the
// same scripts, and is in the journal.
func TestRealtime(t *testing.T) {
	srv := start(t, engine.Config{
		ExtraProfiles: []*profiles.Profile{profile(t, "openai-responses")},
		Scenarios: []*scenarios.Scenario{script(t, "all", `
model:
  - {when: {result: {}}, text: 'It is {{ result }}.'}
  - {when: {user: {contains: weather}, system: {contains: terse}, tools: [look]}, calls: [{tool: look, arguments: {city: Oslo}}]}
  - {when: {user: fail}, status: 429}
  - {text: 'You said {{ user }}.'}
`)},
	})
	run := testRun(t, srv, engine.TestRunConfig{})
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(srv.URL, "http", "ws", 1)+"/run/"+run.ID+"/v1/realtime?model=gpt-realtime", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	talk := realtimeTalk{t, conn}
	if _, opened := talk.until("session.created"); gjson.Get(opened, "session.model").String() != "gpt-realtime" {
		t.Errorf("the session is %s", opened)
	}
	says := func(text string) string {
		return `{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}}`
	}
	const respond = `{"type":"response.create"}`

	talk.send(says("Hello"), respond)
	kinds, done := talk.until("response.done")
	want := "conversation.item.added conversation.item.done response.created response.output_item.added response.content_part.added response.output_text.delta"
	if got := strings.Join(kinds, " "); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "response.output_text.done response.content_part.done response.output_item.done conversation.item.added conversation.item.done response.done") {
		t.Errorf("the events are %s", got)
	}
	if gjson.Get(done, "response.output.0.content.0.text").String() != "You said Hello." || gjson.Get(done, "response.status").String() != "completed" || gjson.Get(done, "response.usage.input_token_details").Raw == "" {
		t.Errorf("the response is %s", done)
	}

	talk.send(`{"type":"session.update","session":{"instructions":"Be terse.","tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}}}]}}`, says("The weather?"), respond)
	_, arguments := talk.until("response.function_call_arguments.done")
	call := gjson.Get(arguments, "call_id").String()
	if call == "" || gjson.Get(arguments, "arguments").String() != `{"city":"Oslo"}` || gjson.Get(arguments, "response_id").String() == "" {
		t.Errorf("the call is %s", arguments)
	}
	talk.until("response.done")
	talk.send(`{"type":"conversation.item.create","item":{"type":"function_call_output","call_id":"`+call+`","output":"cold"}}`, respond)
	if _, done = talk.until("response.done"); gjson.Get(done, "response.output.0.content.0.text").String() != "It is cold." {
		t.Errorf("the response is %s", done)
	}

	for _, c := range []struct{ event, says string }{
		{`{"type":"input_audio_buffer.append","audio":""}`, "plays text"},
		{`{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_audio"}]}}`, "plays text"},
		{`{"type":"conversation.item.create"}`, "'item'"},
		{`{"type":"response.cancel"}`, "no active response"},
		{`{"type":"conversation.item.delete","item_id":"nope"}`, "does not exist"},
		{`{`, "parse"},
		{`{"type":"response.create","response":{"conversation":"none","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"fail"}]}]}}`, "Rate limit"},
	} {
		talk.send(c.event)
		if _, said := talk.until("error"); !strings.Contains(gjson.Get(said, "error.message").String(), c.says) {
			t.Errorf("%s is answered %s", c.event, said)
		}
	}
	talk.send(says("again"), respond) // the connection lives on
	talk.until("response.done")
	entries := run.Journal().Entries()
	for _, e := range entries {
		if len(e.Findings) > 0 {
			t.Errorf("a request breaks %+v", e.Findings)
		}
	}
	if len(entries) != 5 {
		t.Errorf("the journal has %d requests", len(entries))
	}
}
