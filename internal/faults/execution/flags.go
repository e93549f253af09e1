package execution

import (
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// flags are loops that mark the wrong results as failures.
var flags = []hooks.Fault{
	{
		Name:   "execution/forgets-the-error-flag",
		Does:   "The result of a tool that failed is sent without is_error.",
		Breaks: []string{"execution/failure-is-flagged"},
		Make:   hooks.EachResult(func(x *neutral.Result) { x.Failed = false }),
	},
	{
		Name:   "execution/flags-every-result",
		Does:   "Every result that says something is sent as an error.",
		Breaks: []string{"execution/success-is-not-flagged"},
		Make:   hooks.EachResult(func(x *neutral.Result) { x.Failed = x.Failed || x.Text != "" && x.Image == nil }),
	},
}
