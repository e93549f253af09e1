// Package rulestest is what the tests of rules share. They are tables of runs, each written down as
// a dialogue between a loop and its world:
//
//	Breaks("one of two results is missing", TwoCities, `
//		asks
//		runs oslo
//		runs lima
//		asks on
//			calls oslo, lima
//			result oslo
//		completed`,
//		Found(2, "/messages/1/tool_calls", "1 tool call without an answer: {{lima}}", "...", "..."))
//
// The setting says what the model does and how the tools behave; dialogue.go says what each line
// means. What is right is written in short words, and what a case is about in JSON as it crosses
// the wire.
package rulestest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Setting is what a dialogue is held in: a scenario, the provider that is played, and how its
// answers come.
type Setting struct {
	Scenario string // YAML, without the lines that every scenario begins with
	profile  string
	delivery wire.Delivery
	plain    string // how the same loop fared in the plainer delivery
	designs  []protocol.Design
	second   string // the profile of the second model, where that is asked in another wire API
}

// Scene returns the setting of a scenario, with OpenAI as the provider and answers that are not
// streamed.
func Scene(scenario string) Setting {
	return Setting{Scenario: scenario, profile: "openai", delivery: wire.DeliverJSON}
}

// Under returns the setting with another profile.
func (s Setting) Under(profile string) Setting { s.profile = profile; return s }

// Over returns the setting with the second model under another profile, in another wire API.
func (s Setting) Over(second string) Setting { s.second = second; return s }

// By returns the setting with another delivery.
func (s Setting) By(d wire.Delivery) Setting { s.delivery = d; return s }

// Of returns the setting with a loop of some designs.
func (s Setting) Of(designs ...protocol.Design) Setting { s.designs = designs; return s }

// Alongside returns the setting with the dialogue of the same loop in the plainer delivery.
func (s Setting) Alongside(dialogue string) Setting { s.plain = dialogue; return s }

// Case is a run and the expected result of a rule.
type Case struct {
	Kind     Kind
	Name     string
	In       Setting
	Dialogue string
	finds    []Finding
}

// Kind is what a case shows of its rule. Every rule has cases of each kind.
type Kind string

const (
	breaking Kind = "is broken"
	keeping  Kind = "is kept"
	blind    Kind = "sees nothing"
)

// Cases are cases by the id of their rule.
type Cases map[string][]Case

// Finding is a [trace.Finding] as far as its reader sees it. Its texts may speak of calls by name:
// {{oslo}}.
type Finding struct {
	Request                            int
	Pointer, Message, Expected, Actual string
	Level                              trace.Level // "" is that of the rule
}

// Only is the finding at a lower level than that of its rule.
func (f Finding) Only(level trace.Level) Finding {
	f.Level = level
	return f
}

// Breaks is a run that breaks the rule at these places and no others.
func Breaks(name string, in Setting, dialogue string, finds ...Finding) Case {
	return Case{breaking, name, in, dialogue, finds}
}

// Holds is a run that keeps the rule, and proves it.
func Holds(name string, in Setting, dialogue string) Case {
	return Case{keeping, name, in, dialogue, nil}
}

// SeesNothing is a run in which there is nothing to judge.
func SeesNothing(name string, in Setting, dialogue string) Case {
	return Case{blind, name, in, dialogue, nil}
}

// Check holds the dialogue and compares what the rule finds with what it is to find.
func (c Case) Check(t *testing.T, rule *rules.Rule) {
	run := c.In.Play(t, c.Dialogue)
	judged := rule.Check(run)
	if seen := c.Kind != blind; judged.HasEvidence != seen {
		t.Errorf("seen is %v, want %v", judged.HasEvidence, seen)
	}
	words := &placeholders{t: t, script: run.Script}
	var got, want []Finding
	for _, f := range judged.Findings {
		got = append(got, Found(f.Request, f.Pointer, f.Message, f.Expected, f.Actual).Only(f.Level))
		if f.Rule != rule.ID {
			t.Errorf("a finding of the rule %q", f.Rule)
		}
		readsWell(t, run, f)
	}
	for _, f := range c.finds {
		want = append(want, Found(f.Request, f.Pointer, words.fill(f.Message), shortened(words.fill(f.Expected)), shortened(words.fill(f.Actual))).Only(f.Level))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// shortened returns JSON as findings show it, also after the place where it is.
func shortened(text string) string {
	if place, value, ok := strings.Cut(text, " {"); ok && strings.HasPrefix(place[strings.LastIndex(place, " ")+1:], "/") {
		return place + " " + shortened("{"+value)
	}
	if r := []rune(text); len(r) > rules.MaxShown && strings.IndexAny(text, "{[") == 0 {
		return string(r[:rules.MaxShown]) + "…"
	}
	return text
}

// readsWell checks a finding by the requirements for all findings.
func readsWell(t *testing.T, run *rules.Run, f trace.Finding) {
	t.Helper()
	for what, text := range map[string]string{"message": f.Message, "expected": f.Expected, "actual": f.Actual} {
		if text == "" || strings.Contains(text, "%!") || strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
			t.Errorf("%s: the %s is %q", f.Rule, what, text)
		}
	}
	if n := len(exchangesOf(run)); f.Request < 0 || f.Request > n || f.Answer < 0 || f.Answer > n {
		t.Errorf("%s: a finding at request %d, answer %d, of %d", f.Rule, f.Request, f.Answer, n)
		return
	}
	if f.Pointer != "" && (f.Request == 0 || !leads(exchangeOf(run, f.Request).Request, f.Pointer)) {
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
