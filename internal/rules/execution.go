package rules

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var seesTools = []protocol.Feature{protocol.Executions}

// execution are the rules about running tools.
var execution = []Rule{
	{
		ID:        "execution/every-call-run",
		Level:     Must,
		Text:      "Every call of a tool that exists, with arguments that fit, is run.",
		Why:       "The model waits for something that never happens, or is told a result that nobody fetched.",
		Invariant: true,
		Needs:     seesTools,
		Evidence:  "a request after a turn with tool calls",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "execute the functions the model calls"},
			{"https://github.com/tmc/langchaingo/issues/1362", "only the first of several calls was run"},
		},
		Run: everyCallRun,
	},
	{
		ID:          "execution/no-call-run-twice",
		Level:       Must,
		Text:        "A call is run once.",
		Why:         "A doubled call is a doubled payment.",
		Invariant:   true,
		Needs:       seesTools,
		AnyDelivery: true,
		Evidence:    "a tool run",
		Sources: []Source{
			{"https://github.com/vercel/ai/pull/3960", "a call followed by an empty delta was run twice"},
			{"https://github.com/agno-agi/agno/issues/10366", "finished tools run again"},
		},
		Run: noCallRunTwice,
	},
	{
		ID:          "execution/no-tool-run-uncalled",
		Level:       Must,
		Text:        "No tool is run that the model did not call.",
		Why:         "A tool acts on the world; only the model's call allows it to.",
		Invariant:   true,
		Needs:       seesTools,
		AnyDelivery: true,
		Evidence:    "a tool run",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "the model decides which functions to call"},
		},
		Run: noToolRunUncalled,
	},
	{
		ID:        "execution/own-arguments",
		Level:     Must,
		Text:      "Each of several calls is run with its own arguments, not with those of a sibling.",
		Why:       "The right tool does the wrong thing.",
		Invariant: true,
		Needs:     seesTools,
		Evidence:  "two tool runs for calls of one turn whose arguments differ",
		Sources: []Source{
			{"https://github.com/mastra-ai/mastra/issues/16017", "calls answered without their own arguments"},
			{"https://github.com/lobehub/lobehub/pull/11649", "the arguments of all calls landed in the first"},
		},
		Run: ownArguments,
	},
	{
		ID:        "execution/result-reaches-the-model",
		Level:     Must,
		Text:      "What a tool returned stands in the result of its call.",
		Why:       "The model answers from a result that it never saw.",
		Invariant: true,
		Needs:     seesTools,
		Evidence:  "a request after a tool returned text",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "supply the model with the results"},
			{"https://github.com/vercel/ai/issues/4936", "a result that was missing"},
		},
		Run: resultReachesTheModel,
	},
	{
		ID:       "execution/result-not-encoded-again",
		Level:    Should,
		Text:     "A text that a tool returned goes to the model as it is, not quoted as JSON once more.",
		Why:      "The model reads quotes and backslashes that the tool never wrote, and pays for them.",
		Needs:    seesTools,
		Evidence: "a request after a tool returned text with quotes or line ends",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "the result is a string"},
			{"https://github.com/langchain-ai/langchainjs/pull/11092", "outputs that were not the text of the tool"},
		},
		Run: resultNotEncodedAgain,
	},
	{
		ID:       "execution/long-result-whole",
		Level:    Should,
		Text:     "A very long result reaches the model whole, or with a note that it was cut.",
		Why:      "The end of a file or of a table is lost, and nobody is told.",
		Needs:    seesTools,
		Evidence: "a request after a tool returned more than 20 000 characters",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "supply the model with the results"},
		},
		Run: longResultWhole,
	},
	{
		ID:       "execution/empty-result-answered",
		Level:    Must,
		Text:     "A tool that returns nothing is answered too, or the caller is told: its call is not lost in silence.",
		Why:      "A call without a result is refused by the provider, and an end without a word passes for a good one.",
		Needs:    seesTools,
		Evidence: "a request after a tool returned the empty text, or an error that ended a run that had used tools",
		Sources: []Source{
			{"https://github.com/openai/openai-agents-python/issues/3554", "an empty list gave no result at all"},
			{"https://github.com/docker/cagent/issues/333", "an empty result, and the run ended"},
		},
		Run: emptyResultAnswered,
	},
	{
		ID:       "execution/unknown-tool-answered",
		Level:    Must,
		Text:     "A call of a tool that does not exist is answered with an error that the model can read, or reported to the caller: it is not lost in silence.",
		Why:      "Models make up tools; told so, they choose another.",
		Evidence: "a request after a call of a tool that was not offered, or an error that ended a run that had used tools",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "every call is answered"},
			{"https://github.com/vercel/ai/issues/7694", "an unknown tool ended the run"},
			{"https://github.com/openai/openai-node/pull/2333", "a tool named constructor crashed the loop"},
			{"https://github.com/open-webui/open-webui/issues/25144", "an empty result without an error"},
		},
		Run: func(r *Run) Judged { return troubleAnswered(r, scenarios.UnknownTool) },
	},
	{
		ID:       "execution/invalid-json-answered",
		Level:    Must,
		Text:     "A call whose arguments are not JSON is answered with an error that the model can read, or reported to the caller: it is not lost in silence.",
		Why:      "Models write broken JSON; told so, they write it again.",
		Evidence: "a request after a complete turn with a call whose arguments are not JSON, or an error that ended a run that had used tools",
		Sources: []Source{
			{createDocs, "the model does not always generate valid JSON: validate the arguments"},
			{"https://github.com/TanStack/ai/issues/1131", "malformed arguments not returned to the model"},
			{"https://github.com/charmbracelet/crush/issues/2776", "calls with invalid JSON dropped"},
			{streamedInputDocs, "streamed inputs may be no JSON: an error result, with the text in an object"},
			{"https://github.com/pydantic/pydantic-ai/issues/4430", "such an input crashed the loop on its way back"},
		},
		Run: func(r *Run) Judged { return troubleAnswered(r, scenarios.NotJSON) },
	},
	{
		// No must: several libraries close an open bracket on purpose. In a turn that was cut off it is one: finish/cut-call-not-run.
		ID:       "execution/invalid-json-not-run",
		Level:    Should,
		Text:     "A call whose arguments are not JSON is not run on a guess at what was meant.",
		Why:      "A repaired half of a command is another command.",
		Needs:    seesTools,
		Evidence: "a request after a complete turn with a call whose arguments are not JSON, in a run that used tools",
		Sources: []Source{
			{createDocs, "validate the arguments before calling your function"},
			{"https://github.com/QwenLM/qwen-code/pull/2021", "a truncated call repaired and executed"},
			{streamedInputDocs, "there is no guarantee that a streamed input is valid JSON"},
		},
		Run: invalidJSONNotRun,
	},
	{
		ID:       "execution/schema-breach-answered",
		Level:    Must,
		Text:     "A call whose arguments break the tool's schema is answered with an error that the model can read, or reported to the caller: it is not lost in silence.",
		Why:      "Models forget required parameters; told so, they add them.",
		Evidence: "a request after a call whose arguments break the schema, or an error that ended a run that had used tools",
		Sources: []Source{
			{createDocs, "the model may hallucinate parameters not defined by your schema: validate the arguments"},
			{"https://github.com/RooCodeInc/Roo-Code/pull/9834", "malformed calls froze the loop"},
		},
		Run: func(r *Run) Judged { return troubleAnswered(r, scenarios.SchemaBreach) },
	},
	{
		ID:       "execution/failure-answered",
		Level:    Must,
		Text:     "A tool that fails is answered with an error that the model can read, or its failure is reported to the caller: it is not lost in silence.",
		Why:      "The model, or the user, takes for done what was not done.",
		Needs:    seesTools,
		Evidence: "a request after a tool failed, or an error that ended a run that had used tools",
		Sources: []Source{
			{"https://docs.mistral.ai/capabilities/function_calling", "a tool returns its error as a result"},
			{"https://github.com/langchain4j/langchain4j/issues/5087", "a failure that was sent as an empty result"},
		},
		Run: failureAnswered,
	},
	{
		ID:       "execution/bad-call-survived",
		Level:    Should,
		Text:     "A call that cannot be run, whose tool fails, or returns nothing, does not end the run.",
		Why:      "Models make up tools and forget parameters, and services are down: told so, a model mends its call or finds another way.",
		Evidence: "a request after such a call, or an error that ended the run",
		Sources: []Source{
			{createDocs, "the model may make up parameters: validate the arguments"},
			{"https://github.com/vercel/ai/issues/7694", "an unknown tool ended the run"},
			{"https://github.com/TanStack/ai/issues/1131", "malformed arguments not returned to the model"},
			{"https://github.com/langchain-ai/langchainjs/pull/9434", "tool errors ended the agent"},
			{"https://github.com/docker/cagent/issues/333", "an empty result, and the run ended"},
			{"https://ai.pydantic.dev/tools/", "a loop that passes on what its tools raise, by design: so no must"},
		},
		Run: badCallSurvived,
	},
	{
		ID:       "execution/failure-says-why",
		Level:    Should,
		Text:     "The result of a tool that failed says why it failed.",
		Why:      "A model that knows the reason can do something about it.",
		Needs:    seesTools,
		Evidence: "a request that answers a call whose tool failed",
		Sources: []Source{
			{"https://docs.mistral.ai/capabilities/function_calling", "a tool returns its error as a result"},
			{"https://github.com/featherless-ai/open-agent-loops", "the error's message is the content of the tool message"},
		},
		Run: failureSaysWhy,
	},
	{
		ID:       "execution/wordless-failure-told",
		Level:    Should,
		Where:    flaglessResults,
		Text:     "The result of a tool that failed without a word says that it failed.",
		Why:      "The model takes an empty result for a success, and reports what never happened. No must: the loop hands on all that it was told.",
		Needs:    seesTools,
		Evidence: "a request that answers a call whose tool failed with an empty message",
		Sources: []Source{
			{"https://docs.mistral.ai/capabilities/function_calling", "a tool returns its error as a result"},
			{"https://github.com/langchain4j/langchain4j/issues/5087", "an exception without a message broke the loop"},
			{"https://github.com/microsoft/vscode/pull/330709", "the model was given an empty result for a tool that had failed"},
		},
		Run: wordlessFailureTold,
	},
	{
		ID:       "execution/siblings-unaffected",
		Level:    Must,
		Text:     "In a run that goes on, a call that cannot be run, or fails, does not keep its siblings from being run.",
		Why:      "The work of the good calls is lost, or their calls stay without a result.",
		Needs:    []protocol.Feature{protocol.Executions, protocol.ParallelCalls},
		Evidence: "a request after a turn with a bad and a good call, or an error that ended a run that had used tools",
		Sources: []Source{
			{"https://github.com/openai/openai-agents-python/issues/2584", "one failing parallel tool killed the others"},
			{"https://github.com/charmbracelet/crush/issues/659", "several tools, one fails"},
		},
		Run: siblingsUnaffected,
	},
}

// runnable reports whether a call has to be run: the turn is complete, the tool exists and takes the arguments.
func (c CallRun) runnable() bool {
	return c.Turn.Asks() && c.Trouble == scenarios.NoTrouble && !(c.Refusable && len(c.Executions) == 0)
}

// fails reports whether the scenario lets the tool fail for this call.
func (r *Run) fails(c CallRun) bool {
	tool := r.Script.Scenario.Tool(c.Call.Scripted())
	if tool == nil {
		return false
	}
	result, ok := tool.Answer(orNone(c.Call.Arguments))
	return ok && result.Fails()
}

// wentOn reports whether the loop had its say after a call was made: it asked again, or ended. At its turn limit it has
// not: the model would never see the results of those calls. Nor has it where its time was over, or the user cancelled.
func (r *Run) wentOn(c CallRun) bool {
	return !r.interrupted(c.Turn) && (r.Next(c.In) != nil || r.Outcome != nil && !r.hadToEnd())
}

// inBadCompany reports whether a sibling of the call cannot be run or fails.
func (r *Run) inBadCompany(c CallRun) bool {
	for _, other := range r.Calls() {
		if other.In == c.In && other.N != c.N && (other.Trouble != scenarios.NoTrouble || other.Refusable || r.fails(other)) {
			return true
		}
	}
	return false
}

func everyCallRun(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		blank := orNone(c.Call.Arguments) != c.Call.Arguments
		if !c.runnable() || blank || r.inBadCompany(c) || !r.ordinary(c.Turn) || !r.wentOn(c) || c.Turn.Answer.Finish != "calls" {
			continue
		}
		j.Seen = j.Seen || len(c.Executions) > 0
		if len(c.Executions) == 0 {
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Calls:    []string{c.Call.ID},
				Message:  fmt.Sprintf("the call %s was not run", c.Call.As),
				Expected: fmt.Sprintf("%s is run with %s", c.Call.Name, quote(c.Call.Arguments)),
				Actual:   "no run",
			})
		}
	}
	return j
}

func noCallRunTwice(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		j.Seen = j.Seen || len(c.Executions) > 0
		if c.doubled() && !r.retried(c.In) {
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the call %s was run %d times", c.Call.As, len(c.Executions)),
				Expected: "one run of " + c.Call.Name,
				Actual:   plural(len(c.Executions), "run"),
			})
		}
	}
	return j
}

// doubled reports whether a call was run again although it had not failed. To try a tool again that failed is for the
// loop to decide.
func (c CallRun) doubled() bool {
	for i := 1; i < len(c.Executions); i++ {
		if before := c.Executions[i-1]; !before.Failed || c.Executions[i].Start < before.End {
			return true
		}
	}
	return false
}

func noToolRunUncalled(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		j.Seen = j.Seen || len(c.Executions) > 0
	}
	for _, e := range r.Uncalled() {
		j.Find(Finding{
			Message:  fmt.Sprintf("the tool %s was run without a call of it", e.Tool),
			Expected: "no run",
			Actual:   fmt.Sprintf("%s run with %s", e.Tool, quote(e.Arguments)),
		})
	}
	return j
}

func ownArguments(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if !c.runnable() || !r.ordinary(c.Turn) {
			continue
		}
		for _, e := range c.Executions {
			for _, other := range r.Calls() {
				if other.In != c.In || other.N == c.N || other.Call.Name != c.Call.Name || other.sameAs(c) {
					continue
				}
				j.Seen = true
				if !c.sameArguments(e) && other.sameArguments(e) {
					j.Find(Finding{
						Request:  c.In.Number,
						Answer:   c.In.Number,
						Message:  fmt.Sprintf("the call %s was run with the arguments of %s", c.Call.As, other.Call.As),
						Expected: quote(c.Call.Arguments),
						Actual:   quote(e.Arguments),
					})
				}
			}
		}
	}
	return j
}

func (c CallRun) sameAs(other CallRun) bool {
	return c.sameArguments(&Execution{Arguments: other.Call.Arguments})
}

func invalidJSONNotRun(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if c.Trouble != scenarios.NotJSON || !c.Turn.Asks() {
			continue
		}
		j.Seen = j.Seen || r.Next(c.In) != nil && len(r.Executions) > 0
		for _, e := range c.Executions {
			if _, err := wire.ParseNode([]byte(orNone(e.Arguments))); err != nil {
				continue // the tool was handed what the model wrote, and could refuse it
			}
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the call %s was run although its arguments are not JSON", c.Call.As),
				Expected: "no run",
				Actual:   fmt.Sprintf("run with %s for %s", quote(e.Arguments), quote(c.Call.Arguments)),
			})
		}
	}
	return j
}

func siblingsUnaffected(r *Run) (j Judged) {
	for _, c := range r.Calls() {
		if !c.runnable() || r.fails(c) || !r.inBadCompany(c) || !r.wentOn(c) {
			continue
		}
		if r.failedAt(c) { // bad-call-survived looks at those
			j.Seen = j.Seen || r.ranBefore(c.In)
			continue
		}
		j.Seen = true
		if len(c.Executions) == 0 {
			j.Find(Finding{
				Request:  c.In.Number,
				Answer:   c.In.Number,
				Message:  fmt.Sprintf("the call %s was not run; a sibling of it is bad", c.Call.As),
				Expected: fmt.Sprintf("%s is run with %s", c.Call.Name, quote(c.Call.Arguments)),
				Actual:   "no run",
			})
		}
	}
	return j
}
