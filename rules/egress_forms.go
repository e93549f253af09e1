package rules

import (
	"fmt"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

// forms are rules about the form of ids and arguments that some providers ask for.
var forms = []Rule{
	{
		ID:       "pairing/id-form",
		Dialects: onlyChat,
		Level:    Info,
		Text:     "The ids of calls have a form that the provider takes.",
		Why:      "A library that expects nine characters, or at most forty, refuses ids that the loop made up or brought from elsewhere.",
		Evidence: "a request that carries a tool result",
		Sources: []Source{
			{"https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", "ids: a-z, A-Z, 0-9, with a length of 9"},
			{"https://github.com/agno-agi/agno/issues/5382", "the 400 of OpenAI for 53 characters, in 2025"},
			{"https://github.com/vercel/ai/pull/17233", "51 characters were taken in July 2026"},
		},
		Vars:    []string{"index", "id"},
		Request: idForm,
	},
	{
		ID:       "egress/arguments-parse",
		Dialects: onlyChat,
		Level:    Should,
		Text:     "Where the provider reads the arguments of calls that go back, they are JSON, also when the model's were not.",
		Why:      "Servers that render a chat template refuse a broken call, again with every later request.",
		Evidence: "a request with a tool call in its history, under a profile that reads its arguments",
		Sources: []Source{
			{"https://github.com/HKUDS/nanobot/issues/1487", "the 400 of DashScope for arguments that the model had broken"},
			{"https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/chat_utils.py", "the arguments of the history are parsed"},
			{"https://github.com/ollama/ollama/blob/main/openai/openai.go", "invalid tool call arguments"},
		},
		Vars:     []string{"index", "call"},
		Provider: unparsableArguments,
		Run:      argumentsParse,
	},
}

func idForm(p *profiles.Profile, req *wire.Request) (j Judged) {
	form := p.Accepts.CallID
	if form.Any() {
		return j
	}
	check := func(index int, id string, n *wire.Node, pointer string) {
		j.Seen = true
		if id == "" || form.Takes(id) {
			return // ids-present looks at missing ones
		}
		j.Find(Finding{
			Pointer:  pointer,
			Message:  "an id that the provider does not take",
			Expected: "an id of the form " + form.String(),
			Actual:   show(n),
			Vars:     map[string]string{"index": fmt.Sprint(index), "id": id},
		})
	}
	for i, m := range req.Messages {
		for _, c := range m.Calls {
			check(i, c.ID, c.Node.Get("id"), c.Node.Pointer()+"/id") // its result has the same, or names no call
		}
	}
	return j
}

// unparsableArguments is what a provider sees that reads the arguments. Blank ones mean none.
func unparsableArguments(_ *profiles.Profile, req *wire.Request) (j Judged) {
	eachCall(req, func(c wire.Call, vars map[string]string) {
		if !parses(c) {
			j.Find(Finding{Pointer: c.Node.Pointer() + "/function/arguments", Message: "no JSON", Vars: vars})
		}
	})
	return j
}

func parses(c wire.Call) bool {
	if !c.ArgsNode.Is(wire.String) || c.Arguments == "" {
		return true
	}
	_, err := wire.ParseNode([]byte(c.Arguments))
	return err == nil
}

func argumentsParse(r *Run) (j Judged) {
	if _, reads := r.Script.Profile.Refusal("egress/arguments-parse"); !reads {
		return j
	}
	for _, e := range r.AskingEchoes() {
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.Call(n)
			if !ok || r.Script.Scenario.Trouble(given) != scenarios.NotJSON {
				continue
			}
			j.Seen = true
			if !parses(back) {
				j.Find(Finding{
					Request:  e.In.Number,
					Pointer:  back.Node.Pointer() + "/function/arguments",
					Message:  "arguments that are no JSON went back to a provider that reads them",
					Expected: "a JSON object, such as {}",
					Actual:   show(back.ArgsNode),
				})
			}
		}
	}
	return j
}
