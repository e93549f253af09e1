package arguments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// coreRules are the rules about the strings of JSON that a model writes for its tools.
var coreRules = []rules.Rule{
	{
		ID:        "arguments/same-value",
		Level:     trace.Must,
		Text:      "The arguments of a call go back with the value that the model wrote. To write null for one that the model left out breaks a should.",
		Why:       "The model relies on the arguments in its history.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a call with arguments",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "the assistant message goes back as it came"},
			{URL: "https://github.com/mastra-ai/mastra/issues/16017", Says: "arguments saved as {}"},
		},
		Run: sameValue,
	},
	{
		ID:        "arguments/echoed-verbatim",
		Level:     trace.Should,
		Where:     rules.TextArguments,
		Text:      "The arguments of a call go back byte for byte: key order, white space and escapes included.",
		Why:       "A provider's cache matches bytes; a re-serialised call makes everything after it cost the full price.",
		Invariant: true,
		Evidence:  "a request that returns a call with arguments",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/prompt-caching", Says: "cache hits need exact prefix matches"},
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "arguments go back as the very same string"},
		},
		Run: echoedVerbatim,
	},
	{
		ID:       "arguments/big-integers-echoed",
		Level:    trace.Should,
		Text:     "An integer beyond 2^53 in the arguments goes back with all its digits.",
		Why:      "A rounded id in the history makes the model ask for another record. Not a must: JSON allows readers to use doubles, as JavaScript does.",
		Returned: true,
		Evidence: "a request that returns a call with such an integer",
		Sources: []rules.Source{
			{URL: "https://github.com/earendil-works/pi/issues/8943", Says: "the replayed history holds the wrong number"},
			{URL: "https://www.rfc-editor.org/rfc/rfc8259#section-6", Says: "readers agree on integers up to 2^53 only"},
		},
		Run: bigIntegersEchoed,
	},
	{
		ID:        "arguments/reach-the-tool",
		Level:     trace.Must,
		Text:      "A tool is handed the arguments that the model wrote. To fill in the defaults of its schema is right; to leave out arguments of which the schema says nothing, or to hand over null for a key inside of an argument that the model left out, breaks a should.",
		Why:       "The tool does something else than the model asked for.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Executions},
		Evidence:  "a tool run for a call with arguments",
		OverAPIs:  true,
		Sources: []rules.Source{
			{URL: "https://github.com/microsoft/semantic-kernel/issues/10132", Says: "quotes inside arguments replaced"},
			{URL: "https://github.com/TanStack/ai/pull/372", Says: "calls run with empty arguments"},
			{URL: "https://github.com/crewAIInc/crewAI-tools/issues/302", Says: "null for what the model left out is refused by servers"},
			{URL: "https://zod.dev/api#objects", Says: "unrecognized keys are stripped from the parsed result, and default values are filled in"},
		},
		Run: reachTheTool,
	},
	{
		ID:       "arguments/big-integers-reach-the-tool",
		Level:    trace.Should,
		Text:     "A tool is handed an integer beyond 2^53 with all its digits.",
		Why:      "The tool works on another record than the model asked for. Not a must: JSON allows readers to use doubles, as JavaScript does.",
		Needs:    []protocol.Feature{protocol.Executions},
		Evidence: "a tool run for a call with such an integer",
		Sources: []rules.Source{
			{URL: "https://github.com/earendil-works/pi/issues/8943", Says: "integers beyond 2^53 rounded"},
		},
		Run: bigIntegersReachTheTool,
	},
	{
		ID:       "arguments/blank-means-none",
		Level:    trace.Should,
		Text:     "A tool without parameters is run when the model writes \"\" for its arguments.",
		Why:      "Several providers send \"\" for a call without arguments; a loop that parses it as JSON never runs the tool.",
		Needs:    []protocol.Feature{protocol.Executions},
		Evidence: "a request after a call whose arguments are \"\"",
		Sources: []rules.Source{
			{URL: "https://github.com/sigoden/aichat/pull/1217", Says: "non-JSON arguments ''"},
			{URL: "https://github.com/charmbracelet/fantasy/pull/156", Says: "calls with empty arguments"},
			{URL: "https://github.com/simonw/llm/issues/1521", Says: "empty arguments crash json.loads"},
			{URL: "https://github.com/jeremychone/rust-genai/pull/114", Says: "Anthropic's stream of such a call: one empty piece of the input"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return meansNone(r, "") },
	},
	{
		ID:       "arguments/null-means-none",
		Level:    trace.Should,
		Text:     "A tool without parameters is run when the model writes null for its arguments.",
		Why:      "Groq sends \"null\" for a call without arguments; a loop that requires an object never runs the tool.",
		Needs:    []protocol.Feature{protocol.Executions},
		Evidence: "a request after a call whose arguments are \"null\"",
		Sources: []rules.Source{
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/groq", Says: "recorded: \"arguments\":\"null\""},
		},
		Run: func(r *rules.Run) rules.CheckResult { return meansNone(r, "null") },
	},
}

// echoed compares the arguments of calls with those that came back. Calls that owes excludes are no
// evidence.
func echoed(r *rules.Run, owes func(given string) bool, wrong func(given, back string) bool, what string) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		if !r.Ordinary(e.Turn) {
			continue
		}
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.CallWithArguments(n)
			if _, is := wire.ParseObject(given.Arguments); !ok || !is || !owes(given.Arguments) || given.Approved != "" { // it may tell what the user made of it
				continue
			}
			j.HasEvidence = true
			if wrong(given.Arguments, back.Arguments) {
				f := trace.Finding{
					Request:  e.In.Number,
					Pointer:  back.ArgsNode.Pointer(),
					Message:  fmt.Sprintf("the arguments of the call %s %s", given.As, what),
					Expected: rules.Quote(given.Arguments),
					Actual:   rules.Quote(back.Arguments),
				}
				if !wire.SameJSON(given.Arguments, back.Arguments) && rules.SameArguments(given.Arguments, back.Arguments) { // null for what is not there
					f.Level = trace.Should
				}
				j.Find(f)
			}
		}
	}
	return j
}

func everyArguments(string) bool { return true }

func sameValue(r *rules.Run) rules.CheckResult {
	return echoed(r, everyArguments, func(given, back string) bool { return !wire.SameJSON(given, back) }, "came back with another value")
}

// echoedVerbatim leaves changes of the value, and lost digits, to the rules about those.
func echoedVerbatim(r *rules.Run) rules.CheckResult {
	return echoed(r, everyArguments, func(given, back string) bool { return given != back && wire.SameJSONExactly(given, back) }, "came back in other bytes")
}

func bigIntegersEchoed(r *rules.Run) rules.CheckResult {
	return echoed(r, hasBigInteger, digitsLost, "came back with an integer that lost digits")
}

// digitsLost reports whether two JSON texts differ only in digits that an IEEE double does not
// hold.
func digitsLost(written, handed string) bool {
	return wire.SameJSON(written, handed) && !wire.SameJSONExactly(written, handed)
}

// hasBigInteger reports whether a JSON text has an integer that an IEEE double may not hold.
func hasBigInteger(text string) bool {
	node, err := wire.ParseNode([]byte(text))
	found := false
	node.Walk(func(n *wire.Node) {
		digits := strings.TrimPrefix(string(n.Raw), "-")
		found = found || n.Is(wire.Number) && len(digits) >= 16 && !strings.ContainsAny(digits, ".eE")
	})
	return err == nil && found
}

func reachTheTool(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if c.Trouble != scenarios.NoTrouble || !r.Ordinary(c.Turn) || c.Turn.Breaks() || c.Call.Approved != "" { // broken-turn-not-run looks at those, and edited-arguments-run
			continue
		}
		for _, e := range c.Executions {
			j.HasEvidence = true
			same := c.SameArguments(e)
			tolerated := same && (c.LeavesOut(e.Arguments) || c.AddsNulls(e.Arguments))
			if same && !tolerated || isSibling(r, c, e) {
				continue
			}
			f := trace.Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the tool %s was not handed the arguments of the call %s%s", e.Tool, c.Call.As, encodedTwice(c, e)),
				Expected: rules.Quote(c.Call.Arguments),
				Actual:   rules.Quote(e.Arguments),
			}
			if tolerated {
				f.Level = trace.Should
			}
			j.Find(f)
		}
	}
	return j
}

// encodedTwice says so where a tool was handed the arguments as a JSON text within JSON, as an
// adapter does that encodes a text.
func encodedTwice(c rules.CallRun, e *trace.Execution) string {
	handed, err := wire.ParseNode([]byte(e.Arguments))
	if err == nil && handed.Is(wire.String) && rules.SameArguments(c.Call.Arguments, handed.Text()) {
		return ", but these as a JSON text: they were encoded twice, by the loop or by its adapter"
	}
	return ""
}

// isSibling reports whether an execution has the arguments of another call of the same turn, which
// own-arguments finds.
func isSibling(r *rules.Run, c rules.CallRun, e *trace.Execution) bool {
	return slices.ContainsFunc(r.Calls(), func(other rules.CallRun) bool {
		return other.Turn == c.Turn && other.N != c.N && other.Call.Scripted() == e.Tool && other.SameArguments(e)
	})
}

func bigIntegersReachTheTool(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !hasBigInteger(c.Call.Arguments) || !r.Ordinary(c.Turn) {
			continue
		}
		for _, e := range c.Executions {
			j.HasEvidence = true
			if digitsLost(c.Call.Arguments, e.Arguments) {
				j.FindInAnswer(c.In,
					fmt.Sprintf("the tool %s was handed an integer that lost digits", e.Tool),
					rules.Quote(c.Call.Arguments),
					rules.Quote(e.Arguments))
			}
		}
	}
	return j
}

func meansNone(r *rules.Run, arguments string) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if c.Call.Arguments != arguments || c.Trouble != scenarios.NoTrouble || !c.Turn.Asks() || c.Denied {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.Next(c.In) != nil || len(c.Executions) > 0
		if len(c.Executions) == 0 && r.WentOn(c) {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the tool %s takes no arguments and was not run", c.Call.Name),
				fmt.Sprintf("one run for the arguments %q", arguments),
				"no run")
		}
	}
	return j
}
