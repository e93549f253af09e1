package runner

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// TestPreflightOfAWrongPath: a loop that asks the mock provider, but not where the task says, is
// told both places.
func TestPreflightOfAWrongPath(t *testing.T) {
	t.Parallel()
	loop := loops.Func(func(_ context.Context, task protocol.Task) (protocol.Outcome, error) {
		resp, err := http.Post(task.BaseURL+"/v1/chat/completions", "application/json", strings.NewReader("{}"))
		if err == nil {
			resp.Body.Close()
		}
		return protocol.Outcome{Status: protocol.Failed, Error: "a 404"}, err
	})
	_, err := Play(t.Context(), Config{Loop: loop, Seed: 41, Select: Select{Scenarios: []string{"pairing/single-call"}}})
	var preflight *loops.PreflightError
	if !errors.As(err, &preflight) {
		t.Fatalf("the error is %v", err)
	}
	for _, want := range []string{"the loop asked the mock provider at POST /run/", "/v1/v1/chat/completions, and not at /run/"} {
		if !strings.Contains(preflight.Problem, want) {
			t.Errorf("the problem is %q, want %q", preflight.Problem, want)
		}
	}
	if want := "the base URL of the task is http://127.0.0.1:"; !strings.HasPrefix(preflight.Note, want) || !strings.Contains(preflight.Note, "it reported the status failed: a 404") {
		t.Errorf("the note is %q, want %q first", preflight.Note, want)
	}
}

func TestProxies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environment []string
		want        string
	}{
		{nil, ""},
		{[]string{"PATH=/bin", "HTTPS_PROXY=http://proxy"}, ""}, // the mock provider has no TLS
		{[]string{"HTTP_PROXY="}, ""},
		{[]string{"HTTP_PROXY=http://user:secret@proxy"}, "HTTP_PROXY is set, and NO_PROXY does not name 127.0.0.1, so that requests may go to the proxy\n"},
		{[]string{"all_proxy=socks5://proxy", "no_proxy=example.com"}, "ALL_PROXY is set, and NO_PROXY does not name 127.0.0.1, so that requests may go to the proxy\n"},
		{[]string{"http_proxy=http://proxy", "NO_PROXY=localhost, 127.0.0.1"}, ""},
		{[]string{"http_proxy=http://proxy", "NO_PROXY=*"}, ""},
	} {
		if got := proxies(c.environment); got != c.want {
			t.Errorf("of %q it says %q, want %q", c.environment, got, c.want)
		}
	}
}
