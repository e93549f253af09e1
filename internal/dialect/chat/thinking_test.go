package chat_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/wire"
)

func thoughtful(reasoning, text string) wire.Answer {
	return wire.Answer{Reasoning: &reasoning, Text: text, Finish: wire.FinishStop}
}

// TestThinkingInStreams: the content is a list until the first piece of the text, as in recorded
// streams of Mistral.
func TestThinkingInStreams(t *testing.T) {
	calling := thoughtful("Hm, look", "")
	calling.Calls, calling.Finish = twoCalls.Calls[:1], wire.FinishCalls
	for _, c := range []struct {
		name   string
		answer wire.Answer
		want   string
	}{
		{"before a text", thoughtful("Hm, look", "Hello, you"), `
			{"role":"assistant","content":""}
			{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm, "}]}]}
			{"content":[{"type":"thinking","thinking":[{"type":"text","text":"look"}],"closed":true},{"type":"text","text":"Hell"}]}
			{"content":"o, y"}
			{"content":"ou"}
			{"content":""} "stop"`},
		{"before a call", calling, `
			{"role":"assistant","content":""}
			{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm, "}]}]}
			{"content":[{"type":"thinking","thinking":[{"type":"text","text":"look"}],"closed":true}]}
			{"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"at\":1}"},"index":0}]} "tool_calls"`},
		{"none", thoughtful("", "Hello"), `
			{"role":"assistant","content":""}
			{"content":"Hell"}
			{"content":"o"}
			{"content":""} "stop"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.TrimSpace(strings.ReplaceAll(c.want, "\t", ""))
			var payloads []string
			for _, e := range under(t, "mistral-reasoning").Stream(&c.answer, wire.Reply{ID: "id", Model: "m"}) {
				payloads = append(payloads, string(e.Data))
			}
			if diff := cmp.Diff(want, deltas(payloads)); diff != "" {
				t.Errorf("the deltas (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThinkingInWholeAnswers(t *testing.T) {
	for _, c := range []struct {
		answer wire.Answer
		want   string
	}{
		{thoughtful("Hm.", "Hello"), `"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}],"closed":true},{"type":"text","text":"Hello"}]`},
		{thoughtful("Hm.", ""), `"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}],"closed":true}]`},
		{thoughtful("", "Hello"), `"content":"Hello"`},
	} {
		body := string(under(t, "mistral-reasoning").Write(&c.answer, wire.Reply{ID: "id", Model: "m"}))
		if !strings.Contains(body, c.want) {
			t.Errorf("the answer is %s, want it to have %s", body, c.want)
		}
	}
}

// TestThinkingThatGoesBack: in whatever pieces it comes back, it is told from the text.
func TestThinkingThatGoesBack(t *testing.T) {
	for _, c := range []struct{ content, thought, text string }{
		{`"Hello"`, "", "Hello"},
		{`[{"type":"thinking","thinking":[{"type":"text","text":"Hm, "},{"type":"text","text":"look"}]},{"type":"text","text":"Hello"}]`, "Hm, look", "Hello"},
		{`[{"type":"thinking","thinking":"Hm, "},{"type":"thinking","thinking":[{"type":"text","text":"look"}]}]`, "Hm, look", ""},
		{`[{"type":"thinking"},7,null]`, "", ""},
	} {
		req, err := chat.Read([]byte(`{"messages":[{"role":"assistant","content":` + c.content + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		m := req.Messages[0]
		if m.Reasoning.Thought() != c.thought || m.Content.Text != c.text {
			t.Errorf("%s is the thought %q and the text %q, want %q and %q", c.content, m.Reasoning.Thought(), m.Content.Text, c.thought, c.text)
		}
	}
}
