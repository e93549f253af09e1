package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// streamed is an exchange whose first answer is cut inside of a character and between the two bytes
// of a line end.
func streamed() *report.Trace {
	body := "data: {\"delta\":\"4 \u00b0C\"}\r\n\r\ndata: [DONE]\r\n\r\n"
	at := strings.Index(body, "\u00b0") + 1
	return &report.Trace{
		Requests: []report.TracedRequest{{
			Number: 1, AtMS: 0.5, Method: "POST", Target: "/run/1/v1/chat/completions",
			Headers: map[string]string{"Content-Type": "application/json", "Authorization": "(redacted)"},
			Body:    report.TracedBody{Text: `{"messages":[]}`, Bytes: 15},
			Answer: report.TracedAnswer{
				Status: 200, Headers: map[string]string{"Content-Type": "text/event-stream"}, EndMS: 3,
				Body:   report.TracedBody{Text: body, Bytes: len(body)},
				Writes: fmt.Sprintf("%d %d 1", at, len(body)-1-at),
			},
		}, {
			Number: 2, AtMS: 8, Method: "POST", Target: "/run/1/v1/chat/completions", Problem: "it is not JSON",
			Body:   report.TracedBody{Base64: "/wA=", Bytes: 70, Cut: true},
			Answer: report.TracedAnswer{Status: 400, EndMS: 9, Said: "refused like the real provider", Ending: "severed", Body: report.TracedBody{Text: "{}", Bytes: 2}},
		}},
		Tools:   []report.TracedTool{{Tool: "get_weather", CallID: "call_1", Arguments: `{"city":"Oslo"}`, Result: "4 C", AtMS: 4, EndMS: 5}, {Tool: "late", Arguments: "{}", Result: "no", Failed: true, Dropped: true, AtMS: 9}},
		Outcome: &protocol.Outcome{Status: protocol.Stopped, Reason: "enough"},
		Ending:  "reported",
	}
}

func TestTraceText(t *testing.T) {
	golden(t, "trace.txt", written(t, streamed().WriteText))
}

func TestTraceOfACrash(t *testing.T) {
	text := (&report.Trace{Ending: "crashed", Note: "exit code 7", LeftOut: 3}).String()
	for _, want := range []string{"outcome  none: the loop crashed\n", "exit code 7\n", "(3 requests, tools and questions are left out)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestTraceOfARestart(t *testing.T) {
	killed := streamed()
	killed.Restart = &report.TracedRestart{KilledMS: 4.5, StartedMS: 7}
	text := killed.String()
	if want := "the process is killed  at 4.5 ms\nand started again with the session  at 7.0 ms\n\nrequest 2"; !strings.Contains(text, want) {
		t.Errorf("it does not say %q:\n%s", want, text)
	}
}

// TestTraceOfApprovals: what the user was asked and decided is in its place between the requests and
// the tools.
func TestTraceOfApprovals(t *testing.T) {
	asked := streamed()
	asked.Asked = []report.TracedQuestion{
		{Tool: "get_weather", CallID: "call_1", Arguments: `{"city":"Oslo"}`, Decision: "approved", With: `{"city":"Lima"}`, Request: 1, AtMS: 3.2, EndMS: 3.5},
		{Tool: "get_weather", Arguments: "{}", Decision: "denied", Reason: "not now", AtMS: 6, EndMS: 7},
		{Tool: "late", Arguments: "{}", Decision: "undecided", AtMS: 8.5},
	}
	text := asked.String()
	from := 0
	for _, want := range []string{
		"answer 1 ",
		"the user is asked whether to run  get_weather {\"city\":\"Oslo\"} as call_1  at 3.2 ms\n  approved with {\"city\":\"Lima\"}  at 3.5 ms\n\n",
		"tool  get_weather",
		"the user is asked whether to run  get_weather {}  at 6.0 ms\n  denied: \"not now\"  at 7.0 ms\n\n",
		"request 2",
		"the user is asked whether to run  late {}  at 8.5 ms\n  undecided\n\n",
		"tool  late",
	} {
		at := strings.Index(text[from:], want)
		if at < 0 {
			t.Fatalf("it does not say %q there:\n%s", want, text)
		}
		from += at
	}
}

func TestWriteSizes(t *testing.T) {
	for text, sizes := range map[string][]int{"": nil, "7": {7}, "3x1": {1, 1, 1}, "120 98 2x1 98": {120, 98, 1, 1, 98}} {
		var a report.TracedAnswer
		a.SetWriteSizes(sizes)
		back, err := a.WriteSizes()
		if err != nil || a.Writes != text || !slices.Equal(back, sizes) {
			t.Errorf("%v is written as %q, expected %q, and read as %v (%v)", sizes, a.Writes, text, back, err)
		}
	}
	for _, bad := range []string{"a", "3x", "x1", "0x1", "99999999999x1"} {
		a := report.TracedAnswer{Writes: bad}
		if sizes, err := a.WriteSizes(); err == nil {
			t.Errorf("%q is read as %v", bad, sizes)
		}
	}
}

func TestBriefAnswer(t *testing.T) {
	var a report.TracedAnswer
	for _, word := range []string{"It", "is", "now", "as", "hot", "as", "it", "was", "in", "Rio"} {
		line := `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","delta":{"content":"` + word + `"},"finish_reason":null}` + "\n\n"
		a.Body.Text += line
		a.Body.Bytes += len(line)
	}
	a.Body.Text += "data: [DONE]\n\n"
	text := a.Brief()
	for _, want := range []string{`data: {…`, `"content":"It"`, "… 3 more", `"content":"Rio"`, `data: [DONE]\n\n`} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "chat.completion.chunk") {
		t.Errorf("it shows what all lines have in common:\n%s", text)
	}
	if n := len(text); n > 700 {
		t.Errorf("it has %d bytes:\n%s", n, text)
	}
}

// The report stays small however many cases fail, and the simplest failing case of each rule has
// its exchange.
func TestTracesAreBounded(t *testing.T) {
	r := broken()
	r.Cases = nil
	for range 200 {
		c := one("pairing/eight-calls", "openai", "sse-bytes", dropped("call_b"))
		c.ID += string(rune('a' + len(r.Cases)%26))
		c.ID += strings.Repeat("x", len(r.Cases)/26)
		c.Trace = &report.Trace{Requests: []report.TracedRequest{{Body: report.TracedBody{Text: strings.Repeat("x", 20_000)}}}}
		r.Cases = append(r.Cases, c)
	}
	plain := one("pairing/two-tools", "openai", "json", dropped("call_b"))
	plain.Trace = streamed()
	r.Cases = append(r.Cases, plain)
	r.Complete()
	kept := 0
	for _, c := range r.Cases {
		if c.Trace != nil {
			kept++
		}
	}
	if kept < 20 || kept > 60 || kept+r.TracesLeftOut != 201 {
		t.Errorf("%d of 201 exchanges are kept and %d left out", kept, r.TracesLeftOut)
	}
	if r.Cases[200].Trace == nil {
		t.Error("the exchange of the simplest case is not kept")
	}
}

// TestWritesOfSingleBytes: an answer that was cut into bytes is not shown with a mark after each.
func TestWritesOfSingleBytes(t *testing.T) {
	for _, c := range []struct {
		writes string
		bytes  int
		said   string
	}{
		{"9x1", 9, "9 bytes, one byte per write\n"},
		{"4x1 5", 9, "9 bytes in 5 writes; ¦ marks the end of each\n"},
		{"16384x1 537x61 16384x1", 65525, "65525 bytes, one byte per write, and more in the middle\n"},
	} {
		trace := report.Trace{Requests: []report.TracedRequest{{Answer: report.TracedAnswer{Status: 200, Writes: c.writes, Body: report.TracedBody{Text: "data: {}\n", Bytes: c.bytes}}}}}
		if text := trace.String(); !strings.Contains(text, c.said) {
			t.Errorf("%s: %s\nwant %s", c.writes, text, c.said)
		}
	}
}
