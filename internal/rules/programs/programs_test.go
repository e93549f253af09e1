package programs_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// whole is a run in which all comes back, as blocks and as items.
var (
	whole = `
		asks
		runs oslo
		asks on with {"container":"{{container 1}}"}
			{{message 1}}
			results oslo
		runs lima
		asks on with {"container":"{{container 1}}"}
			{{message 2}}
			results lima
		asks on
			{{message 3}}
			user: And now?
		completed`

	result = `{"type":"function_call_output","call_id":"{{oslo}}","output":"4 C"}`
	oslo   = `{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}`
	byCode = `{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"},"caller":{"type":"code_execution_20260120","tool_id":"{{caller 1}}"}}`
	code   = `{"type":"server_tool_use","id":"{{caller 1}}","name":"code_execution","input":{"code":"await both()"}}`
)

// first is a run that ends with the request that returns the first turn as these blocks.
func first(blocks string) string {
	return `
		asks
		runs oslo
		asks on with {"container":"{{container 1}}"}
			{"role":"assistant","content":[` + blocks + `]}
			results oslo
		failed: I give up`
}

// named is the run over items, whose results name the code.
func named(caller string) string {
	return `
		asks
		runs oslo
		asks on
			{{message 1}}
			` + strings.TrimSuffix(result, "}") + caller + "}" + `
		failed: I give up`
}

const toolAlone = `asks with {"tools":[{"name":"get_weather","input_schema":{"type":"object"}}]}
	failed: I give up`

var coreCases = Cases{
	"programs/tools-offered": {
		Holds("of blocks", ProgramBlocks, whole),
		Holds("of items", ProgramItems, "asks\nfailed: I give up"),
		SeesNothing("no tool is marked", BlockCity, toolAlone),
		SeesNothing("a request without tools", ProgramBlocks, "asks without tools\nfailed: I give up"),
		Breaks("not the one that runs code", ProgramBlocks, toolAlone,
			Found(1, "/tools", "the request does not offer the tool that runs code of the provider", "the tool that runs code", "get_weather")),
		Breaks("to the model alone", ProgramBlocks, `asks with {"tools":[{"name":"get_weather","input_schema":{"type":"object"}},{"type":"code_execution_20250825","name":"code_execution"}]}
			failed: I give up`,
			Found(1, "/tools/0", "code of the provider may not call the tool get_weather", "allowed_callers with the provider's code", "nothing")),
	},
	"programs/caller-comes-back": {
		Holds("in each turn", ProgramBlocks, whole),
		Holds("in items", ProgramItems, named("")),
		SeesNothing("the model calls", BlockCity, OneCityDone),
		SeesNothing("no code was offered a tool", ProgramBlocks, strings.ReplaceAll(first(oslo), "asks", `asks without tools`)),
		Breaks("left out", ProgramBlocks, first(code+","+oslo),
			Found(2, "/messages/1/content/1", "the call oslo came back with another caller", "the code {{caller 1}} as the caller", "nothing")),
	},
	"programs/result-names-caller": {
		Holds("it does", ProgramItems, named(`,"caller":{"type":"program","caller_id":"{{caller 1}}"}`)),
		SeesNothing("no result", ProgramItems, "asks\nfailed: I give up"),
		Breaks("left out", ProgramItems, named(""),
			Found(2, "/input/3", "the result of the call oslo does not name its caller", "the code {{caller 1}} as the caller", "nothing")),
	},
	"programs/code-comes-back": {
		Holds("with its end", ProgramBlocks, whole),
		Holds("in items", ProgramItems, named("")),
		SeesNothing("before its turn comes back", ProgramBlocks, "asks\nfailed: I give up"),
		Breaks("left out", ProgramBlocks, first(byCode),
			Found(2, "/messages", "the code {{caller 1}} did not come back", `"await both()"`, `{"role":"assistant","content":[`+byCode+`]}`)),
		Breaks("other code", ProgramBlocks, first(strings.Replace(code, "await ", "", 1)+","+byCode),
			Found(2, "/messages/1/content/0", "the code {{caller 1}} came back changed", `"await both()"`, strings.Replace(code, "await ", "", 1))),
	},
}
