package main

import (
	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// fixHints say what to send instead: the rule in its words, and the end of a request that keeps it.
type fixHints struct {
	*linting
	book  *book
	given map[string]bool // by rule and dialect
	err   error
}

func (h *fixHints) add(page *textlayout.Builder, r *lint.Result, f lint.Finding) {
	if !h.hints || h.err != nil {
		return
	}
	page.Item("fix", f.Text)
	if h.given[f.Rule+r.Dialect] {
		return
	}
	h.given[f.Rule+r.Dialect] = true
	if h.book == nil {
		if h.book, h.err = openBook(h.own); h.err != nil {
			return
		}
	}
	if req := h.correct(f.Rule, r.Dialect); req != nil {
		h.example(page, req)
	}
}

// correct returns the last request of the shortest case that tests a rule in a dialect, as the
// reference loop sends it, or nil.
func (h *fixHints) correct(rule, dialect string) *wire.Request {
	var best *trace.Case
	least := 0
	for _, s := range h.book.tests(rulebook.Lookup(rule)) {
		for i, c := range h.book.plan.Cases {
			if c.Scenario == s.ID && c.Dialect == dialect && (best == nil || weight(s) < least) {
				best, least = &h.book.plan.Cases[i], weight(s)
			}
		}
	}
	if best == nil {
		return nil
	}
	run := h.book.play(*best)
	if run == nil || len(run.Exchanges) == 0 {
		return nil
	}
	return run.Exchanges[len(run.Exchanges)-1].Request
}

// exampleMessages is how many messages of a correct request are shown.
const exampleMessages = 4

func (h *fixHints) example(page *textlayout.Builder, req *wire.Request) {
	label := "example"
	for _, m := range req.Messages[max(0, len(req.Messages)-exampleMessages):] {
		page.Exact(label, textlayout.Shorten(string(m.Node.Raw), maxSample))
		label = ""
	}
}
