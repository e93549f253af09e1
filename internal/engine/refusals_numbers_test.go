package engine_test

import (
	"net/http"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// An integer beyond 64 bits is an integer: to say that one was expected, and that one came, is no
// answer. What OpenAI says of it is not known; Ollama cannot read it.
func TestIntegersBeyond64Bits(t *testing.T) {
	const body = `{"model":"m","messages":[{"role":"user","content":"ping"}],"seed":18446744073709551616}`
	for name, want := range map[string]string{
		"openai": "",
		"ollama": "json: cannot unmarshal number 18446744073709551616 into Go struct field ChatCompletionRequest.seed of type int",
	} {
		srv := start(t, engine.Config{Profile: profile(t, name), Scenarios: lookAndTell(t)})
		got := ask(t, srv.URL, body)
		if said := gjson.Get(got.body, "error.message").String(); said != want || (got.status == http.StatusOK) != (want == "") {
			t.Errorf("%s answers %d %s", name, got.status, got.body)
		}
	}
}
