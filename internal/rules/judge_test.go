package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// claiming returns the claims of a loop with these features, and without a design of its own.
func claiming(features ...protocol.Feature) Claims {
	return func(f protocol.Feature) bool { return f == protocol.WholeHistory || slices.Contains(features, f) }
}

// verdicts returns what Judge says, by the id of the rule.
func verdicts(run *Run, claims Claims) map[string]Judgement {
	found := map[string]Judgement{}
	for _, j := range Judge(run, claims) {
		found[j.Rule.ID] = j
	}
	return found
}

func TestJudge(t *testing.T) {
	everything := claiming(protocol.Features()...)
	listing := scene("rules: [retry/bounded, finish/calls-decide]\n" + oneCity.scenario)
	indexless := scene("rules: [stream/index-missing]\n" + twoCities.scenario).showing("call-index-missing")
	pinging := scene("rules: [stream/pings-anywhere]\n" + oneCity.scenario).showing("pings-anywhere").under("anthropic")
	for _, test := range []struct {
		name     string
		in       setting
		dialogue string
		claims   Claims
		rule     string
		want     Verdict // "" where the rule is not judged at all
		level    Level
	}{
		{"kept", oneCity, oneCityDone, everything, "pairing/every-call-answered", Passed, Must},
		{"broken", oneCity, round("calls oslo"), everything, "pairing/every-call-answered", Failed, Must},
		{"no evidence", noTools, noToolsDone, everything, "pairing/every-call-answered", Untested, Must},
		{"neither listed nor an invariant", oneCity, oneCityDone, everything, "retry/bounded", "", ""},
		{"listed", listing, oneCityDone, everything, "retry/bounded", Untested, Must},
		{"not claimed", listing, oneCityDone, claiming(protocol.Streaming), "retry/bounded", Unclaimed, Must},
		{"broken, but not claimed", oneCity, "asks\ncompleted:", claiming(), "execution/every-call-run", Unclaimed, Must},
		{"a look at single requests, in any delivery", oneCity.by(wire.DeliverBytes), oneCityDone, everything, "egress/call-type", Passed, Must},
		{"a look at the run, not in an odd delivery", oneCity.by(wire.DeliverBytes), oneCityDone, everything, "arguments/same-value", "", ""},
		{"a look at the run, in an ordinary stream", oneCity.by(wire.DeliverSSE), oneCityDone, everything, "arguments/same-value", Passed, Must},
		{"a look at the run, in any delivery", oneCity.by(wire.DeliverMerged), oneCityDone, everything, "history/only-grows", Passed, Must},
		{"kept after an odd answer", oneCity.showing("call-id-repeated"), oneCityDone, everything, "pairing/ids-present", Passed, Should},
		{"broken after an odd answer", oneCity.showing("call-id-missing"), round(`
			{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","content":"4 C"}`), everything, "pairing/ids-present", Failed, Should},

		{"refused by OpenAI", oneCity, oneCityDone, everything, "egress/arguments-are-text", Passed, Must},
		{"taken by OpenAI", oneCity, oneCityDone, everything, "egress/call-keys", Passed, Should},
		{"taken by vLLM", oneCity.under("vllm"), oneCityDone, everything, "egress/call-keys", Passed, Should},
		{"refused by Mistral", oneCity.under("mistral"), oneCityDone, everything, "egress/assistant-message-keys", Passed, Must},
		{"taken by Mistral", oneCity.under("mistral"), oneCityDone, everything, "egress/arguments-are-text", Passed, Should},
		{"refused by DeepSeek", oneCity.under("deepseek"), oneCityDone, everything, "reasoning/resent-on-tool-turns", Passed, Must},
		{"of a provider that answers oddly", indexless.under("gemini-compat"), twoCitiesDone, everything, "stream/index-missing", Passed, Must},
		{"of one that is reported to", indexless.under("gateway"), twoCitiesDone, everything, "stream/index-missing", Passed, Should},
		{"a should, lost in silence by a provider that surely answers so", pinging.by(wire.DeliverSSE), "asks\ncompleted: Nothing.", everything, "stream/pings-anywhere", Failed, Must},
		{"a should, told to the caller", pinging.by(wire.DeliverSSE), "asks\nfailed: an event that nobody knows", everything, "stream/pings-anywhere", Failed, Should},
		{"of one that did in old versions", indexless.under("ollama"), twoCitiesDone, everything, "stream/index-missing", Passed, Should},
		{"taken by OpenRouter", oneCity.under("openrouter"), oneCityDone, everything, "reasoning/resent-on-tool-turns", Untested, Should},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := verdicts(test.in.play(t, test.dialogue), test.claims)[test.rule]
			if j.Verdict != test.want || j.Level != test.level {
				t.Errorf("%s is %q as a %q, want %q as a %q", test.rule, j.Verdict, j.Level, test.want, test.level)
			}
			if (len(j.Findings) > 0) != (test.want == Failed) {
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

// TestHungRunsShowNothingElse: whatever a loop that ran out of time did wrong, or had not done yet, nothing is said but
// that it did not end.
func TestHungRunsShowNothingElse(t *testing.T) {
	everything := claiming(protocol.Features()...)
	for name, dialogue := range map[string]string{
		"before the first request":  "hung",
		"a call that was not run":   "asks\nhung",
		"a result that is missing":  "asks\nruns oslo\nasks on\n\tcalls oslo\nhung",
		"a prompt of its own":       "sends {\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\nhung",
		"an answer not handed over": oneCityDone[:strings.LastIndex(oneCityDone, "completed")] + "hung",
	} {
		t.Run(name, func(t *testing.T) {
			for id, j := range verdicts(oneCity.play(t, dialogue), everything) {
				if ends := id == "outcome/run-ends"; ends != (j.Verdict == Failed) || !ends && j.Verdict == Passed {
					t.Errorf("%s is %s: %v", id, j.Verdict, j.Findings)
				}
			}
		})
	}
}

// TestContrary: what only one provider demands is a must for a loop that says that it knows this provider.
func TestContrary(t *testing.T) {
	run := thinking.under("deepseek-r1").play(t, round(asReceived))
	for named, want := range map[bool]Level{false: Should, true: Must} {
		run.Named = named
		if j := verdicts(run, claiming(protocol.Reasoning))["reasoning/withheld"]; j.Verdict != Failed || j.Level != want {
			t.Errorf("named: %v: it is %s as a %s, want a %s", named, j.Verdict, j.Level, want)
		}
	}
}

// TestLevels: a refusal whose source cannot be named makes nothing a must.
func TestLevels(t *testing.T) {
	openai := *profile(t, "openai")
	openai.Refuses = slices.Clone(openai.Refuses)
	for i := range openai.Refuses {
		openai.Refuses[i].KnownBy = profiles.Unnamed
	}
	rule := Lookup("egress/arguments-are-text")
	if level := rule.LevelUnder(&openai); level != Should {
		t.Errorf("it is a %s", level)
	}
	if area := rule.Area(); area != "egress" {
		t.Errorf("the area is %q", area)
	}
}

// TestLevelsOfPartialRefusals: where a provider refuses some breaches of a rule, only those are musts.
func TestLevelsOfPartialRefusals(t *testing.T) {
	run := twoCities.play(t, round(`
		{"role":"assistant","tool_calls":[{"id":"call_oslo","type":"function","function":{"name":"get_weather","arguments":{}}},{"id":"call_lima","type":"function","function":{"name":"get_weather","arguments":null}}]}
		result oslo
		result lima`))
	openai := *profile(t, "openai")
	for _, c := range []struct {
		only    []string
		refused bool
		levels  []Level
		whole   Level
	}{
		{nil, true, []Level{Must, Must}, Must},
		{[]string{"null"}, true, []Level{Should, Must}, Must},
		{[]string{"a number"}, false, []Level{Should, Should}, Should},
	} {
		openai.Refuses = []profiles.Refusal{{Rule: "egress/arguments-are-text", Status: 400, Proof: profiles.Proof{KnownBy: profiles.Executed}}}
		if c.only != nil {
			openai.Refuses[0].Only = profiles.Breaches{{"found": c.only}}
		}
		run.Script.Profile = &openai
		j := verdicts(run, claiming())["egress/arguments-are-text"]
		if j.Level != c.whole || len(j.Findings) != 2 || j.Findings[0].Level != c.levels[0] || j.Findings[1].Level != c.levels[1] {
			t.Errorf("refused is only %v: it is a %s, with %+v", c.only, j.Level, j.Findings)
		}
		if _, _, refused := Refuse(&openai, run.Exchanges[1].Request); refused != c.refused {
			t.Errorf("refused is only %v: the request is refused: %v", c.only, refused)
		}
	}
}

// TestRepeatedFindings: what a history repeats is told once, at the request in which it first stood.
func TestRepeatedFindings(t *testing.T) {
	run := twoRounds.play(t, `
		asks
		asks on
			{"role":"assistant","id":"msg_1","tool_calls":[{{oslo call}}]}
			result oslo
		asks on
			{"role":"assistant","id":"msg_2","tool_calls":[{{lima call}}]}
			result lima
		completed`)
	var got []string
	for _, f := range Lookup("egress/assistant-message-keys").Check(run).Findings {
		got = append(got, f.Pointer)
	}
	if diff := cmp.Diff([]string{"/messages/1/id", "/messages/3/id"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestBook: what every rule owes its readers.
func TestBook(t *testing.T) {
	files := map[string]bool{}
	for _, r := range Book() {
		files[r.Area()] = true
		if Lookup(r.ID) != r || strings.Count(r.ID, "/") != 1 {
			t.Errorf("the id %q is no good", r.ID)
		}
		if (r.Request == nil) == (r.Run == nil && len(r.Quirks) == 0) {
			t.Errorf("%s looks at requests, at runs or at quirks", r.ID)
		}
		for what, text := range map[string]string{"text": r.Text, "reason": r.Why} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("the %s of %s is no sentence: %q", what, r.ID, text)
			}
		}
		if len(r.Sources) == 0 || r.Evidence == "" || !slices.Contains([]Level{Must, Should, Info}, r.Level) {
			t.Errorf("%s lacks sources, evidence or a level", r.ID)
		}
		for _, s := range r.Sources {
			if !strings.HasPrefix(s.URL, "https://") || s.Says == "" {
				t.Errorf("%s has a source that says nothing: %+v", r.ID, s)
			}
		}
	}
	if len(IDs()) != len(Book()) || Lookup("pairing/no-such-rule") != nil || len(files) < 10 {
		t.Errorf("%d ids of %d rules in %d areas", len(IDs()), len(Book()), len(files))
	}
}
