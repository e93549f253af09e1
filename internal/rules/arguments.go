package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// arguments are the rules about the strings of JSON that a model writes for its tools.
var arguments = []Rule{
	{
		ID:        "arguments/same-value",
		Level:     Must,
		Text:      "The arguments of a call go back with the value that the model wrote.",
		Why:       "The model believes what its history says it asked for.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a call with arguments",
		Sources: []Source{
			{"https://openrouter.ai/docs/features/tool-calling", "the assistant message goes back as it came"},
			{"https://github.com/mastra-ai/mastra/issues/16017", "arguments saved as {}"},
		},
		Run: sameValue,
	},
	{
		ID:        "arguments/echoed-verbatim",
		Level:     Should,
		Where:     textArguments,
		Text:      "The arguments of a call go back byte for byte: key order, white space and escapes included.",
		Why:       "A provider's cache matches bytes; a re-serialised call makes everything behind it cost full price.",
		Invariant: true,
		Evidence:  "a request that returns a call with arguments",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/prompt-caching", "cache hits need exact prefix matches"},
			{"https://github.com/featherless-ai/open-agent-loops", "arguments go back as the very same string"},
		},
		Run: echoedVerbatim,
	},
	{
		ID:       "arguments/big-integers-echoed",
		Level:    Should,
		Text:     "An integer beyond 2^53 in the arguments goes back with all its digits.",
		Why:      "The rounded id of a record in the history makes the model ask for another record. No must: JSON lets readers hold numbers as doubles, as the whole of JavaScript does.",
		Returned: true,
		Evidence: "a request that returns a call with such an integer",
		Sources: []Source{
			{"https://github.com/earendil-works/pi/issues/8943", "the replayed history holds the wrong number"},
			{"https://www.rfc-editor.org/rfc/rfc8259#section-6", "readers agree on integers up to 2^53 only"},
		},
		Run: bigIntegersEchoed,
	},
	{
		ID:        "arguments/reach-the-tool",
		Level:     Must,
		Text:      "A tool is handed the arguments that the model wrote.",
		Why:       "The tool does something else than the model asked for.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Executions},
		Evidence:  "a tool run for a call with arguments",
		Sources: []Source{
			{"https://github.com/microsoft/semantic-kernel/issues/10132", "quotes inside arguments replaced"},
			{"https://github.com/TanStack/ai/pull/372", "calls run with empty arguments"},
		},
		Run: reachTheTool,
	},
	{
		ID:       "arguments/big-integers-reach-the-tool",
		Level:    Should,
		Text:     "A tool is handed an integer beyond 2^53 with all its digits.",
		Why:      "The tool works on another record than the model asked for. No must: JSON lets readers hold numbers as doubles, as the whole of JavaScript does.",
		Needs:    []protocol.Feature{protocol.Executions},
		Evidence: "a tool run for a call with such an integer",
		Sources: []Source{
			{"https://github.com/earendil-works/pi/issues/8943", "integers beyond 2^53 rounded"},
		},
		Run: bigIntegersReachTheTool,
	},
	{
		ID:       "arguments/blank-means-none",
		Level:    Should,
		Text:     "A tool without parameters is run when the model writes \"\" for its arguments.",
		Why:      "Several providers send \"\" for a call without arguments; a loop that parses it as JSON never runs the tool.",
		Needs:    []protocol.Feature{protocol.Executions},
		Evidence: "a request after a call whose arguments are \"\"",
		Sources: []Source{
			{"https://github.com/sigoden/aichat/pull/1217", "non-JSON arguments ''"},
			{"https://github.com/charmbracelet/fantasy/pull/156", "calls with empty arguments"},
			{"https://github.com/simonw/llm/issues/1521", "empty arguments crash json.loads"},
			{"https://github.com/jeremychone/rust-genai/pull/114", "Anthropic's stream of such a call: one empty piece of the input"},
		},
		Run: func(r *Run) Judged { return meansNone(r, "") },
	},
	{
		ID:       "arguments/null-means-none",
		Level:    Should,
		Text:     "A tool without parameters is run when the model writes null for its arguments.",
		Why:      "Groq sends \"null\" for a call without arguments; a loop that insists on an object never runs the tool.",
		Needs:    []protocol.Feature{protocol.Executions},
		Evidence: "a request after a call whose arguments are \"null\"",
		Sources: []Source{
			{"https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/groq", "recorded: \"arguments\":\"null\""},
		},
		Run: func(r *Run) Judged { return meansNone(r, "null") },
	},
}

// echoedArguments calls f for every call that came back with arguments worth comparing: the model wrote a JSON object,
// and the turn came in an ordinary way.
func (r *Run) echoedArguments(f func(e Echo, given wire.AnswerCall, back wire.Call)) {
	for _, e := range r.AskingEchoes() {
		if !r.ordinary(e.Turn) {
			continue
		}
		for n, given := range e.Turn.Answer.Calls {
			back, ok := e.arguments(n)
			if node, err := wire.ParseNode([]byte(given.Arguments)); ok && err == nil && node.Is(wire.Object) {
				f(e, given, back)
			}
		}
	}
}

func (j *Judged) wrongArguments(e Echo, given wire.AnswerCall, back wire.Call, what string) {
	j.Find(Finding{
		Request:  e.In.Number,
		Pointer:  back.ArgsNode.Pointer(),
		Message:  fmt.Sprintf("the arguments of the call %s %s", given.As, what),
		Expected: quote(given.Arguments),
		Actual:   quote(back.Arguments),
	})
}

func sameValue(r *Run) (j Judged) {
	r.echoedArguments(func(e Echo, given wire.AnswerCall, back wire.Call) {
		j.Seen = true
		if !wire.SameJSON(given.Arguments, back.Arguments) {
			j.wrongArguments(e, given, back, "came back with another value")
		}
	})
	return j
}

// echoedVerbatim leaves changes of the value, and lost digits, to the rules about those.
func echoedVerbatim(r *Run) (j Judged) {
	r.echoedArguments(func(e Echo, given wire.AnswerCall, back wire.Call) {
		j.Seen = true
		if given.Arguments != back.Arguments && wire.SameJSONExactly(given.Arguments, back.Arguments) {
			j.wrongArguments(e, given, back, "came back in other bytes")
		}
	})
	return j
}

func bigIntegersEchoed(r *Run) (j Judged) {
	r.echoedArguments(func(e Echo, given wire.AnswerCall, back wire.Call) {
		if !hasBigInteger(given.Arguments) {
			return
		}
		j.Seen = true
		if wire.SameJSON(given.Arguments, back.Arguments) && !wire.SameJSONExactly(given.Arguments, back.Arguments) {
			j.wrongArguments(e, given, back, "came back with an integer that lost digits")
		}
	})
	return j
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

func reachTheTool(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if c.Trouble != scenarios.NoTrouble || !r.ordinary(c.Turn) || c.Turn.Breaks() { // broken-turn-not-run looks at those
			continue
		}
		for _, e := range c.Executions {
			j.Seen = true
			if !c.sameArguments(e) && !r.isSibling(c, e) {
				j.Find(Finding{
					Request:  c.In.Number,
					Answer:   c.In.Number,
					Message:  fmt.Sprintf("the tool %s was not handed the arguments of the call %s", e.Tool, c.Call.As),
					Expected: quote(c.Call.Arguments),
					Actual:   quote(e.Arguments),
				})
			}
		}
	}
	return j
}

// isSibling reports whether an execution has the arguments of another call of the same turn, which own-arguments finds.
func (r *Run) isSibling(c CallRun, e *Execution) bool {
	return slices.ContainsFunc(r.Calls(), func(other CallRun) bool {
		return other.Turn == c.Turn && other.N != c.N && other.Call.Scripted() == e.Tool && other.sameArguments(e)
	})
}

func bigIntegersReachTheTool(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if !hasBigInteger(c.Call.Arguments) || !r.ordinary(c.Turn) {
			continue
		}
		for _, e := range c.Executions {
			j.Seen = true
			if wire.SameJSON(c.Call.Arguments, e.Arguments) && !wire.SameJSONExactly(c.Call.Arguments, e.Arguments) {
				j.Find(Finding{
					Request:  c.In.Number,
					Answer:   c.In.Number,
					Message:  fmt.Sprintf("the tool %s was handed an integer that lost digits", e.Tool),
					Expected: quote(c.Call.Arguments),
					Actual:   quote(e.Arguments),
				})
			}
		}
	}
	return j
}

func meansNone(r *Run, arguments string) (j Judged) {
	for _, c := range r.Calls() {
		if c.Call.Arguments != arguments || c.Trouble != scenarios.NoTrouble || !c.Turn.Asks() {
			continue
		}
		j.Seen = j.Seen || r.Next(c.In) != nil || len(c.Executions) > 0
		if len(c.Executions) == 0 && r.wentOn(c) {
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the tool %s takes no arguments and was not run", c.Call.Name),
				Expected: fmt.Sprintf("one run for the arguments %q", arguments),
				Actual:   "no run",
			})
		}
	}
	return j
}
