package rules

var (
	// half is cut off in its answer by the token limit, filtered by a filter.
	half     = ending("length")
	filtered = ending("content-filter")
	// halfAtOnce is cut off in the first answer.
	halfAtOnce = scene(`
prompt: Tell me a story.
model: [{text: Once upon, finish: length}]
`)
	// filteredCall is filtered behind a whole call.
	filteredCall = scene(weatherTool + `
prompt: What is the weather?
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    finish: content-filter
`)
)

func ending(finish string) setting {
	return scene(weatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: The weather in Oslo is not
    finish: ` + finish + `
`)
}

// afterRound is a dialogue about one call and what comes behind its result.
func afterRound(rest string) string {
	return `
		asks
		runs oslo
		asks on
			calls oslo
			result oslo
		` + rest
}

// afterList is the same for the scenes in which files are listed first.
func afterList(rest string) string {
	return `
		asks
		runs list
		asks on
			calls list
			result list
		` + rest
}

var finishCases = ruleCases{
	"finish/cut-call-not-run": {
		holds("the run stops", cutInCall, afterList("stopped: length")),
		holds("the model is told and asked again", cutInCall, afterList(`asks on
			calls delete
			result delete: Error: the call was cut off by the token limit; repeat it
		completed`)),
		holds("whole calls beside it are for truncated-turn-not-run", cutAfterCall, afterList(`runs first
		asks on
			calls first
			result first
		completed`)),
		seesNothing("a loop that ran nothing so far", cutInCall, `
			asks
			asks on
				calls list
				result list
			stopped: length`),
		seesNothing("nothing was cut off", oneCity, oneCityDone),
		breaks("completed and run", cutInCall, afterList(`runs delete with {"name":"a.o"}
		completed`),
			finding{2, "", "the call delete was run although its turn ended with length", "no run", `delete_file run with "{\"name\":\"a.o\"}"`}),
		breaks("run with nothing", cutInCall, afterList(`runs delete with {}
		completed`),
			finding{2, "", "the call delete was run although its turn ended with length", "no run", `delete_file run with "{}"`}),
		breaks("handed to the tool as it is", cutInCall, afterList(`runs delete
		completed`),
			finding{2, "", "the call delete was run although its turn ended with length", "no run", `delete_file run with "{\"name\":\"a.o"`}),
	},
	"finish/truncated-turn-not-run": {
		holds("nothing is run", cutAfterCall, afterList("stopped: length")),
		holds("the cut one is for cut-call-not-run", cutAfterCall, afterList(`runs second with {}
		stopped: length`)),
		seesNothing("nothing was cut off", oneCity, oneCityDone),
		seesNothing("only the cut call", cutInCall, afterList("stopped: length")),
		breaks("the whole call is run", cutAfterCall, afterList(`runs first
		stopped: length`),
			finding{2, "", "the call first was run although its turn ended with length", "no run", `delete_file run with "{\"name\":\"a.old\"}"`}),
		breaks("a filtered turn is run", filteredCall, `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs oslo
			stopped: content_filter`,
			finding{2, "", "the call oslo was run although its turn ended with content-filter", "no run", `get_weather run with "{\"city\":\"Oslo\"}"`}),
	},
	"finish/length-is-not-success": {
		holds("stopped", half, afterRound("stopped: length")),
		holds("failed", half, afterRound("failed: the answer was cut off")),
		holds("completed, with the reason", half, afterRound("completed (length): The weather in Oslo is not")),
		holds("completed, with the reason in other words", half, afterRound("completed (MAX_TOKENS): The weather in Oslo is not")),
		holds("the rest was asked for", half, afterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		completed: The weather in Oslo is not bad.`)),
		seesNothing("whole", oneCity, oneCityDone),
		seesNothing("no tool was used", halfAtOnce, `
			asks
			stopped: length`),
		seesNothing("filtered", filtered, afterRound("stopped: content_filter")),
		breaks("completed", half, afterRound("completed: The weather in Oslo is not"),
			finding{2, "", "an answer that ended with length was reported as completed", `status stopped or failed, or finish_reason "length"`, `status completed with the text "The weather in Oslo is not"`}),
		breaks("completed, with another reason", half, afterRound("completed (stop): The weather in Oslo is not"),
			finding{2, "", "an answer that ended with length was reported as completed", `status stopped or failed, or finish_reason "length"`, `status completed with the text "The weather in Oslo is not"`}),
		breaks("completed, cut inside a call", cutInCall, afterList("completed: Done."),
			finding{2, "", "an answer that ended with length was reported as completed", `status stopped or failed, or finish_reason "length"`, `status completed with the text "Done."`}),
	},
	"finish/cut-is-told": {
		holds("as the reason", half, afterRound("stopped: length")),
		holds("in an error", half, afterRound("failed: the answer was cut off")),
		holds("as the finish reason", half, afterRound("failed (max_tokens): no answer")),
		seesNothing("completed is for length-is-not-success", half, afterRound("completed: The weather in Oslo is not")),
		seesNothing("whole", oneCity, oneCityDone),
		seesNothing("filtered", filtered, afterRound("stopped: content_filter")),
		breaks("a parser's error", cutInCall, afterList("failed: EOF while parsing a string"),
			finding{2, "", "the token limit ended the run, and the outcome does not say so", "a finish_reason, reason or error that tells of the limit", `the loop reported failed: "EOF while parsing a string"`}),
	},
	"finish/content-filter-is-not-success": {
		holds("stopped", filtered, afterRound("stopped: content_filter")),
		holds("completed, with the reason", filtered, afterRound("completed (content_filter): The weather in Oslo is not")),
		holds("completed, with the reason in other words", filtered, afterRound("completed (contentFilter): The weather in Oslo is not")),
		seesNothing("whole", oneCity, oneCityDone),
		seesNothing("cut off", half, afterRound("stopped: length")),
		breaks("completed", filtered, afterRound("completed:"),
			finding{2, "", "an answer that ended with content-filter was reported as completed", `status stopped or failed, or finish_reason "content-filter"`, `status completed with the text ""`}),
	},
	"finish/calls-decide": {
		holds("run and answered", stopping, oneCityDone),
		seesNothing("the word is tool_calls", oneCity, oneCityDone),
		seesNothing("the word is length", cutInCall, afterList("stopped: length")),
		seesNothing("nobody knows what became of it", stopping, `
			asks
			crashed`),
		seesNothing("the turn limit is reached", stoppingLimited, `
			asks
			stopped: the limit of 1 turn is reached`),
		breaks("the end of the run", stopping, `
			asks
			completed:`,
			finding{1, "", "a turn with tool calls and the finish word stop ended the run", `the calls are run and answered: get_weather "{\"city\":\"Oslo\"}"`, "the loop reported completed"}),
		breaks("the end of the run, though the tool was run", stopping, `
			asks
			runs oslo
			completed:`,
			finding{1, "", "a turn with tool calls and the finish word stop ended the run", `the calls are run and answered: get_weather "{\"city\":\"Oslo\"}"`, "the loop reported completed"}),
	},
}

// stoppingLimited may ask the model once.
var stoppingLimited = scene("max-turns: 1\n" + stopping.scenario)
