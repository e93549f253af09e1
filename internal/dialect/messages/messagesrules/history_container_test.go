package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var historyContainerCases = Cases{
	"history/container-named": {
		Holds("by its id", computing, `
			asks
			runs oslo
			asks on with {"container":"{{container 1}}"}
				{{message 1}}
				results oslo
			completed`),
		Holds("with what it is to hold", computing, `
			asks
			asks on with {"container":{"id":"{{container 1}}","skills":[]}}
				{{message 1}}
				results oslo
			completed`),
		SeesNothing("nothing runs there", Searching, `
			asks
			asks on
				{{message 1}}
				results oslo
			completed`),
		Breaks("left out", computing, `
			asks
			asks on
				{{message 1}}
				results oslo
			completed`,
			Found(2, "/container", "the request does not name the container in which a tool of the provider still runs", `"{{container 1}}", or an object with this id`, "nothing")),
		Breaks("another one", computing, `
			asks
			asks on with {"container":"container_1"}
				{{message 1}}
				results oslo
			completed`,
			Found(2, "/container", "the request does not name the container in which a tool of the provider still runs", `"{{container 1}}", or an object with this id`, `"container_1"`)),
	},
}
