package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/wire"
)

// checker collects what is wrong in a scenario beyond its shape.
type checker struct {
	s    *Scenario
	errs []error
}

func (c *checker) expect(ok bool, at, format string, args ...any) {
	if !ok {
		c.errs = append(c.errs, c.s.doc.Errorf(at, format, args...))
	}
}

func (s *Scenario) check(v Vocabulary) error {
	c := &checker{s: s}
	c.expect(s.Format == 1, "/loopproof", "this is not a file of format 1: it needs the line `loopproof: 1`")
	c.expect(s.Title != "", "/title", "a scenario needs a title")
	c.expect(len(s.Prompts) > 0, "/prompt", "a scenario needs a prompt")
	c.expect(s.Prompt == "" || len(s.Prompts) == 1, "/prompts", "a scenario has a prompt or prompts, not both")
	c.expect(len(s.Model) > 0, "/model", "a scenario needs at least one step of the model")
	for i, r := range s.Rules {
		c.expect(slices.Contains(v.Rules, r), at("rules", i), "%s", unknown("rule", r, v.Rules))
	}
	for i, f := range s.Needs {
		c.expect(slices.Contains(protocol.Features(), f), at("needs", i), "%s", unknown("feature", string(f), texts(protocol.Features())))
	}
	c.patterns("profiles", "profile", s.Profiles, v.Profiles)
	c.patterns("deliveries", "delivery", s.Deliveries, texts(wire.Deliveries()))
	c.tools()
	c.steps()
	statuses := []Status{"", StatusCompleted, StatusFailed, StatusStopped, StatusNotCompleted}
	c.expect(slices.Contains(statuses, s.Expect.Status), "/expect/status", "%s", unknown("status", string(s.Expect.Status), texts(statuses[1:])))
	return errors.Join(c.errs...)
}

func (c *checker) patterns(key, kind string, patterns, known []string) {
	for i, p := range patterns {
		matches := slices.ContainsFunc(known, func(name string) bool {
			ok, _ := doublestar.Match(p, name)
			return ok
		})
		c.expect(matches, at(key, i), "%s", unknown(kind, p, known))
	}
}

var types = []string{"string", "integer", "number", "boolean", "object", "array"}

func (c *checker) tools() {
	for _, t := range c.s.Tools {
		here := "/tools/" + t.Name
		for _, p := range t.Parameters {
			typ := strings.TrimSuffix(p.Type, "?")
			c.expect(slices.Contains(types, typ), here+"/parameters/"+p.Name, "%s", unknown("type", typ, types))
		}
		c.expect(len(t.Results) > 0, here, "the tool %s needs results", t.Name)
		for i, r := range t.Results {
			c.expect(r.Text == "" || r.Fail == "", here+at("results", i), "a result has a text or fails, not both")
			c.expect(r.Repeat >= 0 && len(r.Text)*r.Repeat <= 8<<20, here+at("results", i), "a result has at most 8 MB")
		}
	}
}

func (c *checker) steps() {
	names := map[string]string{}
	for i, step := range c.s.Model {
		here := at("model", i)
		answers := step.Text != nil || len(step.Calls) > 0 || step.Reasoning != nil || len(step.ReasoningDetails) > 0
		c.expect(answers || step.Status != 0, here, "the step says nothing: it needs text, calls or a status (a blank answer is `text: \"\"`)")
		c.expect(!answers || step.Status == 0, here, "a step answers or has a status, not both")
		c.expect(step.Status == 0 || step.Status >= 300 && step.Status <= 599, here+"/status", "a step fails with a status from 300 to 599, not %d", step.Status)
		c.expect(step.Status != 0 || step.RetryAfter == nil && step.Error == nil, here, "retry-after and error go with a status")
		c.expect(step.Times >= 0, here+"/times", "times is a whole number from 1")
		c.breaks(here+"/cut", step.Cut)
		c.breaks(here+"/reset", step.Reset)
		c.breaks(here+"/in-band-error", step.InBandError.place())
		for j, call := range step.Calls {
			c.call(here+at("calls", j), call, names)
		}
	}
}

func (c *checker) breaks(here string, b *Break) {
	if b == nil {
		return
	}
	c.expect(slices.Contains([]string{"", "finish", "done"}, b.Before), here, "before is finish or done, not %q", b.Before)
	c.expect((b.Before == "") != (b.After.Unit == ""), here, "an answer breaks after an amount or before a place: `after: 3 events` or `before: finish`")
}

func (e *BandError) place() *Break {
	if e == nil {
		return nil
	}
	return &e.Break
}

func (c *checker) call(here string, call Call, names map[string]string) {
	c.expect(call.As != "", here, "a call needs a name: `as: oslo`")
	first, taken := names[call.As]
	c.expect(!taken, here+"/as", "the name %q is taken by the call at %s", call.As, first)
	if call.SameIDAs != "" {
		_, known := names[call.SameIDAs]
		c.expect(known, here+"/same-id-as", "there is no call %q before this one", call.SameIDAs)
	}
	names[call.As] = here
	known := slices.ContainsFunc(c.s.Tools, func(t Tool) bool { return t.Name == call.Tool })
	c.expect(known || call.NotOffered, here+"/tool", "there is no tool %q; to let the model call one that does not exist, add `not-offered: true`", call.Tool)
	c.expect(!known || !call.NotOffered, here+"/not-offered", "the tool %q is offered", call.Tool)
}

func at(key string, index int) string { return fmt.Sprintf("/%s/%d", key, index) }

func texts[T ~string](words []T) []string {
	t := make([]string, len(words))
	for i, w := range words {
		t[i] = string(w)
	}
	return t
}
