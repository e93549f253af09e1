package ollama

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/wire"
)

func TestQuirks(t *testing.T) {
	const (
		thinks = `{"message":{"content":"","thinking":"Hm."},"done":false}`
		says   = `{"message":{"content":"I look."},"done":false}`
		calls  = `{"message":{"content":"","tool_calls":[{"function":{"index":0,"name":"a"}}]},"done":false}`
		named  = `{"message":{"content":"","tool_calls":[{"id":"call_1","function":{"index":0,"name":"a"}}]},"done":false}`
		again  = `{"message":{"content":"","tool_calls":[{"function":{"index":1,"name":"b"}}]},"done":false}`
		ends   = `{"message":{"content":""},"done":true,"prompt_eval_count":3}`
	)
	for quirk, c := range map[string]struct{ lines, want []string }{
		"calls-in-one-delta": {[]string{says, calls, again, ends}, []string{says,
			`{"message":{"content":"","tool_calls":[{"function":{"index":0,"name":"a"}},{"function":{"index":1,"name":"b"}}]},"done":false}`, ends}},
		"calls-on-finish": {[]string{calls, again, ends}, []string{calls,
			`{"message":{"content":"","tool_calls":[{"function":{"index":1,"name":"b"}}]},"done":true,"prompt_eval_count":3}`}},
		"text-beside-call": {[]string{says, calls, ends}, []string{
			`{"message":{"content":"I look.","tool_calls":[{"function":{"index":0,"name":"a"}}]},"done":false}`, ends}},
		"text-on-finish":        {[]string{says, ends}, []string{`{"message":{"content":"I look."},"done":true,"prompt_eval_count":3}`}},
		"reasoning-beside-text": {[]string{thinks, says, says, ends}, []string{`{"message":{"content":"I look.","thinking":"Hm."},"done":false}`, says, ends}},
		"reasoning-beside-call": {[]string{thinks, calls, ends}, []string{
			`{"message":{"content":"","tool_calls":[{"function":{"index":0,"name":"a"}}],"thinking":"Hm."},"done":false}`, ends}},
		"call-id-missing":    {[]string{named, ends}, []string{calls, ends}},
		"call-index-missing": {[]string{again, ends}, []string{`{"message":{"content":"","tool_calls":[{"function":{"name":"b"}}]},"done":false}`, ends}},
		"call-index-shared":  {[]string{again}, []string{`{"message":{"content":"","tool_calls":[{"function":{"index":0,"name":"b"}}]},"done":false}`}},
		"usage-missing":      {[]string{says, ends}, []string{says, `{"message":{"content":""},"done":true}`}},
	} {
		var events []wire.Event
		for _, line := range c.lines {
			events = append(events, wire.Event{Data: []byte(line)})
		}
		q, _ := API.Quirk(quirk)
		var got []string
		for _, e := range q.Events(events) {
			got = append(got, string(e.Data))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", quirk, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
