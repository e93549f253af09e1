package journal

import (
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// What is said of a request stays when its body is forgotten, and a client may make the name of a
// key, a path or a header as long as a body. So texts about it are this long at most, and a longer
// head weighs like a body and is forgotten with it.
const (
	mostText = 4000 // characters
	mostHead = 8000 // bytes
)

// mostKept is how many findings about one rule a journal keeps of a request. A finding may be a
// hundred times as long as what it is about: a request of 5 MB with nothing but unknown keys took a
// gigabyte.
const mostKept = 100

// kept returns those of the findings in a request that are kept, as they are kept.
func kept(findings []trace.Finding) []trace.Finding {
	if len(findings) > mostKept {
		findings = firstOfEach(findings)
	}
	for i := range findings {
		brief(&findings[i])
	}
	return findings
}

// firstOfEach returns the first findings about each rule.
func firstOfEach(findings []trace.Finding) []trace.Finding {
	of, some := map[string]int{}, make([]trace.Finding, 0, mostKept)
	for _, f := range findings {
		if of[f.Rule]++; of[f.Rule] <= mostKept {
			some = append(some, f)
		}
	}
	return slices.Clip(some)
}

// brief shortens the texts of a finding.
func brief(f *trace.Finding) {
	for _, text := range []*string{&f.Pointer, &f.Message, &f.Expected, &f.Actual} {
		*text = textlayout.Shorten(*text, mostText)
	}
	for _, value := range f.Vars {
		if len(value) > mostText {
			f.Vars = nil // the words of a refusal were filled
			break
		}
	}
	if slices.ContainsFunc(f.Calls, func(id string) bool { return len(id) > mostText }) {
		f.Calls = nil
	}
}

// brief shortens what is said of a request besides its findings.
func (e *Entry) brief() {
	e.Exchange.Problem = textlayout.Shorten(e.Exchange.Problem, mostText)
	if r := e.Exchange.Refusal; r != nil && len(r.Message) > mostText {
		short := *r
		short.Message = textlayout.Shorten(r.Message, mostText)
		e.Exchange.Refusal = &short
	}
}

// briefCase shortens the answers of the provider in a case.
func briefCase(c *report.Case) {
	answers := []*report.Answer{c.ProviderAnswer}
	for i := range c.Findings {
		answers = append(answers, c.Findings[i].ProviderAnswer)
	}
	for _, a := range answers {
		if a != nil {
			a.Message = textlayout.Shorten(a.Message, mostText)
		}
	}
}

// headWeight returns how many bytes a long head takes: 0 for a usual one, of which many entries
// share a copy.
func (e *Entry) headWeight() int64 {
	n := len(e.Target) + sizeOf(e.Header) + sizeOf(e.Answer.Header)
	if n <= mostHead {
		return 0
	}
	return int64(n)
}

// fieldSize is about what a map takes for each field besides its texts.
const fieldSize = 100

func sizeOf(h http.Header) (n int) {
	for name, values := range h {
		n += len(name) + fieldSize
		for _, value := range values {
			n += len(value)
		}
	}
	return n
}

// forgetHead drops a long head.
func (e *Entry) forgetHead() {
	if e.headWeight() > 0 {
		e.Header, e.Answer.Header = http.Header{}, nil
		e.Target = textlayout.Shorten(e.Target, 1000)
	}
}
