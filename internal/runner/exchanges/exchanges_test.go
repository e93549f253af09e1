package exchanges_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/runner/exchanges"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

const key = "sk-proj-0123456789abcdef0123"

func asked(number int, at time.Duration, body string) journal.Entry {
	e := journal.Entry{
		Method: http.MethodPost, Target: "/run/1/v1/chat/completions?debug=" + key, Header: journal.Redact(http.Header{"Authorization": {"Bearer " + key}, "X-Note": {key}}),
		Exchange: trace.Exchange{Number: number, Start: at, End: at + time.Millisecond},
		Answer:   journal.Answer{Status: 200, Streamed: true, Writes: wire.NewPieces([]byte("data: \xe2\x82"), []byte("\xac\n"), []byte("\n"))},
	}
	e.SetBody([]byte(body))
	return e
}

func TestTrace(t *testing.T) {
	run := &trace.Run{
		Executions: []*trace.Execution{{Tool: "get_weather", Arguments: "{}", Result: "4 C", Start: time.Second, End: 2 * time.Second}},
		Outcome:    &protocol.Outcome{Status: protocol.Failed, Error: "401 for " + key, Transcript: []byte(`[]`)},
		Ending:     trace.Ending{How: trace.Reported, Note: "key " + key},
	}
	got := exchanges.Of([]journal.Entry{asked(2, 5*time.Millisecond, `{"b":1}`), asked(1, time.Millisecond, `{"key":"`+key+`"}`)}, run, exchanges.Short)
	first := got.Requests[0]
	if first.Number != 1 || first.AtMS != 1 || got.Requests[1].Body.Text != `{"b":1}` {
		t.Errorf("the requests are %+v", got.Requests)
	}
	if a := first.Answer; a.Writes != "8 2 1" || a.Body.Text != "data: €\n\n" || a.Body.Bytes != 11 {
		t.Errorf("the answer is %+v", a)
	}
	if text := got.String(); strings.Contains(text, key) || strings.Contains(got.Note, key) || !strings.Contains(text, `data: \xe2\x82¦\xac\n¦\n¦`) {
		t.Errorf("a key is shown, or the cuts are not:\n%s", text)
	}
	if got.Outcome.Transcript != nil || run.Outcome.Transcript == nil {
		t.Error("the record of the loop is in the exchange, or was taken from the run")
	}
	if tool := got.Tools[0]; tool.AtMS != 1000 || tool.EndMS != 2000 || tool.Result != "4 C" {
		t.Errorf("the tool is %+v", tool)
	}
}

func TestTraceIsBounded(t *testing.T) {
	var entries []journal.Entry
	run := &trace.Run{Ending: trace.Ending{How: trace.Hung}}
	for i := range 100 {
		entries = append(entries, asked(i+1, time.Duration(i), strings.Repeat("€", 10_000)))
		run.Executions = append(run.Executions, &trace.Execution{Tool: "f", Result: strings.Repeat("x", 1<<20)})
	}
	got := exchanges.Of(entries, run, exchanges.Limits{Body: 100, Requests: 3, Tools: 5})
	if len(got.Requests) != 6 || len(got.Tools) != 5 || got.LeftOut != 94+95 {
		t.Errorf("%d requests and %d tools are kept, %d left out", len(got.Requests), len(got.Tools), got.LeftOut)
	}
	body := got.Requests[0].Body
	if want := (report.TracedBody{Text: strings.Repeat("€", 33), Bytes: 30_000, Cut: true}); body != want {
		t.Errorf("the body is %+v", body)
	}
	if got.Size() > 10_000 {
		t.Errorf("it has %d bytes", got.Size())
	}
}
