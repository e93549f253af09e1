// Package report is the result of judging a loop: the document that is written as report.json, and
// everything that is rendered from it. The document is a contract, version 1. It is self-contained:
// it describes each rule that it names, so that versions of Loopproof with other rules render it in
// the same way.
//
//	r, err := suite.Play(ctx, config) // or report.Read(file)
//	if err != nil {
//		return err
//	}
//	for _, rule := range r.Broken(report.Must) {
//		c, finding := r.Example(rule.ID)
//		fmt.Println(rule.ID, "in", c.ID, "-", finding.Message)
//	}
//	report.Console{}.Write(os.Stdout, r)  // for people
//	return r.WriteDir("loopproof-report") // for machines: report.json, junit.xml and more
package report

import (
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/protocol"
)

// Schema names the version of the document.
const Schema = "loopproof.report/1"

// Report is the result of judging a loop.
type Report struct {
	Schema  string `json:"schema"`  // name and version of the document format
	Version string `json:"version"` // version of Loopproof

	// Rulebook is a fingerprint of the rules, scenarios and profiles: reports with the same one
	// were judged by the same.
	Rulebook string `json:"rulebook,omitempty"`

	// RulebookNumber is the number of the rulebook, such as 2026.12: its rules and levels do not
	// change, so that results under one number compare.
	RulebookNumber string `json:"rulebook_number,omitempty"`

	Seed       uint64    `json:"seed"`        // the random seed
	Started    time.Time `json:"started"`     // when the first case was played
	DurationMS int64     `json:"duration_ms"` // how long the run took, in milliseconds
	Loop       Loop      `json:"loop"`        // the loop that was judged

	// Result is the overall result. Partial: no rule was broken, but not everything was judged.
	Result Result `json:"result"`

	Strict  bool     `json:"strict,omitempty"`  // a broken should counts like a broken must
	Stopped string   `json:"stopped,omitempty"` // why some cases were not played
	Notes   []string `json:"notes,omitempty"`   // remarks for the authors of the loop
	Shard   *Shard   `json:"shard,omitempty"`   // the part of a run that this report covers

	// Requests says that each case is a single request to a mock provider. There is no seed, and
	// the result is never conformant, because no whole loop was judged.
	Requests bool `json:"requests,omitempty"`

	// Filtered says that the selection of cases or rules left out something that the loop claims.
	Filtered bool `json:"filtered,omitempty"`

	// OnlyLevels are the levels of conformance to which the run was limited, if nothing else was
	// left out: their results are those of a whole run.
	OnlyLevels []string `json:"only_levels,omitempty"`

	// Levels are the results of the levels of conformance in each wire API. A level of which
	// nothing was judged is not among them, and there are none where anything else was left out.
	Levels []LevelResult `json:"levels,omitempty"`

	// Replayed are the ids of the cases that timed out, or in which the loop missed a cancel, and
	// that were played again alone. Only the second result counts.
	Replayed []string `json:"replayed,omitempty"`

	// Cache says how much of its prompts the loop sent in a form that a provider's prompt cache
	// does not know again. nil: no case has a second request.
	Cache *Cache `json:"cache,omitempty"`

	Claims Claims `json:"claims"` // what the loop claims to do
	Rules  []Rule `json:"rules"`  // the result of each rule over all cases
	Cases  []Case `json:"cases"`  // the result of each case

	// CasesLeftOut counts the cases that were left out to keep a stored report small.
	CasesLeftOut int `json:"cases_left_out,omitempty"`

	// TracesLeftOut counts the broken cases whose trace was left out to keep the report small.
	TracesLeftOut int `json:"traces_left_out,omitempty"`
}

// Loop identifies the loop that was judged.
type Loop struct {
	Name     string `json:"name"`     // its name, as it gave it
	Version  string `json:"version"`  // its version, or "" if it gave none
	Language string `json:"language"` // the language in which it is written
}

// Result is the overall result.
type Result string

// The results. Partial: no rule was broken, but not everything was judged.
const (
	Conformant    Result = "conformant"
	Partial       Result = "partial"
	NotConformant Result = "not-conformant"
)

// Claims lists what the loop claims to do and what it does not claim.
type Claims struct {
	Dialects  []string           `json:"dialects"`          // the wire APIs that it speaks
	Features  []protocol.Feature `json:"features"`          // features by which it is judged
	Unclaimed []protocol.Feature `json:"unclaimed"`         // features by which it is not judged
	Designs   []protocol.Design  `json:"designs,omitempty"` // in which ways it differs from most loops

	Profiles   []string `json:"profiles,omitempty"`   // patterns of the profiles that it claims; none means all
	Deliveries []string `json:"deliveries,omitempty"` // patterns of the deliveries that it claims; none means all

	// EachOnce says that each scenario was played once, under one profile and in one delivery, as
	// agents are.
	EachOnce bool `json:"each_once,omitempty"`
}

// Rule is the result of one rule over all cases.
type Rule struct {
	ID    string `json:"id"`    // AREA/NAME
	Level Level  `json:"level"` // the highest level of the rule in the cases that were judged

	// Verdict is that over all cases. Untested: no case gave evidence; unclaimed: the rule is about
	// a feature that the loop does not claim.
	Verdict Verdict `json:"verdict"`

	Cases  int `json:"cases"`  // number of cases in which it was judged
	Failed int `json:"failed"` // number of cases in which it failed

	// Follows counts the failed cases in which the violation is only a consequence of another
	// rule's, as its findings say. A rule that failed in no other case is not counted as broken.
	Follows int `json:"follows,omitempty"`

	// Standing says why violations are only noted, whatever the rule: provisional, since it is newer
	// than the number of the rulebook, or disputed.
	Standing string `json:"standing,omitempty"`

	Description
}

// Description says what a rule requires, and its sources.
type Description struct {
	Text     string             `json:"text"`            // the rule in one sentence
	Why      string             `json:"why"`             // what goes wrong otherwise
	Evidence string             `json:"evidence"`        // what must have happened for the rule to be judged at all
	Needs    []protocol.Feature `json:"needs,omitempty"` // features that a loop must claim to be judged by the rule
	Sources  []Source           `json:"sources"`         // where the rule comes from
}

// Source is where a rule comes from.
type Source struct {
	URL  string `json:"url"`            // its address
	Says string `json:"says,omitempty"` // what the source says, in a few words

	// Dialects are the wire APIs whose documentation it is. None means that it is no documentation
	// of a wire API, such as the report of a bug, and is shown for every one.
	Dialects []string `json:"dialects,omitempty"`
}

// String returns the address, and what the source says.
func (s Source) String() string {
	if s.Says == "" {
		return s.URL
	}
	return s.URL + " (" + s.Says + ")"
}

// sourcesFor returns the sources of the rule that concern a wire API: first its own documentation,
// then those that are about none, and the documentation of others only where there is nothing else.
func (d Description) sourcesFor(dialect string) []Source {
	var own, general []Source
	for _, s := range d.Sources {
		switch {
		case slices.Contains(s.Dialects, dialect):
			own = append(own, s)
		case len(s.Dialects) == 0:
			general = append(general, s)
		}
	}
	if all := append(own, general...); len(all) > 0 {
		return all
	}
	return d.Sources
}

// Area returns the first part of the rule's id, which also names the scenarios that were written
// for it.
func (r Rule) Area() string { return conformance.Area(r.ID) }

// OwnCases returns the number of cases in which a rule is broken by itself.
func (r Rule) OwnCases() int { return r.Failed - r.Follows }

// own reports whether a rule is broken by itself, and not only as a consequence.
func (r Rule) own() bool { return r.Verdict == Failed && r.OwnCases() > 0 }

// onlyFollows reports whether a rule is broken only as a consequence of others.
func (r Rule) onlyFollows() bool { return r.Verdict == Failed && !r.own() }

// Case is the result of one case.
type Case struct {
	ID         string             `json:"id"`          // SCENARIO@DIALECT/PROFILE/DELIVERY
	Scenario   string             `json:"scenario"`    // id of the scenario
	Dialect    string             `json:"dialect"`     // the wire API
	Profile    string             `json:"profile"`     // the provider
	Delivery   string             `json:"delivery"`    // how the bytes of answers were delivered
	DurationMS int64              `json:"duration_ms"` // how long it was played, in milliseconds
	Verdicts   map[string]Verdict `json:"verdicts"`    // by rule id
	Findings   []Finding          `json:"findings"`    // each violation and its place

	// ProviderAnswer is the real provider's answer to the first request that it refuses, whatever
	// the violation.
	ProviderAnswer *Answer `json:"provider_answer,omitempty"`

	// Reproduce is the command that plays this case again; set where a rule is broken.
	Reproduce string `json:"reproduce,omitempty"`

	// Trace is the complete exchange; set where a must or a should is broken, and in each case of a
	// run of few.
	Trace *Trace `json:"trace,omitempty"`
}

// Finding is a violation of a rule in a case, with its evidence.
type Finding struct {
	Rule  string `json:"rule"`  // id of the violated rule
	Level Level  `json:"level"` // of the violation in this case

	// Request is the number of the request, from 1. 0: the finding is not about a single request.
	Request int `json:"request,omitempty"`

	Pointer  string `json:"pointer,omitempty"`  // JSON pointer into that request
	Message  string `json:"message"`            // what is wrong, in a sentence
	Expected string `json:"expected,omitempty"` // what the rule requires
	Actual   string `json:"actual,omitempty"`   // what happened instead

	// Because is the rule whose violation in the same case caused this one. It is empty for a
	// violation of its own.
	Because string `json:"because,omitempty"`

	// Reported is what the loop itself reported when it ended, or said when it crashed, where the
	// violation may follow from that.
	Reported string `json:"reported,omitempty"`

	// Answered says in a sentence which answer the loop got before. Like the following fields, only
	// the first finding of a rule in a case has it.
	Answered string `json:"answered,omitempty"`

	// Exhibit is the part of the request that the finding is about, byte for byte; a long one is
	// shortened.
	Exhibit string `json:"exhibit,omitempty"`

	// Sent shows the answer that was handled wrongly: of a stream the beginning and the end, with ¦
	// at the end of each write. Findings about reading an answer have it, and those about a stream
	// that broke off. The trace has all bytes.
	Sent string `json:"sent,omitempty"`

	// ProviderAnswer is the real provider's answer to this violation. It is nil where the provider
	// accepts it.
	ProviderAnswer *Answer `json:"provider_answer,omitempty"`
}

// Answer is how the real provider refuses a request.
type Answer struct {
	Provider string `json:"provider,omitempty"` // name of the provider
	Status   int    `json:"status"`             // the HTTP status
	Message  string `json:"message"`            // the message of the error
	Rule     string `json:"rule,omitempty"`     // the rule whose violation it refuses
	Request  int    `json:"request,omitempty"`  // number of the refused request
}

// Broken returns the rules that failed at a level ("must", "should" or "info"), those that failed
// most often first. Their consequences, the rules that are broken only because of them, are not
// among them.
func (r *Report) Broken(level Level) []Rule {
	var broken []Rule
	for _, rule := range r.Rules {
		if rule.own() && rule.Level == level {
			broken = append(broken, rule)
		}
	}
	slices.SortStableFunc(broken, func(a, b Rule) int { return b.Failed - a.Failed })
	return broken
}

// With returns the rules that have a verdict: "passed", "failed", "untested" or "unclaimed".
func (r *Report) With(v Verdict) []Rule {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(rule Rule) bool { return rule.Verdict != v })
}

// Example returns the simplest case in which a rule is broken, and its finding with what the
// provider answers to it. It returns nil if no case of the report breaks the rule.
func (r *Report) Example(rule string) (*Case, *Finding) {
	at := slices.IndexFunc(r.Rules, func(known Rule) bool { return known.ID == rule })
	if at < 0 {
		return nil, nil
	}
	e, ok := r.example(r.Rules[at], nil)
	if !ok {
		return nil, nil
	}
	finding := *e.finding
	finding.ProviderAnswer = e.of.refusal(e.finding)
	return e.of, &finding
}

// LevelOf returns the level at which a case broke a rule, or "" when it did not.
func (c *Case) LevelOf(rule string) Level {
	f := c.first(rule)
	if f == nil {
		return ""
	}
	return f.Level
}

// BrokenRules returns the ids of the rules that the case broke, in the order of its findings.
func (c *Case) BrokenRules() []string {
	var ids []string
	for _, f := range c.Findings {
		if !slices.Contains(ids, f.Rule) {
			ids = append(ids, f.Rule)
		}
	}
	return ids
}
