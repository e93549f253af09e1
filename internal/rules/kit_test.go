package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

// The tests of the rulebook are tables of runs, each written down as a dialogue between a loop and its world:
//
//	breaks("one of two results is missing", twoCities, `
//		asks
//		runs oslo
//		runs lima
//		asks on
//			calls oslo, lima
//			result oslo
//		completed`,
//		finding{2, "/messages/1/tool_calls", "1 tool call without an answer: {{lima}}", "...", "..."})
//
// The setting says what the model does and how the tools behave; dialogue_test.go says what each line means. What is
// right is written in short words, and what a case is about in JSON as it crosses the wire.

// setting is what a dialogue is held in: a scenario, the provider that is played, and how its answers come.
type setting struct {
	scenario string // YAML, without the lines that every scenario begins with
	profile  string
	delivery wire.Delivery
	plain    string // how the same loop fared in the plainer delivery
}

// scene returns the setting of a scenario, with OpenAI as the provider and answers that are not streamed.
func scene(scenario string) setting {
	return setting{scenario: scenario, profile: "openai", delivery: wire.DeliverJSON}
}

func (s setting) under(profile string) setting   { s.profile = profile; return s }
func (s setting) by(d wire.Delivery) setting     { s.delivery = d; return s }
func (s setting) beside(dialogue string) setting { s.plain = dialogue; return s }

// ruleCase is a run and what a rule makes of it.
type ruleCase struct {
	kind     kind
	name     string
	in       setting
	dialogue string
	finds    []finding
}

// kind is what a case shows of its rule. Every rule has cases of each kind.
type kind string

const (
	breaking kind = "is broken"
	keeping  kind = "is kept"
	blind    kind = "sees nothing"
)

// ruleCases are cases by the id of their rule.
type ruleCases map[string][]ruleCase

// finding is a [Finding] as far as its reader sees it. Its texts may speak of calls by name: {{oslo}}.
type finding struct {
	Request                            int
	Pointer, Message, Expected, Actual string
}

// breaks is a run that breaks the rule at these places and no others.
func breaks(name string, in setting, dialogue string, finds ...finding) ruleCase {
	return ruleCase{breaking, name, in, dialogue, finds}
}

// holds is a run that keeps the rule, and proves it.
func holds(name string, in setting, dialogue string) ruleCase {
	return ruleCase{keeping, name, in, dialogue, nil}
}

// seesNothing is a run in which there is nothing to judge.
func seesNothing(name string, in setting, dialogue string) ruleCase {
	return ruleCase{blind, name, in, dialogue, nil}
}

func (c ruleCase) check(t *testing.T, rule *Rule) {
	run := c.in.play(t, c.dialogue)
	judged := rule.Check(run)
	if seen := c.kind != blind; judged.Seen != seen {
		t.Errorf("seen is %v, want %v", judged.Seen, seen)
	}
	words := &placeholders{t: t, script: run.Script}
	var got, want []finding
	for _, f := range judged.Findings {
		got = append(got, finding{f.Request, f.Pointer, f.Message, f.Expected, f.Actual})
		if f.Rule != rule.ID {
			t.Errorf("a finding of the rule %q", f.Rule)
		}
		readsWell(t, run, f)
	}
	for _, f := range c.finds {
		want = append(want, finding{f.Request, f.Pointer, words.fill(f.Message), shortened(words.fill(f.Expected)), shortened(words.fill(f.Actual))})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// shortened returns JSON as findings show it, also behind the place where it stands.
func shortened(text string) string {
	if place, value, ok := strings.Cut(text, " {"); ok && strings.HasPrefix(place[strings.LastIndex(place, " ")+1:], "/") {
		return place + " " + shortened("{"+value)
	}
	if r := []rune(text); len(r) > shown && strings.IndexAny(text, "{[") == 0 {
		return string(r[:shown]) + "…"
	}
	return text
}

// readsWell holds a finding against what every finding owes its reader.
func readsWell(t *testing.T, run *Run, f Finding) {
	t.Helper()
	for what, text := range map[string]string{"message": f.Message, "expected": f.Expected, "actual": f.Actual} {
		if text == "" || strings.Contains(text, "%!") || strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
			t.Errorf("%s: the %s is %q", f.Rule, what, text)
		}
	}
	if f.Request < 0 || f.Request > len(run.Exchanges) || f.Answer < 0 || f.Answer > len(run.Exchanges) {
		t.Errorf("%s: a finding at request %d, answer %d, of %d", f.Rule, f.Request, f.Answer, len(run.Exchanges))
		return
	}
	if f.Pointer != "" && (f.Request == 0 || !leads(run.Exchanges[f.Request-1].Request, f.Pointer)) {
		t.Errorf("%s: the pointer %q leads nowhere in request %d", f.Rule, f.Pointer, f.Request)
	}
}

// leads reports whether a pointer names a value of a request, or a key that is missing from one.
func leads(req *wire.Request, pointer string) bool {
	steps := strings.Split(pointer, "/")[1:]
	n := req.Body
	for _, step := range steps[:len(steps)-1] {
		if n = n.Child(step); n == nil {
			return false
		}
	}
	return true
}
