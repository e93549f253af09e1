package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// said is an answer as a client puts it together, whole or from chunks.
type said struct {
	Text, Refusal, Reasoning, Finish string
	Calls                            []saidCall
	Details                          []string // type, text or data, and signature of each block
}

type saidCall struct{ ID, Name, Arguments string }

// payload is all that a client reads of an answer or a chunk.
type payload struct {
	Choices []struct {
		Message, Delta *delta
		Finish         *string `json:"finish_reason"`
		Usage          *struct{}
	}
	Usage *struct {
		Total int `json:"total_tokens"`
	}
}

type delta struct {
	Role             *string
	Content          content
	Refusal          *string
	Reasoning        *string
	ReasoningContent *string `json:"reasoning_content"`
	Details          []struct {
		Type, Text, Summary, Data, Signature string
		Index                                int
	} `json:"reasoning_details"`
	ToolCalls []struct {
		Index    *int
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// content is a text, or a list with thinking in it.
type content struct{ text, thought string }

func (c *content) UnmarshalJSON(data []byte) error {
	type part struct {
		Text     string
		Thinking []struct{ Text string }
	}
	var parts []part
	if json.Unmarshal(data, &c.text) == nil {
		return nil
	}
	err := json.Unmarshal(data, &parts)
	for _, p := range parts {
		c.text += p.Text
		for _, piece := range p.Thinking {
			c.thought += piece.Text
		}
	}
	return err
}

func decode(t *testing.T, data []byte) payload {
	t.Helper()
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return p
}

// assemble puts payloads together as the documentation tells clients to. usage counts how often
// tokens were counted.
func assemble(t *testing.T, payloads ...[]byte) (s said, usage int) {
	t.Helper()
	byIndex, lastBlock := map[int]int{}, ""
	for _, data := range payloads {
		p := decode(t, data)
		if p.Usage != nil {
			usage++
		}
		for _, choice := range p.Choices {
			if choice.Finish != nil {
				s.Finish = *choice.Finish
			}
			if choice.Usage != nil {
				usage++
			}
			d := choice.Delta
			if d == nil {
				d = choice.Message
			}
			s.Text += d.Content.text
			s.Refusal += text(d.Refusal)
			s.Reasoning += text(d.Reasoning) + text(d.ReasoningContent) + d.Content.thought
			for _, b := range d.Details {
				key := fmt.Sprint(b.Type, b.Index)
				if key != lastBlock || b.Data != "" {
					s.Details = append(s.Details, b.Type+" ")
				}
				s.Details[len(s.Details)-1] += b.Text + b.Summary + b.Data + b.Signature
				lastBlock = key
			}
			for _, c := range d.ToolCalls {
				at := len(s.Calls)
				if c.Index != nil {
					known := false
					if at, known = byIndex[*c.Index]; !known {
						at = len(s.Calls)
						byIndex[*c.Index] = at
					}
				}
				if at == len(s.Calls) {
					s.Calls = append(s.Calls, saidCall{c.ID, c.Function.Name, ""})
				} else if c.ID != "" || c.Function.Name != "" {
					t.Errorf("id and name come again in %s", data)
				}
				s.Calls[at].Arguments += c.Function.Arguments
			}
		}
	}
	return s, usage
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func ptr[T any](v T) *T { return &v }

var answers = map[string]wire.Answer{
	"text":          {Text: "It is 4 °C in Oslo, and 🌧️ comes.", Finish: wire.FinishStop},
	"nothing":       {Finish: wire.FinishStop},
	"cut short":     {Text: "It is", Finish: wire.FinishLength},
	"refusal":       {Refusal: "I cannot say that.", Finish: wire.FinishContentFilter},
	"one call":      {Calls: calls(`{"city":"Oslo"}`), Finish: wire.FinishCalls},
	"no arguments":  {Calls: calls("", "null"), Finish: wire.FinishCalls},
	"text and call": {Text: "One moment.", Calls: calls(`{"city":"São Paulo"}`), Finish: wire.FinishCalls},
	"three calls":   {Calls: calls(`{"city":"Oslo"}`, `{"city":`, " { } "), Finish: wire.FinishCalls},
	"interleaved":   {Calls: calls(`{"city":"Oslo"}`, `{"city":"Lima"}`, `{}`), Interleaved: true, Finish: wire.FinishCalls},
	"long":          {Text: strings.Repeat("Δοκιμή ", 5000), Finish: wire.FinishStop},
	"odd finish":    {Text: "Bye.", Finish: "tired"},
	"reasoning":     {Reasoning: ptr("I look first."), Text: "Done.", Finish: wire.FinishStop},
	"no reasoning":  {Reasoning: ptr(""), Calls: calls("{}"), Finish: wire.FinishCalls},
	"blocks": {Reasoning: ptr("Looking.I look first."), Details: []wire.ReasoningBlock{
		{Type: wire.BlockSummary, Text: "Looking.", Format: "f"},
		{Type: wire.BlockEncrypted, Data: "c2VjcmV0", Format: "f"},
		{Type: wire.BlockEncrypted, Data: "bW9yZQ", Format: "f"},
		{Type: wire.BlockText, Text: "I look first.", Signature: "c2ln", Format: "f", Index: 1},
	}, Calls: calls("{}"), Finish: wire.FinishCalls},
}

func calls(arguments ...string) []wire.AnswerCall {
	var made []wire.AnswerCall
	for i, a := range arguments {
		made = append(made, wire.AnswerCall{ID: fmt.Sprint("call_", i), Name: fmt.Sprint("tool_", i), Arguments: a})
	}
	return made
}

// The same answer, whole or streamed, is the same to a client, under every profile.
func TestStreamSaysWhatTheWholeAnswerSays(t *testing.T) {
	for _, p := range profiles.Of("chat", profiles.All()) {
		for name, answer := range answers {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				reply := wire.Reply{ID: "id", Model: "m", Usage: true}
				whole, counted := assemble(t, p.Shape.Write(&answer, reply))
				streamed, countedAgain := assemble(t, data(p.Shape.Stream(&answer, reply))...)
				if diff := cmp.Diff(whole, streamed); diff != "" {
					t.Errorf("the stream differs (-whole +streamed):\n%s", diff)
				}
				times := 1
				if p.Shape.(*chat.Shape).Chunks.Usage == chat.UsageTwice {
					times = 2
				}
				if counted != 1 || countedAgain != times {
					t.Errorf("tokens were counted %d times in the whole answer and %d times in the stream", counted, countedAgain)
				}
			})
		}
	}
}

func data(events []wire.Event) [][]byte {
	var payloads [][]byte
	for _, e := range events {
		if e.Data != nil {
			payloads = append(payloads, e.Data)
		}
	}
	return payloads
}

// under returns the shape of a profile.
func under(t *testing.T, profile string) *chat.Shape {
	t.Helper()
	p, err := profiles.Get(profile)
	if err != nil {
		t.Fatal(err)
	}
	return p.Shape.(*chat.Shape)
}

// sketch draws a stream: one word for what each event says.
func sketch(t *testing.T, events []wire.Event) string {
	t.Helper()
	var words []string
	for _, e := range events {
		if e.Data == nil {
			words = append(words, "comment")
			continue
		}
		words = append(words, sketchChunk(decode(t, e.Data)))
	}
	return strings.Join(words, " ")
}

func sketchChunk(p payload) string {
	if len(p.Choices) == 0 {
		return "usage"
	}
	var word string
	choice := p.Choices[0]
	d := choice.Delta
	add := func(is bool, w string) {
		if is {
			word += "+" + w
		}
	}
	add(d.Role != nil, "role")
	add(text(d.Reasoning)+text(d.ReasoningContent) != "", "reasoning")
	add(len(d.Details) > 0, "block")
	add(d.Content.text != "", "text")
	for _, c := range d.ToolCalls {
		index := ""
		if c.Index != nil {
			index = fmt.Sprint(*c.Index)
		}
		add(c.ID != "", "call"+index)
		add(c.Function.Arguments != "", "arguments"+index)
	}
	add(choice.Finish != nil, "finish")
	add(p.Usage != nil, "usage")
	return strings.TrimPrefix(word, "+")
}

func TestOrderOfChunks(t *testing.T) {
	oneCall := wire.Answer{Calls: calls(`{"a":1}`), Finish: wire.FinishCalls}
	twoCalls := wire.Answer{Calls: calls(`{"a":1}`, `{"b":2}`), Finish: wire.FinishCalls}
	mixed := twoCalls
	mixed.Interleaved = true
	thought := wire.Answer{Reasoning: ptr("I see."), Calls: calls(`{}`), Finish: wire.FinishCalls}
	for _, c := range []struct {
		profile string
		answer  wire.Answer
		asked   bool // for the token counts
		want    string
	}{
		{"openai", wire.Answer{Text: "Good day."}, true, "role text text text finish usage"},
		{"openai", wire.Answer{Text: "Good day."}, false, "role text text text finish"},
		{"openai", wire.Answer{}, false, "role finish"},
		{"openai", oneCall, false, "role+call0 arguments0 arguments0 finish"},
		{"openai", twoCalls, false, "role call0 arguments0 arguments0 call1 arguments1 arguments1 finish"},
		{"openai", mixed, false, "role call0 call1 arguments1 arguments0 arguments1 arguments0 finish"},
		{"openai", wire.Answer{Text: "Hm.", Calls: calls("")}, false, "role text call0 finish"},
		{"vllm", thought, true, "role reasoning reasoning call0 arguments0 finish usage"},
		{"vllm", oneCall, false, "role call0 arguments0 arguments0 finish"},
		{"deepseek", thought, true, "role reasoning reasoning call0 arguments0 finish+usage"},
		{"deepseek", thought, false, "role reasoning reasoning call0 arguments0 finish+usage"},
		{"mistral", twoCalls, false, "role call0+arguments0+call1+arguments1+finish+usage"},
		{"mistral", mixed, true, "role call0+arguments0+call1+arguments1+finish+usage"},
		{"mistral", wire.Answer{Text: "Hm."}, true, "role text finish+usage"},
		{"openrouter", wire.Answer{Text: "Hm."}, false, "comment comment role+text role+finish role+finish+usage"},
		{"openrouter", oneCall, true, "comment comment role+call0 role+arguments0 role+arguments0 role+finish role+finish+usage"},
	} {
		got := sketch(t, under(t, c.profile).Stream(&c.answer, wire.Reply{Usage: c.asked}))
		if got != c.want {
			t.Errorf("%s streams %+v as\n\t%s\nwant\n\t%s", c.profile, c.answer, got, c.want)
		}
	}
}

// The finish mark is what a scenario cuts before. It is at the first chunk with a finish reason.
func TestFinishMark(t *testing.T) {
	for _, p := range profiles.Of("chat", profiles.All()) {
		answer := answers["text and call"]
		marked := false
		for _, e := range p.Shape.Stream(&answer, wire.Reply{Usage: true}) {
			if e.Data == nil {
				continue
			}
			choices := decode(t, e.Data).Choices
			finishes := len(choices) > 0 && choices[0].Finish != nil
			if finishes && !marked && !e.Finish || e.Finish && !finishes {
				t.Errorf("%s: the mark is %v at %s", p.Name, e.Finish, e.Data)
			}
			marked = marked || e.Finish
		}
		if !marked {
			t.Errorf("%s marks no event", p.Name)
		}
	}
}

func TestEachProvidersReasoningField(t *testing.T) {
	answer := answers["reasoning"]
	for profile, field := range map[string]string{"deepseek": "reasoning_content", "deepseek-r1": "reasoning_content", "vllm": "reasoning", "openrouter": "reasoning"} {
		whole := string(under(t, profile).Write(&answer, wire.Reply{}))
		if want := `"` + field + `":"I look first."`; !strings.Contains(whole, want) {
			t.Errorf("%s writes no %s in %s", profile, want, whole)
		}
	}
	for _, profile := range []string{"openai", "mistral"} { // they have no such field
		whole, _ := assemble(t, under(t, profile).Write(&answer, wire.Reply{}))
		streamed, _ := assemble(t, data(under(t, profile).Stream(&answer, wire.Reply{}))...)
		if whole.Reasoning+streamed.Reasoning != "" {
			t.Errorf("%s shows the reasoning %q and %q", profile, whole.Reasoning, streamed.Reasoning)
		}
	}
}

// A long text is cut into a bounded number of chunks, never inside a rune.
func TestChunksOfALongText(t *testing.T) {
	answer := answers["long"]
	events := under(t, "openai").Stream(&answer, wire.Reply{})
	if len(events) > 100 {
		t.Errorf("a text of %d bytes became %d events", len(answer.Text), len(events))
	}
	for _, e := range events {
		if strings.ContainsRune(string(e.Data), '\ufffd') {
			t.Errorf("a rune was cut in %s", e.Data)
		}
	}
}
