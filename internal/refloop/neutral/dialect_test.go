package neutral

import "testing"

func TestErrorText(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{"error":{"message":"Slow down.","type":"tokens"}}`, "Slow down."},
		{`{"object":"error","message":"Slow down.","code":"1300"}`, "Slow down."},
		{`{"error":"Slow down."}`, "Slow down."},
		{`{"detail":"Invalid API Key"}`, "Invalid API Key"},
		{`[{"error":{"code":400,"message":"Slow down.","status":"INVALID_ARGUMENT"}}]`, "Slow down."},
		{`{"error":{"message":"Provider returned error","metadata":{"raw":"{\"detail\":\"Slow down.\"}"}}}`, `Provider returned error {"detail":"Slow down."}`},
		{`[]`, `[]`},
		{`{"error":{"mess`, `{"error":{"mess`},
		{"<html>Bad Gateway</html>", "<html>Bad Gateway</html>"},
		{"", ""},
	} {
		if got := ErrorText([]byte(c.body)); got != c.want {
			t.Errorf("of %s the message is %q, want %q", c.body, got, c.want)
		}
	}
}
