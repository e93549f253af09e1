package chatrules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressArgumentRules are rules about the arguments of calls that go back to providers that read
// them.
var egressArgumentRules = []rules.Rule{
	{
		ID:       "egress/arguments-parse",
		Level:    trace.Should,
		Text:     "If the provider parses the arguments of calls that go back, they are JSON, even if the model wrote something else.",
		Why:      "Servers that render a chat template refuse a broken call, again with every later request.",
		Evidence: "a request with a tool call in its history, under a profile that reads its arguments",
		Sources: []rules.Source{
			{URL: "https://github.com/HKUDS/nanobot/issues/1487", Says: "the 400 of DashScope for arguments that the model had broken"},
			{URL: "https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/chat_utils.py", Says: "the arguments of the history are parsed"},
			{URL: "https://github.com/ollama/ollama/blob/main/openai/openai.go", Says: "invalid tool call arguments"},
		},
		Vars:     []string{"index", "call", "found"},
		Provider: unparsableArguments,
		Run:      argumentsParse,
	},
}

// unparsableArguments is what a provider sees that parses the arguments. Not every provider refuses
// that they are empty, or JSON of another kind than an object.
func unparsableArguments(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	rules.EachCall(req, func(c wire.Call, vars func() map[string]string) {
		found := readArguments(c)
		if found == "an object" {
			return
		}
		violation := vars()
		if violation["found"] = found; p.RefusesViolation("egress/arguments-parse", violation) {
			j.Find(trace.Finding{Pointer: c.Node.Pointer() + "/function/arguments", Message: "no JSON", Vars: violation})
		}
	})
	return j
}

// noJSON is what arguments are that cannot be read.
const noJSON = "no JSON"

// readArguments says what a provider finds that reads the arguments of a call: no JSON, an empty
// string, or a kind of JSON. That they are no string at all is for arguments-are-text to say.
func readArguments(c wire.Call) string {
	switch {
	case !c.ArgsNode.Is(wire.String):
		return "an object"
	case c.Arguments == "":
		return "an empty string"
	}
	n, err := wire.ParseNode([]byte(c.Arguments))
	if err != nil {
		return noJSON
	}
	return n.Type().String()
}

func argumentsParse(r *rules.Run) (j rules.CheckResult) {
	if _, reads := r.Script.Profile.Refusal("egress/arguments-parse"); !reads {
		return j
	}
	judge := func(given wire.AnswerCall, back wire.Call, in *trace.Exchange) {
		if r.Script.Scenario.Trouble(given) != scenarios.NotJSON {
			return
		}
		j.HasEvidence = true
		if readArguments(back) == noJSON {
			j.Find(trace.Finding{
				Request:  in.Number,
				Pointer:  back.Node.Pointer() + "/function/arguments",
				Message:  "arguments that are no JSON went back to a provider that reads them",
				Expected: "a JSON object, such as {}",
				Actual:   rules.Show(back.ArgsNode),
				Vars:     map[string]string{"found": noJSON},
			})
		}
	}
	for _, e := range r.ReturnedCallTurns() {
		for n, given := range e.Turn.Answer.Calls {
			if back, ok := e.Call(n); ok {
				judge(given, back, e.In)
			}
		}
	}
	for _, x := range r.Served() { // a turn that was cut need not come back
		if next := r.Next(x); next != nil && x.Turn.Truncated() {
			for _, given := range x.Turn.Answer.Calls {
				if back, ok := callOf(next.Request, given.ID); ok {
					judge(given, back, next)
				}
			}
		}
	}
	return j
}

// callOf returns the call of an id in a request.
func callOf(req *wire.Request, id string) (wire.Call, bool) {
	for _, m := range req.Messages {
		if at := slices.IndexFunc(m.Calls, func(c wire.Call) bool { return c.ID == id }); at >= 0 {
			return m.Calls[at], true
		}
	}
	return wire.Call{}, false
}
