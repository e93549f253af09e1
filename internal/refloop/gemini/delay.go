package gemini

import (
	"encoding/json"
	"strings"
	"time"
)

// Delay reads the details of an error: a RetryInfo, or a QuotaFailure about the quota of a day,
// which no delay brings back. https://google.aip.dev/193,
// https://ai.google.dev/gemini-api/docs/rate-limits
func (Dialect) Delay(body []byte) (wait time.Duration, hopeless bool) {
	var e struct {
		Error struct {
			Details []struct {
				Type   string `json:"@type"`
				Delay  string `json:"retryDelay"`
				Quotas []struct {
					ID string `json:"quotaId"`
				} `json:"violations"`
			} `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &e) != nil {
		return 0, false
	}
	for _, d := range e.Error.Details {
		for _, q := range d.Quotas {
			if strings.Contains(q.ID, "PerDay") {
				return 0, true
			}
		}
	}
	for _, d := range e.Error.Details {
		if delay, err := time.ParseDuration(d.Delay); err == nil && d.Type == "type.googleapis.com/google.rpc.RetryInfo" {
			return delay, false
		}
	}
	return 0, false
}
