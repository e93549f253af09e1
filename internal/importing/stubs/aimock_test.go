package stubs_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/importing/stubs"
	"github.com/loopproof/loopproof/internal/wire"
)

func parse(t *testing.T, text string) *wire.Node {
	t.Helper()
	root, err := wire.ParseNode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func said(notes []stubs.Note) string {
	var all []string
	for _, n := range notes {
		kind := "differs"
		if n.Lost {
			kind = "lost"
		}
		all = append(all, kind+" "+n.Place+": "+n.Why)
	}
	return strings.Join(all, "\n")
}

// TestAimock: the script of each fixture, without its beginning, and what is said of it.
func TestAimock(t *testing.T) {
	for _, test := range []struct{ name, fixtures, script, notes string }{
		{"text", `{"match":{"userMessage":"hello"},"response":{"content":"Hi {{you}}."}}`,
			"  - when:\n      user:\n        contains: hello\n    text: Hi {{ \"{{\" }}you}}.\n", ""},
		{"object as text", `{"match":{"userMessage":"a"},"response":{"content":{"b":1.0,"a":["é",null,"<"]}}}`,
			"  - when:\n      user:\n        contains: a\n    text: '{\"b\":1,\"a\":[\"é\",null,\"<\"]}'\n", ""},
		{"calls", `{"match":{"toolName":"look","model":"gpt-4"},"response":{"toolCalls":[{"name":"look","arguments":{"at":"x"},"id":"call_1"},{"name":"look","arguments":"{"}]}}`,
			"  - when:\n      model:\n        matches: ^gpt-4($|-\\d)\n      tools: [look]\n    calls:\n    - as: call-1\n      id: call_1\n      tool: look\n      arguments: '{\"at\":\"x\"}'\n    - as: call-2\n      tool: look\n      arguments: '{'\n", ""},
		{"result", `{"match":{"toolCallId":"call_1","toolResultContains":"yes","systemMessage":["a","b."]},"response":{"content":"Done."}}`,
			"  - when:\n      system:\n        contains: a\n        matches: b\\.\n      result:\n        call: call_1\n        contains: 'yes'\n      not:\n        round: 1\n    text: Done.\n", ""},
		{"no result", `{"match":{"hasToolResult":false,"context":"c","responseFormat":"json_object"},"response":{"content":"{}","finishReason":"length"}}`,
			"  - when:\n      headers:\n        X-AIMock-Context:\n          equals: c\n      fields:\n        /response_format/type:\n          equals: json_object\n      round: 1\n    text: '{}'\n    finish: length\n",
			"differs /fixtures/0/match/responseFormat: it is looked for in response_format, as Chat Completions has it"},
		{"error", `{"match":{"userMessage":"a"},"response":{"error":{"message":"Slow down.","type":"rate_limit_error"},"status":429,"retryAfter":3}}`,
			"  - when:\n      user:\n        contains: a\n    status: 429\n    retry-after: 3s\n    error:\n      message: Slow down.\n      type: rate_limit_error\n", ""},
		{"sequence", `{"match":{"userMessage":"a","sequenceIndex":0},"response":{"content":"1"}},{"match":{"sequenceIndex":1,"userMessage":"a"},"response":{"content":"2"}},{"match":{"userMessage":"a","sequenceIndex":3},"response":{"content":"4"}}`,
			"  - when:\n      user:\n        contains: a\n    requests: 1\n    text: '1'\n  # /fixtures/1\n  - when:\n      user:\n        contains: a\n    requests: 1\n    text: '2'\n",
			"lost /fixtures/2: its sequenceIndex is 3, and the next of these conditions is 2"},
		{"turns", `{"match":{"userMessage":"a"},"response":{"content":"any"}},{"match":{"userMessage":"ab","turnIndex":1},"response":{"content":"second"}}`,
			"  - when:\n      user:\n        contains: a\n      turn: 2\n    text: any\n  # /fixtures/1\n  - when:\n      user:\n        contains: ab\n      turn-from: 2\n    text: second\n  # /fixtures/0\n  - when:\n      user:\n        contains: a\n    text: any\n  # /fixtures/1\n  - when:\n      user:\n        contains: ab\n    text: second\n", ""},
		{"everything", `{"match":{},"response":{"content":"all"}},{"match":{"userMessage":"a"},"response":{"content":"b"}}`,
			"  - text: all\n", "lost /fixtures/1: it never answers: /fixtures/0 answers every request before it"},
		{"delivery", `{"match":{"userMessage":"a"},"response":{"content":"b"},"chunkSize":5,"streamingProfile":{"ttft":200,"jitter":0.1},"truncateAfterChunks":2,"chaos":{"dropRate":0.5,"disconnectRate":0.5},"replaySpeed":2}`,
			"  - when:\n      user:\n        contains: a\n    text: b\n    reset:\n      after: 2 events\n    behaviour:\n      first-token: 200ms\n      jitter: 10%\n      chunk: 5\n      faults:\n      - rate: 50%\n        status: 500\n      - rate: 25%\n        reset:\n          before: headers\n",
			"differs /fixtures/0/truncateAfterChunks: the connection is reset after as many events, and an answer that is no stream breaks off, too\ndiffers /fixtures/0/replaySpeed: a script does not have it\ndiffers /fixtures/0/chaos: chance depends on the request and the seed, so that a test always sees the same"},
		{"blocks", `{"match":{"userMessage":"a"},"response":{"blocks":[{"type":"text","text":"b"},{"type":"toolCall","name":"c","arguments":{}}]}}`,
			"  - when:\n      user:\n        contains: a\n    text: b\n    calls:\n    - as: call-1\n      tool: c\n      arguments: '{}'\n", ""},
		{"envelope", `{"match":{"userMessage":"a"},"response":{"content":"b","id":"x","usage":{},"reasoning":"c"}}`,
			"  - when:\n      user:\n        contains: a\n    id: x\n    text: b\n",
			"differs /fixtures/0/response/usage: the profile says it\ndiffers /fixtures/0/response/reasoning: it is left out, since not every provider shows it; name profiles of those that do (--profile deepseek --profile anthropic)"},
		{"lost", `{"match":{"inputText":"a"},"response":{"embedding":[1]}},{"match":{"endpoint":"image"},"response":{"image":{}}},{"match":{"predicate":"x"},"response":{"content":"a"}},{"match":{},"response":{"blocks":[{"type":"toolCall","name":"c"},{"type":"text","text":"b"}]}},{"match":{"systemMessage":["a","b","c"]},"response":{"content":"a"}},{"match":{"userMessage":"a"},"response":{"content":"a","finishReason":"tool_calls"}},{"response":{}}`,
			"", `lost /fixtures/0: inputText is of embeddings, which need no script: the same text always has the same vector
lost /fixtures/1: the endpoint image is none of a conversation
lost /fixtures/2: the condition predicate has no counterpart in a script
lost /fixtures/3: one of its blocks is a text after a call, and in a script the text comes first
lost /fixtures/4: the systemMessage has 3 texts, and a script compares at most two
lost /fixtures/5: its finishReason "tool_calls" does not fit what it says
lost /fixtures/6: its answer has no content and no toolCalls`},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := parse(t, `{"fixtures":[`+test.fixtures+`]}`)
			if !stubs.IsAimock(root) || stubs.IsWireMock(root) || stubs.IsAimockConfig(root) {
				t.Error("it is not recognised")
			}
			script, notes := stubs.Aimock("x", root, false)
			if got := said(notes); got != test.notes {
				t.Errorf("it is said\n%s\nwant\n%s", got, test.notes)
			}
			text, err := script.YAML("x.json")
			if err != nil {
				t.Fatal(err)
			}
			_, steps, _ := strings.Cut(string(text), "model:\n")
			_, steps, _ = strings.Cut(steps, "\n") // the comment of the first step
			if steps != test.script {
				t.Errorf("the script is\n%s\nwant\n%s", steps, test.script)
			}
		})
	}
}

// The reasoning is there if every profile shows it.
func TestAimockReasoning(t *testing.T) {
	script, notes := stubs.Aimock("x", parse(t, `{"fixtures":[{"match":{},"response":{"content":"a","reasoning":"b"}}]}`), true)
	if len(notes) > 0 || script.Steps[0].Reasoning != "b" {
		t.Errorf("it is %+v, with %s", script.Steps, said(notes))
	}
}

func TestAimockConfig(t *testing.T) {
	if root := parse(t, `{"llm":{"fixtures":"a.json"}}`); stubs.IsAimock(root) || !stubs.IsAimockConfig(root) {
		t.Error("the configuration is not recognised")
	}
}
