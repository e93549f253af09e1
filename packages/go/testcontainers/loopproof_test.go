package testcontainers

import (
	"testing"

	tc "github.com/testcontainers/testcontainers-go"
)

// TestOptions looks at what would be started: a test of ours needs no Docker.
func TestOptions(t *testing.T) {
	var req tc.GenericContainerRequest
	for _, option := range options("my-scripts", map[string]string{"first-token": "1s", "profile": "openai"}) {
		if err := option.Customize(&req); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"LOOPPROOF_SCENARIO": "/scripts", "LOOPPROOF_FIRST_TOKEN": "1s", "LOOPPROOF_PROFILE": "openai"} {
		if req.Env[name] != want {
			t.Errorf("%s is %q, want %q", name, req.Env[name], want)
		}
	}
	if len(req.Files) != 1 || req.Files[0].HostFilePath != "my-scripts" || len(req.ExposedPorts) != 1 || req.WaitingFor == nil {
		t.Errorf("the request is %+v", req)
	}
}
