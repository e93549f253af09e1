package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/report"
)

// checker checks one report.
type checker struct {
	file string
	*report.Report
	examples bool // the cases are only examples
	errs     []error
}

func (c *checker) wrong(pointer, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s: %s", c.file, pointer, fmt.Sprintf(format, args...)))
}

// Verify checks that a report can be published: it is of a complete run, and its parts agree with
// each other and with what the loop claims.
func Verify(file string, r *report.Report) error {
	return few(file, (&checker{file: file, Report: r}).all())
}

// verify checks that a result can be published, as [Verify] does, and that it has no words of
// others.
func (v *Version) verify() error {
	c := &checker{file: v.File, Report: v.Report, examples: true}
	for _, f := range v.Result.Failed {
		c.message(f)
	}
	by := v.Result.JudgedBy
	if selfReported := v.Result.SelfReported; selfReported && by.Commit != "" || !selfReported && by.Commit == "" && by.Number != "" { // earlier ones had neither
		c.wrong("/self-reported", "a result is self-reported, or says by which commit this project played it: /judged-by/commit")
	}
	return few(v.File, c.all())
}

// maxMessage is the maximum length of the message of a result, in bytes. Ours have at most 160.
const maxMessage = 400

// message checks that the message of a broken rule is one of Loopproof, and quotes no text of the
// loop.
func (c *checker) message(f Failed) {
	at := "/failed/" + f.Rule + "/message"
	if len(f.Message) > maxMessage {
		c.wrong(at, "it has %d bytes, and a message of Loopproof has at most %d", len(f.Message), maxMessage)
	}
	if said := withoutForeign(f.Message, scriptedTexts(emptyCase(f.Example).Scenario)); said != f.Message {
		c.wrong(at, "it quotes a text that the loop wrote itself; keep: %s", said)
	}
}

func (c *checker) all() []error {
	c.whole()
	c.identity()
	c.counts()
	c.cases()
	c.result()
	if SameRulebook(c.Report) {
		c.planned()
	}
	return c.errs
}

// SameRulebook reports whether a report was judged by what this Loopproof judges by. Of others it
// cannot be told whether cases are missing.
func SameRulebook(r *report.Report) bool { return r.Rulebook == catalog.Fingerprint() }

// whole checks that nothing was left out.
func (c *checker) whole() {
	if c.Requests {
		c.wrong("/requests", "it is about single requests to a mock provider, and not about a loop")
	}
	if c.Shard != nil {
		c.wrong("/shard", "it is of shard %d of %d: merge all of them with loopproof report merge", c.Shard.Index, c.Shard.Of)
	}
	if c.Stopped != "" {
		c.wrong("/stopped", "not all cases were played: %s", c.Stopped)
	}
	if c.Filtered || c.Result == report.Partial {
		c.wrong("/filtered", "a selection left out something that the loop claims: play it without selecting flags")
	}
	if c.CasesLeftOut < 0 {
		c.wrong("/cases_left_out", "%d, expected a number of cases", c.CasesLeftOut)
	}
	if len(c.Cases)+c.CasesLeftOut == 0 {
		c.wrong("/cases", "no case was played")
	}
	if len(c.Rules) == 0 {
		c.wrong("/rules", "no rule was judged")
	}
}

// identity checks what the report says of the loop and of the run.
func (c *checker) identity() {
	for _, part := range []struct{ at, value string }{{"/loop/name", c.Loop.Name}, {"/loop/version", c.Loop.Version}, {"/loop/language", c.Loop.Language}} {
		if strings.TrimSpace(part.value) == "" {
			c.wrong(part.at, "it is empty: the adapter says it in its hello")
		}
	}
	if c.Seed == 0 {
		c.wrong("/seed", "it is 0, with which no run can be played again")
	}
	if len(c.Claims.Dialects) == 0 {
		c.wrong("/claims/dialects", "the loop claims none")
	}
	if c.Started.IsZero() {
		c.wrong("/started", "it is no time")
	}
}

// counts checks the counts of each rule, against the cases where all are there.
func (c *checker) counts() {
	judged, failed, follows := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range c.Cases {
		one := &c.Cases[i]
		for id, v := range one.Verdicts {
			if v == report.Passed || v == report.Failed {
				judged[id]++
			}
			if v == report.Failed {
				failed[id]++
				if one.Because(id) != "" {
					follows[id]++
				}
			}
		}
	}
	seen := map[string]bool{}
	for i, rule := range c.Rules {
		at := fmt.Sprintf("/rules/%d", i)
		if seen[rule.ID] {
			c.wrong(at+"/id", "the rule %s is there twice", rule.ID)
		}
		seen[rule.ID] = true
		if rule.Verdict != verdictOf(rule) {
			c.wrong(at+"/verdict", "%s is %s, and failed in %d of %d cases", rule.ID, rule.Verdict, rule.Failed, rule.Cases)
		}
		if rule.Failed > rule.Cases || rule.Follows > rule.Failed || rule.Follows < 0 || rule.Cases > len(c.Cases)+c.CasesLeftOut {
			c.wrong(at, "%s was judged in %d cases of %d, failed in %d and as a consequence in %d, which cannot be", rule.ID, rule.Cases, len(c.Cases)+c.CasesLeftOut, rule.Failed, rule.Follows)
		}
		for _, n := range []struct {
			key        string
			told, have int
		}{{"cases", rule.Cases, judged[rule.ID]}, {"failed", rule.Failed, failed[rule.ID]}, {"follows", rule.Follows, follows[rule.ID]}} {
			if n.told < n.have || n.told != n.have && c.CasesLeftOut == 0 && !c.examples {
				c.wrong(at+"/"+n.key, "%s says %d, and the cases of the report say %d", rule.ID, n.told, n.have)
			}
		}
		if rule.Verdict == report.Failed && failed[rule.ID] == 0 {
			c.wrong(at, "%s failed, and no case of the report shows it", rule.ID)
		}
	}
	for i := range c.Cases {
		for _, id := range c.Cases[i].BrokenRules() {
			if !seen[id] {
				c.wrong(fmt.Sprintf("/cases/%d/findings", i), "the rule %s is not among the rules of the report", id)
			}
		}
	}
}

// verdictOf returns the verdict that the counts of a rule give.
func verdictOf(r report.Rule) report.Verdict {
	switch {
	case r.Failed > 0:
		return report.Failed
	case r.Cases > 0:
		return report.Passed
	case r.Verdict == report.Unclaimed:
		return report.Unclaimed
	default:
		return report.Untested
	}
}

// cases checks that each case is there once, and can be played again where a rule is broken.
func (c *checker) cases() {
	seen := map[string]bool{}
	for i := range c.Cases {
		one, at := &c.Cases[i], fmt.Sprintf("/cases/%d", i)
		if seen[one.ID] {
			c.wrong(at+"/id", "the case %s is there twice", one.ID)
		}
		seen[one.ID] = true
		if !strings.HasPrefix(one.ID, fmt.Sprintf("%s@%s/%s/%s", one.Scenario, one.Dialect, one.Profile, one.Delivery)) {
			c.wrong(at+"/id", "%s is not the case of its scenario, dialect, profile and delivery", one.ID)
		}
		if one.Reproduce != "" && !(strings.Contains(one.Reproduce, one.ID) && strings.Contains(one.Reproduce, fmt.Sprint(c.Seed))) {
			c.wrong(at+"/reproduce", "it does not play the case %s with the seed %d", one.ID, c.Seed)
		}
		if one.Reproduce == "" && (one.Trace != nil || len(one.Findings) > 0 && c.CasesLeftOut == 0) {
			c.wrong(at+"/reproduce", "it is missing, and a rule is broken in the case")
		}
	}
}

// result checks that the result is that of the rules.
func (c *checker) result() {
	broken, missed := 0, 0
	for _, rule := range c.Rules {
		if rule.Level != report.Must && !(c.Strict && rule.Level == report.Should) {
			continue
		}
		switch rule.Verdict {
		case report.Failed:
			broken++
		case report.Untested:
			missed++
		}
	}
	switch {
	case c.Result == report.Conformant && broken > 0:
		c.wrong("/result", "it is conformant, and %d rules that count are broken", broken)
	case c.Result == report.NotConformant && broken+missed == 0 && c.Stopped == "":
		c.wrong("/result", "it is not-conformant, and no rule that counts is broken or untested")
	}
}

// planned checks that the cases and rules are all those that the claims imply.
func (c *checker) planned() {
	plan, err := c.plan()
	if err != nil {
		c.wrong("/claims", "nothing can be played by them: %v", err)
		return
	}
	inPlan := map[string]bool{}
	for _, id := range plan.IDs() {
		inPlan[id] = true
	}
	for i := range c.Cases {
		if id := c.Cases[i].ID; !inPlan[id] {
			c.wrong(fmt.Sprintf("/cases/%d/id", i), "%s is not among the cases that the claims imply; reports with scenarios or profiles of one's own cannot be published", id)
		}
	}
	if played := len(c.Cases) + c.CasesLeftOut; played != len(inPlan) {
		c.wrong("/cases", "%d cases were played, and the claims imply %d", played, len(inPlan))
	}
	have := map[string]bool{}
	for i, rule := range c.Rules {
		have[rule.ID] = true
		if rulebook.Lookup(rule.ID) == nil {
			c.wrong(fmt.Sprintf("/rules/%d/id", i), "there is no rule %s", rule.ID)
		}
	}
	for _, id := range plan.Expected {
		if !have[id] {
			c.wrong("/rules", "the rule %s is missing, for which the claims imply evidence", id)
		}
	}
}

// plan returns the plan of the run. Whether the loop got system prompts is not in the report, but
// shows in its cases.
func (c *checker) plan() (*runner.Plan, error) {
	plan, err := runner.Planned(c.Claims, true)
	if err != nil || len(plan.Cases) == len(c.Cases)+c.CasesLeftOut {
		return plan, err
	}
	without, err := runner.Planned(c.Claims, false)
	if err == nil && len(without.Cases) == len(c.Cases)+c.CasesLeftOut {
		return without, nil
	}
	return plan, nil
}

// BrokenMusts returns the musts that a report breaks, also those that are only consequences.
func BrokenMusts(r *report.Report) []string {
	var ids []string
	for _, rule := range r.Rules {
		if rule.Level == report.Must && rule.Verdict == report.Failed && !slices.Contains(ids, rule.ID) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}
