// Package report is the result of judging a loop: the document that is written as report.json, and everything that is
// rendered from it. The document is a contract, version 1. It stands alone: it describes each rule that it names, so that it
// is rendered in the same way by a version of Loopproof that has other rules.
//
//	r, err := suite.Play(ctx, config)
//	...
//	report.Console{}.Write(os.Stdout, r) // for people
//	r.WriteDir("loopproof-report")       // for machines: report.json, junit.xml and more
package report

import (
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Schema names the version of the document.
const Schema = "loopproof.report/1"

// Report says what a loop was judged by and what came out.
type Report struct {
	Schema     string    `json:"schema"`  // which document this is, and its version
	Version    string    `json:"version"` // of Loopproof
	Seed       uint64    `json:"seed"`    // from which all that is random was drawn
	Started    time.Time `json:"started"` // when the first case was played
	DurationMS int64     `json:"duration_ms"`
	Loop       Loop      `json:"loop"`              // that was judged
	Result     Result    `json:"result"`            // the whole in one word; partial: nothing was broken, but not everything was judged
	Strict     bool      `json:"strict,omitempty"`  // a broken should counted like a broken must
	Stopped    string    `json:"stopped,omitempty"` // why not all cases were played
	Notes      []string  `json:"notes,omitempty"`   // what the authors of the loop should know beside the verdicts
	Shard      *Shard    `json:"shard,omitempty"`   // of which part of a run this is the report

	// Requests says that each case is a single request to a mock provider. Nothing was drawn, so there is no seed, and a
	// whole loop was not judged, so the result is never conformant.
	Requests bool `json:"requests,omitempty"`

	// Replayed is how many cases ran out of time, and were played again alone. Only that time counts.
	Replayed int `json:"replayed,omitempty"`

	Claims Claims `json:"claims"` // what the loop says that it can do
	Rules  []Rule `json:"rules"`  // what each rule says about all cases
	Cases  []Case `json:"cases"`  // what each case brought

	// TracesLeftOut is how many broken cases lack their exchange, so that the report does not become too large.
	TracesLeftOut int `json:"traces_left_out,omitempty"`
}

// Loop says which loop was judged.
type Loop struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
}

// Result is the whole in one word.
type Result string

// The results. Partial: nothing was broken, but not everything was judged.
const (
	Conformant    Result = "conformant"
	Partial       Result = "partial"
	NotConformant Result = "not-conformant"
)

// Claims says what the loop claims to do, and what not.
type Claims struct {
	Dialects  []string           `json:"dialects"`
	Features  []protocol.Feature `json:"features"`          // by which it is judged
	Unclaimed []protocol.Feature `json:"unclaimed"`         // by which it is not
	Designs   []protocol.Design  `json:"designs,omitempty"` // what it does otherwise than most
}

// Rule is what one rule says about all cases.
type Rule struct {
	ID      string        `json:"id"`
	Level   trace.Level   `json:"level"`   // the highest one that the rule has in the cases that were judged
	Verdict trace.Verdict `json:"verdict"` // untested: no case gave evidence; unclaimed: it is about a feature that the loop does not claim
	Cases   int           `json:"cases"`   // in which it was judged
	Failed  int           `json:"failed"`  // in which it failed

	// Follows is in how many of the cases in which it failed the breach only follows from one of another rule, as its
	// findings say. A rule that failed in no other case is not counted as broken.
	Follows int `json:"follows,omitempty"`

	Description
}

// Description says what a rule demands and where it comes from.
type Description struct {
	Text     string             `json:"text"`            // the rule in one sentence
	Why      string             `json:"why"`             // what goes wrong otherwise
	Evidence string             `json:"evidence"`        // what must have happened for the rule to be judged at all
	Needs    []protocol.Feature `json:"needs,omitempty"` // features without which a loop is not judged by the rule
	Sources  []Source           `json:"sources"`         // where the rule comes from
}

// Source is where a rule comes from.
type Source struct {
	URL  string `json:"url"`
	Says string `json:"says,omitempty"` // what stands there, in a few words
}

// String returns the address, and what stands there.
func (s Source) String() string {
	if s.Says == "" {
		return s.URL
	}
	return s.URL + " (" + s.Says + ")"
}

// Source returns where the rule comes from first of all.
func (d Description) Source() Source {
	if len(d.Sources) == 0 {
		return Source{}
	}
	return d.Sources[0]
}

// Area returns the first part of the rule's id, which also names the scenarios that were written for it.
func (r Rule) Area() string { return area(r.ID) }

// OwnCases returns in how many cases a rule is broken by itself.
func (r Rule) OwnCases() int { return r.Failed - r.Follows }

// Own reports whether a rule is broken by itself, and not only as a consequence.
func (r Rule) Own() bool { return r.Verdict == trace.Failed && r.OwnCases() > 0 }

// OnlyFollows reports whether a rule is broken only as a consequence of others.
func (r Rule) OnlyFollows() bool { return r.Verdict == trace.Failed && !r.Own() }

// Case is what one case brought.
type Case struct {
	ID             string                   `json:"id"`       // SCENARIO@DIALECT/PROFILE/DELIVERY
	Scenario       string                   `json:"scenario"` // the conversation that was played
	Dialect        string                   `json:"dialect"`  // the wire API
	Profile        string                   `json:"profile"`  // the provider
	Delivery       string                   `json:"delivery"` // how the bytes of answers reached the loop
	DurationMS     int64                    `json:"duration_ms"`
	Verdicts       map[string]trace.Verdict `json:"verdicts"`                  // by the ids of rules
	Findings       []Finding                `json:"findings"`                  // what is broken, and where
	ProviderAnswer *Answer                  `json:"provider_answer,omitempty"` // to the first request that it refuses, for whatever breach
	Reproduce      string                   `json:"reproduce,omitempty"`       // where a rule is broken

	// Trace is the whole exchange of a case in which a must or a should is broken.
	Trace *Trace `json:"trace,omitempty"`
}

// Of returns which case it is.
func (c *Case) Of() trace.Case {
	return trace.Case{Scenario: c.Scenario, Dialect: c.Dialect, Profile: c.Profile, Delivery: wire.Delivery(c.Delivery)}
}

// Finding is a rule broken at a place in a case, with what shows it.
type Finding struct {
	trace.Finding

	// Answered says what the loop was answered before, in a sentence. Only the first finding of a rule in a case has it,
	// and the same goes for the rest.
	Answered string `json:"answered,omitempty"`

	// Exhibit is the part of the request that the finding is about, byte for byte unless it is long.
	Exhibit string `json:"exhibit,omitempty"`

	// Sent are the bytes of the streamed answer that was handled wrongly, in short, with ¦ where a write ends. Findings
	// about how an answer is read have it. The whole is in the trace.
	Sent string `json:"sent,omitempty"`

	// ProviderAnswer is what the real provider says to this breach. It is nil where the provider takes it.
	ProviderAnswer *Answer `json:"provider_answer,omitempty"`
}

// Answer is how the real provider refuses a request.
type Answer struct {
	Provider string `json:"provider,omitempty"` // its title
	Status   int    `json:"status"`
	Message  string `json:"message"`
	Rule     string `json:"rule,omitempty"`    // for whose breach
	Request  int    `json:"request,omitempty"` // number of the refused request
}

// Broken returns the rules that failed at a level, those that failed most often first. What only follows from them is in
// [Report.Following].
func (r *Report) Broken(level trace.Level) []Rule {
	var broken []Rule
	for _, rule := range r.Rules {
		if rule.Own() && rule.Level == level {
			broken = append(broken, rule)
		}
	}
	slices.SortStableFunc(broken, func(a, b Rule) int { return b.Failed - a.Failed })
	return broken
}

// With returns the rules of a verdict.
func (r *Report) With(v trace.Verdict) []Rule {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(rule Rule) bool { return rule.Verdict != v })
}

// Finding returns the first finding of a rule, with its case, or nil.
func (r *Report) Finding(rule string) (*Case, *Finding) {
	for i := range r.Cases {
		for k := range r.Cases[i].Findings {
			if r.Cases[i].Findings[k].Rule == rule {
				return &r.Cases[i], &r.Cases[i].Findings[k]
			}
		}
	}
	return nil, nil
}

// LevelOf returns the level at which a case broke a rule, or "" when it did not.
func (c *Case) LevelOf(rule string) trace.Level {
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
