package savedrequests_test

import (
	"encoding/json"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/lint/pythonliteral"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
)

// Whatever is in a file, the requests in it are JSON, or what is wrong with them is said.
func FuzzFind(f *testing.F) {
	for _, text := range []string{
		`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`,
		`[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[]}]`,
		"{\"messages\":[]}\n{\"input\":\"Hi\"}\n",
		`DEBUG openai: Request options: {'json_data': {'messages': [{'role': 'user', 'content': "it's"}], 'stream': True, 'x': None}}`,
		`{"log":{"entries":[{"request":{"method":"POST","postData":{"text":"{\"messages\":[]}"}}}]}}`,
		`{"model":`,
	} {
		f.Add([]byte(text))
	}
	o := savedrequests.Options{Dialects: dialect.All(), Literal: pythonliteral.JSON}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := savedrequests.Find(data, o)
		if err != nil {
			return
		}
		for _, r := range all {
			if r.Broken == nil && !json.Valid(r.Body) {
				t.Errorf("a request at %q is not JSON: %q", r.Place, r.Body)
			}
		}
	})
}
