package messagesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var egressLimitCases = Cases{
	"egress/cache-times-in-order": {
		Holds("not said", BlockCity, OneCityDone),
		Holds("the longer first", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]`)),
		Holds("on the request itself", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}],"cache_control":{"type":"ephemeral","ttl":"1h"}`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("the longer last", BlockCity, Asking(`"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]`),
			Found(2, "/system/1/cache_control/ttl", "a cache_control of an hour after one of five minutes", "the longer times first, in the order of tools, system, messages", `{"type":"ephemeral","ttl":"1h"}`)),
	},
}
