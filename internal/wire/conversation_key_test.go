package wire_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestConversationKey(t *testing.T) {
	key := func(d *wire.Dialect, body string) [32]byte {
		t.Helper()
		req, err := d.Read([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return req.ConversationKey()
	}
	const hello = `"messages":[{"role":"user","content":"Hello."}]`
	plain := key(messages.API, `{`+hello+`}`)
	for name, tc := range map[string]struct {
		body string
		same bool
	}{
		"another model":         {`{"model":"m",` + hello + `}`, true},
		"space between keys":    {`{ "stream": true, ` + hello + ` }`, true},
		"a system prompt":       {`{"system":"Be terse.",` + hello + `}`, false},
		"another text":          {`{"messages":[{"role":"user","content":"Hello!"}]}`, false},
		"one more message":      {`{"messages":[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hi."}]}`, false},
		"two messages for one":  {`{"messages":[{"role":"user","content":"Hel"},{"role":"user","content":"lo."}]}`, false},
		"messages of no length": {`{"messages":[]}`, false},
	} {
		if got := key(messages.API, tc.body) == plain; got != tc.same {
			t.Errorf("%s: the same key: %t, want %t", name, got, tc.same)
		}
	}
	terse := key(messages.API, `{"system":"Be terse.",`+hello+`}`)
	if polite := key(messages.API, `{"system":"Be polite.",`+hello+`}`); polite == terse {
		t.Error("two system prompts have the same key")
	}
	if key(chat.API, `{`+hello+`}`) == key(chat.API, `{"messages":[{"role":"system","content":"Be terse."},{"role":"user","content":"Hello."}]}`) {
		t.Error("a system message does not count")
	}
}
