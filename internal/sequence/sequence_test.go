package sequence_test

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/sequence"
	"github.com/loopproof/loopproof/internal/wire"
)

const ms = time.Millisecond

func request(t *testing.T, body string) *wire.Request {
	t.Helper()
	req, err := chat.API.Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// dropped is a conversation in which the loop loses the result of a call.
func dropped(t *testing.T) sequence.Conversation {
	const asked = `{"role":"user","content":"Is it <warm> in Lima?"}`
	const called = `{"role":"assistant","tool_calls":[{"id":"call_a","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}`
	return sequence.Conversation{
		Title: "pairing/single-call@chat/openai/json",
		Exchanges: []sequence.Exchange{
			{Number: 1, At: 0, End: 5 * ms, Request: request(t, `{"messages":[`+asked+`]}`), Status: 200, Said: &wire.Answer{Calls: []wire.AnswerCall{{ID: "call_a", Name: "get_weather", Arguments: "{}"}}}},
			{Number: 2, At: 2010 * ms, End: 2015 * ms, Request: request(t, `{"messages":[`+asked+`,`+called+`]}`), Status: 400, Body: "no result"},
		},
		Tools:   []sequence.Tool{{Name: "get_weather", CallID: "call_a", Arguments: "{}", Result: "19 C", At: 6 * ms, End: 7 * ms}},
		Outcome: sequence.Outcome{Status: "failed", Text: "400", Bad: true},
		Marks: []sequence.Mark{
			{Level: "must", Rule: "pairing/every-call-answered", Message: "1 call without an answer", Expected: "a tool message", Actual: "none", Request: 2, Pointer: "/messages/1/tool_calls"},
			{Level: "should", Rule: "outcome/error-told", Message: "the caller is not told"},
		},
	}
}

func TestBrokenMessageIsMarked(t *testing.T) {
	for _, width := range []sequence.Width{sequence.Wide, sequence.Narrow} {
		svg := sequence.Of(dropped(t)).SVG(width)
		order := []string{"Is it &lt;warm&gt; in Lima?", ">request 1<", ">get_weather<", "19 C", "2.0 s later", ">request 2<", "1 message as before", "call get_weather {} as", "pairing/every-call-answered", "1 call without an answer", ">expected<", "a tool message", ">what came<", ">400<", ">failed<", "outcome/error-told", "time to scale"}
		rest := svg[strings.Index(svg, "</desc>"):]
		for _, want := range order {
			at := strings.Index(rest, want)
			if at < 0 {
				t.Fatalf("%q is not there, or not in its place:\n%s", want, svg)
			}
			rest = rest[at:]
		}
		if !strings.Contains(svg, "loop to provider: request 2; breaks the must pairing/every-call-answered") {
			t.Errorf("the description does not say what is broken:\n%s", svg)
		}
	}
}

// A file is a document on its own, whatever was said.
func TestFileIsXML(t *testing.T) {
	c := dropped(t)
	c.Tools[0].Result = "</text><script>alert(1)</script>\xff & 雪 🙂 " + strings.Repeat("long ", 500)
	c.LeftOut, c.Killed = 3, []time.Duration{8 * ms}
	d := xml.NewDecoder(strings.NewReader(sequence.Of(c).File(".sequence text { fill: red }")))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("what a tool said has become an element")
		}
	}
}

// Of a long conversation the ends are drawn, and what is near a mark.
func TestLongConversationIsAbridged(t *testing.T) {
	var c sequence.Conversation
	for i := range 100 {
		c.Exchanges = append(c.Exchanges, sequence.Exchange{Number: i + 1, At: time.Duration(2*i) * ms, End: time.Duration(2*i+1) * ms, Note: "unread"})
	}
	c.Marks = []sequence.Mark{{Level: "must", Rule: "a/b", Message: "wrong", Request: 50}}
	svg := sequence.Of(c).SVG(sequence.Wide)
	for want, there := range map[string]bool{">request 1<": true, ">request 49<": true, ">request 50<": true, ">request 30<": false, ">request 70<": false, "messages not drawn": true} {
		if strings.Contains(svg, want) != there {
			t.Errorf("%s is there: %v, want %v", want, !there, there)
		}
	}
	if sequence.Of(sequence.Conversation{}).SVG(sequence.Wide) != "" {
		t.Error("a conversation without anything is drawn")
	}
}

// What counts is the time since the first request, since a server may have begun long before.
func TestTimeBeginsWithTheFirstRequest(t *testing.T) {
	c := dropped(t)
	before := sequence.Of(c).SVG(sequence.Wide)
	for i := range c.Exchanges {
		c.Exchanges[i].At += time.Hour
		c.Exchanges[i].End += time.Hour
	}
	c.Tools[0].At += time.Hour
	c.Tools[0].End += time.Hour
	if after := sequence.Of(c).SVG(sequence.Wide); after != before {
		t.Errorf("an hour before the first request changes the picture:\n%s\nand\n%s", before, after)
	}
	drawn := regexp.MustCompile(`class="wait" x1="(\d+)" y1="(\d+)" x2="(\d+)" y2="(\d+)"`).FindStringSubmatch(before)
	if drawn == nil || drawn[1] != drawn[3] || drawn[2] == drawn[4] {
		t.Errorf("a wait is drawn as %q, want an upright line", drawn)
	}
}

// A request of very many messages is drawn by its beginning, its end and what is marked.
func TestVeryManyMessagesAreAbridged(t *testing.T) {
	messages := strings.Repeat(`{"role":"user","content":"hi"},`, 5_000) + `{"role":"assistant","content":"odd"},` + strings.Repeat(`{"role":"user","content":"hi"},`, 5_000) + `{"role":"user","content":"the last"}`
	svg := sequence.Of(sequence.Conversation{
		Exchanges: []sequence.Exchange{{Number: 1, Request: request(t, `{"messages":[`+messages+`]}`), Status: 200, Said: &wire.Answer{Text: "well"}}},
		Marks:     []sequence.Mark{{Level: "should", Rule: "egress/no-private-fields", Message: "a field", Request: 1, Pointer: "/messages/5000/isError"}},
	}).SVG(sequence.Wide)
	for _, want := range []string{"the last", "odd", "egress/no-private-fields", "not drawn"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if len(svg) > 100_000 {
		t.Errorf("the picture has %d bytes", len(svg))
	}
}
