package mockprovider

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/console"
	"github.com/loopproof/loopproof/internal/trace"
)

// control adds the paths by which the server itself is asked.
func (p *Provider) control(r *mux.Router, prefix string) {
	r.HandleFunc(prefix+"/healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]string{"status": "ok"})
	}).Methods(http.MethodGet)
	r.HandleFunc(prefix+"/journal", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, p.journalJSON())
	}).Methods(http.MethodGet)
	r.HandleFunc(prefix+"/reset", func(w http.ResponseWriter, _ *http.Request) {
		shown{p}.ResetRun(DefaultRun)
		writeJSON(w, map[string]string{"status": "ok"})
	}).Methods(http.MethodPost)
	console.Mount(r, prefix, shown{p})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", jsonType)
	json.NewEncoder(w).Encode(v)
}

// journalLine is an entry of the journal as it is shown. Headers are never kept, and so no key can be shown.
type journalLine struct {
	Number   int             `json:"number"`
	Stray    bool            `json:"stray,omitempty"`
	Scenario string          `json:"scenario,omitempty"`
	Turn     *int            `json:"turn,omitempty"`
	Overrun  bool            `json:"overrun,omitempty"`
	Problem  string          `json:"problem,omitempty"`
	Refusal  *trace.Refusal  `json:"refusal,omitempty"`
	Findings []trace.Finding `json:"findings"`
	Request  json.RawMessage `json:"request,omitempty"`
}

func (p *Provider) journalJSON() any {
	lines := []journalLine{}
	for _, e := range p.journal.Entries() {
		x := e.Exchange
		line := journalLine{Number: e.Number, Stray: e.Stray, Scenario: e.Scenario, Overrun: x.Overrun, Problem: x.Problem, Refusal: x.Refusal, Findings: e.Findings}
		if x.Turn != nil {
			line.Turn = &x.Turn.Number
		}
		if x.Request != nil {
			line.Request = json.RawMessage(e.Body())
		}
		if line.Findings == nil {
			line.Findings = []trace.Finding{}
		}
		lines = append(lines, line)
	}
	return map[string]any{"count": p.journal.Count(), "requests": lines}
}
