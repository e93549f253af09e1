package execution

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// digitRules are the rules about numbers in results.
var digitRules = []rules.Rule{
	{
		ID:       "execution/big-integers-in-results",
		Level:    trace.Should,
		Text:     "An integer beyond 2^53 in a result reaches the model with all its digits.",
		Why:      "With a rounded id the model asks for another record. Not a must: JSON allows readers to use doubles, as JavaScript does.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a tool returned a text with such an integer",
		Sources: []rules.Source{
			{URL: "https://www.rfc-editor.org/rfc/rfc8259#section-6", Says: "readers agree on integers up to 2^53 only"},
			{URL: "https://github.com/earendil-works/pi/issues/8943", Says: "the same of arguments: a rounded id found nothing, again and again"},
		},
		Run: bigIntegersInResults,
	},
}

// bigInteger is one that an IEEE double may not hold. A fraction is rounded in any case.
var bigInteger = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^\d.])(\d{16,})($|[^\d.eE])`) })

// bigIntegersInResults leaves results that are others altogether to result-reaches-the-model.
func bigIntegersInResults(r *rules.Run) (j rules.CheckResult) {
	eachResult(r, func(e rules.ReturnedTurn, n int, output, sent string) {
		found := bigInteger().FindAllStringSubmatch(output, -1)
		if len(found) == 0 || len(output) > rules.LongResult || !rules.ContainsText(sent, output) {
			return
		}
		j.HasEvidence = true
		for _, m := range found {
			if !regexp.MustCompile(`(^|\D)` + m[2] + `($|\D)`).MatchString(sent) {
				j.FindAt(e.In, e.In.Request.HistoryPointer(),
					fmt.Sprintf("an integer in the result of the call %s lost digits", e.Turn.Answer.Calls[n].As),
					m[2],
					rules.Quote(sent))
				return
			}
		}
	})
	return j
}
