package rulebook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// TestConsequencesEndInCauses: each names rules that there are, and none leads back to itself.
func TestConsequencesEndInCauses(t *testing.T) {
	var follow func(id string, path []string)
	follow = func(id string, path []string) {
		if slices.Contains(path, id) {
			t.Fatalf("%s leads back to itself by %v", id, path)
		}
		rule := rulebook.Lookup(id)
		if rule == nil {
			t.Fatalf("there is no rule %s, after %v", id, path)
		}
		for _, c := range rulebook.Consequences(rule) {
			if c.Why == "" || c.From == id {
				t.Errorf("%+v", c)
			}
			follow(c.From, append(slices.Clone(path), id))
		}
	}
	for _, id := range rulebook.IDs() {
		follow(id, nil)
	}
	for _, c := range rulebook.AllConsequences {
		if rulebook.Lookup(c.Rule) == nil {
			t.Errorf("there is no rule %s", c.Rule)
		}
	}
}

// TestExplain says of runs which of their violations are causes, with "", and from which the others
// follow.
func TestExplain(t *testing.T) {
	everything := claiming(protocol.Executions, protocol.Streaming, protocol.ParallelCalls, protocol.MultiPrompt, protocol.WholeHistory)
	for _, test := range []struct {
		name     string
		in       Setting
		dialogue string
		want     map[string]string
	}{
		{"all is well", TwoRounds, TwoRoundsDone, map[string]string{}},
		{"a turn is dropped, and its result is not", TwoRounds, `
			asks
			runs oslo
			asks on
				result oslo
			runs lima
			asks on
				calls lima
				result lima
			completed`, map[string]string{
			"history/calls-come-back":  "",
			"pairing/no-orphan-result": "history/calls-come-back",
		}},
		{"of the oldest turn that is left out, as by a window, the orphan weighs more", TwoRounds, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs lima
			asks
				prompt 1
				result oslo
				calls lima
				result lima
			completed`, map[string]string{
			"history/only-grows":       "",
			"pairing/no-orphan-result": "",
		}},
		{"an earlier turn is dropped", ThreeRounds, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			runs lima
			asks on
				calls lima
				result lima
			runs rome
			asks
				prompt 1
				calls oslo
				result oslo
				result lima
				calls rome
				result rome
			completed`, map[string]string{
			"history/only-grows":          "",
			"pairing/result-names-a-call": "history/only-grows",
		}},
		{"a crash", Scene("rules: [execution/failure-answered]\n" + strings.ReplaceAll(OneCity.Scenario, `"city":"Oslo"`, `"city":"Bonn"`)), `
			asks
			runs oslo
			crashed`, map[string]string{
			"outcome/run-ends":           "",
			"execution/failure-answered": "outcome/run-ends",
		}},
		{"a crash at a later answer", Scene("rules: [execution/failure-answered]\n" + strings.ReplaceAll(TwoRounds.Scenario, `"city":"Oslo"`, `"city":"Bonn"`)), `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo:
			runs lima
			crashed`, map[string]string{
			"outcome/run-ends":           "",
			"execution/failure-answered": "",
		}},
		{"a call is lost, and another one of its turn is answered twice", TwoCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls lima
				result lima
				result lima
			completed`, map[string]string{
			"history/calls-come-back":     "",
			"pairing/one-result-per-call": "",
		}},
		{"a result has an id of its own", TwoCities, `
			asks
			runs oslo
			runs lima
			asks on
				calls oslo, lima
				result oslo
				{"role":"tool","tool_call_id":"call_7","content":"19 C"}
			completed`, map[string]string{
			"pairing/result-names-a-call": "",
			"pairing/every-call-answered": "pairing/result-names-a-call",
		}},
		{"nothing is remembered", TwoPrompts, StartsAnew, map[string]string{
			"history/answers-come-back": "",
			"history/tool-turns-stay":   "history/answers-come-back",
		}},
		{"a call that was not heard", TwoCities, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`, map[string]string{
			"execution/every-call-run": "",
			"history/calls-come-back":  "execution/every-call-run",
		}},
		{"a call that was not heard, beside one whose tool fails", Scene("rules: [execution/siblings-unaffected]\n" + OneFails.Scenario), `
			asks
			runs bonn
			asks on
				calls bonn
				result bonn: the service is down
			completed`, map[string]string{
			"execution/siblings-unaffected": "",
			"history/calls-come-back":       "execution/siblings-unaffected",
		}},
		{"a stream that broke off inside a call is taken for an answer", Scene("rules: [failure/cut-stream-reported]\n" + strings.Replace(OneCity.Scenario, "  - text", "    cut: {before: finish}\n  - text", 1)).By(wire.DeliverSSE), `
			asks
			completed:`, map[string]string{
			"failure/cut-stream-reported": "",
			"outcome/no-made-up-answer":   "failure/cut-stream-reported",
		}},
		{"a call that was not heard, at which the loop gave up, and the user went on", TwoPrompts, `
			asks
			asks
				prompt 2
			completed`, map[string]string{
			"execution/every-call-run":           "",
			"history/calls-come-back":            "execution/every-call-run",
			"history/earlier-messages-unchanged": "execution/every-call-run",
			"history/prompts-sent":               "execution/every-call-run",
		}},
		{"a failing call is left out of the results, and what is left of them is an empty message", BlockCity, `
			asks
			runs oslo
			asks
				prompt 1
				calls oslo
				{"role":"user","content":[]}
			completed`, map[string]string{
			"pairing/every-call-answered":  "",
			"egress/no-blank-user-message": "pairing/every-call-answered",
		}},
		{"all that is broken behind a summary that nobody asked for, and nothing before it", ThreeRounds, `
			asks
			runs oslo
			asks on
				result oslo
			runs lima
			asks without tools
				user: Summarise: 4 C, 19 C.
			asks
				user: Summary: it is 4 C in Oslo.
			completed`, map[string]string{
			"pairing/no-orphan-result":   "history/calls-come-back",
			"history/calls-come-back":    "",
			"history/summary-as-claimed": "",
			"outcome/no-made-up-answer":  "history/summary-as-claimed",
		}},
		{"a blank message of the user has nothing to do with a call that was not answered", BlockCity, `
			asks
			runs oslo
			asks
				prompt 1
				{"role":"user","content":" "}
				calls oslo
			completed`, map[string]string{
			"pairing/every-call-answered":  "",
			"egress/no-blank-user-message": "",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := test.in
			if !strings.Contains(in.Scenario, "rules:") {
				in.Scenario = "rules: [history/answers-come-back]\n" + in.Scenario
			}
			judgements := rulebook.Judge(in.Play(t, test.dialogue), everything)
			rulebook.Explain(judgements)
			got := map[string]string{}
			for _, j := range judgements {
				for _, f := range j.Findings {
					got[j.Rule.ID] = f.Because
				}
				if j.Verdict == trace.Failed && j.Follows() != (got[j.Rule.ID] != "") {
					t.Errorf("%s follows: %v", j.Rule.ID, j.Follows())
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
