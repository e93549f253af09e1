package trace

import (
	"time"

	"github.com/loopproof/loopproof/report"
)

// Summary describes a request and its answer for use outside of the process: the API, the journal
// file, the log, the pages and the traces of a report use it, and some add headers, messages or
// bytes. It is flat, with more than twenty fields, so that its JSON is easy to filter with jq and
// in log viewers.
type Summary struct {
	Run        string           `json:"run"`
	Number     int              `json:"number"`
	At         time.Time        `json:"at"`
	Method     string           `json:"method"`
	Target     string           `json:"target"`
	API        string           `json:"api,omitempty"` // what is asked for besides turns
	Outcome    string           `json:"outcome"`
	Unrouted   bool             `json:"unrouted"`
	Forwarded  bool             `json:"forwarded"`
	Scenario   string           `json:"scenario"`
	Turn       *int             `json:"turn"` // of the script, from 0, or nil if there is none
	Overrun    bool             `json:"overrun"`
	Fault      string           `json:"fault,omitempty"`
	Dialect    string           `json:"dialect"`
	Profile    string           `json:"profile"`
	Model      string           `json:"model"`
	Stream     bool             `json:"stream"`
	Problem    string           `json:"problem"`
	Done       bool             `json:"done"`
	Forgotten  bool             `json:"forgotten"`
	DurationMS float64          `json:"duration_ms"` // 0 until the answer has ended
	Refusal    *Refusal         `json:"refusal"`
	Findings   []report.Finding `json:"findings"`
}
