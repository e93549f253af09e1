package programs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var claimed = []protocol.Feature{protocol.ProgrammaticTools}

// runs reports whether providers run code that calls tools in a dialect, and namedByResults whether
// results name it there, too.
func runs(d *wire.Dialect) bool           { return d.Programs.Runner != nil }
func namedByResults(d *wire.Dialect) bool { return d.Programs.NamedByResults }

// What the providers say of it.
const (
	openAIDocs    = "https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling"
	anthropicDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling"
)

// coreRules are the rules about code of the provider and its calls. That each of its calls is run once
// and has its result is for the rules about all calls.
var coreRules = []rules.Rule{
	{
		ID:        "programs/tools-offered",
		Level:     trace.Must,
		Text:      "Each request of a task lets code of the provider call the tools that are marked as programmatic, and offers the tool that runs it.",
		Why:       "Code that waits cannot go on where one of the two is missing, and the model makes each call itself.",
		Needs:     claimed,
		Where:     runs,
		Invariant: true,
		Evidence:  "a request with tools, of a task with such a tool",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "programmatic: code of the provider may call the tool"},
			{URL: anthropicDocs, Says: "allowed_callers of a tool, and the tool code_execution in the list, also while code waits"},
			{URL: openAIDocs, Says: "allowed_callers of a tool, and the tool programmatic_tool_calling"},
		},
		Run: toolsOffered,
	},
	{
		ID:        "programs/caller-comes-back",
		Level:     trace.Must,
		Text:      "A call goes back with the caller that it had: the code of the provider that made it, or the model.",
		Why:       "The provider cannot tell to which code the result belongs, or takes the call for one of the model.",
		Needs:     claimed,
		Where:     runs,
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a call of the provider's code",
		Sources: []rules.Source{
			{URL: anthropicDocs, Says: "caller in a tool_use block, with the id of the code"},
			{URL: "https://github.com/langchain-ai/langchain/pull/34271", Says: "a loop that had lost the caller of tool_use blocks"},
			{URL: "https://github.com/openai/codex/issues/40749", Says: "a loop that drops it"},
		},
		Run: callerComesBack,
	},
	{
		ID:        "programs/result-names-caller",
		Level:     trace.Must,
		Text:      "The result of a call that code of the provider made names the same caller.",
		Why:       "The provider goes on with the code that the result names.",
		Needs:     claimed,
		Where:     namedByResults,
		Invariant: true,
		Evidence:  "a request with the result of such a call",
		Sources: []rules.Source{
			{URL: openAIDocs, Says: "the output repeats the caller of the call"},
			{URL: "https://github.com/OpenHands/software-agent-sdk/issues/4082", Says: "the same, from the documentation"},
			{URL: "https://github.com/openai/openai-agents-python/pull/3833", Says: "the vendor's own loop does so"},
		},
		Run: resultNamesCaller,
	},
	{
		ID:        "programs/code-comes-back",
		Level:     trace.Must,
		Text:      "Code of the provider goes back with its turn, and so does what it said at its end: unchanged, in full or by reference.",
		Why:       "Its calls have nothing that made them, the provider cannot go on with it, and the model does not know what came of it.",
		Needs:     claimed,
		Where:     runs,
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with such code or its end",
		Sources: []rules.Source{
			{URL: anthropicDocs, Says: "the full history goes back: the server_tool_use with the calls, and its result"},
			{URL: openAIDocs, Says: "where nothing is stored, each program, call and program_output goes back in its order"},
			{URL: "https://github.com/openai/openai-python/blob/main/src/openai/types/responses/response_input_item_param.py", Says: "the fingerprint has to be round-tripped"},
		},
		Run: codeComesBack,
	},
}

func toolsOffered(r *rules.Run) (j rules.CheckResult) {
	var marked []string
	for _, t := range r.Script.Scenario.Tools {
		if t.Programmatic {
			marked = append(marked, t.Name)
		}
	}
	for _, x := range r.Conversation() {
		if len(marked) == 0 || len(x.Request.Tools) == 0 {
			continue
		}
		j.HasEvidence = true
		form := x.Request.Dialect.Programs
		if form.Runner(x.Request) == "" {
			j.FindAt(x, "/tools", "the request does not offer the tool that runs code of the provider", "the tool that runs code", nameAll(x.Request.Tools))
			continue
		}
		for _, t := range x.Request.Tools {
			is := func(name string) bool { return strings.HasSuffix(t.Name, name) }
			if slices.ContainsFunc(marked, is) && !form.Allows(t) {
				j.FindAt(x, t.Node.Pointer(), fmt.Sprintf("code of the provider may not call the tool %s", t.Name), "allowed_callers with the provider's code", rules.Show(t.Node.Get("allowed_callers")))
			}
		}
	}
	return j
}

func nameAll(tools []wire.ToolDefinition) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return rules.List(names)
}

func callerComesBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		for n, given := range e.Turn.Answer.Calls {
			call, ok := e.Call(n)
			if !ok {
				continue
			}
			caller := e.In.Request.Dialect.Programs.Caller(call.Node)
			j.HasEvidence = j.HasEvidence || given.Caller != ""
			if caller != given.Caller {
				j.FindAt(e.In, call.Node.Pointer(), fmt.Sprintf("the call %s came back with another caller", given.As), named(given.Caller), rules.Show(call.Node.Get("caller")))
			}
		}
	}
	return j
}

func resultNamesCaller(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.Answered() {
		for n, given := range e.Turn.Answer.Calls {
			res, ok := e.Result(n)
			if given.Caller == "" || !ok {
				continue
			}
			j.HasEvidence = true
			if e.In.Request.Dialect.Programs.Caller(res.Node) != given.Caller {
				j.FindAt(e.In, res.Node.Pointer(), fmt.Sprintf("the result of the call %s does not name its caller", given.As), named(given.Caller), rules.Show(res.Node.Get("caller")))
			}
		}
	}
	return j
}

// named says which caller is meant.
func named(program string) string {
	if program == "" {
		return "the model itself as the caller, or none"
	}
	return "the code " + program + " as the caller"
}

func codeComesBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		given := e.Turn.Answer.Program
		if given == nil || e.Message == nil || !given.Begins && given.Output == nil {
			continue
		}
		j.HasEvidence = true
		what := "the code " + given.ID
		if given.Output != nil {
			what = "what the code " + given.ID + " said at its end"
		}
		whole, other := false, (*wire.Node)(nil)
		for _, back := range e.In.Request.Dialect.Programs.In(e.In.Request) {
			switch {
			case isReference(back, given) || back.ID == given.ID && said(&back.Program) == said(given) && back.Seal == given.Seal:
				whole = true
			case back.ID == given.ID && back.Begins == given.Begins:
				other = back.Node
			}
		}
		switch {
		case whole:
		case other != nil:
			j.FindAt(e.In, other.Pointer(), what+" came back changed", rules.Quote(said(given)), rules.Show(other))
		default:
			j.FindAt(e.In, e.In.Request.HistoryPointer(), what+" did not come back", rules.Quote(said(given)), rules.DescribeReturn(e))
		}
	}
	return j
}

// isReference reports whether a part of a request is no more than the id of code, or of its output.
func isReference(back wire.ProgramPart, given *wire.Program) bool {
	item := given.Item
	if given.Output != nil {
		item = given.OutputItem
	}
	return back.ID == "" && item != "" && back.Item == item
}

// said returns the code, or what it said at its end.
func said(p *wire.Program) string {
	if p.Output != nil {
		return "output: " + *p.Output
	}
	return p.Code
}
