package scenarios

import "slices"

// Prompted reports whether the scenario is a conversation, which begins with a prompt and goes step
// by step. One that is not is a set of answers: see [Script.Answer].
func (s *Scenario) Prompted() bool { return len(s.Prompts) > 0 }

func (c *checker) prompted() bool { return c.s.Prompt != "" || len(c.s.Prompts) > 0 }

// answerAll lets a script answer every request where it does not say which: the smallest script is
// a step with a text. A scenario for a loop is left as it is, and gets the error that it needs a
// prompt.
func (s *Scenario) answerAll() {
	prompted := s.Prompt != "" || len(s.Prompts) > 0
	forLoops := len(s.Rules) > 0 || len(s.Needs) > 0 || s.Expect != Expect{}
	if !prompted && !forLoops && !s.conditional() && !slices.Contains(s.doc.Blanks(""), "when") {
		s.When = &When{}
	}
}

// conditional reports whether a scenario says which requests it answers.
func (s *Scenario) conditional() bool {
	return s.When != nil || slices.ContainsFunc(s.Model, func(step Step) bool { return step.When != nil })
}

// conditions checks where conditions and templates are, and what goes with them.
func (c *checker) conditions() {
	c.when("/when", c.s.When)
	never := c.impossible("/when", c.s.When, nil)
	for i, step := range c.s.Model {
		c.when(at("model", i)+"/when", step.When)
		if !never {
			c.impossible(at("model", i)+"/when", step.When, c.s.When)
		}
	}
	for _, key := range c.s.doc.Blanks("") {
		c.expect(key != "when", "/when", "when has no value; {} is every request")
	}
	for i := range c.s.Model {
		for _, key := range c.s.doc.Blanks(at("model", i)) {
			c.expect(key != "when", at("model", i)+"/when", "when has no value; leave the key away for every request")
		}
	}
	switch {
	case c.prompted():
		for i, step := range c.s.Model {
			own := step.ID != "" || slices.ContainsFunc(step.Calls, func(call Call) bool { return call.ID != "" })
			c.expect(!own, at("model", i), "the ids of a conversation are random, so that they cannot be guessed; only a script without a prompt has an `id` of its own")
			c.expect(step.Requests == 0, at("model", i)+"/requests", "the steps of a scenario with a prompt come one after the other; only a script without a prompt counts its requests")
			c.expect(step.Chance == nil && len(step.State) == 0, at("model", i), "in a scenario with a prompt nothing happens by chance, and the history says what came before; only a script without a prompt has `chance` and `state`")
			c.expect(!step.describesItself(), at("model", i), "the answers in a conversation name the model that was asked; only a script without a prompt has `model-name`, `created` and `system-fingerprint`")
			c.expect(len(step.Logprobs) == 0 && len(step.Annotations) == 0, at("model", i), "only a script without a prompt has `logprobs` and `annotations`")
			c.expect(step.Title == "", at("model", i)+"/title", "the page of a run shows all turns of a conversation; only a script without a prompt has a `title` at a step")
			c.expect(step.FromSchema == 0, at("model", i)+"/from-schema", "a conversation says the same to everybody; only a script without a prompt answers by the schema of a request")
			c.expect(!step.Truncate, at("model", i)+"/truncate", "a conversation says the same to everybody, so that its history can be judged; only a script without a prompt truncates its texts")
			c.expect(step.When == nil, at("model", i)+"/when", "the steps of a scenario with a prompt come one after the other, so none has a `when`; leave the prompt away, and each step answers the requests that fit it")
		}
	case c.s.conditional():
		c.unprompted()
	}
}

// unprompted checks what only a scenario without a prompt can say, and what only one with a prompt
// can.
func (c *checker) unprompted() {
	s := c.s
	for _, only := range []struct {
		key string
		set bool
	}{
		{"rules", len(s.Rules) > 0}, {"needs", len(s.Needs) > 0}, {"deliveries", len(s.Deliveries) > 0}, {"big", s.Big}, {"alone", s.Alone}, {"system", s.System != ""},
		{"expect", s.Expect != Expect{}}, {"max-turns", s.MaxTurns != 0}, {"context-limit", s.ContextLimit != 0}, {"compact-threshold", s.CompactThreshold != 0}, {"token-budget", s.TokenBudget != 0}, {"answer-schema", len(s.AnswerSchema) > 0}, {"timeout", s.Timeout != 0}, {"transcript", s.Transcript != ""},
	} {
		c.expect(!only.set, "/"+only.key, "%s is for a scenario that is played to a loop, and that has a prompt; this one answers every client", only.key)
	}
	for i := range s.Model {
		c.answer(at("model", i), &s.Model[i], i == len(s.Model)-1)
	}
}

func (c *checker) answer(here string, step *Step, last bool) {
	c.expect(last || step.When.Conditions() > 0 || step.counts(), here, "this step answers every request, so those after it are never asked; put it last, or give it a `when`; with a prompt the steps of a scenario come one after the other")
	c.expect(step.Requests == 0 || step.Times == 0, here+"/requests", "a step counts the same request (`times`) or all requests (`requests`), not both")
	c.expect(step.Chance == nil || *step.Chance > 0, here+"/chance", "a step without any chance is never asked; write a share above zero, such as %s", "30%")
	for _, set := range step.State {
		c.expect(set.Name != "", here+"/state", "a state has a name")
	}
	c.expect(step.ID == "" || step.answers() && step.recorded == nil, here+"/id", "only an answer has an id")
	c.expect(!step.describesItself() || step.answers() && step.recorded == nil, here, "only an answer has `model-name`, `created` and `system-fingerprint`")
	c.expect(step.Created >= 0, here+"/created", "an answer is made so many seconds after 1970, not %d", step.Created)
	for i, call := range step.Calls {
		c.expect(call.ID == "" || call.SameIDAs == "", here+at("calls", i)+"/id", "a call has an id of its own, or that of another one")
	}
	c.surrounds(here, step)
	c.expect(step.FromSchema == 0 || step.Text == nil && len(step.Calls) == 0 && step.Refusal == "" && step.Status == 0 && step.recorded == nil, here+"/from-schema", "the schema of the request says what the text or the call is; leave `from-schema` or the other away")
	c.expect(!step.Truncate || step.Text != nil && step.Finish == "", here+"/truncate", "only a text is truncated, and that says how it ends; leave `truncate` or `finish` away")
	c.expect(step.Cancel == nil, here+"/cancel", "an application cannot be cancelled; only a scenario with a prompt can cancel")
	c.expect(step.Crash == nil, here+"/crash", "an application cannot be killed; only a scenario with a prompt can kill the loop")
	c.expect(!step.Refused, here+"/refused", "a server that refuses one connection refuses all; only a scenario with a prompt can")
	step.eachText(func(key string, text *string) {
		if _, err := newFilling(*text, c.s.groups(step)); err != nil {
			c.fail(here+key, err.Error())
		}
	})
}

// counts reports whether a step leaves some of the requests that fit it to the steps after it.
func (s *Step) counts() bool { return s.Times > 0 || s.Requests > 0 || s.Chance != nil }

// AnswersAll reports whether a step answers every request, in a script that says nothing of it.
func (s *Step) AnswersAll() bool { return s.When.Conditions() == 0 && !s.counts() }

// describesItself reports whether a step says what surrounds its answer.
func (s *Step) describesItself() bool {
	return s.ModelName != "" || s.Created != 0 || s.SystemFingerprint != ""
}

// Line returns the line in its file in which a step begins, or 0 when the scenario was read from no
// file.
func (s *Scenario) Line(step int) int {
	if s.doc == nil {
		return 0
	}
	return s.doc.Line(at("model", step))
}

// groups returns the regular expression that the user's text matches when a step answers, or nil.
func (s *Scenario) groups(step *Step) *Pattern {
	for _, w := range []*When{step.When, s.When} {
		if w != nil && w.User != nil && w.User.Matches != nil {
			return w.User.Matches
		}
	}
	return nil
}

// eachText calls f with every text of a step that may be a template, and its place in the step.
func (s *Step) eachText(f func(key string, text *string)) {
	for _, t := range []struct {
		key  string
		text *string
	}{{"/text", s.Text}, {"/reasoning", s.Reasoning}, {"/refusal", &s.Refusal}, {"/id", &s.ID}} {
		if t.text != nil {
			f(t.key, t.text)
		}
	}
	for i := range s.Calls {
		f(at("calls", i)+"/arguments", &s.Calls[i].Arguments)
		f(at("calls", i)+"/id", &s.Calls[i].ID)
	}
}
