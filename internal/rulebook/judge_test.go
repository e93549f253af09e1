package rulebook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// claiming returns the claims of a loop with these features, and without a design of its own.
func claiming(features ...protocol.Feature) rules.Claims {
	return func(f protocol.Feature) bool { return f == protocol.WholeHistory || slices.Contains(features, f) }
}

// verdicts returns what Judge says, by the id of the rule.
func verdicts(run *rules.Run, claims rules.Claims) map[string]rules.Judgement {
	found := map[string]rules.Judgement{}
	for _, j := range rulebook.Judge(run, claims) {
		found[j.Rule.ID] = j
	}
	return found
}

// whole is a dialogue in Talking of a loop that asks for streams in its first requests, and then
// for whole answers.
func whole(streams int) string {
	first := "asks with {\"stream\":false}"
	if streams > 0 {
		first = "asks"
	}
	return first + `
		runs oslo
		runs lima
		asks on with {"stream":false}
			calls oslo, lima: I look up both.
			result oslo
			result lima
		completed`
}

// secondKept is a dialogue in OneCity of a loop whose second request has these keys, and sends only
// what is new.
func secondKept(keys string) string {
	return `
		asks
		runs oslo
		asks on with ` + keys + `
		keeps 3
			calls oslo
			result oslo
		completed`
}

func TestJudge(t *testing.T) {
	everything := claiming(protocol.Features()...)
	listing := Scene("rules: [retry/bounded, finish/calls-decide]\n" + OneCity.Scenario)
	indexless := Scene("rules: [stream/index-missing]\n" + TwoCities.Scenario).Showing("call-index-missing")
	pinging := Scene("rules: [stream/pings-anywhere]\n" + OneCity.Scenario).Showing("pings-anywhere").Under("anthropic")
	for _, test := range []struct {
		name     string
		in       Setting
		dialogue string
		claims   rules.Claims
		rule     string
		want     trace.Verdict // "" where the rule is not judged at all
		level    trace.Level
	}{
		{"kept", OneCity, OneCityDone, everything, "pairing/every-call-answered", trace.Passed, trace.Must},
		{"broken", OneCity, Round("calls oslo"), everything, "pairing/every-call-answered", trace.Failed, trace.Must},
		{"no evidence", NoTools, NoToolsDone, everything, "pairing/every-call-answered", trace.Untested, trace.Must},
		{"neither listed nor an invariant", OneCity, OneCityDone, everything, "retry/bounded", "", ""},
		{"listed", listing, OneCityDone, everything, "retry/bounded", trace.Untested, trace.Must},
		{"not claimed", listing, OneCityDone, claiming(protocol.Streaming), "retry/bounded", trace.Unclaimed, trace.Must},
		{"broken, but not claimed", OneCity, "asks\ncompleted:", claiming(), "execution/every-call-run", trace.Unclaimed, trace.Must},
		{"a look at single requests, in any delivery", OneCity.By(wire.DeliverBytes), OneCityDone, everything, "egress/call-type", trace.Passed, trace.Must},
		{"a look at the run, not in an odd delivery", OneCity.By(wire.DeliverBytes), OneCityDone, everything, "arguments/same-value", "", ""},
		{"a look at the run, in an ordinary stream", OneCity.By(wire.DeliverSSE), OneCityDone, everything, "arguments/same-value", trace.Passed, trace.Must},
		{"a look at the run, in any delivery", OneCity.By(wire.DeliverMerged), OneCityDone, everything, "history/only-grows", trace.Passed, trace.Must},
		{"kept after an odd answer", OneCity.Showing("call-id-repeated"), OneCityDone, everything, "pairing/ids-present", trace.Passed, trace.Should},
		{"broken after an odd answer", OneCity.Showing("call-id-missing"), Round(`
			{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","content":"4 C"}`), everything, "pairing/ids-present", trace.Failed, trace.Should},
		{"what needs streams, in a stream", Talking.By(wire.DeliverSSE), TwoCitiesDone, everything, "stream/text-beside-calls", trace.Passed, trace.Must},
		{"what needs streams, in a stream at first", Talking.By(wire.DeliverSSE), whole(1), everything, "stream/text-beside-calls", trace.Passed, trace.Must},
		{"what needs streams, where none was asked for", Talking.By(wire.DeliverSSE), whole(0), everything, "stream/text-beside-calls", trace.Untested, trace.Must},
		{"what needs no streams, where none was asked for", Talking.By(wire.DeliverSSE), whole(0), everything, "pairing/every-call-answered", trace.Passed, trace.Must},
		{"what needs streams, broken where none was asked for", Talking.By(wire.DeliverSSE), "asks with {\"stream\":false}\ncompleted: Nothing.", everything, "stream/text-beside-calls", trace.Failed, trace.Must},
		{"what needs streams, where nothing was asked", Talking.By(wire.DeliverSSE), "crashed", everything, "stream/text-beside-calls", trace.Untested, trace.Must},

		{"refused by OpenAI", OneCity, OneCityDone, everything, "egress/arguments-are-text", trace.Passed, trace.Must},
		{"taken by OpenAI", OneCity, OneCityDone, everything, "egress/call-keys", trace.Passed, trace.Should},
		{"taken by vLLM", OneCity.Under("vllm"), OneCityDone, everything, "egress/call-keys", trace.Passed, trace.Should},
		{"refused by Mistral", OneCity.Under("mistral"), OneCityDone, everything, "egress/assistant-message-keys", trace.Passed, trace.Must},
		{"taken by Mistral", OneCity.Under("mistral"), OneCityDone, everything, "egress/arguments-are-text", trace.Passed, trace.Should},
		{"refused by DeepSeek", OneCity.Under("deepseek"), OneCityDone, everything, "reasoning/resent-on-tool-turns", trace.Passed, trace.Must},
		{"of a provider with quirks", indexless.Under("gemini-compat"), TwoCitiesDone, everything, "stream/index-missing", trace.Passed, trace.Must},
		{"of one that is reported to", indexless.Under("gateway"), TwoCitiesDone, everything, "stream/index-missing", trace.Passed, trace.Should},
		{"a should, lost in silence by a provider that surely answers so", pinging.By(wire.DeliverSSE), "asks\ncompleted: Nothing.", everything, "stream/pings-anywhere", trace.Failed, trace.Must},
		{"a should, told to the caller", pinging.By(wire.DeliverSSE), "asks\nfailed: an unknown event", everything, "stream/pings-anywhere", trace.Failed, trace.Should},
		{"of one that did in old versions", indexless.Under("ollama"), TwoCitiesDone, everything, "stream/index-missing", trace.Passed, trace.Should},
		{"nothing asked for it", OneCity.Under("openai-responses"), "asks with {\"store\":true}\nfailed: later", everything, "egress/stored-items-are-referred-to", trace.Unclaimed, trace.Must},
		{"left to the provider, which keeps responses", OneCity.Under("openai-responses-stored"), secondKept(`{"previous_response_id":"resp_1"}`), everything, "arguments/same-value", trace.Unclaimed, trace.Must},
		{"left to the provider, which keeps a conversation", OneCity.Under("openai-responses-stored"), secondKept(`{"conversation":"conv_1"}`), everything, "arguments/same-value", trace.Unclaimed, trace.Must},
		{"what is new, in a conversation that is kept", OneCity.Under("openai-responses-stored"), secondKept(`{"conversation":"conv_1"}`), everything, "history/only-what-is-new", trace.Passed, trace.Must},
		{"taken by OpenRouter", OneCity.Under("openrouter"), OneCityDone, everything, "reasoning/resent-on-tool-turns", trace.Untested, trace.Should},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := verdicts(test.in.Play(t, test.dialogue), test.claims)[test.rule]
			if j.Verdict != test.want || j.Level != test.level {
				t.Errorf("%s is %q as a %q, want %q as a %q", test.rule, j.Verdict, j.Level, test.want, test.level)
			}
			if (len(j.Findings) > 0) != (test.want == trace.Failed) {
				t.Errorf("there are %d findings", len(j.Findings))
			}
			for _, f := range j.Findings {
				if f.Rule != test.rule || f.Level != test.level {
					t.Errorf("a finding of %s as a %s", f.Rule, f.Level)
				}
			}
		})
	}
}

// TestHungRunsShowNothingElse: whatever a loop that ran out of time did wrong, or had not done yet,
// nothing is said but that it did not end.
func TestHungRunsShowNothingElse(t *testing.T) {
	everything := claiming(protocol.Features()...)
	for name, dialogue := range map[string]string{
		"before the first request":  "hung",
		"a call that was not run":   "asks\nhung",
		"a result that is missing":  "asks\nruns oslo\nasks on\n\tcalls oslo\nhung",
		"a prompt of its own":       "sends {\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\nhung",
		"an answer not handed over": OneCityDone[:strings.LastIndex(OneCityDone, "completed")] + "hung",
	} {
		t.Run(name, func(t *testing.T) {
			for id, j := range verdicts(OneCity.Play(t, dialogue), everything) {
				if ends := id == "outcome/run-ends"; ends != (j.Verdict == trace.Failed) || !ends && j.Verdict == trace.Passed {
					t.Errorf("%s is %s: %v", id, j.Verdict, j.Findings)
				}
			}
		})
	}
}

// TestContradictsOthers: what a single provider requires is a must for a loop that claims its
// profile.
func TestContradictsOthers(t *testing.T) {
	run := Thinking.Under("deepseek-r1").Play(t, Round(AsReceived))
	for named, want := range map[bool]trace.Level{false: trace.Should, true: trace.Must} {
		run.ClaimsProfile = named
		if j := verdicts(run, claiming(protocol.Reasoning))["reasoning/withheld"]; j.Verdict != trace.Failed || j.Level != want {
			t.Errorf("named: %v: it is %s as a %s, want a %s", named, j.Verdict, j.Level, want)
		}
	}
}

// TestLevels: a refusal whose source cannot be named makes nothing a must.
func TestLevels(t *testing.T) {
	openai := *Profile(t, "openai")
	openai.Refuses = slices.Clone(openai.Refuses)
	for i := range openai.Refuses {
		openai.Refuses[i].KnownBy = profiles.Unnamed
	}
	rule := rulebook.Lookup("egress/arguments-are-text")
	if level := rule.LevelUnder(&openai); level != trace.Should {
		t.Errorf("it is a %s", level)
	}
	if area := rule.Area(); area != "egress" {
		t.Errorf("the area is %q", area)
	}
}

// TestLevelsOfPartialRefusals: where a provider refuses some violations of a rule, only those are
// musts.
func TestLevelsOfPartialRefusals(t *testing.T) {
	run := TwoCities.Play(t, Round(`
		{"role":"assistant","tool_calls":[{"id":"call_oslo","type":"function","function":{"name":"get_weather","arguments":{}}},{"id":"call_lima","type":"function","function":{"name":"get_weather","arguments":null}}]}
		result oslo
		result lima`))
	openai := *Profile(t, "openai")
	for _, c := range []struct {
		only    []string
		refused bool
		levels  []trace.Level
		whole   trace.Level
	}{
		{nil, true, []trace.Level{trace.Must, trace.Must}, trace.Must},
		{[]string{"null"}, true, []trace.Level{trace.Should, trace.Must}, trace.Must},
		{[]string{"a number"}, false, []trace.Level{trace.Should, trace.Should}, trace.Should},
	} {
		openai.Refuses = []profiles.Refusal{{Rule: "egress/arguments-are-text", Status: 400, Proof: profiles.Proof{KnownBy: profiles.Executed}}}
		if c.only != nil {
			openai.Refuses[0].Only = profiles.Violations{{"found": c.only}}
		}
		run.Script.Profile = &openai
		j := verdicts(run, claiming())["egress/arguments-are-text"]
		if j.Level != c.whole || len(j.Findings) != 2 || j.Findings[0].Level != c.levels[0] || j.Findings[1].Level != c.levels[1] {
			t.Errorf("refused is only %v: it is a %s, with %+v", c.only, j.Level, j.Findings)
		}
		if _, _, refused := rulebook.Refuse(&openai, run.Exchanges[1].Request); refused != c.refused {
			t.Errorf("refused is only %v: the request is refused: %v", c.only, refused)
		}
	}
}

// TestRepeatedFindings: a finding that a history repeats is reported once, at the first request.
func TestRepeatedFindings(t *testing.T) {
	run := TwoRounds.Play(t, `
		asks
		asks on
			{"role":"assistant","id":"msg_1","tool_calls":[{{oslo call}}]}
			result oslo
		asks on
			{"role":"assistant","id":"msg_2","tool_calls":[{{lima call}}]}
			result lima
		completed`)
	var got []string
	for _, f := range rulebook.Lookup("egress/assistant-message-keys").Check(run).Findings {
		got = append(got, f.Pointer)
	}
	if diff := cmp.Diff([]string{"/messages/1/id", "/messages/3/id"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestBook: what every rule owes its readers. What a new rule needs besides is told by
// TestRulesAreComplete of internal/faults.
func TestBook(t *testing.T) {
	files := map[string]bool{}
	for _, r := range rulebook.Book() {
		files[r.Area()] = true
		if rulebook.Lookup(r.ID) != r || strings.Count(r.ID, "/") != 1 {
			t.Errorf("the id %q is no good", r.ID)
		}
		if (r.Request == nil) == (r.Run == nil && len(r.Quirks) == 0) {
			t.Errorf("%s looks at requests, at runs or at quirks", r.ID)
		}
	}
	if len(rulebook.IDs()) != len(rulebook.Book()) || rulebook.Lookup("pairing/no-such-rule") != nil || len(files) < 10 {
		t.Errorf("%d ids of %d rules in %d areas", len(rulebook.IDs()), len(rulebook.Book()), len(files))
	}
}
