package responses_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

var answers = map[string]wire.Answer{
	"text":        {Text: "Il fait 4 °C à Oslo.", Finish: wire.FinishStop},
	"refusal":     {Refusal: "I won't.", Finish: wire.FinishStop},
	"nothing":     {Finish: wire.FinishStop},
	"cut text":    {Text: "It is", Finish: wire.FinishLength},
	"cut call":    {Calls: []wire.AnswerCall{{ID: "call_1", Name: "look", Arguments: `{"a`}}, Finish: wire.FinishLength},
	"filtered":    {Finish: wire.FinishContentFilter},
	"odd reason":  {Text: "It", Finish: "budget_reached"},
	"namespace":   {Calls: []wire.AnswerCall{{ID: "call_1", Name: "mcp__eyes.look", Arguments: `{"city":"Oslo"}`}}, Finish: wire.FinishCalls},
	"custom call": {Calls: []wire.AnswerCall{{ID: "call_1", Name: "mcp__eyes.note", Arguments: "4 C", FreeText: true}}, Finish: wire.FinishCalls},
	"interleaved": {Calls: []wire.AnswerCall{{ID: "call_1", Name: "look", Arguments: `{"city":"Oslo"}`}, {ID: "call_2", Name: "look", Arguments: `{"city":"Lima"}`}}, Interleaved: true, Finish: wire.FinishCalls},
	"all at once": {
		Text: "One moment.",
		Details: []wire.ReasoningBlock{
			{Type: wire.BlockText, Text: "I look it up.", Data: "sealed"},
			{Type: wire.BlockText, Data: "only"},
		},
		Calls: []wire.AnswerCall{
			{ID: "call_1", Name: "look", Arguments: `{"city": "Oslo", "n": 9007199254740993}`},
			{ID: "call_2", Name: "look", Arguments: ""},
		},
		Mixed: true, Finish: wire.FinishCalls, Usage: wire.Usage{Prompt: 40, Completion: 12, Reasoning: 3},
	},
}

// eachAnswer calls f for every answer under every profile, without the quirks that all streams of a
// provider have.
func eachAnswer(t *testing.T, f func(t *testing.T, s wire.Shape, a wire.Answer)) {
	for _, p := range profiles.Of(responses.Dialect, profiles.All()) {
		for name, answer := range answers {
			shape := p.Shape.Clone().(*responses.Shape)
			shape.Streams = nil
			t.Run(p.Name+"/"+name, func(t *testing.T) { f(t, shape, answer) })
		}
	}
}

var reply = wire.Reply{ID: "resp_1", Model: "m", Created: 1767225600}

// TestStreamEndsWithTheWholeAnswer: what a stream ends with is the answer that is not streamed.
func TestStreamEndsWithTheWholeAnswer(t *testing.T) {
	eachAnswer(t, func(t *testing.T, s wire.Shape, a wire.Answer) {
		events := s.Stream(&a, reply)
		last := events[len(events)-1]
		if !last.Finish {
			t.Error("the last event does not say how the response ended")
		}
		if diff := cmp.Diff(string(s.Write(&a, reply)), string(wire.Parsed(last.Data).Path("response").JSON())); diff != "" {
			t.Errorf("the last event is another response (-whole +streamed):\n%s", diff)
		}
	})
}

// TestCallsNameTheirNamespace: a call of a tool in a namespace has it as a key of its own.
func TestCallsNameTheirNamespace(t *testing.T) {
	eachAnswer(t, func(t *testing.T, s wire.Shape, a wire.Answer) {
		whole, _ := wire.ParseNode(s.Write(&a, reply))
		for _, item := range whole.Get("output").Items {
			at := slices.IndexFunc(a.Calls, func(c wire.AnswerCall) bool { return c.ID == item.Get("call_id").Text() })
			if at < 0 {
				continue
			}
			space, name, inside := strings.Cut(a.Calls[at].Name, ".")
			if !inside {
				space, name = "", space
			}
			if item.Get("name").Text() != name || item.Get("namespace").Text() != space {
				t.Errorf("the call is %s, want one of %q in the namespace %q", item.Raw, name, space)
			}
		}
	})
}

// TestEventsKeepToTheGrammar: events are counted, are named by their types, and each item begins,
// gets its pieces, and ends in the form that it has in the complete answer.
func TestEventsKeepToTheGrammar(t *testing.T) {
	eachAnswer(t, func(t *testing.T, s wire.Shape, a wire.Answer) {
		events := s.Stream(&a, reply)
		whole, _ := wire.ParseNode(s.Write(&a, reply))
		output := whole.Get("output").Items
		begun, ended, said := map[int]bool{}, map[int]bool{}, map[string]string{}
		for n, e := range events {
			payload, err := wire.ParseNode(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			kind := payload.Get("type").Text()
			if number, _ := payload.Get("sequence_number").Int(); number != n || e.Lines[0] != "event: "+kind {
				t.Errorf("event %d is number %d, named %q with the type %s", n, number, e.Lines[0], kind)
			}
			index, about := payload.Get("output_index").Int()
			if !about {
				continue
			}
			switch kind {
			case "response.output_item.added":
				begun[index] = true
			case "response.output_item.done":
				ended[index] = true
				if !wire.SameExactly(payload.Get("item"), output[index]) {
					t.Errorf("item %d ends as %s, and is %s in the answer", index, payload.Get("item").Raw, output[index].Raw)
				}
			default:
				if !begun[index] || ended[index] || payload.Get("item_id").Text() != output[index].Get("id").Text() {
					t.Errorf("%s is not about the open item %d", kind, index)
				}
				part := fmt.Sprint(index, string(rawOf(payload.Get("content_index"))), string(rawOf(payload.Get("summary_index"))))
				if base, ok := strings.CutSuffix(kind, ".delta"); ok {
					said[base+part] += payload.Get("delta").Text()
				} else if base, ok := strings.CutSuffix(kind, ".done"); ok && payload.Get("part") == nil {
					all := payload.Get("text").Text() + payload.Get("arguments").Text() + payload.Get("input").Text() + payload.Get("refusal").Text()
					atOnce := s.(*responses.Shape).ArgumentsWhole && said[base+part] == ""
					if said[base+part] != all && !atOnce {
						t.Errorf("the pieces of %s are %q, the whole is %q", base, said[base+part], all)
					}
				}
			}
		}
		if len(begun) != len(output) || len(ended) != len(output) {
			t.Errorf("%d items begin and %d end, of %d", len(begun), len(ended), len(output))
		}
	})
}

func rawOf(n *wire.Node) []byte {
	if n == nil {
		return nil
	}
	return n.Raw
}

// TestWhatIsCutIsIncomplete: the item in which a response was cut has its status, and the response
// says why.
func TestWhatIsCutIsIncomplete(t *testing.T) {
	for name, want := range map[string]string{
		"cut text": "incomplete max_output_tokens incomplete", "cut call": "incomplete max_output_tokens incomplete",
		"filtered": "incomplete content_filter ", "odd reason": "incomplete budget_reached incomplete", "text": "completed  completed",
	} {
		a := answers[name]
		body, _ := wire.ParseNode(standard(t).Write(&a, reply))
		got := body.Get("status").Text() + " " + body.Get("incomplete_details").Get("reason").Text() + " "
		if items := body.Get("output").Items; len(items) > 0 {
			got += items[len(items)-1].Get("status").Text()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func standard(t *testing.T) *responses.Shape {
	t.Helper()
	p, err := profiles.Get(responses.API.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p.Shape.(*responses.Shape)
}

// TestEncryptedReasoning: it is given to a request that includes it, and is shorter where its item
// begins.
func TestEncryptedReasoning(t *testing.T) {
	a := answers["all at once"]
	for body, want := range map[string]string{
		`{"input":"Go."}`: "", `{"input":"Go.","include":["reasoning.encrypted_content"]}`: "sealed", `{"input":"Go.","include":["message.output_text.logprobs"]}`: "",
	} {
		req, err := responses.Read([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		r := reply
		r.Request = req
		events := standard(t).Stream(&a, r)
		added := wire.Parsed(events[2].Data).Path("item", "encrypted_content").Text()
		done := wire.Parsed(events[len(events)-1].Data).Path("response", "output", 0, "encrypted_content").Text()
		if done != want || want != "" && added != "seal" {
			t.Errorf("%s: it is %q, and %q in the end, want %q", body, added, done, want)
		}
	}
}

// TestEmptyReasoning: where the text of the reasoning itself is shown, there is no item without one.
func TestEmptyReasoning(t *testing.T) {
	empty := ""
	a := wire.Answer{Reasoning: &empty, Text: "It is 4 C.", Finish: wire.FinishStop}
	for raw, want := range map[bool]int{true: 1, false: 2} {
		shape := *standard(t)
		shape.RawReasoning = raw
		if got := len(wire.Parsed(shape.Write(&a, reply)).Get("output").Items); got != want {
			t.Errorf("raw reasoning %v: %d items, want %d", raw, got, want)
		}
	}
}

// TestAnswersRepeatTheirRequest: as far as the API does.
func TestAnswersRepeatTheirRequest(t *testing.T) {
	req, err := responses.Read([]byte(`{"model":"m","input":"Go.","instructions":"Be terse.","tools":[{"name":"f","type":"function"},{"type":"web_search"}],"tool_choice":"required","temperature":0.5,"reasoning":{"effort":"low"},"metadata":{"a":"b"},"store":false}`))
	if err != nil {
		t.Fatal(err)
	}
	r := reply
	r.Request = req
	a := answers["text"]
	body := wire.Parsed(standard(t).Write(&a, r))
	for key, want := range map[string]string{
		"instructions": `"Be terse."`, "tools": `[{"type":"function","description":null,"name":"f","parameters":null,"strict":true},{"type":"web_search"}]`, "tool_choice": `"required"`, "temperature": "0.5",
		"reasoning": `{"effort":"low","summary":null}`, "metadata": `{"a":"b"}`, "store": "false", "top_p": "1.0", "truncation": `"disabled"`,
	} {
		if got := string(body.Path(key).JSON()); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

// TestFailure: an error in the stream is numbered, and is followed by the response that failed.
func TestFailure(t *testing.T) {
	a := answers["text"]
	s := standard(t)
	sent := append([]wire.Event{{Comment: "hello"}}, s.Stream(&a, reply)[:4]...)
	got := s.Failure([]byte(`{"type":"error","error":{"message":"It broke."}}`), sent)
	if len(got) != 2 || !got[0].Failure || string(got[0].Data) != `{"type":"error","error":{"message":"It broke."},"sequence_number":4}` {
		t.Fatalf("it is %v", got)
	}
	end := wire.Parsed(got[1].Data)
	if end.Path("type").Text() != "response.failed" || end.Path("response", "status").Text() != "failed" || end.Path("response", "error", "message").Text() != "It broke." {
		t.Errorf("after it comes %s", got[1].Data)
	}
	if alone := s.Failure([]byte(`{"type":"error","message":"It broke."}`), nil); len(alone) != 1 {
		t.Errorf("at the beginning it is %v", alone)
	}
}

// TestStreamsWithQuirks: every stream of a provider has those that its shape names, and one that
// fails has them too.
func TestStreamsWithQuirks(t *testing.T) {
	s := standard(t).Clone().(*responses.Shape)
	s.Streams = []string{"response-start-bare", "pieces-not-done", "items-end-together", "indexes-missing", "error-untyped", "sequence-missing"}
	a := answers["interleaved"]
	a.Text, a.Interleaved, a.Chunk = "Hi.", false, 100
	events := s.Stream(&a, reply)
	var got strings.Builder
	for _, e := range events[:len(events)-1] {
		payload := wire.Parsed(e.Data)
		payload.Remove("logprobs", "obfuscation", "item_id")
		for _, key := range payload.Path("item").Keys() {
			if key != "type" && key != "arguments" {
				payload.Path("item").Remove(key)
			}
		}
		fmt.Fprintf(&got, "%s\n", payload.JSON())
	}
	want := `{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress"}}
{"type":"response.in_progress","response":{"id":"resp_1","object":"response","status":"in_progress"}}
{"type":"response.output_item.added","item":{"type":"message"}}
{"type":"response.content_part.added","part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}}
{"type":"response.output_text.delta","delta":"Hi."}
{"type":"response.output_text.done","text":"Hi."}
{"type":"response.content_part.done","part":{"type":"output_text","annotations":[],"logprobs":[],"text":"Hi."}}
{"type":"response.output_item.added","item":{"type":"function_call","arguments":""}}
{"type":"response.function_call_arguments.delta","delta":"{\"city\":\"Oslo\"}"}
{"type":"response.output_item.added","item":{"type":"function_call","arguments":""}}
{"type":"response.function_call_arguments.delta","delta":"{\"city\":\"Lima\"}"}
{"type":"response.output_item.done","item":{"type":"message"}}
{"type":"response.output_item.done","item":{"type":"function_call","arguments":"{\"city\":\"Oslo\"}"}}
{"type":"response.output_item.done","item":{"type":"function_call","arguments":"{\"city\":\"Lima\"}"}}
`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("it is another stream (-want +got):\n%s", diff)
	}
	failed := s.Failure([]byte(`{"error":{"code":500,"message":"It broke."}}`), events[:3])
	if len(failed) != 1 || failed[0].Lines != nil || string(failed[0].Data) != `{"error":{"code":500,"message":"It broke."}}` {
		t.Errorf("it fails by %v", failed)
	}
}

// TestFailedAlone: a response that has begun says itself that it failed.
func TestFailedAlone(t *testing.T) {
	q, _ := responses.API.Quirk("failed-alone")
	a := answers["text"]
	sent := standard(t).Stream(&a, reply)[:4]
	problem := []byte(`{"type":"error","error":{"message":"It broke."}}`)
	got := q.Events(append(sent, standard(t).Failure(problem, sent)...))
	if last := wire.Parsed(got[len(got)-1].Data); len(got) != 5 || last.Path("type").Text() != "response.failed" {
		t.Errorf("it ends with %s", got[len(got)-1].Data)
	}
	if alone := q.Events(standard(t).Failure(problem, nil)); len(alone) != 1 {
		t.Errorf("before it has begun it is %v", alone)
	}
	if body := wire.Parsed(q.Whole(problem)); body.Path("status").Text() != "failed" || body.Path("error", "message").Text() != "It broke." {
		t.Errorf("whole it is %s", body.JSON())
	}
}

// TestCommentary: it is a message of its own before the text, and is read so.
func TestCommentary(t *testing.T) {
	a := wire.Answer{Commentary: "I have what I need.", Text: "It is 4 C.", Phase: wire.PhaseFinal, Finish: wire.FinishStop}
	written := standard(t).Write(&a, reply)
	var told []string
	for _, item := range wire.Parsed(written).Get("output").Items {
		told = append(told, item.Get("phase").Text()+": "+item.Path("content", 0, "text").Text())
	}
	if diff := cmp.Diff([]string{"commentary: I have what I need.", "final_answer: It is 4 C."}, told); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var sent []byte
	for _, w := range wire.DeliverSSE.Writes(append(standard(t).Stream(&a, reply), standard(t).End()...)) {
		sent = append(sent, w...)
	}
	for body, streamed := range map[string]bool{string(written): false, string(sent): true} {
		read, err := responses.ReadAnswer([]byte(body), streamed)
		if err != nil || read.Commentary != a.Commentary || read.Text != a.Text || read.Phase != a.Phase {
			t.Errorf("streamed %v it is read as %+v, %v", streamed, read, err)
		}
	}
	if n := strings.Count(string(sent), "response.output_text.delta"); n < 4 {
		t.Errorf("a stream has %d pieces of texts", n)
	}
}

// TestReadAnswer: what is written is read, whole and streamed.
func TestReadAnswer(t *testing.T) {
	eachAnswer(t, func(t *testing.T, s wire.Shape, a wire.Answer) {
		var sent []byte
		for _, w := range wire.DeliverSSE.Writes(append(s.Stream(&a, reply), s.End()...)) {
			sent = append(sent, w...)
		}
		streamed, err := responses.ReadAnswer(sent, true)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := responses.ReadAnswer(s.Write(&a, reply), false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, streamed); diff != "" {
			t.Errorf("a stream is read as another answer (-whole +streamed):\n%s", diff)
		}
		usage := a.Usage
		if !s.(*responses.Shape).Usage.Has("reasoning") {
			usage.Reasoning = 0 // a provider that does not count them
		}
		if whole.Text+whole.Refusal != a.Text+a.Refusal || len(whole.Calls) != len(a.Calls) || whole.Usage != usage {
			t.Errorf("read as %+v", whole)
		}
	})
	for body, streamed := range map[string]bool{
		`{}`: false, `{"output":[],"status":"failed"}`: false, `nonsense`: false,
		"data: {\"type\":\"response.created\",\"response\":{}}\n\n":                                   true,
		"data: {\"type\":\"error\",\"message\":\"x\"}\n\n":                                            true,
		"data: {\"type\":\"response.failed\",\"response\":{\"output\":[],\"status\":\"failed\"}}\n\n": true,
	} {
		if _, err := responses.ReadAnswer([]byte(body), streamed); err == nil {
			t.Errorf("%s is read", body)
		}
	}
	empty := "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hi.\"}]}}\n\n" +
		"data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n"
	if a, err := responses.ReadAnswer([]byte(empty), true); err != nil || a.Text != "Hi." {
		t.Errorf("without an output it is read as %+v, %v", a, err)
	}
}
