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
		Breaks("a retention of its own", OneCity, Asking(`"prompt_cache_retention":{"a":1}`),
			Found(2, "/prompt_cache_retention", "prompt_cache_retention has a word that the API does not know", "one of in_memory, in-memory, 24h", `{"a":1}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Breaks("null, which Anthropic refuses", BlockCity, Asking(`"service_tier":null`),
			Found(2, "/service_tier", "service_tier has a word that the API does not know", "one of auto, standard_only", "null")),
		Breaks("another word", OneCity, Asking(`"service_tier":"express","verbosity":1`),
			Found(2, "/service_tier", "service_tier has a word that the API does not know", "one of auto, default, fast, flex, scale, priority", `"express"`),
			Found(2, "/verbosity", "verbosity has a word that the API does not know", "one of low, medium, high", "1")),
		Breaks("a word of another API, in messages", BlockCity, Asking(`"service_tier":"flex"`),
			Found(2, "/service_tier", "service_tier has a word that the API does not know", "one of auto, standard_only", `"flex"`)),
	},
	"egress/option-keys": {
		Holds("not said", OneCity, OneCityDone),
		Holds("known", OneCity, Asking(`"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false},"prompt_cache_options":{"mode":"implicit","ttl":"30m"}`)),
		Holds("no objects", OneCity, Asking(`"stream_options":null,"prompt_cache_options":"x"`)),
		Holds("known, in responses", OneCity.Under("openai-responses"), AskingWith(`{"reasoning":{"effort":"low","summary":"auto","context":"auto","mode":"standard","generate_summary":null},"text":{"verbosity":"low","format":{"type":"text"}},"prompt_cache_options":{"mode":"implicit","ttl":"30m"}}`)),
		Holds("no objects, in responses", OneCity.Under("openai-responses"), AskingWith(`{"reasoning":null,"text":"x"}`)),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		SeesNothing("a router, which has more keys", OneCity.Under("openrouter-responses"), AskingWith(`{"reasoning":{"enabled":true,"exclude":true}}`)),
		SeesNothing("a server that has more keys", OneCity.Under("vllm"), Asking(`"stream":true,"stream_options":{"continuous_usage_stats":true}`)),
		Breaks("others", OneCity, Asking(`"stream":true,"stream_options":{"continuous_usage_stats":true},"prompt_cache_options":{"prewarm":true}`),
			Found(2, "/stream_options/continuous_usage_stats", `stream_options has the key "continuous_usage_stats"`, "one of include_obfuscation, include_usage", "true"),
			Found(2, "/prompt_cache_options/prewarm", `prompt_cache_options has the key "prewarm"`, "one of mode, ttl", "true")),
		Breaks("others, in responses", OneCity.Under("openai-responses"), AskingWith(`{"reasoning":{"effort":"low","exclude":true},"text":{"type":"text"}}`),
			Found(2, "/reasoning/exclude", `reasoning has the key "exclude"`, "one of context, effort, generate_summary, mode, summary", "true"),
			Found(2, "/text/type", `text has the key "type"`, "one of format, verbosity", `"text"`)),
	},
}
