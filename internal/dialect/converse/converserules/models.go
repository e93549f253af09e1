package converserules

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// The rules about what some of the models do not take.
const (
	turnsOfOneKindID   = "egress/turns-of-one-kind"
	modelTakesChoiceID = "egress/model-takes-tool-choice"
	toolsNotStreamedID = "egress/tools-not-streamed"
	toolsNotMarkedID   = "egress/tools-not-marked"
)

// modelRules are about what some of the models behind the API do not take. They are judged where the
// provider is known to refuse it.
var modelRules = []rules.Rule{
	ofModels(rules.Rule{
		ID:   turnsOfOneKindID,
		Text: "If the model takes one of them alone, a message has texts or calls, and texts or results, and not both.",
		Why:  "Models of Meta and Mistral refuse a note, or the next prompt, beside results, and what the loop made of a text and a call.",
		Sources: []rules.Source{
			{URL: "https://github.com/browser-use/browser-use/issues/710", Says: "the 400 of Llama 3.3 and Mistral Large for a text beside a result"},
			{URL: "https://github.com/strands-agents/harness-sdk/issues/1223", Says: "the same of Llama 4, for the next prompt beside a result"},
			{URL: "https://github.com/langchain-ai/langchain-aws/pull/1118", Says: "the 400 of Llama 3.2 and Mistral Large for a text beside a call, in tests that run each day"},
		},
		Vars: []string{"index", "kind"},
	}, turnsOfOneKind),
	ofModels(rules.Rule{
		ID:   modelTakesChoiceID,
		Text: "toolChoice has only what the model takes: not every model takes any and tool.",
		Why:  "Others are refused, mostly where a loop forces the call of a tool that returns the answer in a form.",
		Sources: []rules.Source{
			{URL: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html", Says: "tool: only supported by Anthropic Claude 3 and Amazon Nova models"},
			{URL: "https://github.com/maximhq/bifrost/pull/3196", Says: "the 400 of Llama for tool"},
			{URL: "https://github.com/run-llama/llama_index/issues/19886", Says: "the 400 of Llama for any"},
		},
		Vars: []string{"choice"},
	}, modelTakesChoice),
	ofModels(rules.Rule{
		ID:   toolsNotStreamedID,
		Text: "A model that calls no tools in streams is offered them in whole answers alone.",
		Why:  "ConverseStream refuses every request with tools there.",
		Sources: []rules.Source{
			{URL: "https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html", Says: "tool use, and streaming tool use, of each model"},
			{URL: "https://github.com/earendil-works/pi/issues/3739", Says: "the 400 of Llama 4"},
			{URL: "https://github.com/run-llama/llama_index/issues/19655", Says: "the same of others"},
		},
	}, toolsNotStreamed),
	ofModels(rules.Rule{
		ID:   toolsNotMarkedID,
		Text: "The tools have no cachePoint among them, if the model takes it in the system prompt and in messages alone.",
		Why:  "Models of Amazon refuse it there, and so every request with tools.",
		Sources: []rules.Source{
			{URL: "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html", Says: "the fields that accept cache checkpoints, of each model"},
			{URL: "https://github.com/danny-avila/LibreChat/issues/13838", Says: "the 400 of Nova"},
			{URL: "https://github.com/NousResearch/hermes-agent/issues/97281", Says: "the same of Nova Pro, which takes it in the system prompt"},
		},
		Vars: []string{"index"},
	}, toolsNotMarked),
}

// ofModels makes a rule about what some models refuse of what the others take.
func ofModels(r rules.Rule, check func(*wire.Request) rules.CheckResult) rules.Rule {
	r.Level, r.Invariant = trace.Should, true
	r.Evidence = "a request with tools, under a profile that refuses it"
	r.Request = func(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		for _, f := range check(req).Findings {
			if p.RefusesViolation(r.ID, f.Vars) {
				j.Find(f)
			}
		}
		_, refuses := p.Refusal(r.ID)
		j.HasEvidence = refuses && req.Body.Get("toolConfig") != nil
		return j
	}
	return r
}

func turnsOfOneKind(req *wire.Request) (j rules.CheckResult) {
	for _, m := range req.Messages {
		kinds := map[string]bool{}
		for _, p := range m.Content.Parts {
			kinds[p.Type] = true
		}
		for _, kind := range []string{"toolUse", "toolResult"} {
			if kinds["text"] && kinds[kind] {
				j.Find(trace.Finding{
					Pointer: m.Node.Pointer(), Message: "a text beside a " + kind, Expected: "one of them alone", Actual: rules.Show(m.Node),
					Vars: map[string]string{"index": rules.IndexOf(m), "kind": kind},
				})
			}
		}
	}
	return j
}

func modelTakesChoice(req *wire.Request) (j rules.CheckResult) {
	choice := req.Body.Get("toolConfig").Get("toolChoice")
	for _, word := range choice.Keys() {
		j.Find(trace.Finding{
			Pointer: choice.Pointer(), Message: "toolChoice." + word, Expected: "what the model takes, or no toolChoice", Actual: rules.Show(choice),
			Vars: map[string]string{"choice": word},
		})
	}
	return j
}

func toolsNotStreamed(req *wire.Request) (j rules.CheckResult) {
	if tools := req.Body.Get("toolConfig"); req.Stream && tools != nil {
		j.Find(trace.Finding{Pointer: tools.Pointer(), Message: "tools in ConverseStream", Expected: "Converse", Actual: "ConverseStream"})
	}
	return j
}

func toolsNotMarked(req *wire.Request) (j rules.CheckResult) {
	for _, tool := range req.Body.Get("toolConfig").Get("tools").All() {
		if tool.Has("cachePoint") {
			j.Find(trace.Finding{
				Pointer: tool.Pointer(), Message: "a cache point among the tools", Expected: "it in the system prompt or in a message", Actual: rules.Show(tool),
				Vars: map[string]string{"index": rules.LastStep(tool)},
			})
		}
	}
	return j
}
