package geminirules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/retry"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// geminiRetries are the rules of the area retry in the dialect gemini.
var geminiRetries = []rules.Rule{
	{
		ID:       "retry/retry-info-honoured",
		Level:    trace.Should,
		Text:     "A retry with the same model does not come before the retryDelay that is in the details of the error.",
		Why:      "Google sends it nowhere else: a loop that reads only headers retries too early, and uses up its attempts.",
		Needs:    []protocol.Feature{protocol.Retries},
		Evidence: "a request after an error with a RetryInfo in its details",
		Sources: []rules.Source{
			{URL: "https://google.aip.dev/194", Says: "when and how long to wait before a request is sent again"},
			{URL: "https://github.com/vercel/ai/issues/18627", Says: "Gemini answers 429 without Retry-After; the delay is in error.details"},
			{URL: "https://github.com/google-gemini/gemini-cli/pull/9119", Says: "RetryInfo should be handled like the header"},
			{URL: "https://github.com/dcdpr/jp/pull/1061", Says: "the delay has fractions of a second, and was not understood"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return retry.Waited(r, scenarios.WaitDetails) },
	},
}
