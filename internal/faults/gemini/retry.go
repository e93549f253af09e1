package gemini

import (
	"regexp"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
)

// retries are faults in what is made of the details of an error.
var retries = []raw.Fault{
	{
		Name:    "retry/does-not-look-at-the-details",
		Does:    "What the details of an error say of the wait is not looked at.",
		Reports: []string{"https://github.com/vercel/ai/issues/18627", "https://github.com/AtomicBot-ai/atomic-agent/issues/106", "https://github.com/datalab-to/marker/pull/1041"},
		Breaks:  []string{"retry/retry-info-honoured"},
		Make:    onErrors(func(body string) string { return strings.ReplaceAll(body, `"retryDelay"`, `"unread"`) }),
	},
	{
		Name:    "retry/knows-no-fractions",
		Does:    "A delay that is no whole number of seconds is taken for none.",
		Reports: []string{"https://github.com/dcdpr/jp/pull/1061"},
		Breaks:  []string{"retry/retry-info-honoured"},
		Make:    onErrors(func(body string) string { return fraction.ReplaceAllString(body, `"retryDelay":"0s"`) }),
	},
	{
		Name:    "retry/takes-a-daily-quota-for-a-rate-limit",
		Does:    "An error about the quota of a day is met with more and more requests.",
		Reports: []string{"https://github.com/google-gemini/gemini-cli/pull/28599", "https://github.com/dcdpr/jp/pull/1061"},
		Breaks:  []string{"retry/hopeless-not-hammered"},
		Make: func() raw.Mutation {
			m := onErrors(func(body string) string { return strings.ReplaceAll(body, "RequestsPerDay", "RequestsPerMinute") })()
			m.Loop = func(l *refloop.Loop) { l.Attempts = 5 }
			return m
		},
	},
}

var fraction = regexp.MustCompile(`"retryDelay":"[0-9]+\.[0-9]+s"`)

// onErrors makes a loop that reads the bodies of errors otherwise.
func onErrors(change func(body string) string) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		if a.Status < 400 {
			return
		}
		for i, p := range a.Payloads {
			a.Payloads[i] = change(p)
		}
	})
}
