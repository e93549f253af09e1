package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// keyed is a run whose second request has its key there; "-" is nowhere.
func keyed(where string) string {
	return "asks\nheader key: authorization\nruns oslo\nasks on\nheader key: " + where + "\ncalls oslo\nresult oslo\ncompleted"
}

var keyCases = Cases{
	"egress/key-sent": {
		Holds("sent", OneCity, keyed("authorization")),
		Holds("as Azure takes it", OneCity, keyed("api-key")),
		SeesNothing("nobody gave it one", OneCity, OneCityDone),
		SeesNothing("a server that needs none", OneCity.Under("ollama"), keyed("-")),
		Breaks("lost", OneCity, keyed("-"),
			Found(2, "", "the request carries no key", "a key in the header authorization or api-key", "no key")),
	},
}
