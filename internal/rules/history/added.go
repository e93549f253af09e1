package history

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// addedRules are the rules of the area history about made-up and repeated texts. Other rules are
// about missing ones.
var addedRules = []rules.Rule{
	{
		ID:          "history/turns-once",
		Level:       trace.Must,
		Text:        "A turn of the model occurs once in the history.",
		Why:         "The model believes that it did the same thing twice; Anthropic refuses duplicate ids.",
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a request that returns a turn",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/conversation-state", Says: "each answer is appended to the history"},
			{URL: "https://github.com/neuron-core/neuron-ai/issues/39", Says: "the last answer twice, where tools are used"},
			{URL: "https://github.com/anthropics/claude-code/issues/20901", Says: "the 400 of Anthropic for a turn that came twice"},
		},
		Run: turnsOnce,
	},
	{
		ID:        "history/no-call-added",
		Level:     trace.Must,
		Text:      "A turn of the model goes back with its calls and no others.",
		Why:       "The model believes that it made a call that it never made.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with tool calls",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the assistant message with its calls goes back before the results"},
			{URL: "https://github.com/vercel/ai/pull/3960", Says: "an empty piece after a whole call made it twice"},
		},
		Run: noCallAdded,
	},
	{
		ID:        "history/text-once",
		Level:     trace.Must,
		Text:      "What the model said in a turn goes back once.",
		Why:       "The model sees repeated text in its history, and imitates it.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with text",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "the assistant message goes back as it came"},
			{URL: "https://github.com/agentscope-ai/agentscope-java/issues/2478", Says: "text that was delivered twice"},
		},
		Run: textOnce,
	},
	{
		// No must: providers that refuse empty contents made loops write something in their place.
		ID:        "history/no-text-added",
		Level:     trace.Should,
		Text:      "A turn of the model goes back without added text.",
		Why:       "The model treats it as its own text, and imitates it.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "the assistant message goes back as it came"},
			{URL: "https://github.com/UKGovernmentBEIS/inspect_ai/pull/1196", Says: "(no content) put into turns of the model"},
		},
		Run: noTextAdded,
	},
}

// turnsOnce goes by the ids of calls; where a loop has ids of its own, by the calls themselves, and
// for answers by their text. A turn that goes back in several messages is there once anyway.
func turnsOnce(r *rules.Run) (j rules.CheckResult) {
	known := idsOf(r)
	for _, x := range r.Conversation() {
		if x.Kept() > 0 {
			continue
		}
		given := r.TurnsBefore(x)
		good := goodTurns(given)
		for _, e := range rules.AlignTurns(good, x, r.Task.Prompts) {
			j.HasEvidence = j.HasEvidence || e.Message != nil && rules.CarriesResult(x.Request)
		}
		if at, what, twice := standsTwice(r, x, given, good, known); twice {
			j.FindAt(x, x.Request.Messages[at].Node.Pointer(),
				"a turn of the model occurs twice in the history: "+what,
				"each turn once",
				rules.Show(x.Request.Messages[at].Node))
		}
	}
	return j
}

// goodTurns returns the turns that are to go back.
func goodTurns(given []*scenarios.Turn) []*scenarios.Turn {
	return slices.DeleteFunc(slices.Clone(given), func(t *scenarios.Turn) bool { return !t.Returns() })
}

// standsTwice returns the message with which a turn comes a second time, and what of it. Of the
// turns that were given the good ones go back, and the others may.
func standsTwice(r *rules.Run, x *trace.Exchange, given, good []*scenarios.Turn, known map[string]int) (at int, what string, twice bool) {
	ids, calls, texts := map[string]bool{}, []wire.Call{}, []string{}
	for _, i := range rules.AnswersIn(x.Request, r.Task.Prompts) {
		m := x.Request.Messages[i]
		for _, c := range m.Calls {
			if ids[c.ID] && known[c.ID] == 1 {
				return i, "the call " + c.ID, true
			}
			calls = append(calls, c)
			if known[c.ID] == 0 && countCalls(good, c) > 0 && countEqual(calls, c) > countCalls(given, c) {
				return i, "the call of " + c.Name, true
			}
		}
		for _, c := range m.Calls { // of one message ids-distinct has something to say
			ids[c.ID] = true
		}
		text := strings.TrimSpace(m.Content.Text)
		if len(m.Calls) > 0 || text == "" {
			continue
		}
		texts = append(texts, text)
		if countAnswers(good, text) > 0 && countTexts(texts, text) > countAnswers(given, text) {
			return i, "the answer " + rules.Quote(text), true
		}
	}
	return 0, "", false
}

// idsOf returns to how many calls the script gives each id.
func idsOf(r *rules.Run) map[string]int {
	counts := map[string]int{}
	for _, t := range r.Script.Turns {
		if t.Answer != nil {
			for _, c := range t.Answer.Calls {
				counts[c.ID]++
			}
		}
	}
	delete(counts, "") // calls without an id
	return counts
}

func countCalls(given []*scenarios.Turn, c wire.Call) (count int) {
	for _, t := range given {
		for _, made := range t.Answer.Calls {
			if rules.EqualCall(made, c) {
				count++
			}
		}
	}
	return count
}

func countEqual(calls []wire.Call, c wire.Call) (count int) {
	for _, other := range calls {
		if other.Name == c.Name && wire.SameJSON(rules.ArgumentsOrNone(other.Arguments), rules.ArgumentsOrNone(c.Arguments)) {
			count++
		}
	}
	return count
}

// countAnswers returns how many turns said a text, those that called tools alongside it among them.
func countAnswers(given []*scenarios.Turn, text string) (count int) {
	for _, t := range given {
		if strings.TrimSpace(t.Answer.Text) == text {
			count++
		}
	}
	return count
}

func countTexts(texts []string, text string) (count int) {
	for _, other := range texts {
		if other == text {
			count++
		}
	}
	return count
}

// noCallAdded looks at messages with more calls than their turn had. A call of another turn, or one
// that comes twice, is for other rules.
func noCallAdded(r *rules.Run) (j rules.CheckResult) {
	known := idsOf(r)
	for _, e := range r.ReturnedCallTurns() {
		if e.Message == nil {
			continue
		}
		j.HasEvidence = true
		if len(e.Message.Calls) <= len(e.Turn.Answer.Calls) {
			continue
		}
		given := goodTurns(r.TurnsBefore(e.In))
		for _, c := range e.Message.Calls {
			if known[c.ID] > 0 || countCalls(given, c) > 0 {
				continue
			}
			j.FindAt(e.In, c.Node.Pointer(),
				"a turn came back with a call that the model did not make",
				rules.Plural(len(e.Turn.Answer.Calls), "call")+": "+rules.DescribeCalls(e.Turn.Answer.Calls),
				rules.Show(c.Node))
			break
		}
	}
	return j
}

// said returns what the model said in a turn, its refusal too.
func said(a *wire.Answer) string { return strings.TrimSpace(a.Text + a.Refusal) }

// doubled reports whether a text is what the model said in a turn, several times over.
func doubled(text string, a *wire.Answer) bool {
	rest := text
	for _, once := range []string{said(a), strings.TrimSpace(a.Commentary)} {
		if once != "" {
			rest = strings.ReplaceAll(rest, once, "")
		}
	}
	return strings.Count(text, said(a)) > 1 && strings.TrimSpace(rest) == ""
}

func textOnce(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		text := said(e.Turn.Answer)
		if e.Message == nil || text == "" {
			continue
		}
		within := strings.Contains(e.Message.Content.Text, text)
		beside := len(e.Message.Calls) > 0 && slices.ContainsFunc(rules.AnswersIn(e.In.Request, r.Task.Prompts), func(i int) bool { return i != e.Index && saysBeside(r, e, i) })
		j.HasEvidence = j.HasEvidence || within || beside
		if doubled(e.Message.Content.Text, e.Turn.Answer) || within && beside {
			j.FindAt(e.In, e.Message.Node.Pointer(), "what the model said came back twice", rules.Quote(text), rules.Show(e.Message.Node))
		}
	}
	return j
}

// ofAnotherTurn reports whether what a text says more than its turn is what the model said in
// another turn. A loop that joins turns says nothing in the name of the model; where a turn belongs
// is for the rules about order to say.
func ofAnotherTurn(r *rules.Run, e rules.ReturnedTurn, given, back string) bool {
	rest := strings.TrimSpace(strings.Replace(back, given, "", 1))
	return rest != "" && slices.ContainsFunc(r.Exchanges, func(x *trace.Exchange) bool {
		return x.Turn != nil && x.Turn != e.Turn && x.Turn.Answer != nil && said(x.Turn.Answer) == rest
	})
}

// noTextAdded leaves reasoning in the text, and what came twice, to the rules about those.
func noTextAdded(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		if e.Message == nil {
			continue
		}
		j.HasEvidence = true
		given, back := said(e.Turn.Answer), strings.TrimSpace(e.Message.Content.Text)
		if !strings.Contains(back, given) || given != "" && doubled(back, e.Turn.Answer) || rules.LeaksReasoning(e.Turn.Answer, back) {
			continue
		}
		if back != given && !rules.JoinsCommentary(e.Turn.Answer, back) && !ofAnotherTurn(r, e, given, back) {
			j.FindAt(e.In, e.Message.Content.Node.Pointer(),
				"a turn of the model came back with words that it did not say",
				rules.Quote(given),
				rules.Quote(back))
		}
	}
	return j
}
