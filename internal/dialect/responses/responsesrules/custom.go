package responsesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const customToolsGuide = "https://platform.openai.com/docs/guides/function-calling#custom-tools"

var hasCustomTools = []protocol.Feature{protocol.CustomTools}

// customTools are the rules about tools whose input is a text of any form.
var customTools = []rules.Rule{
	{
		ID:        "pairing/custom-calls-answered-in-kind",
		Level:     trace.Must,
		Needs:     hasCustomTools,
		Invariant: true,
		Text:      "A custom_tool_call is answered by a custom_tool_call_output, and a function_call by a function_call_output.",
		Why:       "The provider finds no output for the call, and refuses the request and every later one with it.",
		Evidence:  "a request with the result of a custom tool",
		Sources: []rules.Source{
			{URL: customToolsGuide, Says: "custom_tool_call_output with the call_id of the custom_tool_call"},
			{URL: "https://github.com/diegosouzapw/OmniRoute/issues/8946", Says: "the 400: No tool output found for custom tool call"},
		},
		Run: customAnsweredInKind,
	},
	{
		ID:        "history/custom-calls-in-kind",
		Level:     trace.Must,
		Needs:     hasCustomTools,
		Invariant: true,
		Returned:  true,
		Text:      "A custom_tool_call goes back as one, with its text as input.",
		Why:       "As a function_call it would have arguments that are not JSON, and name no function that is offered.",
		Evidence:  "a request that returns a call of a custom tool",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "CustomToolCall: required are type, call_id, name, input"},
			{URL: customToolsGuide, Says: "the call as an item of the type custom_tool_call"},
		},
		Run: customCallsInKind,
	},
	{
		ID:        "egress/custom-tool-form",
		Level:     trace.Must,
		Needs:     hasCustomTools,
		Invariant: true,
		Text:      "A custom tool is offered with a name, and has no parameters: its format, where it has one, is an object of the type text or grammar.",
		Why:       "The provider does not know a schema there, and refuses the key.",
		Evidence:  "a request that offers a custom tool and carries its result",
		Sources: []rules.Source{
			{URL: responsesSchemas, Says: "CustomToolParam: type, name, description, format, defer_loading"},
		},
		Run: customToolForm,
	},
}

// answersBefore are the answers that the model gave before a request.
func answersBefore(r *rules.Run, x *trace.Exchange) (all []*wire.Answer) {
	for _, earlier := range r.Served() {
		if earlier.Number < x.Number && earlier.Turn.Answer != nil {
			all = append(all, earlier.Turn.Answer)
		}
	}
	return all
}

// calledBefore are the ids of the calls that the model made before a request, either of custom
// tools or of functions.
func calledBefore(r *rules.Run, x *trace.Exchange, custom bool) map[string]bool {
	ids := map[string]bool{}
	for _, answer := range answersBefore(r, x) {
		for _, c := range answer.Calls {
			if c.FreeText == custom && c.ID != "" {
				ids[c.ID] = true
			}
		}
	}
	return ids
}

func customAnsweredInKind(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		ofCustom, ofFunctions := calledBefore(r, x, true), calledBefore(r, x, false)
		eachItem(x.Request, func(item *wire.Node, kind string) {
			id := item.Get("call_id").Text()
			custom := ofCustom[id]
			switch {
			case kind != "function_call_output" && kind != "custom_tool_call_output":
				return
			case custom && kind == "custom_tool_call_output":
				j.HasEvidence = true
			case custom:
				j.Find(trace.Finding{
					Request: x.Number, Pointer: item.Pointer() + "/type", Message: "the call of a custom tool is answered as one of a function",
					Expected: "custom_tool_call_output", Actual: rules.Show(item),
				})
			case kind == "custom_tool_call_output" && ofFunctions[id]:
				j.Find(trace.Finding{
					Request: x.Number, Pointer: item.Pointer() + "/type", Message: "the call of a function is answered as one of a custom tool",
					Expected: "function_call_output", Actual: rules.Show(item),
				})
			}
		})
	}
	return j
}

func customCallsInKind(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.Call(n)
			if !given.FreeText || !ok {
				continue
			}
			j.HasEvidence = true
			if back.Node.Get("type").Text() == "custom_tool_call" && back.Node.Get("input").Is(wire.String) { // what it says is for same-value
				continue
			}
			j.Find(trace.Finding{
				Request: e.In.Number, Pointer: back.Node.Pointer(), Message: "the call of a custom tool did not come back as one",
				Expected: "custom_tool_call with the input " + rules.Quote(given.Arguments), Actual: rules.Show(back.Node),
			})
		}
	}
	return j
}

func customToolForm(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Conversation() {
		for _, t := range x.Request.Tools {
			if t.Node.Get("type").Text() != "custom" {
				continue
			}
			j.HasEvidence = j.HasEvidence || rules.CarriesResult(x.Request)
			format := t.Node.Get("format")
			kind := format.Get("type").Text()
			if t.Name != "" && t.Node.Get("parameters") == nil && (!isGiven(format) || kind == "text" || kind == "grammar") {
				continue
			}
			j.Find(trace.Finding{
				Request: x.Number, Pointer: t.Node.Pointer(), Message: "a custom tool does not have the form that the provider takes",
				Expected: "type, name, description and format", Actual: rules.Show(t.Node),
			})
		}
	}
	return j
}
