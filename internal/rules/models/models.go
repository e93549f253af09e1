package models

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// The pages on which frameworks describe their fallbacks.
const (
	pydanticDocs  = "https://ai.pydantic.dev/models/overview/#fallback-model"
	langchainDocs = "https://docs.langchain.com/oss/python/langchain/middleware/built-in#model-fallback"
)

// coreRules are the rules about another model. That nothing of the conversation is lost or doubled
// on the way, that no tool is run again, and that the answer is reported, is for the rules about
// those, which hold whoever is asked.
var coreRules = []rules.Rule{
	{
		ID:          "models/fallback-asked",
		Level:       trace.Must,
		Text:        "A loop that has a second model asks it where the first one keeps failing, and does not end without an answer instead. How often it tries the first one before, and whether it tries it again later, is for it to choose.",
		Why:         "That is what the second model is for.",
		Needs:       []protocol.Feature{protocol.ModelFallback},
		AnyDelivery: true,
		Evidence:    "a request to the second model, after one that the first one failed",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: pydanticDocs, Says: "each model in turn, until one answers"},
			{URL: langchainDocs, Says: "alternative models when the primary model fails"},
			{URL: "https://openrouter.ai/docs/guides/routing/model-fallbacks", Says: "the next model of the list where one returns an error"},
		},
		Run: fallbackAsked,
	},
	{
		ID:          "models/switch-as-chosen",
		Level:       trace.Must,
		Text:        "Each request for a prompt asks the model that the user has chosen for it, those with results among them. After an attempt that failed it may be another.",
		Why:         "The user has chosen it, for its price or for what it can do, and is not told that another one answers.",
		Needs:       []protocol.Feature{protocol.ModelSwitch},
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a request with a prompt for which the user has chosen another model than for the one before",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: "https://openai.github.io/openai-agents-python/running_agents/", Says: "the model of a run, whatever the model of its agents is"},
			{URL: "https://github.com/anthropics/claude-code/issues/45228", Says: "an agent that goes on with the default model instead of the chosen one"},
		},
		Run: switchAsChosen,
	},
	{
		ID:          rules.ReasoningStaysBehind,
		Level:       trace.Must,
		Where:       rules.BindsReasoning,
		Text:        "Where the provider refuses it, encrypted reasoning of one model is not sent to another one. What the model said, its calls and their results stay. To leave it out only when it was refused breaks a should.",
		Why:         "Only the model that made it, or its endpoint, can read it; each later request of the conversation is refused.",
		Needs:       []protocol.Feature{protocol.Reasoning},
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "a request to another model than the one that gave encrypted reasoning, under a profile that refuses it",
		Sources: []rules.Source{
			{URL: "https://github.com/earendil-works/pi/issues/8874", Says: "the 404 of OpenRouter: encrypted payloads can only be replayed to the endpoint that created them"},
			{URL: "https://github.com/open-webui/open-webui/issues/28240", Says: "the same, each time the user chooses another model"},
			{URL: "https://github.com/openai/codex/issues/17541", Says: "the 400 of Azure for reasoning of another deployment"},
			{URL: "https://github.com/BerriAI/litellm/issues/41792", Says: "the same of OpenAI's models on Amazon Bedrock, with the same account"},
		},
		Vars:     []string{"id"},
		Provider: foreignReasoning,
		Run:      reasoningStaysBehind,
	},
}

// fallbackAsked looks at the last failure of the first model.
func fallbackAsked(r *rules.Run) (j rules.CheckResult) {
	var failed *trace.Exchange
	for _, x := range r.Conversation() {
		switch {
		case x.Turn != nil && x.Turn.Step.ModelDown:
			failed = x
		case failed != nil && asksAnother(r, x, failed):
			j.HasEvidence, failed = true, nil
		}
	}
	if failed != nil && r.Outcome != nil && !r.TimeWasOver() {
		j.FindInAnswer(failed, "the first model failed, and the second one was not asked", "a request to "+r.Task.FallbackModel+over(r, r.Second != nil), r.DescribeEnd())
	}
	return j
}

// asksAnother reports whether a request asks another model than one before: where that is in another
// wire API, in that one.
func asksAnother(r *rules.Run, x, before *trace.Exchange) bool {
	if r.Second != nil {
		return r.AsksSecondAPI(x)
	}
	return x.Request.Model != before.Request.Model
}

// switchAsChosen takes the name with whatever is around it, such as the name of a provider. A loop of
// the design own-model has a name of its own for the first model.
func switchAsChosen(r *rules.Run) (j rules.CheckResult) {
	var before string
	for _, x := range r.Conversation() {
		chosen := r.ModelChosenFor(x)
		if chosen == "" || x.Request.Model == "" {
			continue
		}
		j.HasEvidence = j.HasEvidence || before != "" && before != chosen
		asked := strings.Contains(x.Request.Model, chosen)
		if chosen == scenarios.FirstModel && slices.Contains(r.Designs, protocol.OwnModel) {
			asked = !scenarios.AsksSecondModel(x.Request)
		}
		inSecond := r.Second != nil && chosen == scenarios.SecondModel
		if !asked || r.AsksSecondAPI(x) != inSecond {
			j.FindAt(x, x.Request.ModelPointer(), "another model is asked than the one that the user has chosen for this prompt", rules.Quote(chosen)+over(r, inSecond), rules.Quote(x.Request.Model)+over(r, r.AsksSecondAPI(x)))
		}
		if x.Turn == nil || !x.Turn.Whole() {
			break
		}
		before = chosen
	}
	return j
}

// foreignReasoning is what the provider sees: encrypted reasoning that it has given as another
// model.
func foreignReasoning(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if req.OfAnotherModel == nil {
		return j
	}
	eachSealed(req, func(b *wire.Node, data string) {
		if req.OfAnotherModel(data) {
			j.Find(found(b))
		}
	})
	return j
}

// eachSealed calls f with the encrypted reasoning of a request.
func eachSealed(req *wire.Request, f func(b *wire.Node, data string)) {
	for _, m := range req.Messages {
		for _, b := range m.Reasoning.Details {
			if data := rules.ReadBlock(b, req.Dialect).Data; data != "" {
				f(b, data)
			}
		}
	}
}

func found(b *wire.Node) trace.Finding {
	return trace.Finding{
		Pointer: b.Pointer(), Message: "encrypted reasoning of another model was sent", Expected: "the turn without it",
		Actual: rules.Show(b), Vars: map[string]string{"id": b.Get("id").Text()},
	}
}

// reasoningStaysBehind looks at requests to a model other than those that gave the reasoning.
func reasoningStaysBehind(r *rules.Run) (j rules.CheckResult) {
	if _, refuses := r.Script.Profile.Refusal(rules.ReasoningStaysBehind); !refuses {
		return j
	}
	for _, x := range r.Conversation() {
		var foreign []string
		for _, t := range r.TurnsBefore(x) {
			if !r.SaidBy(x.Request.Model, t) && r.ShowedReasoning(t) {
				foreign = append(foreign, sealedIn(t.Answer)...)
			}
		}
		j.HasEvidence = j.HasEvidence || len(foreign) > 0
		eachSealed(x.Request, func(b *wire.Node, data string) {
			if slices.Contains(foreign, data) {
				f := found(b)
				f.Request = x.Number
				if leavesItNext(r, x, foreign) {
					f.Level = trace.Should
				}
				j.Find(f)
			}
		})
	}
	return j
}

// leavesItNext reports whether the request after a refused one asks the same model without the
// reasoning that was refused.
func leavesItNext(r *rules.Run, x *trace.Exchange, foreign []string) bool {
	next := r.Next(x)
	if next == nil || next.Request.Model != x.Request.Model {
		return false
	}
	sent := false
	eachSealed(next.Request, func(_ *wire.Node, data string) { sent = sent || slices.Contains(foreign, data) })
	return !sent
}

func sealedIn(a *wire.Answer) (data []string) {
	for _, b := range a.Details {
		if b.Data != "" {
			data = append(data, b.Data)
		}
	}
	return data
}
