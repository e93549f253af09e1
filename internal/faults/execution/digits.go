package execution

import (
	"encoding/json"
	"regexp"

	"github.com/loopproof/loopproof/internal/faults/hooks"
)

var longNumber = regexp.MustCompile(`\d{16,}`)

// digits are loops that read the numbers in results.
var digits = []hooks.Fault{
	{
		Name:   "execution/rounds-numbers-in-results",
		Does:   "A result that is JSON is parsed into doubles and written again.",
		Breaks: []string{"execution/big-integers-in-results"},
		Make: hooks.OnResults(func(s string) string {
			if !json.Valid([]byte(s)) {
				return s
			}
			return longNumber.ReplaceAllStringFunc(s, func(digits string) string {
				var rounded float64
				if json.Unmarshal([]byte(digits), &rounded) != nil {
					return digits
				}
				written, err := json.Marshal(rounded)
				if err != nil {
					return digits
				}
				return string(written)
			})
		}),
	},
	{
		Name:   "execution/cuts-long-lines-of-results",
		Does:   "A line of a result is cut after 2000 letters.",
		Breaks: []string{"execution/result-reaches-the-model"},
		Make: hooks.OnResults(func(s string) string {
			const most = 2000
			if len(s) > most && len(s) <= 4*most { // and very long results say that they are cut
				return s[:most]
			}
			return s
		}),
	},
}
