package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// The messages of a conversation about the weather.
const (
	asks    = `{"role":"user","content":"What is the weather in Oslo?"}`
	calls   = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}`
	results = `{"role":"tool","tool_call_id":"call_1","content":"4 C"}`
	says    = `{"role":"assistant","content":"It is 4 C."}`
	thanks  = `{"role":"user","content":"Thanks."}`
)

// body makes the body of a request out of messages.
func body(messages ...string) []byte {
	return []byte(`{"messages":[` + strings.Join(messages, ",") + `],"model":"gpt-4o"}`)
}

// entry makes an entry of a request for a chat completion.
func entry(tb testing.TB, messages ...string) journal.Entry {
	tb.Helper()
	return read(tb, body(messages...))
}

func read(tb testing.TB, body []byte) journal.Entry {
	tb.Helper()
	p, err := profiles.Get("openai")
	if err != nil {
		tb.Fatal(err)
	}
	req, err := chat.Read(body)
	if err != nil {
		tb.Fatal(err)
	}
	e := journal.Entry{Method: "POST", Target: "/v1/chat/completions", Profile: p, Exchange: trace.Exchange{Request: req}}
	e.SetBody(body)
	return e
}

// answered notes that an entry is answered by a text.
func answered(e journal.Entry, status int, text string) journal.Entry {
	e.Answer = journal.Answer{Status: status, Writes: wire.NewPieces([]byte(text))}
	if status == 200 {
		e.Answer.Said = &wire.Answer{Text: text}
	}
	return e
}

// numbers shows the numbers of entries.
func numbers(entries []journal.Entry) string {
	var all []int
	for _, e := range entries {
		all = append(all, e.Number)
	}
	return fmt.Sprint(all)
}

func open(o journal.Options) *journal.Journal { return journal.New(o, &journal.Changes{}) }
