package matrix_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

// TestNothingOfOthersIsStored demands that the published results are valid: among other things, no
// message quotes a text of many words that the loop wrote itself, as agents send in system prompts
// and descriptions of tools.
func TestNothingOfOthersIsStored(t *testing.T) {
	loops, err := matrix.Load("../../results", "")
	if err != nil || len(loops) < 40 {
		t.Fatal(len(loops), err)
	}
}

func TestWithoutForeign(t *testing.T) {
	const scenario = "text/one-answer"
	long := strings.Repeat("You are a careful agent of somebody else. ", 100)
	body := func(text string) report.TracedBody { return report.TracedBody{Text: text, Bytes: len(text)} }
	r := &report.Report{Cases: []report.Case{{Scenario: scenario, Trace: &report.Trace{
		Requests: []report.TracedRequest{
			{Body: body(`{"system":"` + long + `","max_tokens":5,"tools":[{"name":"edit","description":"Edits a file. \"Old\" has to be there\nonce, and only once."}]}`),
				Answer: report.TracedAnswer{Body: body(`{"content":"It is 4 C in Oslo, and it snows all day long there."}`)}},
			{Body: body(`{"messages":[{"content":"It is 4 C in Oslo, and it snows all day long there."},{"content":"` + long[:200])},
		},
		Tools: []report.TracedTool{{Result: "In Lima it is 19 C and the sun shines brightly."}},
	}}}}
	r.Cases[0].Trace.Requests = append(r.Cases[0].Trace.Requests, report.TracedRequest{Body: body(`{"result":"In Lima it is 19 C and the sun shines brightly."}`)})
	matrix.WithoutForeign(r)
	for i, want := range []string{
		`{"system":"(own text, 4200 bytes, sha256 `, `{"messages":[{"content":"It is 4 C in Oslo, and it snows all day long there."},{"content":"(own text, at least 200 bytes, sha256 `,
		`{"result":"In Lima it is 19 C and the sun shines brightly."}`,
	} {
		got := r.Cases[0].Trace.Requests[i].Body.Text
		if !strings.HasPrefix(got, want) || strings.Contains(got, "careful") || strings.Contains(got, "only once") {
			t.Errorf("request %d says %s, want %s", i, got, want)
		}
	}
	again := r.Cases[0].Trace.Requests[0].Body.Text
	if matrix.WithoutForeign(r); r.Cases[0].Trace.Requests[0].Body.Text != again || !strings.Contains(again, `"name":"edit"`) {
		t.Errorf("the second time it says %s", r.Cases[0].Trace.Requests[0].Body.Text)
	}
}
