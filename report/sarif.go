package report

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// WriteSARIF writes the broken rules as SARIF 2.1.0, for code scanning: a rule for each that is
// broken, with what it requires and its sources, and a result for each case that breaks it. A loop
// has no files that are known, so a result is at the case, as a logical location, and at the file of
// the scenario, which code scanning asks for; the request and the JSON pointer are properties. Violations that follow from others are left out.
func (r *Report) WriteSARIF(w io.Writer) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "Loopproof", Version: r.Version, InformationURI: "https://github.com/loopproof/loopproof", Rules: []sarifRule{}}
	run.AutomationDetails.ID = "loopproof/" + r.Loop.Name
	run.Invocations = []sarifInvocation{{ExecutionSuccessful: r.Stopped == ""}}
	index := map[string]int{}
	for _, rule := range r.Rules {
		if !rule.own() {
			continue
		}
		index[rule.ID] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule.sarif())
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range c.BrokenRules() {
			at, listed := index[id]
			if listed && c.Because(id) == "" {
				run.Results = append(run.Results, c.sarif(r.Loop.Name, c.first(id), at))
			}
		}
	}
	return writeIndented(w, struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	AutomationDetails struct {
		ID string `json:"id"`
	} `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool `json:"executionSuccessful"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	ShortDescription sarifText      `json:"shortDescription"`
	FullDescription  *sarifText     `json:"fullDescription,omitempty"`
	HelpURI          string         `json:"helpUri,omitempty"`
	Default          sarifLevel     `json:"defaultConfiguration"`
	Properties       map[string]any `json:"properties"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   map[string]any    `json:"properties"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI    string `json:"uri"`
			BaseID string `json:"uriBaseId"`
		} `json:"artifactLocation"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations"`
}

type sarifLogical struct {
	Name               string `json:"name"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

// sarifWord is the level of SARIF.
func sarifWord(l Level) string {
	switch l {
	case Must:
		return "error"
	case Should:
		return "warning"
	}
	return "note"
}

func (r Rule) sarif() sarifRule {
	s := sarifRule{ID: r.ID, ShortDescription: sarifText{r.Text}, Default: sarifLevel{sarifWord(r.Level)}, Properties: map[string]any{"tags": []string{r.Area(), string(r.Level)}}}
	if r.Why != "" {
		s.FullDescription = &sarifText{r.Text + " " + r.Why}
	}
	if len(r.Sources) > 0 {
		s.HelpURI = r.Sources[0].URL
	}
	return s
}

// text returns the finding in one line.
func (f *Finding) text() string {
	text := f.Message
	for _, part := range [][2]string{{"expected", f.Expected}, {"actual", f.Actual}} {
		if part[1] != "" {
			text += "; " + part[0] + " " + part[1]
		}
	}
	return text
}

func (c *Case) sarif(loop string, f *Finding, rule int) sarifResult {
	s := sarifResult{RuleID: f.Rule, RuleIndex: rule, Level: sarifWord(f.Level), Message: sarifText{f.text()}, Properties: map[string]any{"case": c.ID}}
	at := sarifLocation{Logical: []sarifLogical{{Name: c.ID, FullyQualifiedName: strings.TrimPrefix(loop+"/", "/") + c.ID, Kind: "function"}}}
	at.Physical.Artifact.URI, at.Physical.Artifact.BaseID = "scenarios/"+c.Scenario+".yaml", "LOOPPROOF"
	s.Locations = []sarifLocation{at}
	s.Fingerprints = map[string]string{"loopproof/v1": f.Rule + " in " + c.ID}
	for key, value := range map[string]string{"pointer": f.Pointer, "reproduce": c.Reproduce, "reported": f.Reported} {
		if value != "" {
			s.Properties[key] = value
		}
	}
	if f.Request > 0 {
		s.Properties["request"] = f.Request
	}
	return s
}

// WriteCTRF writes the report in the Common Test Report Format, https://ctrf.io: a test for each
// case, which fails when the loop breaks a must in it, or in a strict report a should.
func (r *Report) WriteCTRF(w io.Writer) error {
	start := max(r.Started.UnixMilli(), 0)
	d := ctrf{ReportFormat: "CTRF", SpecVersion: "0.0.0", GeneratedBy: "Loopproof " + r.Version}
	d.Results.Tool.Name, d.Results.Tool.Version = "Loopproof", r.Version
	d.Results.Tests = []ctrfTest{}
	d.Results.Summary = ctrfSummary{Start: start, Stop: start + r.DurationMS}
	for i := range r.Cases {
		test := r.ctrfTest(&r.Cases[i])
		d.Results.Tests = append(d.Results.Tests, test)
		d.Results.Summary.count(test.Status)
	}
	for _, rule := range r.With(Untested) {
		test := ctrfTest{Name: rule.ID, Status: "skipped", Message: "untested: needs " + rule.Evidence, Suite: []string{"rules"}, RawStatus: string(Untested)}
		if r.fatal(rule.Level) && len(r.Cases) > 0 {
			test.Status = "failed"
		}
		d.Results.Tests = append(d.Results.Tests, test)
		d.Results.Summary.count(test.Status)
	}
	if r.Stopped != "" {
		d.Results.Tests = append(d.Results.Tests, ctrfTest{Name: "all cases are played", Status: "other", Message: r.Stopped, RawStatus: "stopped"})
		d.Results.Summary.count("other")
	}
	return writeIndented(w, d)
}

func (r *Report) ctrfTest(c *Case) ctrfTest {
	test := ctrfTest{Name: c.ID, Status: "passed", Duration: c.DurationMS, Suite: []string{c.Scenario}, RawStatus: string(Passed)}
	var failed []string
	for _, rule := range c.BrokenRules() {
		if c.Because(rule) == "" {
			test.Tags = append(test.Tags, rule)
		}
		if c.Because(rule) == "" && r.fatal(c.LevelOf(rule)) {
			failed = append(failed, c.Brief(rule))
		}
	}
	slices.Sort(test.Tags)
	if len(failed) > 0 {
		test.Status, test.RawStatus, test.Message = "failed", string(Failed), failed[0]
		test.Trace = strings.Join(failed, "\n")
		test.Extra = map[string]any{"reproduce": c.Reproduce}
	}
	return test
}

type ctrf struct {
	ReportFormat string `json:"reportFormat"`
	SpecVersion  string `json:"specVersion"`
	GeneratedBy  string `json:"generatedBy"`
	Results      struct {
		Tool struct {
			Name    string `json:"name"`
			Version string `json:"version,omitempty"`
		} `json:"tool"`
		Summary ctrfSummary `json:"summary"`
		Tests   []ctrfTest  `json:"tests"`
	} `json:"results"`
}

type ctrfSummary struct {
	Tests   int   `json:"tests"`
	Passed  int   `json:"passed"`
	Failed  int   `json:"failed"`
	Pending int   `json:"pending"`
	Skipped int   `json:"skipped"`
	Other   int   `json:"other"`
	Start   int64 `json:"start"`
	Stop    int64 `json:"stop"`
}

func (s *ctrfSummary) count(status string) {
	s.Tests++
	switch status {
	case "passed":
		s.Passed++
	case "failed":
		s.Failed++
	case "skipped":
		s.Skipped++
	default:
		s.Other++
	}
}

type ctrfTest struct {
	Name      string         `json:"name"`
	Status    string         `json:"status"`
	Duration  int64          `json:"duration"`
	Message   string         `json:"message,omitempty"`
	Trace     string         `json:"trace,omitempty"`
	RawStatus string         `json:"rawStatus,omitempty"`
	Suite     []string       `json:"suite,omitempty"`
	Tags      []string       `json:"tags,omitempty"`
	Extra     map[string]any `json:"extra,omitempty"`
}

func writeIndented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(v)
}
