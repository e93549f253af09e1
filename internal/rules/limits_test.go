package rules

import "strings"

var (
	// limitedAndBusy may ask the model twice; the provider is busy once.
	limitedAndBusy = scene(weatherTool + `
max-turns: 2
prompt: Compare the weather in Oslo and Lima.
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - status: 429
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`)
	// hanging has a tool that takes longer than the task has.
	hanging = scene(`
timeout: 2s
prompt: What is the weather in Oslo?
tools:
  get_weather:
    parameters: {city: string}
    results: [{when: {city: Oslo}, text: 4 C, after: 4s}, {text: 19 C}]
model:
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`)
	// justEnough may ask the model as often as it takes.
	justEnough = scene("max-turns: 2\n" + oneCity.scenario)
)

// hungAt is a run up to the tool that hangs, which was run for so long.
func hungAt(took string) string {
	return `
			asks
			runs lima
			asks on
				calls lima
				result lima
			runs oslo ` + took + `
			`
}

var limitsCases = ruleCases{
	"limits/silent-tool-given-up": {
		holds("given up, and the run with it", hanging, hungAt("for 1900ms given up")+"failed: deadline exceeded"),
		holds("given up, and the model told", hanging, hungAt("for 1s given up")+`asks on
				calls oslo
				result oslo: Error: the tool does not answer
			completed`),
		seesNothing("the first tool of all", scene(strings.Replace(hanging.scenario, "Lima\"}'}]", "Oslo\"}'}]", 1)), `
			asks
			runs lima for 4s
			asks on
				calls lima
				result lima
			completed`),
		seesNothing("no tool that hangs", oneCity, oneCityDone),
		seesNothing("nobody knows what became of it", hanging, hungAt("for 1900ms")+"crashed"),
		breaks("waited for", hanging, hungAt("for 4s")+`asks on
				calls oslo
				result oslo
			completed`,
			finding{0, "", "the loop waited until the tool returned", "an end after the 2s that the task has", "get_weather run for 4s"}),
	},
	"limits/turn-limit-respected": {
		holds("as many as allowed", limited, limitReached),
		holds("attempts that failed are no turns", limitedAndBusy, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			asks on
			stopped: the limit of 2 turns is reached`),
		seesNothing("no limit was set", oneCity, oneCityDone),
		seesNothing("fewer than allowed", limited, `
			asks
			failed: no idea`),
		seesNothing("no tool was used", limited, `
			asks
			asks
			asks
			stopped: what now?`),
		breaks("one more", limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			stopped: enough`,
			finding{3, "", "the loop went past its limit of 2 turns", "at most 2 turns", "3 turns"}),
		holds("one more for a summary, without tools", limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima
			completed: Rome`),
		holds("one more for a summary, with tools that cannot be called", limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on with {"tool_choice":"none"}
				calls lima
				result lima
			completed: Rome`),
		breaks("a second summary", limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on without tools
				calls lima
				result lima
			asks on without tools
				calls rome
				result rome
			completed: Rome`,
			finding{4, "", "the loop went past its limit of 2 turns", "at most 2 turns", "4 turns"}),
	},
	"limits/answer-asked-for-once": {
		holds("each answer once", oneCity, oneCityDone),
		holds("the last one again is for no-request-after-the-end", oneCity, `
			asks
			asks on
				calls oslo
				result oslo
			repeats
			completed`),
		seesNothing("no tool was used", noTools, noToolsDone),
		breaks("each request twice", oneCity, `
			asks
			repeats
			runs oslo
			asks on
				calls oslo
				result oslo
			completed`,
			finding{2, "", "the same as request 1, whose answer came whole", "a request that goes on from the answer", "the same request once more"}),
	},
	"limits/limit-is-told": {
		holds("stopped", limited, limitReached),
		holds("failed", limitedAndBusy, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
			failed: the limit of 2 turns is reached`),
		seesNothing("the answer came in time", justEnough, oneCityDone),
		seesNothing("no limit was set", oneCity, oneCityDone),
		seesNothing("past the limit is for turn-limit-respected", limited, `
			asks
			asks on
				calls oslo
				result oslo
			asks on
				calls lima
				result lima
			completed: Lima`),
		breaks("completed", limited, `
			asks
			runs oslo
			asks on
				calls oslo
				result oslo
			completed: I looked everywhere.`,
			finding{2, "", "a run that ended at its turn limit was reported as completed", "status stopped or failed", `status completed with the text "I looked everywhere."`}),
	},
	"limits/all-turns-allowed": {
		holds("the answer in the last turn", justEnough, oneCityDone),
		holds("the limit is reached", limited, limitReached),
		seesNothing("no limit was set", oneCity, oneCityDone),
		seesNothing("no tool was used", limited, `
			asks
			failed: no idea`),
		seesNothing("an error is for others", limited, `
			asks
			runs oslo
			failed: the database is down`),
		breaks("one turn early", limited, `
			asks
			runs oslo
			stopped: the limit is reached`,
			finding{1, "", "the loop stopped before its limit of 2 turns", "another request", "the loop reported stopped (reason: the limit is reached) after 1 turn"}),
	},
	"limits/no-request-after-the-end": {
		holds("the answer is the end", oneCity, oneCityDone),
		seesNothing("no tool was used", noTools, noToolsDone),
		seesNothing("half an answer may be asked on", half, afterRound(`asks on
			assistant: The weather in Oslo is not
			user: Go on.
		completed: The weather in Oslo is not bad.`)),
		seesNothing("nobody knows what became of it", oneCity, afterRound("crashed")),
		seesNothing("an answer in another form may not be known for one", plainText, afterRound("asks on\nasks on\nasks on\nfailed: no answer")),
		seesNothing("a loop that reads no refusals sees a blank answer, and may ask again", refusing, afterRound("asks on\ncompleted: There is nothing more to say.")),
		breaks("once more", oneCity, afterRound(`asks on
			assistant: It is 4 C in Oslo.
		completed: It is 4 C in Oslo.`),
			finding{3, "", "a request after the model's last answer", "2 requests", "3 requests"}),
		breaks("the same again, twice", oneCity, afterRound(`asks on
		asks on
		completed: It is 4 C in Oslo.`),
			finding{3, "", "a request after the model's last answer", "2 requests", "4 requests"}),
	},
}
