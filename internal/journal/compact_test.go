package journal_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// history returns messages of a conversation with so many calls, each with a result of that size.
func history(calls, size int) []string {
	all := []string{asks}
	for i := range calls {
		all = append(all,
			fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}`, i),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"call_%d","content":"%s"}`, i, strings.Repeat(string(rune('a'+i%26)), size)))
	}
	return all
}

// Of a long conversation each message is kept once, and yet all bodies and all messages are there.
func TestLongConversationsAreKeptOnce(t *testing.T) {
	const turns, size = 20, 200_000
	j := open(journal.Options{Budget: journal.NewBudget(1 << 40)})
	before, sent := heap(), turns*turns/2*size
	for n := range turns {
		j.Add(new(entry(t, history(n, size)...))).Ended(trace.Exchange{})
	}
	if held := heap() - before; held > sent/5 {
		t.Errorf("%d MB are held of %d MB that were sent", held>>20, sent>>20)
	}
	j.Entries()
	if held := heap() - before; held > sent/2 {
		t.Errorf("%d MB are held of %d MB after somebody looked at them", held>>20, sent>>20)
	}
	all := j.Entries()
	for n, e := range all {
		want := history(n, size)
		if !bytes.Equal(e.Body(), body(want...)) {
			t.Errorf("the body of request %d is not the one that was sent", n+1)
		}
		req := e.Exchange.Request
		if len(req.Messages) != len(want) || req.Model != "gpt-4o" || len(e.Findings) != 0 {
			t.Fatalf("request %d has %d messages and %d findings", n+1, len(req.Messages), len(e.Findings))
		}
		for i, m := range req.Messages {
			if string(m.Node.Raw) != want[i] || m.Node.Pointer() != fmt.Sprintf("/messages/%d", i) {
				t.Errorf("message %d of request %d is at %s: %.80s", i, n+1, m.Node.Pointer(), m.Node.Raw)
			}
		}
	}
	if c := journal.Conversations(all); len(c) != 1 || len(c[0].Entries) != turns {
		t.Errorf("they are treated as %d conversations", len(c))
	}
	runtime.KeepAlive(j)
}

// heap returns how many bytes are in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A journal that nobody looks at keeps of a request no more than its bytes, and gives all of it
// when somebody does.
func TestRequestsRest(t *testing.T) {
	j := open(journal.Options{})
	e := entry(t, asks, calls, results)
	e.Exchange.Request.Model, e.Exchange.Request.Headers = "from the URL", map[string]string{"beta": "x"}
	before := heap()
	var note *journal.Note
	for range 200 {
		again := entry(t, asks, calls, results)
		again.Exchange.Request.Model, again.Exchange.Request.Headers = e.Exchange.Request.Model, e.Exchange.Request.Headers
		note = j.Add(&again)
	}
	if held := (heap() - before) / 200; held > 3*len(e.Body())+1000 {
		t.Errorf("%d bytes are held of a request of %d", held, len(e.Body()))
	}
	noted, read := note.Entry().Exchange.Request, j.Entries()[199].Exchange.Request
	for _, got := range []*wire.Request{noted, read} {
		if got.Model != "from the URL" || got.Headers["beta"] != "x" || got.Dialect != e.Exchange.Request.Dialect || len(got.Messages) != 3 {
			t.Errorf("the request is %+v", got)
		}
	}
}

// A system prompt that is alongside the messages changes nothing.
func TestLongMessagesAreKeptOnce(t *testing.T) {
	p, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 50_000)
	j := open(journal.Options{})
	bodies := []string{
		`{"model":"m","max_tokens":9,"system":"Be terse.","messages":[{"role":"user","content":"` + long + `"}]}`,
		`{"model":"m","max_tokens":9,"system":"Be terse.","messages":[{"role":"user","content":"` + long + `"},{"role":"assistant","content":"Yes."},{"role":"user","content":"Go on."}]}`,
	}
	for _, body := range bodies {
		req, err := messages.Read([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		e := journal.Entry{Profile: p, Exchange: trace.Exchange{Request: req}}
		e.SetBody([]byte(body))
		j.Add(&e)
	}
	for i, e := range j.Entries() {
		if string(e.Body()) != bodies[i] {
			t.Errorf("the body of request %d is not the one that was sent", i+1)
		}
		if m := e.Exchange.Request.Messages; len(m) != 2+2*i || m[0].Content.Text != "Be terse." || m[1].Content.Text != long {
			t.Errorf("request %d has %d messages", i+1, len(m))
		}
	}
	if m := j.Entries()[1].Exchange.Request.Messages[3]; m.Content.Text != "Go on." || m.Node.Pointer() != "/messages/2" {
		t.Errorf("the last message is %q at %s", m.Content.Text, m.Node.Pointer())
	}
}

// Whoever looks at one request after the other has all of them, and the journal keeps only so much
// of what was read.
func TestAJournalKeepsLittleOfWhatIsReadOneByOne(t *testing.T) {
	const count, size = 40, 1 << 20
	j := open(journal.Options{Entries: count, Budget: journal.NewBudget(1 << 40)})
	expanded := func() int {
		kept := 0
		for _, e := range j.Outlines() {
			if e.Exchange.Request != nil {
				kept++
			}
		}
		return kept
	}
	for round := range 3 { // the entries of the first round are replaced, and so leave room
		for i := range count {
			j.Add(new(entry(t, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, strings.Repeat("x", size)))))
		}
		for i := range count {
			if e, known := j.Entry(round*count + i + 1); !known || e.Exchange.Request == nil || len(e.Exchange.Request.Messages) != 1 {
				t.Fatalf("request %d is known %v, and its messages are not there", i, known)
			}
		}
		if kept, most := expanded(), journal.MostExpanded/size; kept > most || kept < most/2 {
			t.Errorf("round %d: %d requests of 1 MB are kept as they were read, want about %d", round, kept, most)
		}
	}
}
