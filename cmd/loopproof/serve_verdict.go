package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/report"
)

// watcher collects the violations of all requests to a service.
type watcher struct {
	service *service

	mu     sync.Mutex
	count  int
	tally  *journal.Tally  // kept when the journal is reset
	broken map[string]bool // rules
	told   map[string]bool
}

// maxTold is how many messages are logged, so that a long-running service does not fill the disk.
const maxTold = 200

func newWatcher(v *service) *watcher {
	return &watcher{service: v, tally: journal.NewTally(), broken: map[string]bool{}, told: map[string]bool{}}
}

// see adds a request.
func (w *watcher) see(e engine.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Forwarded {
		w.tell(fmt.Sprintf("no script answers %s %s: it is forwarded to %s; further ones are not logged", e.Method, e.Path(), w.service.flags.operations.fallback))
	}
	if e.Unrouted && e.Forwarded {
		return
	}
	if e.Unrouted { // not for a model: a probe, or another API
		w.warn(e.Exchange.Problem)
		return
	}
	if e.API == journal.Models { // it may be a probe
		return
	}
	w.count++
	e.Number = w.count // the journal's own number begins again when it is reset
	if w.count == 1 {
		w.tell("the first request has arrived")
	}
	w.tally.Add(&e)
	if problem := e.Exchange.Problem; problem != "" {
		w.warn(fmt.Sprintf("request %d: %s", e.Number, problem))
	}
	for _, f := range e.Findings {
		if !w.broken[f.Rule] {
			w.broken[f.Rule] = true
			w.warn(fmt.Sprintf("request %d breaks %s (%s): %s", e.Number, f.Rule, f.Level, f.Message))
		}
	}
}

func (w *watcher) tell(text string) { w.once(text, w.service.log) }

func (w *watcher) warn(text string) { w.once(text, w.service.warn) }

func (w *watcher) once(text string, log func(string, ...any)) {
	if !w.told[text] && len(w.told) < maxTold {
		w.told[text] = true
		log("%s", text)
	}
}

// verdict reports the violations, and returns the error of the command.
func (w *watcher) verdict() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.service
	r, sum := w.tally.Report(loopproof.Version), w.tally.Sum()
	if dir := v.flags.report; dir != "" {
		if err := r.WriteDir(dir); err != nil {
			return err
		}
		v.log("the report is in %s", dir)
	}
	if w.count == 0 {
		if v.flags.failOnViolation || v.flags.requireRequests {
			return errors.New("there was no request, so nothing was judged")
		}
		v.log("there was no request")
		return nil
	}
	if err := w.writeFailures(r); err != nil {
		return err
	}
	v.log("%s; broken: %s, %s%s", count(sum.Requests, "request"), count(sum.Musts, "must"), count(sum.Shoulds, "should"), unanswered(sum))
	switch {
	case !v.flags.failOnViolation:
		return nil
	case sum.Violations():
		return verdict(exitNotConformant)
	case sum.Unscripted == sum.Requests:
		return errors.New("no request belonged to a scenario, so nothing was judged")
	default:
		return nil
	}
}

// writeFailures writes what is broken as the console of a run does, or as records where the log has
// records.
func (w *watcher) writeFailures(r *report.Report) error {
	v := w.service
	if v.operations == nil || v.operations.log == nil {
		if len(r.Rules) > 0 {
			fmt.Fprintln(v.err)
		}
		return report.Console{}.WriteFailures(v.err, r)
	}
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			v.operations.log.Warn("a rule is broken", "rule", f.Rule, "level", f.Level, "request", f.Request, "pointer", f.Pointer, "message", f.Message, "expected", f.Expected, "actual", f.Actual)
		}
	}
	return nil
}

// unanswered counts the requests that could not be answered.
func unanswered(s journal.Sum) string {
	text := ""
	if s.Unreadable > 0 {
		text += fmt.Sprintf("; unreadable: %d", s.Unreadable)
	}
	if s.Unkept > 0 {
		text += fmt.Sprintf("; continuing what is not kept: %d", s.Unkept)
	}
	if s.Unscripted > 0 {
		text += fmt.Sprintf("; without a scenario: %d", s.Unscripted)
	}
	return text
}
