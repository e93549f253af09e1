package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/loopproof/loopproof/lab/agreement"
)

// compare prints how the profiles agree with the answers. A false refusal is an error.
func (o *options) compare(results []*agreement.Result) error {
	var tables []*agreement.Table
	refusals := 0
	for _, r := range results {
		t, err := agreement.Compare(r)
		if err != nil {
			return err
		}
		tables = append(tables, t)
		refusals += t.Count(agreement.FalseRefusal)
	}
	if err := o.print(tables); err != nil {
		return err
	}
	if refusals > 0 {
		return fmt.Errorf("the mock provider refuses %d requests that the real code takes", refusals)
	}
	return nil
}

func (o *options) print(tables []*agreement.Table) error {
	if o.json {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(summaries(tables))
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PROFILE\tCODE\tREQUESTS\tREFUSED\tSO DO WE\tOTHER STATUS\tNOT REFUSED\tFALSE REFUSALS")
	for _, t := range tables {
		refused, same := t.Refused()
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", t.Profile, t.Code, len(t.Rows), refused, same,
			t.Count(agreement.OtherStatus), t.Count(agreement.NotRefused), t.Count(agreement.FalseRefusal))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if o.rows {
		for _, t := range tables {
			printRows(t)
		}
	}
	return nil
}

// printRows prints what real code and mock say where they disagree about more than words.
func printRows(t *agreement.Table) {
	fmt.Printf("\n%s\n", t.Profile)
	for _, row := range t.Rows {
		if row.Verdict == agreement.BothTake || row.Verdict == agreement.BothRefuse {
			continue
		}
		fmt.Printf("  %s: %s\n", row.Body.ID, row.Verdict)
		printReply("real", row.Real.Reply)
		printReply("mock", row.Ours)
		fmt.Printf("    request: %s\n", row.Body.Body)
	}
}

func printReply(who string, r agreement.Reply) {
	if r.Refused() {
		fmt.Printf("    %s: %d %s\n", who, r.Status, strings.TrimSpace(string(r.Error)))
	}
}

// summary is a comparison for other programs.
type summary struct {
	Profile       string         `json:"profile"`
	Code          string         `json:"code"`
	Requests      int            `json:"requests"`
	Verdicts      map[string]int `json:"verdicts"`
	Disagreements []disagreement `json:"disagreements"`
}

type disagreement struct {
	Body    string          `json:"body"`
	Verdict string          `json:"verdict"`
	Request json.RawMessage `json:"request"`
	Real    agreement.Reply `json:"real"`
	Mock    agreement.Reply `json:"mock"`
}

func summaries(tables []*agreement.Table) []summary {
	all := []summary{}
	for _, t := range tables {
		s := summary{Profile: t.Profile, Code: t.Code, Requests: len(t.Rows), Verdicts: map[string]int{}, Disagreements: []disagreement{}}
		for _, row := range t.Rows {
			s.Verdicts[string(row.Verdict)]++
			if row.Verdict != agreement.BothTake && row.Verdict != agreement.BothRefuse {
				s.Disagreements = append(s.Disagreements, disagreement{row.Body.ID, string(row.Verdict), row.Body.Body, row.Real.Reply, row.Ours})
			}
		}
		all = append(all, s)
	}
	return all
}
