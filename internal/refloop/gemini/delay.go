package gemini

import (
	"encoding/json"
	"strings"
	"time"
)

// untilTomorrow is when a quota of a day may be there again.
const untilTomorrow = 24 * time.Hour

// Delay reads the details of an error: a RetryInfo, or a QuotaFailure about the quota of a day, behind which the delay of a
// RetryInfo means nothing. https://google.aip.dev/193, https://ai.google.dev/gemini-api/docs/rate-limits
func (Dialect) Delay(body []byte) time.Duration {
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
		return 0
	}
	for _, d := range e.Error.Details {
		for _, q := range d.Quotas {
			if strings.Contains(q.ID, "PerDay") {
				return untilTomorrow
			}
		}
	}
	for _, d := range e.Error.Details {
		if delay, err := time.ParseDuration(d.Delay); err == nil && d.Type == "type.googleapis.com/google.rpc.RetryInfo" {
			return delay
		}
	}
	return 0
}
