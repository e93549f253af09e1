package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
)

// watcher sees every request to a service and keeps what is wrong with it.
type watcher struct {
	service *service

	mu         sync.Mutex
	count      int
	unreadable int // requests that are no request for a turn at all
	unscripted int // requests that belong to no scenario
	broken     map[string]int
	cases      []report.Case
	told       map[string]bool
}

// What is kept and told of requests, so that a service may run for long.
const (
	maxCases = 10_000
	maxTold  = 200
)

func newWatcher(v *service) *watcher {
	return &watcher{service: v, broken: map[string]int{}, told: map[string]bool{}}
}

// see notes a request.
func (w *watcher) see(e mockprovider.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Stray { // not meant for a model: a probe, or another API
		w.tell(e.Exchange.Problem)
		return
	}
	w.count++
	e.Number = w.count // the journal's own number begins again when it is reset
	if w.count == 1 {
		w.tell("the first request is here")
	}
	x := e.Exchange
	switch {
	case x.Request == nil:
		w.unreadable++
	case x.Problem != "":
		w.unscripted++
	}
	if x.Problem != "" {
		w.tell(fmt.Sprintf("request %d: %s", e.Number, x.Problem))
	}
	if len(e.Findings) == 0 {
		return
	}
	seen := map[string]bool{}
	for _, f := range e.Findings {
		if !seen[f.Rule] {
			w.broken[f.Rule]++
			w.tellRule(e.Number, f)
		}
		seen[f.Rule] = true
	}
	if len(w.cases) < maxCases {
		w.cases = append(w.cases, w.asCase(e))
	}
}

// tellRule tells of a rule when it is broken for the first time.
func (w *watcher) tellRule(number int, f rules.Finding) {
	if w.broken[f.Rule] == 1 {
		w.tell(fmt.Sprintf("request %d breaks %s (%s): %s", number, f.Rule, w.level(f.Rule), f.Message))
	}
}

func (w *watcher) tell(text string) {
	if !w.told[text] && len(w.told) < maxTold {
		w.told[text] = true
		w.service.log("%s", text)
	}
}

func (w *watcher) level(rule string) rules.Level {
	return rules.Lookup(rule).LevelUnder(w.service.profile)
}

// asCase makes a case of the report out of a request.
func (w *watcher) asCase(e mockprovider.Entry) report.Case {
	p := w.service.profile
	c := report.Case{
		ID:       fmt.Sprintf("request %d", e.Number),
		Scenario: e.Scenario, Dialect: p.Dialect, Profile: p.Name, Delivery: "sse",
		Verdicts: map[string]rules.Verdict{},
	}
	if e.Scenario != "" {
		c.ID += " (" + e.Scenario + ")"
	}
	for _, f := range e.Findings {
		f.Request = e.Number
		found := report.Finding{Finding: f}
		if c.Verdicts[f.Rule] == "" {
			found.Exhibit = report.Exhibit(e.Exchange.Request, f)
		}
		c.Verdicts[f.Rule] = rules.Failed
		c.Findings = append(c.Findings, found)
	}
	if r := e.Exchange.Refusal; r != nil {
		c.ProviderAnswer = &report.Answer{Status: r.Status, Message: r.Message, Rule: r.Rule, Request: e.Number}
	}
	return c
}

// report returns what was broken as a report.
func (w *watcher) report() *report.Report {
	r := &report.Report{Schema: report.Schema, Result: report.Partial, Cases: w.cases}
	for _, rule := range rules.Book() {
		if n := w.broken[rule.ID]; n > 0 {
			r.Rules = append(r.Rules, report.Rule{ID: rule.ID, Level: w.level(rule.ID), Verdict: rules.Failed, Cases: w.count, Failed: n})
		}
	}
	return r
}

// verdict tells what was wrong with the requests, and returns how the command ends.
func (w *watcher) verdict() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.service
	if w.count == 0 {
		if v.flags.failOnViolation {
			return errors.New("no request came, so nothing was judged")
		}
		v.log("no request came")
		return nil
	}
	r := w.report()
	if len(r.Rules) > 0 {
		fmt.Fprintln(v.err)
	}
	if err := (report.Console{}).WriteFailures(v.err, r); err != nil {
		return err
	}
	musts := len(r.Broken(rules.Must))
	v.log("%s; broken: %s, %s%s", count(w.count, "request"), count(musts, string(rules.Must)), count(len(r.Broken(rules.Should)), string(rules.Should)), w.strays())
	switch {
	case !v.flags.failOnViolation:
		return nil
	case musts > 0 || w.unreadable > 0:
		return verdict(exitNotConformant)
	case w.unscripted == w.count:
		return errors.New("no request belonged to a scenario, so nothing was played")
	default:
		return nil
	}
}

// strays counts the requests that could not be answered.
func (w *watcher) strays() string {
	text := ""
	if w.unreadable > 0 {
		text += fmt.Sprintf("; not to be read: %d", w.unreadable)
	}
	if w.unscripted > 0 {
		text += fmt.Sprintf("; of no scenario: %d", w.unscripted)
	}
	return text
}
