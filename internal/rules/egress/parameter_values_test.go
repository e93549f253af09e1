package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var parameterValueCases = Cases{
	"egress/parameter-ranges": {
		Holds("not said", OneCity, OneCityDone),
		Holds("within", OneCity, Asking(`"temperature":2,"top_p":0,"frequency_penalty":-2,"presence_penalty":2,"top_logprobs":20`)),
		Holds("within, in messages", BlockCity, Asking(`"temperature":1,"top_p":0.5`)),
		Holds("what is no number is for parameter-types", OneCity, Asking(`"temperature":"3","top_p":null`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("outside", OneCity, Asking(`"temperature":2.5,"top_p":-1,"top_logprobs":-1`),
			Found(2, "/temperature", "temperature is out of its range", "from 0 to 2", "2.5"),
			Found(2, "/top_p", "top_p is out of its range", "from 0 to 1", "-1"),
			Found(2, "/top_logprobs", "top_logprobs is out of its range", "from 0 to 20", "-1")),
		Breaks("more than a number can be", OneCity, Asking(`"temperature":1e999,"presence_penalty":-1e999`),
			Found(2, "/temperature", "temperature is out of its range", "from 0 to 2", "1e999"),
			Found(2, "/presence_penalty", "presence_penalty is out of its range", "from -2 to 2", "-1e999")),
		Breaks("what another API takes, in messages", BlockCity, Asking(`"temperature":1.5`),
			Found(2, "/temperature", "temperature is out of its range", "from 0 to 1", "1.5")),
	},
	"egress/parameter-words": {
		Holds("not said", OneCity, OneCityDone),
		Holds("known", OneCity, Asking(`"service_tier":"flex","verbosity":"low"`)),
		Holds("known, in messages", BlockCity, Asking(`"service_tier":"standard_only"`)),
		Holds("null is nothing", OneCity, Asking(`"service_tier":null`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("null, which Anthropic refuses", BlockCity, Asking(`"service_tier":null`),
			Found(2, "/service_tier", "service_tier has a word that the API does not know", "one of auto, standard_only", "null")),
		Breaks("another word", OneCity, Asking(`"service_tier":"express","verbosity":1`),
			Found(2, "/service_tier", "service_tier has a word that the API does not know", "one of auto, default, fast, flex, scale, priority", `"express"`),
			Found(2, "/verbosity", "verbosity has a word that the API does not know", "one of low, medium, high", "1")),
		Breaks("a word of another API, in messages", BlockCity, Asking(`"service_tier":"flex"`),
			Found(2, "/service_tier", "service_tier has a word that the API does not know", "one of auto, standard_only", `"flex"`)),
	},
}
