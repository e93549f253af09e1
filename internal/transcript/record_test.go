package transcript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/transcript/transcriptschema"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestSchemas: every format has a schema that can be used, and a page that leads to it.
func TestSchemas(t *testing.T) {
	for _, f := range transcript.Formats() {
		if _, err := transcriptschema.Check(f, wire.Parsed([]byte("[]"))); err != nil {
			t.Errorf("%s has no schema that can be used: %v", f.Name, err)
		}
		page, err := os.ReadFile("../../docs/records/" + f.Name + ".md")
		if err != nil {
			t.Error(err)
			continue
		}
		for _, link := range []string{"internal/transcript/schemas/" + f.Name + ".json", "rules.md#record" + f.Name + "-schema", "adapters.md#transcripts-and-events"} {
			if !strings.Contains(string(page), link) {
				t.Errorf("the page of %s does not lead to %s", f.Name, link)
			}
		}
	}
	adapters, err := os.ReadFile("../../docs/adapters.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range transcript.Formats() {
		if !strings.Contains(string(adapters), "(records/"+f.Name+".md)") {
			t.Errorf("docs/adapters.md does not lead to the page of %s", f.Name)
		}
	}
}

func TestUnknownFormats(t *testing.T) {
	for _, c := range []struct {
		lookup     func(string) (*transcript.Format, error)
		name, want string
	}{
		{transcript.Lookup, "open_agent_loops", `unknown transcript_format "open_agent_loops" (did you mean "open-agent-loops"?); it is one of open-agent-loops, anthropic, art-messages, openai, ag-ui, otel-genai`},
		{transcript.Lookup, "adk-turn-events", `unknown transcript_format "adk-turn-events"; it is one of open-agent-loops, anthropic, art-messages, openai, ag-ui, otel-genai`},
		{transcript.Lookup, "", `transcript_format is missing; it is one of open-agent-loops, anthropic, art-messages, openai, ag-ui, otel-genai`},
		{transcript.LookupEvents, "adk-turn-event", `unknown events_format "adk-turn-event" (did you mean "adk-turn-events"?); it is one of adk-turn-events`},
		{transcript.LookupEvents, "openai", `unknown events_format "openai"; it is one of adk-turn-events`},
	} {
		if _, err := c.lookup(c.name); err == nil || err.Error() != c.want {
			t.Errorf("looking for %q says %v\nwant %s", c.name, err, c.want)
		}
	}
}

func read(t *testing.T, name, text string) *transcript.Record {
	t.Helper()
	lookup := transcript.Lookup
	if name == transcript.ADK {
		lookup = transcript.LookupEvents
	}
	f, err := lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Read([]byte(text), transcriptschema.Check)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWhatIsNoRecord(t *testing.T) {
	f, err := transcript.Lookup(transcript.OpenAI)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`[{"role":`:       "it is not JSON: it breaks off after 9 bytes",
		`{"messages":[]}`: "it is an object, and not a list",
		`"user: hi"`:      "it is a string, and not a list",
		`[] []`:           "it is not JSON: more follows after the JSON value, at offset 3",
	} {
		if _, err := f.Read([]byte(text), transcriptschema.Check); err == nil || !strings.HasPrefix(err.Error(), strings.TrimSuffix(want, ", at offset 3")) {
			t.Errorf("%s says %v, want %s", text, err, want)
		}
	}
}

// said writes down the neutral reading of a transcript, a message a line.
func said(r *transcript.Record) []string {
	var lines []string
	for i, m := range r.Conversation.Messages {
		line := string(m.Role) + " " + m.Content.Text
		for _, c := range m.Calls {
			line += " call " + c.ID + " " + c.Name + " " + c.Arguments
		}
		for _, res := range m.Results {
			mark := r.MarkOf(res)
			line += " result " + res.CallID + " " + res.Content.Text + " " + mark.Tool.Text()
			if mark.Error {
				line += " error"
			}
		}
		if note := r.Notes[i]; note.Failed || note.Finish != nil {
			line += " finish " + note.Finish.Text()
			if note.Failed {
				line += " failed"
			}
		}
		for _, d := range m.Reasoning.Details {
			line += " block " + d.Get("type").Text()
		}
		lines = append(lines, line)
	}
	return lines
}

// TestReadings: the same conversation reads the same in every format.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         []string
	}{
		{transcript.OpenAI, `[{"role":"developer","content":"Be kind."},{"role":"user","content":[{"type":"text","text":"Hi"}]},
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":"1"},{"role":"assistant","content":"One."}]`,
			[]string{"system Be kind.", "user Hi", "assistant  call a f {}", "tool 1 result a 1 ", "assistant One."}},
		{transcript.OpenAgentLoops, `[{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}],"finishReason":"tool_calls","reasoning_details":[{"type":"reasoning.text","text":"x"}]},
			{"role":"tool","tool_call_id":"a","content":"no","toolName":"f","isError":true},{"role":"assistant","content":"","isError":true}]`,
			[]string{"assistant  call a f {} finish tool_calls block reasoning.text", "tool no result a no f error", "assistant  finish  failed"}},
		{transcript.ART, `[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
			{"role":"tool_request","content":null},{"role":"tool_result","content":"1","name":"f","tool_call_id":"a"}]`,
			[]string{"user Hi", "assistant  call a f {}", "tool 1 result a 1 f"}},
		{transcript.Anthropic, `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"},{"type":"text","text":"Well."},{"type":"tool_use","id":"a","name":"f","input":{ "n": 1 }}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"1"}],"is_error":true},{"type":"text","text":"Go on."}]}]`,
			[]string{"user Hi", `assistant Well. call a f { "n": 1 } block thinking`, "tool  result a 1  error", "user Go on."}},
		{transcript.AGUI, `[{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"Hi"}]}},
			{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"We"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"ll."},{"type":"TEXT_MESSAGE_END","messageId":"m"},
			{"type":"TOOL_CALL_START","toolCallId":"a","toolCallName":"f","parentMessageId":"m"},{"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"{}"},{"type":"TOOL_CALL_END","toolCallId":"a"},
			{"type":"TEXT_MESSAGE_START","messageId":"s","subagentRunId":"x"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"s","delta":"unseen","subagentRunId":"x"},
			{"type":"TOOL_CALL_RESULT","messageId":"o","toolCallId":"a","content":[{"type":"text","text":"1"}]},
			{"type":"TOOL_CALL_START","toolCallId":"b","toolCallName":"g","parentMessageId":"m"},
			{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[{"id":"u","role":"user","content":"Hi"},{"id":"v","role":"user","content":"And?"}]}},
			{"type":"TEXT_MESSAGE_START","messageId":"n"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"On"}]`,
			[]string{"user Hi", "assistant Well. call a f {} call b g ", "tool 1 result a 1 ", "user And?", "assistant On finish  failed"}},
		{transcript.AGUI, `[{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"We"},{"type":"TEXT_MESSAGE_CHUNK","delta":"ll."},{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"On."},
			{"type":"TOOL_CALL_CHUNK","toolCallId":"a","toolCallName":"f","delta":"{"},{"type":"TOOL_CALL_CHUNK","delta":"}"},{"type":"TEXT_MESSAGE_CHUNK","messageId":"o","delta":" Wait."}]`,
			[]string{"assistant Well.", "assistant On. Wait. call a f {}"}},
		{transcript.AGUI, `[{"type":"TEXT_MESSAGE_CHUNK","messageId":"x","delta":"gone"},
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"Hi"},{"id":"m","role":"assistant","toolCalls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
			{"id":"o","role":"tool","toolCallId":"a","content":"1"},{"id":"z","role":"activity","activityType":"x","content":{}}]},{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"One."}]`,
			[]string{"user Hi", "assistant  call a f {}", "tool 1 result a 1 ", "assistant One."}},
		{transcript.OTel, `[` +
			span("3", "30", "", `"gen_ai.operation.name":"chat","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Hi\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"f\"}]},{\"role\":\"user\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"a\",\"result\":{\"n\":1}},{\"type\":\"text\",\"content\":\"Go on.\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"b\",\"name\":\"g\",\"arguments\":\"{}\"}],\"finish_reason\":\"tool_call\"}]"`) + `,` +
			span("1", "10", "", `"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]`) + `,` +
			span("2", "20", "", `"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"Hi"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{"x":1}}],"finish_reason":"tool_call"}]`) + `,` +
			span("4", "40", "", `"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"g","gen_ai.tool.call.id":"b","gen_ai.tool.call.result":"done"`) + `,` +
			span("5", "45", "4", `"gen_ai.operation.name":"chat","gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"of a sub-agent"}]}]`) + `]`,
			[]string{"user Hi", `assistant  call a f {"x":1}`, `tool  result a {"n":1} `, "user Go on.", "assistant  call b g {}", "tool  result b done "}},
		{transcript.OTel, `[{"name":"chat","spanId":"1","startTimeUnixNano":"1","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},
			{"key":"gen_ai.input.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"user"}},{"key":"parts","value":{"arrayValue":{"values":[
			{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":"Hi"}}]}}]}}}]}}]}}}]}]`,
			[]string{"user Hi"}},
	} {
		t.Run(c.format, func(t *testing.T) {
			r := read(t, c.format, c.text)
			if diff := cmp.Diff(c.want, said(r)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(r.Problems) > 0 {
				t.Errorf("it breaks the schema: %v", r.Problems)
			}
		})
	}
}

// span returns a span whose attributes are an object.
func span(id, start, parent, attributes string) string {
	return `{"name":"x","spanId":"` + id + `","parentSpanId":"` + parent + `","startTimeUnixNano":"` + start + `","attributes":{` + attributes + `}}`
}

// TestSpansThatLack: the messages of a span are held against the schema of the conventions.
func TestSpansThatLack(t *testing.T) {
	r := read(t, transcript.OTel, `[`+span("1", "1", "", `"gen_ai.input.messages":"[{\"role\":\"user\"}]","gen_ai.output.messages":[{"role":"assistant","parts":[{"content":"x"},{"type":"tool_call"}]}]`)+`,`+
		span("2", "2", "", `"gen_ai.input.messages":"[all of it"`)+`]`)
	want := []transcript.Problem{
		{"/0", "missing property 'parts' at /0 in gen_ai.input.messages"},
		{"/0", "missing property 'finish_reason' at /0 in gen_ai.output.messages"},
		{"/0", "missing property 'type' at /0/parts/0 in gen_ai.output.messages"},
		{"/0", "missing property 'name' at /0/parts/1 in gen_ai.output.messages"},
		{"/1", "got a string, want a list of messages in gen_ai.input.messages"},
	}
	if diff := cmp.Diff(want, r.Problems); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEvents(t *testing.T) {
	r := read(t, transcript.ADK, `[{"event":"turnStart","data":{}},
		{"event":"toolCall","data":{"id":"a","tool":"f","args":{},"checksum":"`+transcript.Checksum("f", "{}")+`","createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00+01:00","results":"1","isComplete":true,"isError":true,"completedAt":"2026-11-21T12:00:00.5Z"}},
		{"event":"toolExecutionStart","data":{"toolName":"f","turnId":"t","callId":"","args":{},"startedAt":"2026-11-21T12:00:00Z"}}]`)
	if len(r.Problems) > 0 {
		t.Errorf("it breaks the schema: %v", r.Problems)
	}
	call := r.Events[1]
	if call.Kind != transcript.CallEvent || call.ID != "a" || call.Tool != "f" || !call.Complete || !call.Failed || call.Results.Text() != "1" || call.Finished == nil {
		t.Errorf("a call reads as %+v", call)
	}
	if r.Events[0].Kind != transcript.Other || r.Events[2].Kind != transcript.StartTool || !r.Events[2].Args.Is(wire.Object) {
		t.Errorf("the others read as %+v", r.Events)
	}
}

// TestOddRecords: what a loop hands over may be anything.
func TestOddRecords(t *testing.T) {
	const odd = `[null,1,"x",[],{},{"role":5},{"role":"tool","tool_call_id":5,"content":{"a":[]}},{"role":"assistant","tool_calls":{"id":"a"},"content":[1,{"type":"tool_use"}]},
		{"role":"assistant","tool_calls":[null,{"function":"f"}],"isError":"yes"},{"role":"user","content":[{"type":"tool_result"},null]},{"event":"toolCall"},{"event":"toolCall","data":5},{"event":5,"data":{"args":null}}]`
	for _, f := range transcript.Formats() {
		r := read(t, f.Name, odd)
		if len(r.Problems) == 0 || len(r.Notes) != len(r.Conversation.Messages) {
			t.Errorf("%s: %d problems, %d notes of %d messages", f.Name, len(r.Problems), len(r.Notes), len(r.Conversation.Messages))
		}
	}
}

// TestProblems: a record that has lost its form is read as far as it goes.
func TestProblems(t *testing.T) {
	r := read(t, transcript.OpenAgentLoops, `[5,{"role":"tool","content":["x"]},{"role":"user","content":"Hi","timestamp":"now"}]`)
	want := []transcript.Problem{
		{"/0", "got number, want object"},
		{"/1", "missing property 'tool_call_id'"},
		{"/1/content", "got array, want string"},
		{"/2/timestamp", "got string, want number"},
	}
	if diff := cmp.Diff(want, r.Problems); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := len(r.Conversation.Messages); n != 3 || r.Conversation.Messages[2].Content.Text != "Hi" {
		t.Errorf("%d messages were read: %v", n, said(r))
	}
}
