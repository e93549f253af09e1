package scenarios

import (
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// Hold holds an answer back at a place, and then lets it go on: before it begins, or within its
// stream.
type Hold struct {
	Break `yaml:",inline"`

	// For is how long it is held; Until is a name that the test releases. One of them is set.
	For   time.Duration `yaml:"for"`
	Until string        `yaml:"until"`
}

// Within reports whether a part of the answer comes before it is held.
func (h *Hold) Within() bool { return h.Break != Break{} }

// HeldWithin returns the place in the stream of a turn at which it is held, since the script says so
// or the loop is interrupted there, or nil.
func (t *Turn) HeldWithin() *Break {
	if h := t.Step.Hold; h != nil && h.Within() {
		return &h.Break
	}
	if part, is := t.Step.earlyPart(); is {
		return &Break{After: part}
	}
	return nil
}

func (c *checker) hold(here string, step Step) {
	h := step.Hold
	if h == nil {
		return
	}
	here += "/hold"
	c.expect(!c.prompted(), here, "a loop is not held back, but stalled; only a script without a prompt holds an answer")
	c.expect((h.For > 0) != (h.Until != ""), here, "an answer is held for a time or until the test releases a name: `for: 2s` or `until: paid`")
	c.expect(h.For <= maxWait, here+"/for", "the longest wait is %v", maxWait)
	c.expect(h.Before == "" || h.Before == "finish", here+"/before", "before is finish, not %q; without a place the answer is held before it begins", h.Before)
	c.expect(h.Before == "" || h.After.Unit == "", here, "an answer is held after an amount or before a place: `after: 3 events` or `before: finish`")
	c.expect(!h.After.Each, here+"/after", "an answer is held once")
	c.expect(!h.Within() || step.answers() && !step.breaksOff() && step.recorded == nil, here, "only an answer that is sent whole, and was not recorded, is held within; leave the place away, and it is held before it begins")
}

// HeldUntil returns the names until whose release answers are held.
func (s *Scenario) HeldUntil() (names []string) {
	for _, step := range s.Model {
		if step.Hold != nil && step.Hold.Until != "" {
			names = appendNew(names, step.Hold.Until)
		}
	}
	return names
}

// ParseAnswer reads a step of a script, in YAML or JSON, as a script of its own. It answers one
// request, unless it says how many.
func ParseAnswer(name, text string, v Vocabulary) (*Scenario, error) {
	const head, margin = "loopproof: 1\nmodel:\n  -\n", "    "
	s, err := Parse(name+ending, []byte(head+margin+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+margin)+"\n"), v)
	for _, e := range strictyaml.Errors(err) {
		if one, is := e.(*strictyaml.Error); is && one.Line > 3 {
			one.File, one.Line, one.Column = name, one.Line-3, max(1, one.Column-len(margin))
		}
	}
	if err != nil {
		return nil, err
	}
	if step := &s.Model[0]; step.Times == 0 && step.Requests == 0 {
		step.Requests = 1
	}
	return s, nil
}
