package gemini

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/wire"
)

// retryDetails says how long to wait as Google does, in no header: https://google.aip.dev/193 and
// google/rpc/error_details.proto. A Duration is seconds with a fraction: 34.4s.
func retryDetails(wait time.Duration) []wire.Fields {
	return []wire.Fields{{
		{Key: "@type", Value: "type.googleapis.com/google.rpc.RetryInfo"},
		{Key: "retryDelay", Value: seconds(wait)},
	}}
}

func seconds(wait time.Duration) string {
	return strconv.FormatFloat(wait.Seconds(), 'f', -1, 64) + "s"
}

// waitNamed is where the words of Google name a wait.
var waitNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`retry in [0-9][0-9.]*s`) })

// waitMessage says another wait in a message. One that says none stays as it is.
func waitMessage(message string, wait time.Duration) string {
	return waitNamed().ReplaceAllString(message, "retry in "+seconds(wait))
}

// foundInReading reports whether an error is one of the parser of the API, as its words show. What
// is wrong with a request that was read is reported without details:
// https://github.com/boldsoftware/sketch/issues/68
func foundInReading(message string) bool {
	return strings.HasPrefix(message, "Invalid JSON payload received. ") || strings.HasPrefix(message, "Invalid value ")
}

// badRequest names all that the parser found, in lines of the message and in the details:
// https://github.com/zed-industries/zed/issues/53919. A name at the top has no field:
// https://github.com/nashsu/llm_wiki/issues/49
func badRequest(problems []wire.Problem) (string, []wire.Fields) {
	var lines []string
	var violations []wire.Fields
	for _, p := range problems {
		var violation wire.Fields
		if p.Place != "" {
			violation = append(violation, wire.Field{Key: "field", Value: p.Place})
		}
		lines = append(lines, p.Message)
		violations = append(violations, append(violation, wire.Field{Key: "description", Value: p.Message}))
	}
	return strings.Join(lines, "\n"), []wire.Fields{{
		{Key: "@type", Value: "type.googleapis.com/google.rpc.BadRequest"},
		{Key: "fieldViolations", Value: violations},
	}}
}
