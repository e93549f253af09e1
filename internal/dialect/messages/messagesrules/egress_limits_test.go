package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// describing is a run that offers a tool with these properties.
func describing(properties string) string {
	return OfferingTools(`{"name":"look","input_schema":{"type":"object","properties":` + properties + `}}`)
}

var egressLimitCases = Cases{
	"egress/property-names": {
		Holds("as they are", BlockCity, OneCityDone),
		Holds("all that is taken", BlockCity, describing(`{"a.b-C_1":{"type":"string"},"`+strings.Repeat("x", 64)+`":{}}`)),
		Holds("within a property", BlockCity, describing(`{"filter":{"type":"object","properties":{"filter[id]":{"type":"string"}}}}`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("of OData", BlockCity, describing(`{"$top":{"type":"integer"}}`),
			Found(2, "/tools/0/input_schema/properties/$top", `the tool "look" has a property with a name that is refused`, "1 to 64 letters, digits, underscores, dots and dashes", `"$top"`)),
		Breaks("a long one", BlockCity, describing(`{"`+strings.Repeat("x", 65)+`":{}}`),
			Found(2, "/tools/0/input_schema/properties/"+strings.Repeat("x", 65), `the tool "look" has a property with a name that is refused`, "1 to 64 letters, digits, underscores, dots and dashes", `"`+strings.Repeat("x", 65)+`"`)),
	},
	"egress/stop-sequences-say-something": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("texts", BlockCity, Asking(`"stop_sequences":["\nHuman:"]`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("a line break", BlockCity, Asking(`"stop_sequences":["END","\n"]`),
			Found(2, "/stop_sequences/1", "a stop sequence of white space", "a text, or no such entry", `"\n"`)),
	},
	"egress/metadata-keys": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("the user", BlockCity, Asking(`"metadata":{"user_id":"ada"}`)),
		Holds("a user that is not known", BlockCity, Asking(`"metadata":{"user_id":null}`)),
		Holds("a text, which is for parameter-types", BlockCity, Asking(`"metadata":"ada"`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("a session", BlockCity, Asking(`"metadata":{"user_id":"ada","session_id":"s1"}`),
			Found(2, "/metadata/session_id", `metadata has the key "session_id"`, "user_id, or no such key", `"s1"`)),
		Breaks("a number", BlockCity, Asking(`"metadata":{"user_id":7}`),
			Found(2, "/metadata/user_id", "the id of the user is not a string", "a string", "7")),
		Breaks("a long one", BlockCity, Asking(`"metadata":{"user_id":"`+strings.Repeat("u", 257)+`"}`),
			Found(2, "/metadata/user_id", "the id of the user is too long", "at most 256 characters", `"`+strings.Repeat("u", 159)+"…")),
	},
	"egress/cache-mark-form": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("as the reference has it", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"5m"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}},{"type":"text","text":"c","cache_control":null}]`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("another time", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"24h"}}]`),
			Found(2, "/system/0/cache_control/ttl", "a cache_control of an unknown ttl", "5m or 1h", `"24h"`)),
		Breaks("another type", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"persistent"}}]`),
			Found(2, "/system/0/cache_control/type", "a cache_control of an unknown type", "ephemeral", `"persistent"`)),
		Breaks("no type", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"ttl":"5m"}}]`),
			Found(2, "/system/0/cache_control/type", "a cache_control of an unknown type", "ephemeral", "nothing")),
	},
	"egress/temperature-or-top-p": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("one of them", BlockCity, Asking(`"temperature":1,"top_p":null`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("both", BlockCity, Asking(`"temperature":1,"top_p":0.9`), Found(2, "/top_p", "a temperature and a top_p", "one of them", "0.9")),
	},
	"egress/cache-times-in-order": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("the longer first", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]`)),
		Holds("on the request itself", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}],"cache_control":{"type":"ephemeral","ttl":"1h"}`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("the longer last", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]`),
			Found(2, "/system/1/cache_control/ttl", "a cache_control of an hour after one of five minutes", "the longer times first, in the order of tools, system, messages", `{"type":"ephemeral","ttl":"1h"}`)),
	},
}
