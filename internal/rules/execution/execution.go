package execution

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// coreRules are the rules about running tools.
var coreRules = []rules.Rule{
	{
		ID:        "execution/every-call-run",
		Level:     trace.Must,
		Text:      "Every call of an existing tool with valid arguments is run. To run one of several equal calls of a turn for all of them, or to refuse calls beyond the eighth of a turn, breaks a should.",
		Why:       "Otherwise the call has no effect, or the model gets a made-up result.",
		Invariant: true,
		Needs:     rules.SeesTools,
		Evidence:  "a request after a turn with tool calls",
		OverAPIs:  true,
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "execute the functions the model calls"},
			{URL: "https://github.com/tmc/langchaingo/issues/1362", Says: "only the first of several calls was run"},
			{URL: "https://docs.crewai.com/en/concepts/crews", Says: "a cache of the results of tools, by design: a loop that claims cached-results need not run an identical call again"},
			{URL: "https://github.com/TanStack/ai/pull/965", Says: "a limit for the calls of a turn: the others get an error as their result"},
			{URL: "https://github.com/MoonshotAI/kimi-cli/pull/2242", Says: "equal calls of one step are run once, and share the result, by design"},
		},
		Run: everyCallRun,
	},
	{
		ID:          "execution/no-call-run-twice",
		Level:       trace.Must,
		Text:        "A call is run once.",
		Why:         "A doubled call is a doubled payment.",
		Invariant:   true,
		Needs:       rules.SeesTools,
		AnyDelivery: true,
		Evidence:    "a tool run",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/3960", Says: "a call followed by an empty delta was run twice"},
			{URL: "https://github.com/agno-agi/agno/issues/10366", Says: "finished tools run again"},
		},
		Run: noCallRunTwice,
	},
	{
		ID:          "execution/no-tool-run-uncalled",
		Level:       trace.Must,
		Text:        "No tool is run that the model did not call.",
		Why:         "A tool acts on the world; only the model's call allows it to.",
		Invariant:   true,
		Needs:       rules.SeesTools,
		AnyDelivery: true,
		Evidence:    "a tool run",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the model decides which functions to call"},
			{URL: rules.ToolCallDocs, Says: "run the tool that the tool_use block names"},
			{URL: rules.GeminiCallDocs, Says: "the model decides which function is called, and with what; the application runs it"},
			{URL: rules.ConverseToolDocs, Says: "the application calls the tool that the model has asked for"},
			{URL: rules.CohereToolDocs, Says: "the application runs the tools that the model calls"},
			{URL: rules.OllamaToolDocs, Says: "the tools that the model called are run"},
		},
		Run: noToolRunUncalled,
	},
	{
		ID:        "execution/own-arguments",
		Level:     trace.Must,
		Text:      "Each of several calls is run with its own arguments, not with those of a sibling.",
		Why:       "The right tool does the wrong thing.",
		Invariant: true,
		Needs:     rules.SeesTools,
		Evidence:  "two tool runs for calls of one turn whose arguments differ",
		OverAPIs:  true,
		Sources: []rules.Source{
			{URL: "https://github.com/mastra-ai/mastra/issues/16017", Says: "calls answered without their own arguments"},
			{URL: "https://github.com/lobehub/lobehub/pull/11649", Says: "the arguments of all calls landed in the first"},
		},
		Run: ownArguments,
	},
	{
		ID:        "execution/result-reaches-the-model",
		Level:     trace.Must,
		Text:      "What a tool returned is in the result of its call. To leave out letters that nobody sees or special tokens of models, or to cut more than 2000 letters with a note, breaks a should.",
		Why:       "The model answers from a result that it never saw.",
		Invariant: true,
		Needs:     rules.SeesTools,
		Evidence:  "a request after a tool returned text",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "supply the model with the results"},
			{URL: rules.ToolCallDocs, Says: "content: the result of the tool"},
			{URL: rules.GeminiCallDocs, Says: "the result of the function is sent to the model"},
			{URL: "https://github.com/vercel/ai/issues/4936", Says: "a result that was missing"},
			{URL: rules.CleanedResults, Says: "a loop that removes invisible letters from results, since they may hide orders to the model"},
			{URL: rules.DefusedResults, Says: "a loop that breaks special tokens in results, by design: many hosts of open models read them as the end of a message"},
			{URL: "https://github.com/huggingface/transformers/pull/47386", Says: "special tokens are removed from what users and tools say, by design"},
			{URL: rules.CutResults, Says: "results are cut to 10 KiB for the model, with a note, by design"},
		},
		Run: resultReachesTheModel,
	},
	{
		ID:       "execution/result-not-encoded-again",
		Level:    trace.Should,
		Text:     "A text that a tool returned is sent to the model unchanged, not encoded as JSON again.",
		Why:      "The model reads quotes and backslashes that the tool never wrote, and pays for them.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a tool returned text with quotes or line ends",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "the result is a string"},
			{URL: "https://github.com/langchain-ai/langchainjs/pull/11092", Says: "outputs that were not the text of the tool"},
		},
		Run: resultNotEncodedAgain,
	},
	{
		ID:       "execution/result-keeps-its-indentation",
		Level:    trace.Should,
		Text:     "A result begins with the spaces and tabs that the tool wrote.",
		Why:      "They are the indentation of the first line of a file: an edit that is made from it does not match.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a tool returned text that begins with spaces or tabs",
		Sources: []rules.Source{
			{URL: "https://github.com/openclaw/openclaw/issues/127587", Says: "results were trimmed for two providers, and indented code lost its indentation"},
			{URL: "https://github.com/cyrusagents/cyrus/pull/516", Says: "the first line of a file that was read lost its indentation"},
		},
		Run: resultKeepsItsIndentation,
	},
	{
		ID:       "execution/long-result-whole",
		Level:    trace.Should,
		Text:     "A very long result is sent to the model completely, or with a note that it was truncated.",
		Why:      "Otherwise the end of a file or of a table is lost without notice.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a tool returned more than 20 000 characters",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "supply the model with the results"},
			{URL: rules.ToolCallDocs, Says: "content: the result of the tool"},
			{URL: rules.GeminiCallDocs, Says: "the result of the function is sent to the model"},
			{URL: rules.ConverseToolDocs, Says: "the result of the tool goes to the model in a toolResult"},
			{URL: rules.CohereToolDocs, Says: "the results of the tools are sent to the model"},
			{URL: rules.OllamaToolDocs, Says: "the result of a tool is the content of its message"},
		},
		Run: longResultWhole,
	},
	{
		ID:       "execution/empty-result-answered",
		Level:    trace.Must,
		Text:     "A call whose tool returns nothing gets a result, too, or an error is reported to the caller; it is not lost silently.",
		Why:      "The provider refuses a call without a result, and the caller cannot see a silent end.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a tool returned the empty text, or an error that ended a run that had used tools",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-agents-python/issues/3554", Says: "an empty list gave no result at all"},
			{URL: "https://github.com/docker/cagent/issues/333", Says: "an empty result, and the run ended"},
		},
		Run: emptyResultAnswered,
	},
	{
		ID:       "execution/unknown-tool-answered",
		Level:    trace.Must,
		Text:     "A call of a tool that does not exist is answered with an error that the model can read, or reported to the caller; it is not lost silently.",
		Why:      "Models make up tools; with an error message they choose another.",
		Evidence: "a request after a call of a tool that was not offered, or an error that ended a run that had used tools",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "every call is answered"},
			{URL: "https://github.com/vercel/ai/issues/7694", Says: "an unknown tool ended the run"},
			{URL: "https://github.com/openai/openai-node/pull/2333", Says: "a tool named constructor crashed the loop"},
			{URL: "https://github.com/open-webui/open-webui/issues/25144", Says: "an empty result without an error"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return troubleAnswered(r, scenarios.UnknownTool) },
	},
	{
		ID:       "execution/invalid-json-answered",
		Level:    trace.Must,
		Text:     "A call whose arguments are not JSON is answered with an error that the model can read, or reported to the caller; it is not lost silently.",
		Why:      "Models write broken JSON; with an error message they write it again.",
		Evidence: "a request after a complete turn with a call whose arguments are not JSON, or an error that ended a run that had used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the model does not always generate valid JSON: validate the arguments"},
			{URL: "https://github.com/TanStack/ai/issues/1131", Says: "malformed arguments not returned to the model"},
			{URL: "https://github.com/charmbracelet/crush/issues/2776", Says: "calls with invalid JSON dropped"},
			{URL: streamedInputDocs, Says: "streamed inputs may be no JSON: an error result, with the text in an object"},
			{URL: "https://github.com/pydantic/pydantic-ai/issues/4430", Says: "such an input crashed the loop on its way back"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return troubleAnswered(r, scenarios.NotJSON) },
	},
	{
		// No must: several libraries close an open bracket on purpose. In a turn that was cut off
		// it is one: finish/cut-call-not-run.
		ID:       "execution/invalid-json-not-run",
		Level:    trace.Should,
		Text:     "A call whose arguments are not JSON is not run with guessed arguments.",
		Why:      "A command that was repaired by guessing is another command.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a complete turn with a call whose arguments are not JSON, in a run that used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "validate the arguments before calling your function"},
			{URL: "https://github.com/QwenLM/qwen-code/pull/2021", Says: "a truncated call repaired and executed"},
			{URL: streamedInputDocs, Says: "there is no guarantee that a streamed input is valid JSON"},
		},
		Run: invalidJSONNotRun,
	},
	{
		ID:       "execution/schema-breach-answered",
		Level:    trace.Must,
		Text:     "A call whose arguments break the tool's schema is answered with an error that the model can read, or reported to the caller; it is not lost silently.",
		Why:      "Models forget required parameters; with an error message they add them.",
		Evidence: "a request after a call whose arguments break the schema, or an error that ended a run that had used tools",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the model may hallucinate parameters not defined by your schema: validate the arguments"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/pull/9834", Says: "malformed calls froze the loop"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return troubleAnswered(r, scenarios.SchemaViolation) },
	},
	{
		ID:       "execution/failure-answered",
		Level:    trace.Must,
		Text:     "A tool that fails is answered with an error that the model can read, or its failure is reported to the caller; it is not lost silently. An empty result of a sub-agent that was stopped, as at its turn limit, only breaks a should.",
		Why:      "Otherwise the model, or the user, assumes that the work was done.",
		Needs:    rules.SeesTools,
		Evidence: "a request after a tool failed, or an error that ended a run that had used tools",
		Sources: []rules.Source{
			{URL: "https://ai-sdk.dev/docs/agents/subagents", Says: "a tool that returns the text of its sub-agent, which has none where the last step that it may take calls tools: so no must there"},
			{URL: "https://docs.mistral.ai/capabilities/function_calling", Says: "a tool returns its error as a result"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/5087", Says: "a failure that was sent as an empty result"},
		},
		Run: failureAnswered,
	},
	{
		ID:       "execution/bad-call-survived",
		Level:    trace.Should,
		Text:     "A call that cannot be run, or whose tool fails or returns nothing, does not end the run.",
		Why:      "Models make up tools and forget parameters, and services fail; with an error message a model corrects its call or finds another way.",
		Evidence: "a request after such a call, or an error that ended the run",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the model may make up parameters: validate the arguments"},
			{URL: "https://github.com/vercel/ai/issues/7694", Says: "an unknown tool ended the run"},
			{URL: "https://github.com/TanStack/ai/issues/1131", Says: "malformed arguments not returned to the model"},
			{URL: "https://github.com/langchain-ai/langchainjs/pull/9434", Says: "tool errors ended the agent"},
			{URL: "https://github.com/docker/cagent/issues/333", Says: "an empty result, and the run ended"},
			{URL: "https://ai.pydantic.dev/tools/", Says: "a loop that passes on what its tools raise, by design: so no must"},
			{URL: "https://reference.langchain.com/python/langchain/agents/middleware/tool_error", Says: "handling is opt-in: what is not handled propagates and halts the run, so that internal errors never reach the model"},
		},
		Run: badCallSurvived,
	},
	{
		ID:       "execution/failure-says-why",
		Level:    trace.Should,
		Text:     "The result of a tool that failed says why it failed.",
		Why:      "A model that knows the reason can react to it.",
		Needs:    rules.SeesTools,
		Evidence: "a request that answers a call whose tool failed",
		Sources: []rules.Source{
			{URL: "https://docs.mistral.ai/capabilities/function_calling", Says: "a tool returns its error as a result"},
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "the error's message is the content of the tool message"},
		},
		Run: failureSaysWhy,
	},
	{
		ID:       "execution/wordless-failure-told",
		Level:    trace.Should,
		Where:    rules.FlaglessResults,
		Text:     "The result of a tool that failed without a message says that it failed.",
		Why:      "The model treats an empty result as a success, and reports it. Not a must: the loop passes on everything that it got.",
		Needs:    rules.SeesTools,
		Evidence: "a request that answers a call whose tool failed with an empty message",
		Sources: []rules.Source{
			{URL: "https://docs.mistral.ai/capabilities/function_calling", Says: "a tool returns its error as a result"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/5087", Says: "an exception without a message broke the loop"},
			{URL: "https://github.com/microsoft/vscode/pull/330709", Says: "the model was given an empty result for a tool that had failed"},
		},
		Run: wordlessFailureTold,
	},
	{
		ID:       "execution/siblings-unaffected",
		Level:    trace.Must,
		Text:     "If the run continues, a call that cannot be run or fails does not prevent the other calls of its turn. To give up those that already run is a should.",
		Why:      "Otherwise the good calls are not run, or get no result.",
		Needs:    []protocol.Feature{protocol.Executions, protocol.ParallelCalls},
		Evidence: "a request after a turn with a bad and a good call, or an error that ended a run that had used tools",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-agents-python/issues/2584", Says: "one failing parallel tool killed the others"},
			{URL: "https://github.com/langchain-ai/deepagents/issues/694", Says: "all parallel calls are cancelled when one fails"},
			{URL: "https://github.com/charmbracelet/crush/issues/659", Says: "several tools, one fails"},
		},
		Run: siblingsUnaffected,
	},
}

// runnable reports whether a call has to be run: the turn is complete, the tool exists and takes
// the arguments, and the user does not deny it, or say something else meanwhile.
func runnable(c rules.CallRun) bool {
	return !c.Denied && !c.NotBegun && c.Turn.Asks() && c.Trouble == scenarios.NoTrouble && !(c.Refusable && len(c.Executions) == 0)
}

// inBadCompany reports whether a sibling of the call is one at which a loop may give up.
func inBadCompany(r *rules.Run, c rules.CallRun) bool {
	for _, other := range r.Calls() {
		if other.In == c.In && other.N != c.N && (other.Refusable || r.MayGiveUpAt(other.Call)) {
			return true
		}
	}
	return false
}

func noCallRunTwice(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		j.HasEvidence = j.HasEvidence || len(c.Executions) > 0
		if c.Doubled() && !r.Retried(c.In) {
			j.FindInAnswer(c.In,
				fmt.Sprintf("the call %s was run %d times", c.Call.As, len(c.Executions)),
				"one run of "+c.Call.Name,
				rules.Plural(len(c.Executions), "run"))
		}
	}
	return j
}

func noToolRunUncalled(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		j.HasEvidence = j.HasEvidence || len(c.Executions) > 0
	}
	for _, e := range r.Uncalled() {
		j.Find(trace.Finding{
			Message:  fmt.Sprintf("the tool %s was run without a call of it", e.Tool),
			Expected: "no run",
			Actual:   fmt.Sprintf("%s run with %s", e.Tool, rules.Quote(e.Arguments)),
		})
	}
	return j
}

func ownArguments(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if !runnable(c) || !r.Ordinary(c.Turn) {
			continue
		}
		for _, e := range c.Executions {
			for _, other := range r.Calls() {
				if other.In != c.In || other.N == c.N || other.Call.Name != c.Call.Name || sameAs(other, c) {
					continue
				}
				j.HasEvidence = true
				if !c.SameArguments(e) && other.SameArguments(e) {
					j.FindInAnswer(c.In,
						fmt.Sprintf("the call %s was run with the arguments of %s", c.Call.As, other.Call.As),
						rules.Quote(c.Call.Arguments),
						rules.Quote(e.Arguments))
				}
			}
		}
	}
	return j
}

func sameAs(c rules.CallRun, other rules.CallRun) bool {
	return c.SameArguments(&trace.Execution{Arguments: other.Call.Arguments})
}

func invalidJSONNotRun(r *rules.Run) (j rules.CheckResult) {
	for _, c := range r.Calls() {
		if c.Trouble != scenarios.NotJSON || !c.Turn.Asks() {
			continue
		}
		j.HasEvidence = j.HasEvidence || r.Next(c.In) != nil && len(r.Executions) > 0
		for _, e := range c.Executions {
			if _, err := wire.ParseNode([]byte(rules.ArgumentsOrNone(e.Arguments))); err != nil {
				continue // the tool was handed what the model wrote, and could refuse it
			}
			j.FindInAnswer(c.In,
				fmt.Sprintf("the call %s was run although its arguments are not JSON", c.Call.As),
				"no run",
				fmt.Sprintf("run with %s for %s", rules.Quote(e.Arguments), rules.Quote(c.Call.Arguments)))
		}
	}
	return j
}
