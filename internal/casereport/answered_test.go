package casereport

import (
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/report"
)

// TestWhatTheLoopGotIsTold: a finding says which text, error or half of an answer the loop had to
// handle.
func TestWhatTheLoopGotIsTold(t *testing.T) {
	said := func(a wire.Answer) *wire.Answer {
		if a.Finish == "" {
			a.Finish = wire.FinishStop
		}
		return &a
	}
	body := func(text string) *report.TracedAnswer {
		return &report.TracedAnswer{Body: report.TracedBody{Text: text, Bytes: len(text)}}
	}
	stream := &report.TracedAnswer{Body: report.TracedBody{Text: "data: 1\n\ndata: 2\n\n", Bytes: 18}, Writes: "9 9"}
	text, second, thought := said(wire.Answer{Text: "4 C"}), time.Second, "Hm."
	tests := []struct {
		name   string
		rule   rules.Rule
		step   scenarios.Step
		answer *wire.Answer
		got    *report.TracedAnswer
		want   string
		sent   string
	}{
		{"a text", rules.Rule{}, scenarios.Step{}, text, body("{}"), `the text "4 C".`, ""},
		{"an empty text", rules.Rule{}, scenarios.Step{}, said(wire.Answer{Finish: "length"}), nil, "an empty text, with the reason to stop length.", ""},
		{"a refusal", rules.Rule{}, scenarios.Step{}, said(wire.Answer{Refusal: "No!"}), nil, `the refusal "No!".`, ""},
		{"reasoning and a call", rules.Rule{}, scenarios.Step{}, said(wire.Answer{Reasoning: &thought, Calls: []wire.AnswerCall{{Name: "look", Arguments: "{}"}}}), nil, "reasoning and a tool call (look {}).", ""},
		{"an item", rules.Rule{}, scenarios.Step{}, said(wire.Answer{Items: []wire.ProviderItem{{Type: "mcp_call"}}}), nil, "an item mcp_call.", ""},
		{"long arguments", rules.Rule{}, scenarios.Step{}, said(wire.Answer{Calls: []wire.AnswerCall{{Name: "look", Arguments: strings.Repeat("x", 3000)}}}), nil, "a tool call (look " + strings.Repeat("x", maxBody) + "… (3000 characters)).", ""},

		{"an error", rules.Rule{}, scenarios.Step{Status: 400}, nil, body("{\"error\":\n  \"no\"}"), `the status 400: {"error": "no"}`, ""},
		{"an error to retry", rules.Rule{}, scenarios.Step{Status: 429, RetryAfter: &second}, nil, body("slow"), "the status 429, to be retried after 1s: slow", ""},
		{"an error without a body", rules.Rule{}, scenarios.Step{Status: 502}, nil, body(""), "the status 502 and an empty body.", ""},
		{"an error of bytes", rules.Rule{}, scenarios.Step{Status: 502}, nil, &report.TracedAnswer{Body: report.TracedBody{Base64: "/w==", Bytes: 1}}, "the status 502 and a body that is no text.", ""},
		{"an error that is not known", rules.Rule{}, scenarios.Step{Status: 502}, nil, nil, "the status 502.", ""},
		{"a long page", rules.Rule{}, scenarios.Step{Status: 502}, nil, body(strings.Repeat("x", 3000)), "the status 502: " + strings.Repeat("x", maxBody) + "…", ""},
		{"no completion", rules.Rule{}, scenarios.Step{Status: 200}, nil, body("ok"), "something that is no completion: ok", ""},
		{"silence", rules.Rule{}, scenarios.Step{Transport: scenarios.Transport{Stall: &scenarios.Stall{Break: scenarios.Break{Before: "headers"}}}}, nil, body(""), "silence.", ""},

		{"an error in a stream", rules.Rule{}, scenarios.Step{InBandError: &scenarios.BandError{}}, text, stream, `the text "4 C", and broke it off with an error.`, `data: 1\n\n¦` + "\n" + `data: 2\n\n¦`},
		{"an error as an answer", rules.Rule{}, scenarios.Step{InBandError: &scenarios.BandError{}}, text, body(`{"error":1}`), `an error in the place of an answer: {"error":1}`, ""},
		{"a cut stream", rules.Rule{}, scenarios.Step{Cut: &scenarios.Break{Before: "finish"}}, text, stream, `the text "4 C", and closed the connection before its end.`, `data: 1\n\n¦` + "\n" + `data: 2\n\n¦`},
		{"a reset", rules.Rule{}, scenarios.Step{Reset: &scenarios.Break{Before: "finish"}}, text, nil, `the text "4 C", and reset the connection before its end.`, ""},
		{"a stall", rules.Rule{}, scenarios.Step{Transport: scenarios.Transport{Stall: &scenarios.Stall{Break: scenarios.Break{Before: "finish"}}}}, text, nil, `the text "4 C", and fell silent before its end.`, ""},

		{"a stream of another area", rules.Rule{ID: "finish/a"}, scenarios.Step{}, text, stream, `the text "4 C".`, ""},
		{"a stream to read", rules.Rule{ID: "stream/a"}, scenarios.Step{}, text, stream, `the text "4 C".`, `data: 1\n\n¦` + "\n" + `data: 2\n\n¦`},
		{"a quirk of a document", rules.Rule{ID: "finish/a", Quirks: []rules.Quirk{{Name: "odd"}}}, scenarios.Step{}, text, body(`{"odd":1}`), `the text "4 C".`, `{"odd":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			played := Played{
				Exchanges: []*trace.Exchange{{Number: 1, Turn: &scenarios.Turn{Step: &tt.step, Answer: tt.answer}}},
				Got:       func(int) *report.TracedAnswer { return tt.got },
			}
			c := report.Case{Verdicts: map[string]trace.Verdict{}}
			played.Add(&c, rules.Judgement{Rule: &tt.rule, Verdict: trace.Failed, Findings: []trace.Finding{{Answer: 1}}})
			if got, want := c.Findings[0].Answered, "The mock provider answered with "+tt.want; got != want {
				t.Errorf("told: %s\nwant: %s", got, want)
			}
			if got := c.Findings[0].Sent; got != tt.sent {
				t.Errorf("sent: %s\nwant: %s", got, tt.sent)
			}
		})
	}
}

// TestDecisionsAreTold: a finding says what the user was asked about the calls of the answer, and
// decided.
func TestDecisionsAreTold(t *testing.T) {
	p := Played{Approvals: []*trace.Approval{
		{Request: 1, Tool: "pay", Arguments: `{"to":"Anna"}`, Decided: 1, Approve: true, With: `{"to":"Ben"}`},
		{Request: 1, Tool: "pay", Arguments: `{"to":"Eve"}`, Decided: 1, Reason: "Not her."},
		{Request: 2, Tool: "look", Arguments: `{}`},
	}}
	for number, want := range map[int]string{
		1: `The user was asked about pay {"to":"Anna"}: approved with {"to":"Ben"}; pay {"to":"Eve"}: denied: Not her.`,
		2: `The user was asked about look {}: undecided.`,
		3: "",
	} {
		if got := p.describeDecisions(&trace.Exchange{Number: number}); got != want {
			t.Errorf("of request %d it says %q, want %q", number, got, want)
		}
	}
}
