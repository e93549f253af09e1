package controlapi

import (
	"testing"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

// An error is read out of the envelope of every provider, and nothing is made up where there is
// none.
func TestErrorOf(t *testing.T) {
	for _, c := range []struct{ body, message, kind string }{
		{`{"error":{"message":"Too many.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, "Too many.", "tokens, rate_limit_exceeded"},
		{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "Overloaded", "overloaded_error"},
		{`{"object":"error","message":"Bad role","type":"invalid_request_error","code":3051}`, "Bad role", "invalid_request_error, 3051"},
		{`{"detail":[{"loc":["body"],"msg":"Field required"}]}`, "Field required", ""},
		{`{"detail":"Not found"}`, "Not found", ""},
		{`{"error":"model \"x\" not found"}`, `model "x" not found`, ""},
		{"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"Broken\"}}\n\n", "Broken", "api_error"},
		{`<html>Bad gateway</html>`, "", ""}, {``, "", ""}, {`{"error":{`, "", ""}, {`[]`, "", ""},
	} {
		got := errorOf(journal.Entry{Answer: journal.Answer{Status: 500, Writes: wire.NewPieces([]byte(c.body))}})
		if got.message != c.message || got.kind != c.kind {
			t.Errorf("%s: %+v, want %q, %q", c.body, got, c.message, c.kind)
		}
	}
}

func TestWithin(t *testing.T) {
	at := map[string]int{"/messages/1": 1, "/messages/10": 10, "/system": 0, "": 7}
	for pointer, want := range map[string]int{"/messages/1": 1, "/messages/10/content/2": 10, "/system": 0, "/messages/2": -1, "/model": -1, "": -1} {
		n, ok := within(at, pointer)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("%q is in %d, want %d", pointer, n, want)
		}
	}
}
