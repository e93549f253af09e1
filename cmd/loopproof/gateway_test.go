package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// gatewayOutput learns from the output of loopproof gateway where the provider is.
type gatewayOutput struct {
	bytes.Buffer
	at atomic.Pointer[url.URL]
}

var providerAt = regexp.MustCompile(`the gateway's provider is at (\S+)`)

func (u *gatewayOutput) Write(p []byte) (int, error) {
	if found := providerAt.FindSubmatch(p); found != nil {
		at, err := url.Parse(string(found[1]))
		if err != nil {
			return 0, err
		}
		u.at.Store(at)
	}
	return u.Buffer.Write(p)
}

// throughGateway runs loopproof gateway with a gateway that changes the bodies of requests.
func throughGateway(t *testing.T, change func(body string) string, args ...string) (code int, said string) {
	t.Helper()
	out := &gatewayOutput{}
	gateway := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(out.at.Load())
			if told := r.In.Header.Get("X-Route"); told != "here" {
				t.Errorf("the header X-Route is %q", told)
			}
			body, err := io.ReadAll(r.In.Body)
			if err != nil {
				t.Error(err)
			}
			changed := change(string(body))
			r.Out.Body, r.Out.ContentLength = io.NopCloser(strings.NewReader(changed)), int64(len(changed))
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	defer gateway.Close()
	var errors bytes.Buffer
	code = execute(append([]string{"gateway", gateway.URL, "--upstream-addr", "127.0.0.1:0", "--quick", "--header", "X-Route: here"}, args...), streams{out: out, err: &errors, width: 200})
	return code, out.String() + errors.String()
}

// What a correct loop keeps, stays kept by a gateway that passes everything on.
func TestGatewayThatPassesAllOn(t *testing.T) {
	code, said := throughGateway(t, func(body string) string { return body },
		"--scenario", "pairing/parallel-results", "--scenario", "stream/cut-*", "--scenario", "retry/rate-limit", "--strict")
	if code != exitConformant || !strings.Contains(said, "no rule is broken") {
		t.Errorf("the exit code is %d:\n%s", code, said)
	}
}

// A gateway that loses the order of messages is told what it did.
func TestGatewayThatChangesIDs(t *testing.T) {
	code, said := throughGateway(t, func(body string) string { return strings.ReplaceAll(body, `"tool_call_id":"`, `"tool_call_id":"x`) },
		"--profile", "openai", "--scenario", "pairing/parallel-results")
	if code != exitNotConformant || !strings.Contains(said, "pairing/every-call-answered") {
		t.Errorf("the exit code is %d:\n%s", code, said)
	}
}

func TestGatewayIsNamed(t *testing.T) {
	for args, want := range map[string]string{
		"gateway":                    "name the gateway, as in: loopproof gateway http://127.0.0.1:4000",
		"gateway http://127.0.0.1:1": "--upstream-addr is missing",
		"gateway http://127.0.0.1:1 --upstream-addr 127.0.0.1:0":                  "no gateway takes connections at 127.0.0.1:1",
		"gateway http://127.0.0.1:1 --upstream-addr 127.0.0.1:0 -- false":         "the gateway ended before it took connections at 127.0.0.1:1: exit status 1",
		"gateway http://127.0.0.1:1 --upstream-addr 127.0.0.1:0 --speaks english": "english",
		"gateway http://127.0.0.1:1 --upstream-addr 127.0.0.1:0 --header x":       "--header must be NAME: VALUE",
		"gateway http://127.0.0.1:1 --upstream-addr 127.0.0.1:0 --workers 4":      "plays one case after the other",
	} {
		var out, errors bytes.Buffer
		if code := execute(strings.Fields(args), streams{out: &out, err: &errors, width: 200}); code != exitFault || !strings.Contains(errors.String(), want) {
			t.Errorf("%s: the exit code is %d, and it says %s", args, code, &errors)
		}
	}
}
