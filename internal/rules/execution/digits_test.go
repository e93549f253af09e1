package execution_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// order has a result with a long id.
var order = Scene(`
prompt: Which order is it?
tools:
  find_order:
    results: [{text: '{"id":9007199254740993,"price":1.0000000000000001}'}]
model:
  - calls: [{as: order, tool: find_order, arguments: '{}'}]
  - text: It is 9007199254740993.
`)

// orderFound sends this as the result.
func orderFound(result string) string {
	return "asks\nruns order\nasks on\n\tcalls order\n\tresult order: " + result + "\ncompleted"
}

var digitCases = Cases{
	"execution/big-integers-in-results": {
		Holds("as it came", order, orderFound(`{"id":9007199254740993,"price":1.0000000000000001}`)),
		Holds("written anew, with a rounded fraction", order, orderFound(`{"price": 1.0, "id": 9007199254740993}`)),
		SeesNothing("another result is for result-reaches-the-model", order, orderFound("none")),
		SeesNothing("a short one", OneCity, OneCityDone),
		Breaks("rounded", order, orderFound(`{"id":9007199254740992,"price":1}`),
			Found(2, "/messages", "an integer in the result of the call order lost digits", "9007199254740993", `"{\"id\":9007199254740992,\"price\":1}"`)),
	},
}
