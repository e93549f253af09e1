package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/mockprovider"
)

// TestHealthcheck: it finds the server by a URL, a flag or a variable, also behind a certificate that
// nobody signed, and fails with 1 where there is none.
func TestHealthcheck(t *testing.T) {
	plain := httptest.NewServer(mockprovider.New(mockprovider.Config{}))
	defer plain.Close()
	secure := httptest.NewTLSServer(mockprovider.New(mockprovider.Config{}))
	defer secure.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	address := func(url string) string { return url[strings.Index(url, "://")+3:] }
	for _, c := range []struct {
		name        string
		args        []string
		environment map[string]string
		healthy     bool
		says        string
	}{
		{"URL", []string{plain.URL + "/v1"}, nil, true, plain.URL + " is healthy\n"},
		{"flag", []string{"--addr", address(plain.URL)}, nil, true, plain.URL + " is healthy\n"},
		{"port before a variable", []string{"-p", address(plain.URL)[len("127.0.0.1:"):]}, map[string]string{"LOOPPROOF_ADDR": "0.0.0.0:1"}, true, plain.URL},
		{"variable", nil, map[string]string{"LOOPPROOF_ADDR": address(plain.URL)}, true, plain.URL},
		{"own certificate", nil, map[string]string{"LOOPPROOF_ADDR": address(secure.URL), "LOOPPROOF_TLS_CERT": "cert.pem"}, true, secure.URL},
		{"another server", []string{other.URL}, nil, false, "not healthy: " + other.URL + " answers 404 Not Found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			var told bytes.Buffer
			cmd := healthcheckCommand(streams{out: &told, err: &told})
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			cmd.SetArgs(append([]string{}, c.args...))
			err := cmd.ExecuteContext(context.Background())
			if (err == nil) != c.healthy || err != nil && !errors.Is(err, verdict(exitNotConformant)) || !strings.Contains(told.String(), c.says) {
				t.Errorf("it says %q, %v", &told, err)
			}
		})
	}
}
