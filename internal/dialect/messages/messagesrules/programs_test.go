package messagesrules_test

import . "github.com/loopproof/loopproof/internal/rules/rulestest"

// codeWaits answers the call of code, in a request with these options.
func codeWaits(options string) string {
	return `
		asks
		runs oslo
		asks on` + options + `
			{{message 1}}
			results oslo
		failed: I give up`
}

var programCases = Cases{
	"programs/container-named": {
		Holds("by its id", ProgramBlocks, codeWaits(` with {"container":"{{container 1}}"}`)),
		Holds("in an object", ProgramBlocks, codeWaits(` with {"container":{"id":"{{container 1}}"}}`)),
		SeesNothing("the model called", BlockCity, OneCityDone),
		Breaks("left out", ProgramBlocks, codeWaits(""),
			Found(2, "/container", "the request does not name the container in which code of the provider waits", "the id of the container, or an object with it", "nothing")),
	},
}
