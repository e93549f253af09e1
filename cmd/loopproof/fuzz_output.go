package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/report"
)

// tell shows the result, as text or as JSON.
func (r *fuzzRun) tell(result fuzzing.Result) error {
	if r.flags.json {
		return r.tellJSON(result)
	}
	s := r.layout()
	for _, f := range result.Findings {
		s.Line(0, s.Styled(textlayout.Bold, strings.ToUpper(string(f.Level))+"  "+f.Rule))
		s.Item("found", f.Message)
		if f.Expected != "" {
			s.Item("expected", f.Expected)
		}
		if f.Actual != "" {
			s.Item("actual", f.Actual)
		}
		if f.Once {
			s.Item("once", fmt.Sprintf("it did not come again when the conversation was played %d times more: it depends on time or chance", fuzzing.Replays))
		}
		s.Item("as a result", named(f.Follow))
		for _, alike := range f.Alike {
			s.Item("same cause", fmt.Sprintf("%s (%s): %s; %s", alike.Rule, alike.Level, alike.Message, r.file(alike)))
		}
		s.Item("smallest", f.Small.Title()+"; drawn as conversation "+fmt.Sprint(f.Number))
		s.Exact("scenario", r.file(f))
		showExample(s, f)
		s.Command("replay", r.replay(f))
		s.Line(0, "")
	}
	r.tellCoverage(s, result)
	if len(result.Known) > 0 {
		s.Item("known", fmt.Sprintf("%s that %s names: %s", counted(len(result.Known), "rule is broken", "rules are broken"), r.flags.knownFailing, joined(fuzzing.Sorted(result.Known))))
	}
	s.Item("seed", fmt.Sprintf("%d; the same seed draws the same conversations", r.config.Seed))
	s.Item("result", r.summary(result))
	_, err := fmt.Fprint(r.out, s.String())
	return err
}

// named lists rules with their levels: "history/only-grows (must)".
func named(findings []report.Finding) string {
	parts := make([]string, len(findings))
	for i, f := range findings {
		parts[i] = fmt.Sprintf("%s (%s)", f.Rule, f.Level)
	}
	return strings.Join(parts, ", ")
}

// summary says in a sentence what came out.
func (r *fuzzRun) summary(result fuzzing.Result) string {
	played := fmt.Sprintf("%s, %s in %v", count(result.Conversations, "conversation"), count(result.Cases, "case"), result.Took.Round(time.Second))
	other := ""
	if len(result.Known) > 0 {
		other = "other "
	}
	if len(result.Findings) > 0 {
		return counted(len(result.Findings), other+"rule is", other+"rules are") + " broken" + follow(result.Findings) + ": " + played
	}
	if r.flags.strict {
		return "no " + other + "rule is broken: " + played
	}
	return "no " + other + "must is broken: " + played + "; a broken should is a finding with --strict"
}

// follow counts the rules that are listed under findings.
func follow(findings []fuzzing.Finding) string {
	n := 0
	for _, f := range findings {
		n += len(f.Follow) + len(f.Alike)
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more as a consequence", n)
}

// longestExample is how many lines of a scenario are shown; a longer one is in its file.
const longestExample = 30

// showExample shows the smallest conversation, without what the finding has told already.
func showExample(s *textlayout.Builder, f fuzzing.Finding) {
	_, body, _ := strings.Cut(string(f.File), "\nprompt")
	lines := strings.Split(strings.TrimRight("prompt"+body, "\n"), "\n")
	if len(lines) <= longestExample {
		s.Labelled("", lines)
	}
}

// tellCoverage says how often what the grammar can draw was played, and what of it was not.
func (r *fuzzRun) tellCoverage(s *textlayout.Builder, result fuzzing.Result) {
	if result.Cases == 0 {
		return
	}
	var drawn []fuzzing.Counted
	var missing []string
	for _, p := range fuzzing.Sorted(result.Coverage.Productions) {
		if p.Times > 0 {
			drawn = append(drawn, p)
		} else {
			missing = append(missing, p.Name)
		}
	}
	s.Item("drawn", joined(drawn))
	s.Item("not drawn", strings.Join(missing, ", "))
	s.Item("profiles", joined(fuzzing.Sorted(result.Coverage.Profiles)))
	s.Item("deliveries", joined(fuzzing.Sorted(result.Coverage.Deliveries)))
}

func joined(all []fuzzing.Counted) string {
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = fmt.Sprintf("%s %d", c.Name, c.Times)
	}
	return strings.Join(parts, ", ")
}

// fuzzResult is the result as JSON.
type fuzzResult struct {
	Seed          uint64         `json:"seed"`
	Conversations int            `json:"conversations"`
	Cases         int            `json:"cases"`
	DurationMS    int64          `json:"duration_ms"`
	Findings      []fuzzFinding  `json:"findings"`
	Known         map[string]int `json:"known,omitempty"` // cases that broke a rule of the known-failing list, by rule
	Productions   map[string]int `json:"productions"`
	Profiles      map[string]int `json:"profiles"`
	Deliveries    map[string]int `json:"deliveries"`
}

type fuzzFinding struct {
	Rule      string `json:"rule"`
	Level     string `json:"level"`
	Message   string `json:"message"`
	Expected  string `json:"expected,omitempty"`
	Actual    string `json:"actual,omitempty"`
	Case      string `json:"case"`
	Number    int    `json:"conversation"`
	Once      bool   `json:"once,omitempty"` // it did not come again
	Scenario  string `json:"scenario"`       // the file
	Reproduce string `json:"reproduce"`

	Consequences []fuzzConsequence `json:"consequences,omitempty"`
}

// fuzzConsequence is a rule whose violation follows from that of a finding, or has the same cause
// in another conversation.
type fuzzConsequence struct {
	Rule     string `json:"rule"`
	Level    string `json:"level"`
	Message  string `json:"message"`
	Scenario string `json:"scenario,omitempty"` // the file of the other conversation
}

func (r *fuzzRun) consequences(f fuzzing.Finding) (all []fuzzConsequence) {
	for _, c := range f.Follow {
		all = append(all, fuzzConsequence{Rule: c.Rule, Level: string(c.Level), Message: c.Message})
	}
	for _, c := range f.Alike {
		all = append(all, fuzzConsequence{Rule: c.Rule, Level: string(c.Level), Message: c.Message, Scenario: r.file(c)})
	}
	return all
}

func (r *fuzzRun) tellJSON(result fuzzing.Result) error {
	shown := fuzzResult{
		Seed: r.config.Seed, Conversations: result.Conversations, Cases: result.Cases, DurationMS: result.Took.Milliseconds(), Findings: []fuzzFinding{}, Known: result.Known,
		Productions: result.Coverage.Productions, Profiles: result.Coverage.Profiles, Deliveries: result.Coverage.Deliveries,
	}
	for _, f := range result.Findings {
		shown.Findings = append(shown.Findings, fuzzFinding{
			Rule: f.Rule, Level: string(f.Level), Message: f.Message, Expected: f.Expected, Actual: f.Actual,
			Case: f.Case, Number: f.Number, Once: f.Once, Scenario: r.file(f), Reproduce: r.replay(f), Consequences: r.consequences(f),
		})
	}
	return r.writeJSON(shown)
}
