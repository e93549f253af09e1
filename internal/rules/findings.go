package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/trace"
)

// CheckResult is the result of a check.
type CheckResult struct {
	HasEvidence bool // whether there was anything to judge
	Findings    []trace.Finding

	kinds map[string]int // of the findings, when there are very many: how many were added since then
}

// Of very many findings of one rule, such as one about each of a hundred thousand empty messages,
// the first are kept, and of the others those that a profile may treat differently: a few hundred
// bytes for each would be a hundred times the request. A profile distinguishes violations by the
// values that describe them, most of which are words of the rule.
const (
	manyFindings = 1000
	maxKinds     = 1000 // besides
	maxKeys      = 100  // of one kind
)

// Find adds findings. A violation is evidence too.
func (j *CheckResult) Find(found ...trace.Finding) {
	j.HasEvidence = j.HasEvidence || len(found) > 0
	if len(j.Findings)+len(found) <= manyFindings {
		j.Findings = append(j.Findings, found...)
		return
	}
	for i := range found {
		if j.takes(&found[i]) {
			j.Findings = append(j.Findings, found[i])
		}
	}
}

// takes reports whether a finding is one of the first, or of a kind that none of them is.
func (j *CheckResult) takes(f *trace.Finding) bool {
	if len(j.Findings) < manyFindings {
		return true
	}
	if j.kinds == nil {
		j.kinds = map[string]int{}
		for i := range j.Findings {
			kind, key := kindOf(&j.Findings[i])
			j.kinds[kind], j.kinds[kind+key] = 0, 0
		}
	}
	kind, key := kindOf(f)
	added, known := j.kinds[kind]
	if _, same := j.kinds[kind+key]; same || !known && len(j.Findings) >= manyFindings+maxKinds || known && added >= maxKeys {
		return false
	}
	j.kinds[kind], j.kinds[kind+key] = added+1, 0
	return true
}

// kindOf returns by what a profile may distinguish a finding from others: by the values that
// describe it without its place, and by its key, of which there may be as many as a client likes.
func kindOf(f *trace.Finding) (kind, key string) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.Vars)) {
		switch name {
		case "at", "index":
		case "key":
			key = "\x00key=" + f.Vars[name]
		default:
			b.WriteString(name + "=" + f.Vars[name] + "\x00")
		}
	}
	return b.String(), key
}

// FindAt adds a finding about a place in the request of an exchange.
func (j *CheckResult) FindAt(x *trace.Exchange, pointer, message, expected, actual string) {
	j.Find(trace.Finding{Request: x.Number, Pointer: pointer, Message: message, Expected: expected, Actual: actual})
}

// FindInAnswer adds a finding about how a loop handled the answer of an exchange.
func (j *CheckResult) FindInAnswer(x *trace.Exchange, message, expected, actual string) {
	j.Find(trace.Finding{Request: x.Number, Answer: x.Number, Message: message, Expected: expected, Actual: actual})
}

// Add adds the result of another check of the same rule; as with [CheckResult.Find], not every
// finding of many is kept.
func (j *CheckResult) Add(other CheckResult) {
	j.HasEvidence = j.HasEvidence || other.HasEvidence
	j.Find(other.Findings...)
}
