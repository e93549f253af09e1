package refloop

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func statusError(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return &failure{
		err:   fmt.Errorf("the provider answered %s: %s", resp.Status, errorText(body)),
		again: mayPass(resp, body),
		after: retryAfter(resp.Header),
		code:  errorCode(body),
	}
}

// mayPass reports whether the same request may succeed later. A provider that says so itself is believed; an empty
// account or a request beyond the limit is no rate limit, although it has the same status.
func mayPass(resp *http.Response, body []byte) bool {
	switch resp.Header.Get("X-Should-Retry") {
	case "true":
		return true
	case "false":
		return false
	}
	for _, hopeless := range []string{`"insufficient_quota"`, "Request too large"} {
		if strings.Contains(string(body), hopeless) {
			return false
		}
	}
	return slices.Contains([]int{408, 409, 429}, resp.StatusCode) || resp.StatusCode >= 500
}

// errorText finds the message in the various envelopes of providers, or returns the body as it is.
func errorText(body []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var e struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  string          `json:"detail"`
	}
	if json.Unmarshal(body, &e) != nil {
		return string(body)
	}
	var nested struct {
		Message  string `json:"message"`
		Metadata struct {
			Raw string `json:"raw"` // what the provider behind a router said
		} `json:"metadata"`
	}
	var text string
	switch {
	case json.Unmarshal(e.Error, &nested) == nil && nested.Message != "":
		return strings.TrimSpace(nested.Message + " " + nested.Metadata.Raw)
	case json.Unmarshal(e.Error, &text) == nil && text != "":
		return text
	case e.Message != "":
		return e.Message
	case e.Detail != "":
		return e.Detail
	default:
		return string(body)
	}
}

// retryAfter reads how long to wait: in milliseconds, in seconds, or until a date. What is no time is no wish.
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
