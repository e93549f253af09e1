package refloop

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

func statusError(a *neutral.Answer) error {
	wait, hopeless := a.Dialect.Delay(a.Body)
	return &failure{
		err:     fmt.Errorf("the provider answered %s: %s", strings.TrimSpace(fmt.Sprint(a.Status, " ", http.StatusText(a.Status))), neutral.ErrorText(a.Body)),
		again:   mayPass(a.Status, a.Header, a.Body) && !hopeless,
		after:   max(retryAfter(a.Header), wait),
		tooLong: a.Status == http.StatusBadRequest && saysTooLong().Match(a.Body),
		lost:    a.Dialect.Lost(a.Dialect.ErrorCode(a.Body)),
	}
}

// mayPass reports whether the same request may succeed later. A provider that says so itself is
// believed; an empty account or a request beyond the limit is no rate limit, although it has the
// same status.
func mayPass(status int, header http.Header, body []byte) bool {
	switch header.Get("X-Should-Retry") {
	case "true":
		return true
	case "false":
		return false
	}
	if strings.Contains(string(body), `"websocket_connection_limit_reached"`) {
		return true
	}
	for _, hopeless := range []string{`"insufficient_quota"`, "Request too large"} {
		if strings.Contains(string(body), hopeless) {
			return false
		}
	}
	return slices.Contains([]int{408, 409, 429}, status) || status >= 500
}

// retryAfter reads how long to wait: in milliseconds, in seconds, or until a date. What is no time
// is no wish.
func retryAfter(h http.Header) time.Duration {
	if wait, ok := amount(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	value := h.Get("Retry-After")
	if wait, ok := amount(value, time.Second); ok {
		return wait
	}
	if date, err := http.ParseTime(value); err == nil {
		return time.Until(date)
	}
	return 0
}

func amount(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	return time.Duration(min(n*float64(unit), math.MaxInt64/2)), true
}
